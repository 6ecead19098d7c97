import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  isAlive,
  listProcesses,
  processesBelow,
  parsePs,
  parseWindows,
  startOf,
} from "../../../../src/editor/kit/nodeProcess.ts";

describe("The processes of this machine", () => {
  it("are read of what ps says on macOS", () => {
    const said = `    1     0   9120 /sbin/launchd
  812     1 102400 /usr/local/bin/node /Users/me/my agents/node_modules/.bin/langgraphjs dev --port 2024
  813   812  51200 (node)
`;
    assert.deepEqual(parsePs(said), [
      { pid: 1, parent: 0, bytes: 9_338_880, command: "/sbin/launchd" },
      {
        ...{ pid: 812, parent: 1, bytes: 104_857_600 },
        command: "/usr/local/bin/node /Users/me/my agents/node_modules/.bin/langgraphjs dev --port 2024",
      },
      { pid: 813, parent: 812, bytes: 52_428_800, command: "(node)" },
    ]);
  });

  it("are read of what PowerShell says on Windows, where some have no command line", () => {
    const said = String.raw`[{"ProcessId":4,"ParentProcessId":0,"CommandLine":null,"WorkingSetSize":147456},
      {"ProcessId":912,"ParentProcessId":4,"CommandLine":"\"C:\\Program Files\\nodejs\\node.exe\" C:\\p\\cli.mjs dev","WorkingSetSize":104857600}]`;
    assert.deepEqual(parseWindows(said), [
      { pid: 4, parent: 0, command: "", bytes: 147_456 },
      {
        ...{ pid: 912, parent: 4, bytes: 104_857_600 },
        command: String.raw`"C:\Program Files\nodejs\node.exe" C:\p\cli.mjs dev`,
      },
    ]);
  });

  it("have this one among them, below the one that started it", async () => {
    const all = await listProcesses();
    const own = all.find(({ pid }) => pid === process.pid);
    assert.equal(own?.parent, process.ppid);
    assert(own.bytes > 1_000_000);
    assert(processesBelow(all, process.ppid).includes(own));
  });

  it("are alive until they end", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
    assert.equal(isAlive(child.pid!), true);
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.equal(isAlive(child.pid!), false);
    assert.equal(isAlive(Number.NaN), false);
  });

  it("tell one from a later one with its id by when it started", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
    const started = await startOf(process.pid);
    assert.notEqual(started, undefined);
    assert.equal(await startOf(process.pid), started);
    assert.notEqual(await startOf(child.pid!), started);
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.equal(await startOf(child.pid!), undefined);
  });

  it("are alive also where another user's takes no signal of ours", () => {
    const kill = process.kill.bind(process);
    const refusing = (code: string) => () => {
      throw Object.assign(new Error(`kill ${code}`), { code });
    };
    try {
      process.kill = refusing("EPERM");
      assert.equal(isAlive(1), true);
      process.kill = refusing("ESRCH");
      assert.equal(isAlive(1), false);
    } finally {
      process.kill = kill;
    }
  });
});

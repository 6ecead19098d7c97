import { strict as assert } from "node:assert";
import {
  listProcesses,
  processesBelow,
  saidByPs,
  saidByWindows,
} from "../../../../src/editor/kit/nodeProcess.ts";

describe("The processes of this machine", () => {
  it("are read of what ps says on macOS", () => {
    const said = `    1     0   9120 /sbin/launchd
  812     1 102400 /usr/local/bin/node /Users/me/my agents/node_modules/.bin/langgraphjs dev --port 2024
  813   812  51200 (node)
`;
    assert.deepEqual(saidByPs(said), [
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
    assert.deepEqual(saidByWindows(said), [
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
});

import { strict as assert } from "node:assert";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  closeInspectors,
  listens,
  openInspectors,
  processesOf,
} from "../../../../src/editor/debugging/inspectors.ts";
import { isAlive } from "../../../../src/editor/kit/nodeProcess.ts";
import { ServerLog } from "../../../../src/editor/workspaceGraphs/serverLog.ts";
import { until } from "../../../support/until.ts";

const inTime = (): AbortSignal => AbortSignal.timeout(30_000);

describe("The processes of a graph server that a debugger attaches to", () => {
  it("are the innermost that loads its program, and that one's parent", () => {
    const all = [
      { pid: 30, parent: 20, command: "node entrypoint.mjs 20 {}", bytes: 0 },
      { pid: 20, parent: 10, command: "node tsx/dist/cli.mjs watch entrypoint.mjs 10 {}", bytes: 0 },
      { pid: 10, parent: 5, command: "node langgraph-cli/dist/cli/cli.mjs dev", bytes: 0 },
      { pid: 40, parent: 30, command: "esbuild --service", bytes: 0 },
      { pid: 21, parent: 11, command: "node tsx/dist/cli.mjs watch entrypoint.mjs 11 {}", bytes: 0 },
      { pid: 31, parent: 21, command: "node entrypoint.mjs of another server", bytes: 0 },
    ];
    assert.deepEqual(processesOf(all, 5), { watcher: 20, graphs: 30 });
    assert.throws(() => processesOf(all, 6), /was not found/);
  });

  describe("when they run", () => {
    let folder: string;
    let supervisor: ChildProcess;
    let log: ServerLog;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "inspectors-"));
      log = new ServerLog(folder);
      const start = (script: string) =>
        `import { spawn } from "node:child_process";
         spawn(process.execPath, ["--inspect-port=127.0.0.1:0", ${script}], { stdio: "inherit" });`;
      await writeFile(
        join(folder, "entrypoint.mjs"),
        `console.error("it runs"); setInterval(() => 0, 1000);
         if (process.argv[2] === "deaf") process.on("SIGUSR1", () => console.error("asked in vain"));`,
      );
      await writeFile(join(folder, "watch.mjs"), start('"entrypoint.mjs"'));
      await writeFile(join(folder, "supervisor.mjs"), start('"watch.mjs", "entrypoint.mjs"'));
      supervisor = supervise("supervisor.mjs");
      await until("all run", () => log.text.includes("it runs"));
    });
    afterEach(async () => {
      process.kill(-supervisor.pid!, "SIGKILL");
      await rm(folder, { recursive: true, force: true });
    });

    const server = () => ({ pid: supervisor.pid!, said: () => Promise.resolve(log.inspectors) });

    const supervise = (file: string): ChildProcess => {
      const stdio = ["ignore", "ignore", "pipe"] as const;
      const one = spawn(process.execPath, [file], { cwd: folder, stdio: [...stdio], detached: true });
      one.stderr.on("data", (chunk: Buffer) => log.take(chunk.toString()));
      return one;
    };

    it("are waited for while they load anew", async () => {
      await writeFile(join(folder, "late.mjs"), `setTimeout(() => import("./supervisor.mjs"), 500);`);
      const late = supervise("late.mjs");
      try {
        const found = await openInspectors({ ...server(), pid: late.pid! }, inTime());
        assert.deepEqual([await listens(found.watcher), await listens(found.graphs)], [true, true]);
      } finally {
        process.kill(-late.pid!, "SIGKILL");
      }
      await until("it is gone", () => !isAlive(late.pid!));
      await assert.rejects(openInspectors({ ...server(), pid: late.pid! }, inTime()), /server ended/);
    });

    it("are looked for again when one ends that was asked", async () => {
      await writeFile(
        join(folder, "watchAnew.mjs"),
        `import { spawn } from "node:child_process";
         const start = (...more) =>
           spawn(process.execPath, ["--inspect-port=127.0.0.1:0", "entrypoint.mjs", ...more], { stdio: "inherit" });
         const deaf = start("deaf");
         process.once("SIGTERM", () => (deaf.kill("SIGKILL"), start()));`,
      );
      await writeFile(
        join(folder, "anew.mjs"),
        `import { spawn } from "node:child_process";
         const args = ["--inspect-port=127.0.0.1:0", "watchAnew.mjs", "entrypoint.mjs"];
         console.error("watcher", spawn(process.execPath, args, { stdio: "inherit" }).pid);`,
      );
      const anew = supervise("anew.mjs");
      try {
        const asked = (): number => log.text.split("asked in vain").length - 1;
        const abort = new AbortController();
        const vain = openInspectors({ ...server(), pid: anew.pid! }, abort.signal);
        await until("the first is asked", () => asked() === 1);
        abort.abort();
        await assert.rejects(vain, /listens to no debugger/);
        const opening = openInspectors({ ...server(), pid: anew.pid! }, inTime());
        await until("the first is asked again", () => asked() === 2);
        process.kill(Number(/watcher (\d+)/.exec(log.text)?.[1]), "SIGTERM");
        const found = await opening;
        assert.deepEqual([await listens(found.watcher), await listens(found.graphs)], [true, true]);
      } finally {
        process.kill(-anew.pid!, "SIGKILL");
      }
    });

    it("listen when they are asked, at the same ports when they are asked again, and no more in the end", async () => {
      const found = await openInspectors(server(), inTime());
      assert.notEqual(found.watcher, found.graphs);
      assert.deepEqual(await openInspectors(server(), inTime()), found);
      assert.equal(log.inspectors.length, 2);
      assert.deepEqual([await listens(found.watcher), await listens(found.graphs)], [true, true]);
      await closeInspectors(server().said, () => false);
      for (const one of [found.watcher, found.graphs])
        await until("nobody listens", async () => !(await listens(one)));
      await openInspectors(server(), inTime());
      assert.equal(log.inspectors.length, 4);
    });

    it("go on when the debugger leaves that one waits for, also one that comes only now", async () => {
      const waiting = (word: string) =>
        `const inspector = require("inspector");
         inspector.open(0);
         inspector.waitForDebugger();
         console.error("${word} went on");`;
      const start = (word: string): ChildProcess => {
        const one = spawn(process.execPath, ["-e", waiting(word)], { stdio: ["ignore", "ignore", "pipe"] });
        one.stderr.on("data", (chunk: Buffer) => log.take(chunk.toString()));
        return one;
      };
      const first = start("the first");
      await until("it listens", () => log.inspectors.length === 1);
      const both = [first];
      const isLoading = (): boolean => {
        if (both.length === 1) both.push(start("the second"));
        return !log.text.includes("the second went on");
      };
      try {
        await closeInspectors(server().said, isLoading);
        await until("the first went on", () => log.text.includes("the first went on"));
        assert.equal(log.inspectors.length, 2);
      } finally {
        for (const one of both) one.kill("SIGKILL");
      }
    });
  });
});

import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs, { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exclusively } from "../../../../src/editor/kit/directoryLock.ts";
import {
  parseReadyLine,
  startLocalPlatformProcess,
} from "../../../../src/editor/localPlatform/localPlatformProcess.ts";
import {
  endUnlessUsed,
  readRunning,
  removeRunning,
  runningRecord,
  writeRunning,
} from "../../../../src/editor/localPlatform/localPlatformWindows.ts";
import { registerWindow } from "../../../../src/editor/kit/directoryLock.ts";
import { until } from "../../../support/until.ts";
import { filesWith, openToOthers } from "../../../support/privateFiles.ts";
import { endProcess, isAlive } from "../../../../src/editor/kit/nodeProcess.ts";

const program = join(import.meta.dirname, "../../../../src/emulator/main.ts");
const ready = {
  baseUrl: "http://127.0.0.1:1",
  controlPlaneUrl: "http://127.0.0.1:1/api-host",
  deploymentUrl: "http://127.0.0.1:1/deployments/d",
  localUrl: "http://127.0.0.1:1/_local",
  apiKey: "key-of-the-test",
  workspaceId: "w",
  deploymentId: "d",
};

let directory: string;

/** As version 0.1.0 wrote it. */
const earlier: typeof writeRunning = (folder, record) => runningRecord(folder).write(record);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "local-platform-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("The Local Platform's process", () => {
  it("is ready with its addresses, answers to its key, and stops when asked", async () => {
    const log: string[] = [];
    const started = await startLocalPlatformProcess({
      program,
      dataDirectory: directory,
      onLog: (line) => log.push(line),
    });
    try {
      const answer = await fetch(`${started.ready.deploymentUrl}/ok`, {
        headers: { "x-api-key": started.ready.apiKey },
      });
      assert.equal(answer.status, 200);
    } finally {
      await endProcess(started.pid);
    }
    assert.equal(isAlive(started.pid), false);
    assert.equal((await started.ended).clean, true);
  });

  it("says why it did not start, with the last line of its log", async () => {
    const broken = join(directory, "broken.mjs");
    await writeFile(broken, 'console.error("The port is taken."); process.exit(3);');
    const log: string[] = [];
    await assert.rejects(
      startLocalPlatformProcess({
        program: broken,
        dataDirectory: directory,
        onLog: (line) => log.push(line),
      }),
      { name: "LocalPlatformError", message: /ended with code 3: The port is taken\./ },
    );
    assert.deepEqual(log, ["The port is taken."]);
  });

  it("ends when its start is cancelled", async () => {
    const silent = join(directory, "silent.mjs");
    const mark = join(directory, "pid");
    await writeFile(
      silent,
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, String(process.pid)); setInterval(() => {}, 1000);`,
    );
    const abort = new AbortController();
    const starting = startLocalPlatformProcess({
      program: silent,
      dataDirectory: directory,
      onLog: () => undefined,
      signal: abort.signal,
    });
    const pid = await until("it runs", async () => Number(await readFile(mark, "utf8").catch(() => "")));
    abort.abort(new Error("cancelled by a person"));
    await assert.rejects(starting, /cancelled by a person/);
    assert.equal(isAlive(pid), false);
  });

  it("is ready by its one line and no other", () => {
    assert.deepEqual(parseReadyLine(JSON.stringify({ ready: true, ...ready, later: "field" })), ready);
    assert.equal(parseReadyLine("listening on 127.0.0.1"), undefined);
    assert.equal(parseReadyLine(JSON.stringify({ ...ready, ready: true, apiKey: undefined })), undefined);
    assert.equal(parseReadyLine(JSON.stringify(ready)), undefined);
  });
});

describe("The record of a running Local Platform", () => {
  let platform: ChildProcess;
  let pid: number;

  beforeEach(() => {
    const args = ["-e", "setInterval(() => {}, 1000)", "--", "--data", directory];
    platform = spawn(process.execPath, args, { stdio: "ignore" });
    pid = platform.pid!;
  });
  afterEach(() => platform.kill("SIGKILL"));

  it("is readable to other windows of this user, and to no other user", async () => {
    await writeRunning(directory, { pid, ready });
    assert.deepEqual(await readRunning(directory), { pid, ready });
    await registerWindow(directory);
    assert.deepEqual(await openToOthers(directory), []);
  });

  it("has the key in no file as it is, also where an earlier version left it so", async () => {
    for (const write of [writeRunning, earlier]) {
      await write(directory, { pid, ready });
      assert.deepEqual(await readRunning(directory), { pid, ready });
      assert.deepEqual(await filesWith(directory, ready.apiKey), []);
    }
  });

  it("is closed to others in a folder that they could read", async () => {
    await mkdir(join(directory, "windows"), { mode: 0o755 });
    await writeFile(join(directory, "windows", "note"), "", { mode: 0o644 });
    await writeFile(join(directory, "platform.db"), "", { mode: 0o644 });
    await chmod(directory, 0o755);
    await writeRunning(directory, { pid, ready });
    assert.deepEqual(await openToOthers(directory), []);
  });

  it("can be written when the file of its sealing key was damaged", async () => {
    await writeRunning(directory, { pid, ready });
    await writeFile(join(directory, "running.key"), "short");
    await writeRunning(directory, { pid, ready });
    assert.deepEqual(await readRunning(directory), { pid, ready });
  });

  it("is nothing once the process is gone, or when it is torn or another thing", async () => {
    await runningRecord(directory).write({ pid: 2 ** 30, ready });
    assert.equal(await readRunning(directory), undefined);
    for (const torn of ['{"pid":', "null", "[]", `{"pid":${String(pid)},"ready":{"apiKey":"k"}}`]) {
      await writeFile(join(directory, "running.json"), torn);
      assert.equal(await readRunning(directory), undefined);
    }
  });

  it("is nothing where another program has its id by now", async () => {
    await writeRunning(directory, { pid: process.pid, ready });
    assert.equal(await readRunning(directory), undefined);
  });

  it("calls back when it is removed", async () => {
    await runningRecord(directory).write({ pid, ready });
    const changed = Promise.withResolvers<undefined>();
    const unwatch = await runningRecord(directory).watch(() => changed.resolve(undefined));
    await removeRunning(directory, pid);
    await changed.promise;
    unwatch();
  });
});

describe("Two windows that start a Local Platform at the same time", () => {
  it("start one: the second waits for the first and then reads the record again", async () => {
    const signal = AbortSignal.timeout(60_000);
    const first = Promise.withResolvers<string>();
    const entered = Promise.withResolvers<undefined>();
    const one = exclusively(directory, signal, () => {
      entered.resolve(undefined);
      return first.promise;
    });
    await entered.promise;
    let secondRan = false;
    const two = exclusively(directory, signal, () => {
      secondRan = true;
      return Promise.resolve("second");
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    first.resolve("first");
    assert.deepEqual(await Promise.all([one, two]), ["first", undefined]);
    assert.equal(secondRan, false);
  });

  it("are not held up by one that died while it started", async () => {
    await writeFile(join(directory, "starting.lock"), String(2 ** 30));
    assert.equal(
      await exclusively(directory, AbortSignal.timeout(60_000), () => Promise.resolve("started")),
      "started",
    );
  });

  for (const step of ["readFile", "rm"] as const) {
    it(`run one at a time where both found a lock of one that died, and one is slow (${step})`, async () => {
      await writeFile(join(directory, "starting.lock"), String(2 ** 30));
      let [running, most] = [0, 0];
      const entered = Promise.withResolvers<undefined>();
      const start = async (): Promise<string> => {
        most = Math.max(most, ++running);
        entered.resolve(undefined);
        await new Promise((resolve) => setTimeout(resolve, 100));
        running -= 1;
        return "started";
      };
      const slow = holdFirst(step, join(directory, "starting.lock"), entered.promise);
      const signal = AbortSignal.timeout(60_000);
      const one = exclusively(directory, signal, start);
      await slow.reached;
      await Promise.all([one, exclusively(directory, signal, start)]).finally(() => slow.undo());
      assert.equal(most, 1);
      assert.deepEqual(await readdir(directory), [], "no lock is left");
    });
  }
});

describe("A Local Platform whose window closed", () => {
  const platform = (): ChildProcess =>
    spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });

  it("ends a little later", async () => {
    const child = platform();
    const ended = once(child, "exit");
    const unregister = await registerWindow(directory);
    await unregister();
    endUnlessUsed(directory, child.pid!, 50);
    await ended;
  });

  it("goes on for another window, and for one that came back in time", async () => {
    const child = platform();
    const unregister = await registerWindow(directory);
    await unregister();
    endUnlessUsed(directory, child.pid!, 200);
    await registerWindow(directory);
    const unused = platform();
    const ended = once(unused, "exit");
    await mkdir(join(directory, "elsewhere", "windows"), { recursive: true });
    endUnlessUsed(join(directory, "elsewhere"), unused.pid!, 300);
    await ended;
    assert.equal(isAlive(child.pid!), true);
    await endProcess(child.pid!);
  });

  it("is not kept by a window that was killed", async () => {
    const child = platform();
    const ended = once(child, "exit");
    const unregister = await registerWindow(directory);
    await unregister();
    await writeFile(join(directory, "windows", `${String(2 ** 30)}-gone`), "");
    endUnlessUsed(directory, child.pid!, 50);
    await ended;
  });
});

/** The first call about the path goes on when the time has come, or 200 ms later where that waits for the call. */
function holdFirst(
  step: "readFile" | "rm",
  path: string,
  until: Promise<unknown>,
): { readonly reached: Promise<unknown>; undo(): void } {
  const reached = Promise.withResolvers<undefined>();
  const original = fs[step];
  let calls = 0;
  const held = async (...args: Parameters<typeof original>): Promise<unknown> => {
    const isFirst = args[0] === path && ++calls === 1;
    const call = (): Promise<unknown> => Reflect.apply(original, fs, args) as Promise<unknown>;
    const read = step === "readFile" ? await call() : undefined;
    if (isFirst) {
      reached.resolve(undefined);
      await Promise.race([until, new Promise((resolve) => setTimeout(resolve, 200))]);
    }
    return step === "readFile" ? read : call();
  };
  Object.assign(fs, { [step]: held });
  syncBuiltinESMExports();
  return {
    reached: reached.promise,
    undo: () => {
      Object.assign(fs, { [step]: original });
      syncBuiltinESMExports();
    },
  };
}

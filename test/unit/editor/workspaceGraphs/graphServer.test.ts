import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasOtherWindows } from "../../../../src/editor/kit/directoryLock.ts";
import { isAlive } from "../../../../src/editor/kit/nodeProcess.ts";
import { findCommandLine } from "../../../../src/editor/workspaceGraphs/commandLine.ts";
import { GraphServer } from "../../../../src/editor/workspaceGraphs/graphServer.ts";
import { installCommandLine } from "../../../support/graphCommandLine.ts";
import { until } from "../../../support/until.ts";

const supervisor = join(import.meta.dirname, "../../../../src/editor/workspaceGraphs/supervisorMain.ts");

describe("The server of a project's graphs", () => {
  let folder: string;
  const servers: GraphServer[] = [];
  const told: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "graph-server-"));
    await installCommandLine(folder);
    await writeFile(join(folder, "mode"), "well");
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    told.length = 0;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const window = (limits: { lingerMs?: number; readyMs?: number; pollMs?: number } = {}): GraphServer => {
    const storage = join(folder, "storage");
    const failed = (error: unknown): void => void told.push(String(error));
    const server = new GraphServer({ folder, storage, supervisor, ...limits }, () => undefined, failed);
    servers.push(server);
    return server;
  };
  const cliPid = async (): Promise<number> => Number(await readFile(join(folder, "cli.pid"), "utf8"));
  const started = async (server: GraphServer, port = 0): Promise<string> =>
    server.start(await findCommandLine(folder, "node"), port, new AbortController().signal);
  const childPid = async (): Promise<number> => Number(await readFile(join(folder, "child.pid"), "utf8"));

  it("is started once for all windows, and ends for all of them with every process", async () => {
    const [first, second] = [window(), window()];
    const url = await started(first);
    assert.equal(await started(second), url);
    const asked = `1 none dev --no-browser --host 127.0.0.1 --port ${String(first.running!.port)}`;
    assert.equal(await readFile(join(folder, "asked"), "utf8"), asked);
    const child = await childPid();
    await second.stop();
    await until("the first window notices", () => first.state.kind === "stopped");
    await until("its child is gone", () => !isAlive(child));
  });

  it("is ready again only when it has loaded its saved source", async () => {
    const server = window();
    const url = await started(server);
    await fetch(`${url}/save`);
    await until("it loads anew", () => server.state.kind === "running" && server.state.reloading);
    assert.equal(await started(server), url);
    assert.deepEqual(server.state, { kind: "running", url, reloading: false });
    assert.equal(server.log.savedFile, "a.mts");
  });

  it("runs in the end where it is started while it is being stopped", async () => {
    const server = window();
    const commandLine = await findCommandLine(folder, "node");
    await started(server);
    const { pid } = server.running!;
    const stopping = server.stop();
    const url = await server.start(commandLine, 0, new AbortController().signal);
    await stopping;
    assert.equal(isAlive(pid), false);
    assert.deepEqual(server.state, { kind: "running", url, reloading: false });
    assert.equal((await fetch(`${url}/ok`)).status, 200);
  });

  it("does not come back for somebody who waited while it loaded anew, once it is stopped", async () => {
    const server = window();
    const commandLine = await findCommandLine(folder, "node");
    await fetch(`${await started(server)}/save`);
    await until("it loads anew", () => server.state.kind === "running" && server.state.reloading);
    const waiting = server.start(commandLine, 0, new AbortController().signal);
    await Promise.all([
      assert.rejects(waiting, { name: "AbortError", message: /were stopped/ }),
      server.stop(),
    ]);
    assert.equal(server.state.kind, "stopped");
  });

  it("is not called broken where another window stops it while it starts", async () => {
    await writeFile(join(folder, "mode"), "silent");
    const [first, second] = [window(), window()];
    const starting = assert.rejects(started(first), { name: "AbortError", message: /were stopped/ });
    await until("it starts", () => first.running);
    await second.stop();
    await starting;
    assert.equal(first.state.kind, "stopped");
  });

  it("is one server also when two windows start it at the same moment", async () => {
    const [one, other] = await Promise.all([started(window()), started(window())]);
    assert.equal(one, other);
  });

  it("is found again by a window that was reloaded, with its log", async () => {
    const before = window();
    const url = await started(before);
    await before.leave();
    const after = window();
    assert.equal(await after.resume(), true);
    await until("it runs", () => after.state.kind === "running");
    assert.deepEqual(after.state, { kind: "running", url, reloading: false });
    assert.match(after.log.text, /Server running at/);
  });

  it("ends by itself when no window comes back", async () => {
    const server = window({ lingerMs: 1_500 });
    await started(server);
    const { pid } = server.running!;
    const child = await childPid();
    await server.leave();
    await until("it is gone", () => !isAlive(pid) && !isAlive(child));
    assert.equal(await window().resume(), false);
  });

  it("ends also when the editor's storage was removed, with the log that it goes on writing", async () => {
    await writeFile(join(folder, "mode"), "talking");
    const server = window({ lingerMs: 1_500 });
    await started(server);
    const { pid } = server.running!;
    const child = await childPid();
    await rm(join(folder, "storage"), { recursive: true, maxRetries: 5 });
    await until("it is gone", () => !isAlive(pid) && !isAlive(child));
  });

  it("is left alone by a window that only waited for it", async () => {
    await writeFile(join(folder, "mode"), "silent");
    const [first, second] = [window(), window({ readyMs: 500 })];
    const starting = started(first).catch(() => undefined);
    await until("it starts", () => first.running);
    await assert.rejects(started(second), /not ready in 0.5 s/);
    const abort = new AbortController();
    const waiting = second.start(await findCommandLine(folder, "node"), 0, abort.signal);
    abort.abort();
    await assert.rejects(waiting, { name: "AbortError" });
    assert(isAlive(first.running!.pid));
    await first.stop();
    await starting;
  });

  it("ends when its window was killed", async () => {
    const storage = join(folder, "storage");
    const script = `
      import { GraphServer } from ${JSON.stringify(join(import.meta.dirname, "../../../../src/editor/workspaceGraphs/graphServer.ts"))};
      const options = ${JSON.stringify({ folder, storage, supervisor, lingerMs: 1_500 })};
      const server = new GraphServer(options, () => undefined);
      const command = { runtime: "node", command: process.execPath, args: [${JSON.stringify(join(folder, "node_modules/@langchain/langgraph-cli/cli.mjs"))}] };
      await server.start(command, 0, new AbortController().signal);
      console.log(server.running.pid);
      setInterval(() => 0, 1000);`;
    const other = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = (await once(other.stdout, "data")) as [Buffer];
    const pid = Number(said.toString());
    assert(isAlive(pid));
    assert(await hasOtherWindows(storage));
    other.kill("SIGKILL");
    await once(other, "exit");
    assert.equal(await hasOtherWindows(storage), false);
    await until("it is gone", async () => !isAlive(pid) && !isAlive(await childPid()));
  });

  it("that does not want to end is ended", async () => {
    await writeFile(join(folder, "mode"), "stubborn");
    const server = window();
    await started(server);
    const [{ pid }, child] = [server.running!, await childPid()];
    await server.stop();
    assert.deepEqual([isAlive(pid), isAlive(child)], [false, false]);
  });

  it("that never gets ready is given up at its deadline, and nothing of it is left", async () => {
    await writeFile(join(folder, "mode"), "silent");
    const server = window({ readyMs: 1_000 });
    const offered = { message: /not ready in 1 s/, actions: ["showGraphLog"] };
    await assert.rejects(started(server), offered);
    assert.equal(server.state.kind, "failed");
    // On a slow machine its deadline may come before its child says which process it is.
    const child = await childPid().catch(() => undefined);
    await until("its child is gone", () => child === undefined || !isAlive(child));
  });

  it("that ends while it runs is started again, and left after the third time within a minute", async () => {
    const server = window();
    const url = await started(server);
    for (let end = 1; end <= 3; end += 1) {
      process.kill(await cliPid(), "SIGKILL");
      await until("it is told", () => told.length === end);
      if (end === 3) continue;
      assert.match(told.at(-1) ?? "", /ended while they ran\. It ended by SIGKILL/);
      await until("it runs again", () => server.state.kind === "running");
      assert.deepEqual(server.state, { kind: "running", url, reloading: false });
    }
    assert.match(told.at(-1) ?? "", /ended 3 times within a minute, and are not started again/);
    await until("it is left", () => server.state.kind === "failed");
    assert.equal(server.running, undefined);
    // Whoever starts it begins anew.
    await started(server);
    assert.equal(told.length, 3);
  });

  it("is started again when its graphs are gone and its command line waits", async () => {
    const server = window({ pollMs: 100 });
    const url = await started(server);
    const pid = await cliPid();
    await fetch(`${url}/end`);
    await until("it is told", () => told.length === 1);
    await until("it runs again", () => server.state.kind === "running");
    assert.equal(isAlive(pid), false);
    assert.equal((await fetch(`${url}/ok`)).status, 200);
  });

  it("that ends at once fails with what it said last", async () => {
    await writeFile(join(folder, "mode"), "crash");
    const server = window();
    await assert.rejects(started(server), /It ended with code 1: Error: It crashed at once\./);
    assert.match(server.log.text, /It crashed at once/);
  });

  it("whose graphs do not load waits for a better source", async () => {
    await writeFile(join(folder, "mode"), "broken");
    const server = window();
    await assert.rejects(started(server), /do not load: Error: no graph/);
    assert.equal(server.state.kind, "broken");
    assert(isAlive(server.running!.pid));
  });

  it("keeps its port, and takes another when that is in use", async () => {
    const server = window();
    await started(server);
    const { port } = server.running!;
    await server.stop();
    await started(server, port);
    assert.equal(server.running!.port, port);
    await server.stop();
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    try {
      await started(server, port);
      assert.notEqual(server.running!.port, port);
    } finally {
      other.close();
    }
  });

  for (const said of [
    "Error: listen EADDRINUSE: address already in use 127.0.0.1:4100",
    "ERROR:    [Errno 98] error while attempting to bind on address ('127.0.0.1', 4100): address already in use",
  ])
    it(`takes another port when somebody was quicker: ${said.slice(0, 20)}`, async () => {
      await writeFile(join(folder, "mode"), `taken ${said}`);
      const server = window();
      await started(server);
      assert.equal(server.state.kind, "running");
    });

  it("whose start is cancelled ends, and can be started again", async () => {
    await writeFile(join(folder, "mode"), "silent");
    const server = window();
    const abort = new AbortController();
    const starting = server.start(await findCommandLine(folder, "node"), 0, abort.signal);
    await until("it starts", () => server.running);
    abort.abort();
    await assert.rejects(starting, { name: "AbortError" });
    assert.equal(server.state.kind, "stopped");
    await writeFile(join(folder, "mode"), "well");
    await started(server);
  });

  it("of a version whose words are not known runs once it answers, also in a window that was reloaded", async () => {
    await writeFile(join(folder, "mode"), "other words");
    const server = window({ readyMs: 20_000 });
    const url = await started(server);
    assert.equal((await fetch(`${url}/ok`)).status, 200);
    await server.leave();
    const after = window();
    await after.resume();
    await until("a window that was reloaded finds it", () => after.state.kind === "running");
  });
});

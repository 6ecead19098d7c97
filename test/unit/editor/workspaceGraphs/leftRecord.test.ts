import { strict as assert } from "node:assert";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../../../src/editor/kit/nodeProcess.ts";
import { findCommandLine } from "../../../../src/editor/workspaceGraphs/commandLine.ts";
import { GraphServer } from "../../../../src/editor/workspaceGraphs/graphServer.ts";
import { RECORD } from "../../../../src/editor/workspaceGraphs/serverProcess.ts";
import { ENDED, LOG } from "../../../../src/editor/workspaceGraphs/supervisor.ts";
import { installCommandLine } from "../../../support/graphCommandLine.ts";

const supervisor = join(import.meta.dirname, "../../../../src/editor/workspaceGraphs/supervisorMain.ts");

/** A supervisor ended, and its record stayed: another program has its id by now. */
describe("The record of graphs that ended", () => {
  let folder: string;
  let storage: string;
  let stranger: ChildProcess;
  let server: GraphServer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "left-record-"));
    storage = join(folder, "storage");
    await installCommandLine(folder);
    await writeFile(join(folder, "mode"), "well");
    stranger = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], { stdio: "ignore" });
    server = new GraphServer({ folder, storage, supervisor, stuckMs: 200 }, () => undefined);
  });
  afterEach(async () => {
    await server.stop();
    stranger.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const leave = async (pid: number, said?: string): Promise<void> => {
    await mkdir(storage, { mode: 0o700 });
    const record = { pid, port: 59_999, startedAt: Date.now(), runtime: "node", version: "1.5.1" };
    await writeFile(join(storage, RECORD), JSON.stringify(record));
    const log = "info:    ▪ Server running at it\nDebugger listening on ws://127.0.0.1:1/one\n";
    await writeFile(join(storage, LOG), log);
    if (said !== undefined) await writeFile(join(storage, ENDED), JSON.stringify({ pid, how: said }));
  };
  const isLeft = (): boolean => existsSync(join(storage, RECORD));

  it("is removed by a window that comes back, and nothing is attached to", async () => {
    await leave(stranger.pid!);
    assert.equal(await server.resume(), false);
    assert.equal(server.running, undefined);
    assert.equal(isLeft(), false);
  });

  it("ends no other program when the graphs are stopped", async () => {
    await leave(stranger.pid!);
    await server.stop();
    assert(isAlive(stranger.pid!));
    assert.equal(isLeft(), false);
  });

  it("does not keep the graphs from being started, nor ends another program then", async () => {
    await leave(stranger.pid!);
    const url = await server.start(await findCommandLine(folder, "node"), 0, new AbortController().signal);
    assert.equal((await fetch(`${url}/ok`)).status, 200);
    assert(isAlive(stranger.pid!));
  });

  it("is removed also where its supervisor said last that it ended, whoever has its id", async () => {
    // Of this very project, by its command.
    const like = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)", "--", supervisor, storage]);
    await leave(like.pid!, "by SIGTERM");
    assert.equal(await server.resume(), false);
    assert.equal(isLeft(), false);
    await server.stop();
    assert(isAlive(like.pid!));
    like.kill("SIGKILL");
  });
});

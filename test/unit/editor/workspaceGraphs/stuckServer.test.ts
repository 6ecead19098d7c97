import { strict as assert } from "node:assert";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WINDOWS } from "../../../../src/editor/kit/directoryLock.ts";
import { isAlive } from "../../../../src/editor/kit/nodeProcess.ts";
import { findCommandLine } from "../../../../src/editor/workspaceGraphs/commandLine.ts";
import { GraphServer } from "../../../../src/editor/workspaceGraphs/graphServer.ts";
import { installCommandLine } from "../../../support/graphCommandLine.ts";
import { until } from "../../../support/until.ts";

const supervisor = join(import.meta.dirname, "../../../../src/editor/workspaceGraphs/supervisorMain.ts");
const stuckMs = 500;

describe("Graphs that wait for a debugger which was lost with its window", () => {
  let folder: string;
  let storage: string;
  let before: GraphServer;
  let after: GraphServer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "stuck-server-"));
    storage = join(folder, "storage");
    await installCommandLine(folder);
    await writeFile(join(folder, "mode"), "debugged");
    [before, after] = [window(), window()];
  });
  afterEach(async () => {
    await after.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const window = (readyMs = 60_000): GraphServer =>
    new GraphServer({ folder, storage, supervisor, readyMs, stuckMs }, () => undefined);
  const start = async (server: GraphServer, port = 0): Promise<string> =>
    server.start(await findCommandLine(folder, "node"), port, new AbortController().signal);
  /** Runs the graphs, has them load a saved source for ever, and closes the window; gives the address and the process. */
  const leaveStuck = async () => {
    const url = await start(before);
    const { pid } = before.running!;
    await fetch(`${url}/save`);
    await until("it is loaded anew", () => before.state.kind === "running" && before.state.reloading);
    await before.leave();
    await writeFile(join(folder, "mode"), "well");
    return { url, pid };
  };

  it("are started anew by the window that comes back", async () => {
    const { url, pid } = await leaveStuck();
    assert.equal(await after.resume(), true);
    assert.equal(await start(after, Number(new URL(url).port)), url);
    assert.equal(isAlive(pid), false);
    assert.equal((await fetch(`${url}/ok`)).status, 200);
    assert.deepEqual(after.state, { kind: "running", url, reloading: false });
  });

  it("are left to another window, whose debugger may hold them", async () => {
    const { pid } = await leaveStuck();
    await writeFile(join(storage, WINDOWS, `${String(process.ppid)}-other`), "");
    await assert.rejects(start(window(1_500)), /not ready in 1.5 s/);
    assert(isAlive(pid));
    for (const entry of await readdir(join(storage, WINDOWS))) await rm(join(storage, WINDOWS, entry));
    await start(after);
    await until("the old ones are gone", () => !isAlive(pid));
  });
});

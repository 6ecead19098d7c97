import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcess, isAlive } from "../../../../src/editor/kit/nodeProcess.ts";
import type { SupervisorOptions } from "../../../../src/editor/workspaceGraphs/supervisor.ts";

const supervisor = join(import.meta.dirname, "../../../../src/editor/workspaceGraphs/supervisorMain.ts");

/** Notes which process it starts, and is asked to end at that very moment. */
const endedAtOnce = `
import processes from "node:child_process";
import { writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { spawn } = processes;
processes.spawn = (...started) => {
  const child = spawn(...started);
  writeFileSync("started", String(child.pid));
  process.kill(process.pid, "SIGTERM");
  return child;
};
syncBuiltinESMExports();
`;

describe("The process that graphs hang on", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "supervisor-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  it("leaves nothing behind where it is ended just as it starts them", async function () {
    // Windows asks no process: it ends it.
    if (process.platform === "win32") this.skip();
    const first = join(folder, "first.mjs");
    await writeFile(first, endedAtOnce);
    const options: SupervisorOptions = {
      ...{ command: process.execPath, args: ["-e", "setInterval(() => 0, 1000)"], cwd: folder },
      ...{ nodeOptions: "", folder, lingerMs: 60_000 },
    };
    const child = spawn(process.execPath, ["--import", first, supervisor, JSON.stringify(options)], {
      cwd: folder,
      stdio: "ignore",
    });
    await once(child, "exit");
    const started = Number(await readFile(join(folder, "started"), "utf8"));
    const isLeft = isAlive(started);
    await endProcess(started);
    assert.equal(isLeft, false);
  });
});

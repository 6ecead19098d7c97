/** Installs the pinned Node in this folder, when it is not there yet. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { runNpm } from "../host/npm.ts";
import manifest from "./package.json" with { type: "json" };

const wanted = `v${manifest.dependencies.node}`;
const program = join(
  import.meta.dirname,
  "node_modules/node/bin",
  process.platform === "win32" ? "node.exe" : "node",
);
const attempts = 3;

/** Where it is; throws when it can't be installed. */
export async function oldestNode(): Promise<string> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { status, stdout } = spawnSync(program, ["--version"]);
    if (status === 0 && stdout.toString().trim() === wanted) return program;
    console.log(`Installing Node ${wanted} …`);
    const { succeeded, lastLines } = await runNpm(["ci", "--no-audit", "--no-fund"], import.meta.dirname);
    if (!succeeded) console.log(lastLines);
  }
  throw new Error(`Node ${wanted} could not be installed in ${import.meta.dirname}.`);
}

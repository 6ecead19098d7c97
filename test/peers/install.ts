/** Installs the pinned peer in `langgraph/` when what is installed is not what its lockfile says. */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const home = join(import.meta.dirname, "langgraph");
const stamp = join(home, "node_modules", ".agent-operations-stamp");
const attempts = 3;

/** Does nothing when the stamp of the last installation matches the lockfile. */
export async function installPeer(): Promise<void> {
  const wanted = createHash("sha256")
    .update(await readFile(join(home, "package-lock.json")))
    .digest("hex");
  if ((await readFile(stamp, "utf8").catch(() => "")) === wanted) return;
  for (let attempt = 1; ; attempt++) {
    console.log(`Installing the peer agent server (attempt ${attempt})`);
    const { status } = spawnSync("npm", ["ci", "--legacy-peer-deps", "--ignore-scripts"], {
      cwd: home,
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    if (status === 0) break;
    if (attempt === attempts) throw new Error(`npm ci failed in ${home}`);
  }
  await writeFile(stamp, wanted);
}

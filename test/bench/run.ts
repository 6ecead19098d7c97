/** Runs every benchmark beside this file, one after the other: `npm run bench [name…]`. */

import { spawnSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { machine } from "./report.ts";

const wanted = process.argv.slice(2);
const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith(".bench.ts")).sort();
console.log(machine());
let failed = 0;
for (const file of files) {
  if (wanted.length > 0 && !wanted.some((name) => file.startsWith(name))) continue;
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, file)], { stdio: "inherit" });
  if (status !== 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;

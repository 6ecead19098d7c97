/**
 * Runs the unit tests of what needs no editor on the Node of the oldest editor that is supported (`npm run test:node22`):
 * the clients, runs, tables and the Local Platform. Newer syntax of the tests is turned into what that Node has.
 */

import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { oldestNode } from "./install.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "out/node22");
/** Without the long tests of kills, which are about the disk and not about Node. */
const tests = ["{api,run,table}/**/*", "emulator/*", "emulator/!(crash)/**/*"].map(
  (path) => `test/unit/${path}.test.ts`,
);

const node = await oldestNode();
await rm(folder, { recursive: true, force: true });
await transpile();
await linkTheRest("", ["src", "test", "out", "node_modules"]);
await linkTheRest("test", ["unit", "support"]);
process.exitCode = await runTests();

/** File by file, so that each stands where it looks for others. */
async function transpile(): Promise<void> {
  await build({
    entryPoints: globSync(["src/**/*.ts", "test/unit/**/*.ts", "test/support/**/*.ts"], { cwd: root }),
    absWorkingDir: root,
    outdir: folder,
    outbase: root,
    outExtension: { ".js": ".ts" },
    platform: "node",
    target: "node22",
    format: "esm",
    sourcemap: "inline",
    logLevel: "warning",
  });
}

/** What else the tests read is where it would be beside them. */
async function linkTheRest(below: string, except: readonly string[]): Promise<void> {
  await mkdir(join(folder, below), { recursive: true });
  for (const name of await readdir(join(root, below)))
    if (!except.includes(name)) await symlink(join(root, below, name), join(folder, below, name));
}

function runTests(): Promise<number> {
  const options = [
    "--no-config",
    "--extension",
    "ts",
    "--exit",
    "--timeout",
    "120000",
    "--parallel",
    "--jobs",
    "2",
  ];
  const mocha = join(root, "node_modules/mocha/bin/mocha.js");
  const child = spawn(node, ["--enable-source-maps", mocha, ...options, ...tests], {
    cwd: folder,
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}

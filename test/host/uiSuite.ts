/** The ui suite: its files are taken by two workers, each with a browser and editors of its own. */

import { type ChildProcess, fork } from "node:child_process";
import { globSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { ensurePackaged } from "./builtExtension.ts";
import { installHost } from "./install.ts";
import { failureFolder, repository } from "./places.ts";
import { closingLine, readTally, type Tally } from "./tally.ts";

const suiteDeadlineMs = 20 * 60_000;
/** Much of a test is waiting for a window, so that two share a small machine well. */
const workers = 2;

const { values: options } = parseArgs({
  options: { grep: { type: "string", default: "" }, pictures: { type: "boolean", default: false } },
});

await installHost();
await ensurePackaged();
await rm(join(failureFolder, "ui"), { recursive: true, force: true });

const kind = options.pictures ? "pictures" : "test";
const waiting = globSync(`test/ui/**/*.${kind}.ts`, { cwd: repository }).sort();
const running = new Set<ChildProcess>();
const deadline = setTimeout(() => {
  console.error("The suite took too long.");
  for (const child of running) child.kill();
}, suiteDeadlineMs);
const tallies = await Promise.all(Array.from({ length: workers }, () => takeFiles()));
clearTimeout(deadline);
const total = sum(tallies);
console.log(closingLine(total));
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

/** Runs one file after the other, until none waits. */
async function takeFiles(): Promise<Tally> {
  const file = waiting.shift();
  if (file === undefined) return { passed: 0, failed: 0 };
  return sum([await runFile(file), await takeFiles()]);
}

/** Shows a file's output when it has ended, so that no two are mixed; one that does not report has failed. */
async function runFile(file: string): Promise<Tally> {
  const child = fork(join(import.meta.dirname, "uiFile.ts"), [file, options.grep], { silent: true });
  running.add(child);
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => parts.push(part));
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  running.delete(child);
  const output = Buffer.concat(parts).toString();
  console.log(`${file}\n${output}`);
  const tally = readTally(output);
  if (tally === undefined) console.error(`${file} did not run to its end (exit code ${String(code)}).`);
  return tally ?? { passed: 0, failed: 1 };
}

function sum(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.reduce((total, { failed }) => total + failed, 0),
  };
}

/**
 * Runs the checks and every suite, three at a time, and shows each one's output when it has ended; what failed is shown
 * again at the end, where it is read first.
 */

import { spawn } from "node:child_process";
import { join } from "node:path";

import { ensurePackaged } from "./host/builtExtension.ts";
import { installHost } from "./host/install.ts";
import { hostCache, repository } from "./host/places.ts";
import { retries } from "./host/retries.ts";
import { closingLine, readFailures, readTally, type Tally } from "./host/tally.ts";
import { installPeer } from "./peers/install.ts";

/** Types, lint and format: it passes or fails as one, and counts no tests. */
const check = "check";
/** The longest first, so that the lanes end together. */
const suites = ["editor", "ui", "peers", "unit", "webview", "node22", "attack"].map(
  (suite) => `test:${suite}`,
);
/** Two with windows keep a small machine busy; a third that mostly waits for servers takes what they leave. */
const lanes = 3;
/** Hundreds of processes start: they load what another one has compiled. */
const compiled = { NODE_COMPILE_CACHE: join(hostCache, "compiled") };
/** What mocha's command line takes from its environment; the suites that start mocha themselves do the same. */
const moreAttempts = `--retries ${retries} --require ./test/support/saidRetries.ts`;

await Promise.all([installHost(), installPeer(), ensurePackaged()]);

const jobs = [check, ...suites];
const waiting = [...jobs];
const results = new Map<string, Tally>();
const failures: string[] = [];
await Promise.all(Array.from({ length: lanes }, () => lane()));
for (const failure of failures) console.log(failure);
console.log(`${check}: ${tallyOf(check).failed === 0 ? "passed" : "failed"}`);
for (const suite of suites) console.log(`${suite}: ${closingLine(tallyOf(suite))}`);
const total = {
  passed: jobs.reduce((sum, job) => sum + tallyOf(job).passed, 0),
  failed: jobs.reduce((sum, job) => sum + tallyOf(job).failed, 0),
};
console.log(`All suites: ${closingLine(total)}`);
// An exit drops what a slow reader of the pipe has not taken yet, the sum among it.
process.stdout.write("", () => process.exit(total.failed === 0 ? 0 : 1));

async function lane(): Promise<void> {
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
    results.set(job, await run(job));
  }
}

/** A suite that says nothing, counts nothing or ends badly has failed, whatever its tests say. */
async function run(job: string): Promise<Tally> {
  console.log(`${job}: running`);
  const started = Date.now();
  const { output, code } = await script(job);
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`\n──── ${job}, ${seconds} s ────\n${output}`);
  const { passed, failed } = readTally(output) ?? { passed: 0, failed: 0 };
  const bad = code !== 0 || (passed === 0 && job !== check);
  const account = job === check && !bad ? "" : readFailures(output);
  if (account !== "") failures.push(`\n──── of ${job} ────\n${account}\n`);
  return { passed, failed: bad ? Math.max(1, failed) : failed };
}

function script(name: string): Promise<{ readonly output: string; readonly code: number | null }> {
  const child = spawn("npm", ["run", "--silent", name], {
    cwd: repository,
    env: { ...process.env, ...compiled, ...(retries > 0 && { MOCHA_OPTIONS: moreAttempts }) },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => parts.push(part));
  return new Promise((ended, failed) => {
    child.once("error", failed);
    child.once("close", (code) => ended({ output: Buffer.concat(parts).toString(), code }));
  });
}

function tallyOf(job: string): Tally {
  return results.get(job) ?? { passed: 0, failed: 1 };
}

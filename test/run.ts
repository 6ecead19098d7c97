/**
 * Runs the checks and every suite, as many at a time as keep the machine busy, and shows each one's output when it has
 * ended; what failed is shown again at the end, where it is read first.
 */

import { spawn } from "node:child_process";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { ensurePackaged } from "./host/builtExtension.ts";
import { installHost } from "./host/install.ts";
import { hostCache, repository } from "./host/places.ts";
import { retries } from "./host/retries.ts";
import { closingLine, readFailures, readTally, type Tally } from "./host/tally.ts";
import { installPeer } from "./peers/install.ts";

/** A script of `package.json`, as one of those that run beside each other. */
interface Job {
  readonly name: string;
  /** It starts, or reads the types of, the editor or the platform's own software, which are installed meanwhile. */
  readonly needsInstalled?: true;
}

const installation: Job = { name: "installation" };
/** Types, lint and format: it passes or fails as one, and counts no tests. */
const check = "check";
/** In the order in which they start: those that take longest first. */
const jobs: readonly Job[] = [
  { name: "test:webview" },
  { name: "test:editor", needsInstalled: true },
  { name: "test:peers", needsInstalled: true },
  { name: "test:ui", needsInstalled: true },
  { name: check, needsInstalled: true },
  { name: "test:unit", needsInstalled: true },
  { name: "test:attack", needsInstalled: true },
  { name: "test:node22" },
];
const cores = availableParallelism();
/** A machine may say that it has idle cores which are not for us: windows that are too slow can't be tested. */
const mostAtOnce = cores * 3;
/** How long a job takes to be as busy as it will be, and how much of a core has to be idle for one more. */
const [settlesMs, room] = [10_000, 0.4];
/** Hundreds of processes start: they load what another one has compiled. */
const compiled = { NODE_COMPILE_CACHE: join(hostCache, "compiled") };
/** What mocha's command line takes from its environment; the suites that start mocha themselves do the same. */
const moreAttempts = `--retries ${retries} --require ./test/support/saidRetries.ts`;

const results = new Map<string, Tally>();
const failures: string[] = [];
// It builds anew, which no job that reads what is built may come across.
await ensurePackaged();
await runAll();
for (const failure of failures) console.log(failure);
console.log(`${check}: ${tallyOf(check).failed === 0 ? "passed" : "failed"}`);
for (const { name } of jobs) if (name !== check) console.log(`${name}: ${closingLine(tallyOf(name))}`);
const total = {
  passed: jobs.reduce((sum, { name }) => sum + tallyOf(name).passed, 0),
  failed: jobs.reduce((sum, { name }) => sum + tallyOf(name).failed, 0),
};
console.log(`All suites: ${closingLine(total)}`);
// An exit drops what a slow reader of the pipe has not taken yet, the sum among it.
process.stdout.write("", () => process.exit(total.failed === 0 ? 0 : 1));

/** Starts a job for each core, and one more whenever the machine has room for it. */
async function runAll(): Promise<void> {
  const waiting = new Set(jobs);
  const running = new Map<Job, Promise<unknown>>();
  const start = (job: Job, work: Promise<unknown>): void => {
    running.set(
      job,
      work.then(() => running.delete(job)),
    );
  };
  start(installation, Promise.all([installHost(), installPeer()]));
  let idle = cores - 1;
  while (waiting.size > 0) {
    for (const job of waiting) {
      if (job.needsInstalled === true && running.has(installation)) break;
      if (running.size > 0 && (idle < room || running.size >= mostAtOnce)) break;
      waiting.delete(job);
      start(job, run(job));
      idle -= 1;
    }
    const before = coreTimes();
    await pause(settlesMs);
    idle = idleCores(before, coreTimes());
  }
  await Promise.all(running.values());
}

/** What all cores have done since the machine started. */
interface CoreTimes {
  readonly idle: number;
  readonly all: number;
}

function coreTimes(): CoreTimes {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  return { idle, all: times.reduce((sum, time) => sum + Object.values(time).reduce((a, b) => a + b), 0) };
}

/** How many cores had nothing to do between the two. */
function idleCores(before: CoreTimes, now: CoreTimes): number {
  return ((now.idle - before.idle) / Math.max(1, now.all - before.all)) * cores;
}

/** A suite that says nothing, counts nothing or ends badly has failed, whatever its tests say. */
async function run({ name }: Job): Promise<void> {
  console.log(`${name}: running`);
  const started = Date.now();
  const { output, code } = await script(name);
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`\n──── ${name}, ${seconds} s ────\n${output}`);
  const { passed, failed } = readTally(output) ?? { passed: 0, failed: 0 };
  const bad = code !== 0 || (passed === 0 && name !== check);
  const account = name === check && !bad ? "" : readFailures(output);
  if (account !== "") failures.push(`\n──── of ${name} ────\n${account}\n`);
  results.set(name, { passed, failed: bad ? Math.max(1, failed) : failed });
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

/**
 * Changes the source in one place at a time and runs the unit tests that reach it (`npm run mutants`): a mutant that no
 * test notices has survived, and is printed. `-- --seed 1 --count 200 --jobs 2 --only src/run` say which, and how many.
 */

import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { equivalents } from "./equivalents.ts";
import { mutated, type Mutation, mutationsOf } from "./mutations.ts";
import { measured, mocha, type TestFile, testFiles } from "./unitTests.ts";

interface Mutant extends Mutation {
  readonly file: string;
  readonly text: string;
}

const root = join(import.meta.dirname, "../..");
const folders = ["api", "run"];
/** So many of the nearest test files are tried first: most mutants get no further. */
const firstTried = 4;
/** A test file that takes longer is no near one. */
const quickMs = 1000;
/** What waits in vain does so for longer. */
const lateMs = 5000;
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "200" },
    jobs: { type: "string", default: String(availableParallelism()) },
    only: { type: "string", default: "src/" },
  },
});

const all = folders
  .flatMap((folder) => globSync(`src/${folder}/**/*.ts`, { cwd: root }))
  .sort()
  .flatMap((file): Mutant[] => {
    const text = readFileSync(join(root, file), "utf8");
    return mutationsOf(file, text).map((mutation) => ({ ...mutation, file, text }));
  });
const mutants = sample(
  all.filter(({ file }) => file.startsWith(values.only)),
  values.seed,
  Number(values.count),
);
console.log(`${mutants.length} of ${all.length} mutants by seed ${values.seed}`);

const folder = await mkdtemp(join(tmpdir(), "mutants-"));
const started = Date.now();
let killed = 0;
let hung = 0;
let busy = 0;
const survived: Mutant[] = [];
try {
  const tests: TestFile[] = [];
  await inLanes(testFiles(root, folders), async (name, number) => {
    tests.push(await measured(root, name, join(folder, `coverage${number}`)));
  });
  console.log(`${tests.length} test files measured in ${secondsSince(started)} s`);
  await inLanes(mutants, async (mutant, number) => {
    if (await isKilled(mutant, number, nearestFirst(tests, mutant))) {
      killed += 1;
      return;
    }
    survived.push(mutant);
    console.log(`${number + 1}: survived: ${described(mutant)}`);
  });
} finally {
  await rm(folder, { recursive: true });
}
const [same, others] = [survived.filter(equivalentOf), survived.filter((mutant) => !equivalentOf(mutant))];
for (const mutant of same)
  console.log(`does the same: ${described(mutant)}: ${equivalentOf(mutant)?.why ?? ""}`);
for (const mutant of others) console.log(`survived: ${described(mutant)}`);
const counted = killed + others.length;
const percent = ((100 * killed) / Math.max(1, counted)).toFixed(1);
console.log(
  `${killed} of ${counted} killed (${percent} %), ${hung} of them hung, ${busy} failures of a busy machine, ${same.length} do the same, ${secondsSince(started)} s`,
);

/** Does all of it in as many lanes as there are jobs. */
async function inLanes<T>(
  items: readonly T[],
  work: (item: T, number: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const lane = async (): Promise<void> => {
    for (const [number, item] of waiting) await work(item, number);
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, () => lane()));
}

/** The test files that reach a mutant: first those that load little besides, last those that take long. */
function nearestFirst(tests: readonly TestFile[], { file, reachedAt }: Mutant): readonly TestFile[] {
  const slow = ({ tookMs }: TestFile): number => (tookMs > quickMs ? tookMs : 0);
  return tests
    .filter((test) => test.reaches(file, reachedAt))
    .sort((one, other) => slow(one) - slow(other) || one.loaded - other.loaded);
}

async function isKilled(mutant: Mutant, number: number, tests: readonly TestFile[]): Promise<boolean> {
  const source = join(folder, `${number}.ts`);
  await writeFile(source, mutated(mutant.text, mutant));
  const first = tests.slice(0, firstTried).filter(({ tookMs }) => tookMs <= quickMs);
  return (
    (await oneFails(first, mutant.file, source)) ||
    (await oneFails(tests.slice(first.length), mutant.file, source))
  );
}

/** Tests that do not end in time have noticed the mutant, too: they get many times as long as they take without it. */
async function oneFails(tests: readonly TestFile[], file: string, mutantSource: string): Promise<boolean> {
  if (tests.length === 0) return false;
  const longestMs = Math.max(...tests.map((test) => test.longestMs));
  const tookMs = tests.reduce((sum, test) => sum + test.tookMs, 0);
  const args = ["--bail", "--timeout", String(10_000 + 5 * longestMs), ...tests.map(({ name }) => name)];
  const kept = { NODE_COMPILE_CACHE: join(folder, "compiled") };
  const env = {
    ...kept,
    MUTATED_FILE: join(root, file),
    MUTANT_SOURCE: mutantSource,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, "mutantLoader.mjs")}`,
  };
  const mostMs = 60_000 + 5 * tookMs;
  const begun = Date.now();
  const { code } = await mocha(root, args, env, mostMs);
  if (code === 0) return false;
  // Only where it came late can a failure be that of a machine with too much to do.
  if (Date.now() - begun > lateMs && (await mocha(root, args, kept, mostMs)).code !== 0) {
    busy += 1;
    return false;
  }
  if (code === null) hung += 1;
  return true;
}

function secondsSince(time: number): number {
  return Math.round((Date.now() - time) / 1000);
}

/**
 * The first of them in an order that is random, and that the seed makes. A mutant's place in it comes from the mutant
 * alone: when one file changes, the others' mutants are the same as before.
 */
function sample(all: readonly Mutant[], seed: string, count: number): readonly Mutant[] {
  const seen = new Map<string, number>();
  const placed = all.map((mutant) => {
    const text = [seed, mutant.file, mutant.what, ...linesOf(mutant)].join("\n");
    const number = (seen.get(text) ?? 0) + 1;
    seen.set(text, number);
    return { mutant, place: createHash("sha256").update(`${text}\n${number}`).digest("hex") };
  });
  const ordered = placed.sort((one, other) => (one.place < other.place ? -1 : 1));
  return ordered.slice(0, count).map(({ mutant }) => mutant);
}

function described(mutant: Mutant): string {
  const { file, text, start, what } = mutant;
  const line = text.slice(0, start).split("\n").length;
  const [before, after] = linesOf(mutant);
  return `${file}:${line} ${what}\n    ${before}\n    ${after}`;
}

/** The line of the mutation as it is, and as the mutant has it. */
function linesOf({ text, start, end, replacement }: Mutant): readonly [string, string] {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const to = text.indexOf("\n", end);
  const shown = (line: string): string => line.replace(/\s+/g, " ").trim();
  return [shown(text.slice(from, to)), shown(text.slice(from, start) + replacement + text.slice(end, to))];
}

function equivalentOf(mutant: Mutant): { readonly why: string } | undefined {
  const [before, after] = linesOf(mutant);
  return equivalents.find(({ file, line, mutant: other }) => {
    return file === mutant.file && line === before && other === after;
  });
}

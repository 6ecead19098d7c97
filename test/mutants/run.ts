/**
 * Changes the source in one place at a time and runs the unit tests that load it (`npm run mutants`): a mutant that no
 * test notices has survived, and is printed. `-- --seed 1 --count 200 --jobs 2 --only src/run` say which, and how many.
 */

import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../support/random.ts";
import { equivalents } from "./equivalents.ts";
import { mutated, type Mutation, mutationsOf } from "./mutations.ts";
import { loadedBy, testsOf } from "./unitTests.ts";

interface Mutant extends Mutation {
  readonly file: string;
  readonly text: string;
}

const root = join(import.meta.dirname, "../..");
const folders = ["api", "run"];
/** For all unit tests of both folders, on a machine that has other things to do. */
const mostMs = 180_000;
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "200" },
    jobs: { type: "string", default: "2" },
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
  Number(values.seed),
  Number(values.count),
);
console.log(`${mutants.length} of ${all.length} mutants by seed ${values.seed}`);

const loaded = loadedBy(root, folders);
const baseline = await durations([...loaded.keys()]);
const folder = await mkdtemp(join(tmpdir(), "mutants-"));
const started = Date.now();
const waiting = mutants.entries();
let killed = 0;
const survived: Mutant[] = [];
try {
  await Promise.all(Array.from({ length: Number(values.jobs) }, () => lane()));
} finally {
  await rm(folder, { recursive: true });
}
const [same, others] = [survived.filter(equivalentOf), survived.filter((mutant) => !equivalentOf(mutant))];
for (const mutant of same)
  console.log(`does the same: ${described(mutant)}: ${equivalentOf(mutant)?.why ?? ""}`);
for (const mutant of others) console.log(`survived: ${described(mutant)}`);
const counted = killed + others.length;
const percent = ((100 * killed) / Math.max(1, counted)).toFixed(1);
const seconds = Math.round((Date.now() - started) / 1000);
console.log(`${killed} of ${counted} killed (${percent} %), ${same.length} do the same, ${seconds} s`);

async function lane(): Promise<void> {
  for (const [number, mutant] of waiting) {
    if (await isKilled(mutant, number)) killed += 1;
    else {
      survived.push(mutant);
      console.log(`${number + 1}: survived: ${described(mutant)}`);
    }
  }
}

async function isKilled(mutant: Mutant, number: number): Promise<boolean> {
  const tests = testsOf(mutant.file, loaded, baseline);
  if (tests.length === 0) return false;
  const source = join(folder, `${number}.ts`);
  await writeFile(source, mutated(mutant.text, mutant));
  const loader = join(import.meta.dirname, "mutantLoader.mjs");
  const env = {
    MUTATED_FILE: join(root, mutant.file),
    MUTANT_SOURCE: source,
    NODE_OPTIONS: `--import=${loader}`,
  };
  return (await mocha(["--bail", ...tests], env)).code !== 0;
}

/** How long each test file takes; throws when one fails without any mutant. */
async function durations(files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { code, output } = await mocha(["--reporter", "json", ...files], {});
  if (code !== 0) throw new Error(`The unit tests fail without a mutant:\n${output.slice(-4000)}`);
  const { tests } = JSON.parse(output.slice(output.indexOf("{\n"))) as {
    readonly tests: readonly { readonly file: string; readonly duration?: number }[];
  };
  const took = new Map<string, number>();
  for (const { file, duration = 0 } of tests) {
    const name = file.slice(root.length + 1);
    took.set(name, (took.get(name) ?? 0) + duration);
  }
  return took;
}

/** A run that does not end in time has noticed the mutant, too. */
function mocha(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const program = join(root, "node_modules/mocha/bin/mocha.js");
  const options = ["--no-config", "--extension", "ts", "--exit", "--timeout", "10000"];
  const child = spawn(process.execPath, [program, ...options, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const deadline = setTimeout(() => child.kill("SIGKILL"), mostMs);
  let output = "";
  child.stdout.on("data", (part: Buffer) => (output += part.toString()));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(deadline);
      resolve({ code, output });
    });
  });
}

/** The first of them in a random order that the seed makes. */
function sample<T>(items: readonly T[], seed: number, count: number): readonly T[] {
  const random = new Random(seed);
  const rest = [...items];
  return Array.from({ length: Math.min(count, rest.length) }, () =>
    rest.splice(random.below(rest.length), 1),
  ).flat();
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

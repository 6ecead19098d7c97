/** Which unit tests reach which place of the source, found by running each of their files once with V8's coverage. */

import { spawn } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

export interface Outcome {
  /** Null where it was ended because it took too long. */
  readonly code: number | null;
  readonly output: string;
}

export interface TestFile {
  readonly name: string;
  /** How long it took, and the longest of its tests. */
  readonly tookMs: number;
  readonly longestMs: number;
  /** How many of our source files it loads. */
  readonly loaded: number;
  readonly reaches: (file: string, offset: number) => boolean;
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

interface Report {
  readonly stats: { readonly duration: number };
  readonly tests: readonly { readonly duration?: number }[];
}

/** The names of the unit tests of these folders of `src`. */
export function testFiles(root: string, folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => globSync(`test/unit/${folder}/**/*.test.ts`, { cwd: root })).sort();
}

/** Runs one test file and notes what it reaches; throws when it fails. `folder` keeps the coverage. */
export async function measured(root: string, name: string, folder: string): Promise<TestFile> {
  const args = ["--reporter", "json", "--timeout", "60000", name];
  const { code, output } = await mocha(root, args, { NODE_V8_COVERAGE: folder }, 180_000);
  if (code !== 0) throw new Error(`${name} fails without a mutant:\n${output.slice(-4000)}`);
  const { stats, tests } = JSON.parse(output.slice(output.indexOf("{\n"))) as Report;
  const covered = readdirSync(folder).map(
    (file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Coverage,
  );
  const source = pathToFileURL(join(root, "src/")).href;
  const ranges = new Map<string, (readonly Range[])[]>();
  for (const { url, functions } of covered.flatMap(({ result }) => result)) {
    if (!url.startsWith(source)) continue;
    const file = `src/${url.slice(source.length)}`;
    ranges.set(file, [...(ranges.get(file) ?? []), functions.flatMap((one) => one.ranges)]);
  }
  return {
    name,
    tookMs: stats.duration,
    longestMs: Math.max(0, ...tests.map(({ duration = 0 }) => duration)),
    loaded: ranges.size,
    // each process that loaded the file tells its own ranges
    reaches: (file, offset) => (ranges.get(file) ?? []).some((all) => wasReached(all, offset)),
  };
}

/** The innermost range around a place says how often it was reached. */
function wasReached(ranges: readonly Range[], offset: number): boolean {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
  const length = ({ startOffset, endOffset }: Range): number => endOffset - startOffset;
  return (around.sort((one, other) => length(one) - length(other))[0]?.count ?? 0) > 0;
}

export function mocha(
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  mostMs: number,
): Promise<Outcome> {
  const program = join(root, "node_modules/mocha/bin/mocha.js");
  const child = spawn(process.execPath, [program, "--no-config", "--extension", "ts", "--exit", ...args], {
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

import { deepEqual, equal, ok } from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { importsOf } from "./imports.ts";

const root = join(import.meta.dirname, "../..");
const sources = globSync("src/**/*.{ts,tsx}", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
const chapter = /## How a message becomes a transcript\n([^]*?)\n## /.exec(
  readFileSync(join(root, "ARCHITECTURE.md"), "utf8"),
);

/** What each file imports, as far as it was asked. */
const imported = new Map<string, ReadonlySet<string>>();

/** A file of a way, and the functions that are named with it. */
interface Station {
  readonly file: string;
  readonly functions: readonly string[];
}

/** The ways of the chapter, each in stages: its numbered lists. */
const ways: readonly (readonly (readonly Station[])[])[] = [
  ...(chapter?.[1] ?? "").matchAll(/(?:^\d+\. .*\n)+/gm),
].map(([list]) => list.trimEnd().split("\n").map(stationsIn));

describe("The ways that ARCHITECTURE tells", () => {
  it("are as short as they are to stay: a first token, an answer from the inbox, a new destination", () => {
    deepEqual(
      ways.map((stages) => new Set(stages.flat().map(({ file }) => file)).size),
      [22, 14, 14],
    );
  });

  it("name files that there are, with functions of theirs", () => {
    for (const { file, functions } of ways.flat(2)) {
      const text = readFileSync(join(root, file), "utf8");
      ok(functions.length > 0, `${file} comes without a function`);
      for (const name of functions)
        ok(new RegExp(`(?<![\\w.])#?${name}(?!\\w)`).test(text), `${name} is not in ${file}`);
    }
  });

  it("go from file to file: each one of a stage imports one before it, or is imported by it", () => {
    for (const stages of ways) {
      const before: string[] = [];
      for (const [first, ...others] of stages) {
        if (first === undefined) continue;
        before.push(first.file);
        for (const { file } of others) {
          const isNext = before.some((other) => imports(other, file) || imports(file, other));
          ok(isNext, `${file} imports none of ${before.join(", ")}, and none of them imports it`);
          before.push(file);
        }
      }
    }
  });
});

/** `path` (`function`, `function`), as often as a line has it. */
function stationsIn(line: string): readonly Station[] {
  return [...line.matchAll(/`([\w./]+\.(?:tsx?|json))` \(([^)]*)\)/g)].map(([, path = "", names = ""]) => {
    const found = path === "package.json" ? [path] : sources.filter((file) => file.endsWith(`/${path}`));
    equal(found.length, 1, `${path} names ${String(found.length)} files`);
    return {
      file: String(found[0]),
      functions: [...names.matchAll(/`([\w.]+)`/g)].map(([, name]) => String(name)),
    };
  });
}

/** What registers the commands reads the manifest, which nothing imports. */
function imports(file: string, target: string): boolean {
  if (file === "package.json") return false;
  if (target === "package.json") return readFileSync(join(root, file), "utf8").includes(".packageJSON");
  const known = imported.get(file) ?? new Set(importsOf(root, file).files.map((one) => one.file));
  imported.set(file, known);
  return known.has(target);
}

/** Which unit tests load which source file, and how near they are to it. */

import { globSync, existsSync } from "node:fs";
import { join } from "node:path";
import { importsOf } from "../unit/imports.ts";

/** The test files of the suites, each with the files that it loads and over how many imports. */
export type Loaded = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Reads the imports of all unit tests of these folders, as paths from the repository's root. */
export function loadedBy(root: string, folders: readonly string[]): Loaded {
  const known = new Map<string, readonly string[]>();
  const imported = (file: string): readonly string[] => {
    const files =
      known.get(file) ??
      importsOf(root, file)
        .files.filter(({ kind, file: other }) => kind !== "type" && existsSync(join(root, other)))
        .map(({ file: other }) => other);
    known.set(file, files);
    return files;
  };
  const tests = folders.flatMap((folder) => globSync(`test/unit/${folder}/**/*.test.ts`, { cwd: root }));
  return new Map(
    tests.sort().map((test) => {
      const distances = new Map([[test, 0]]);
      for (const [file, distance] of distances)
        for (const other of imported(file)) if (!distances.has(other)) distances.set(other, distance + 1);
      return [test, distances];
    }),
  );
}

/** The tests that load a file, the nearest first, and the faster one first of two that are equally near. */
export function testsOf(file: string, loaded: Loaded, ms: ReadonlyMap<string, number>): readonly string[] {
  return [...loaded]
    .flatMap(([test, distances]) => {
      const distance = distances.get(file);
      return distance === undefined ? [] : [{ test, distance, took: ms.get(test) ?? 0 }];
    })
    .sort((one, other) => one.distance - other.distance || one.took - other.took)
    .map(({ test }) => test);
}

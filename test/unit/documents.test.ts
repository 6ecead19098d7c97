import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "../..");
const files = globSync("{src,test}/**/*.{ts,tsx}", { cwd: root, exclude: ["**/node_modules/**"] });

describe("The documents", () => {
  for (const name of ["ARCHITECTURE.md", "docs/decisions.md", "README.md", "docs/interface.md"]) {
    it(`${name} names files and folders that exist`, () => {
      const text = readFileSync(join(root, name), "utf8");
      const linked = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = ""]) =>
        join(root, name, "..", path),
      );
      const written = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, path = ""]) => path);
      assert.deepEqual(
        [
          ...linked.filter((path) => !existsSync(path)),
          ...written.filter((path) => !files.some((file) => isSame(file, path))),
        ],
        [],
      );
    });
  }
});

/** Paths are written from the repository's root, or as far as they tell files apart. */
function isSame(file: string, path: string): boolean {
  return file === path || file.endsWith(`/${path}`) || (!path.includes("/") && basename(file) === path);
}

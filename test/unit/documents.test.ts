import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { contributes, manifest, root } from "./contributions.ts";

const files = globSync("{src,test}/**/*.{ts,tsx,mts}", { cwd: root, exclude: ["**/node_modules/**"] });
const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "docs/decisions.md",
  "docs/interface.md",
  "docs/pictures.md",
  "test/bench/README.md",
];
const scripts = Object.keys(manifest.scripts);
const titles = contributes.commands.map(({ title }) => title);
/** What begins with our name in a document. */
const ids = [
  ...Object.keys(contributes.configuration.properties),
  ...contributes.commands.map(({ command }) => command),
];

describe("The documents", () => {
  for (const name of documents) {
    const text = readFileSync(join(root, name), "utf8");

    it(`${name} names files and folders that exist`, () => {
      const linked = all(text, /\]\(([^)#:]+)\)/g).map((path) => join(root, name, "..", path));
      const written = all(text, /`([\w./-]+\.m?tsx?)`/g);
      assert.deepEqual(
        [
          ...linked.filter((path) => !existsSync(path)),
          ...written.filter((path) => !files.some((file) => isSame(file, path))),
        ],
        [],
      );
    });

    it(`${name} names scripts, settings and commands that exist, and commands by their titles`, () => {
      const run = [...all(text, /npm run ([\w:]+)/g), ...all(text, /`(test:\w+)`/g)];
      const ours = all(text, /\b(agentOperations(?:\.\w+)+)/g);
      assert.deepEqual(
        [
          ...run.filter((script) => !scripts.includes(script)),
          ...ours.filter((id) => !ids.includes(id)),
          ...all(text, /[_*]Agents: ([^_*]+)[_*]/g).filter((title) => !titles.includes(title)),
        ],
        [],
      );
    });
  }

  it("tell of each script in the README", () => {
    const text = readFileSync(join(root, "README.md"), "utf8");
    const told = [...all(text, /npm (?:run )?([\w:]+)/g), ...all(text, /`([\w:]+)`/g)];
    assert.deepEqual(
      scripts.filter((script) => !told.includes(script)),
      [],
    );
  });
});

function all(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, found = ""]) => found);
}

/** Paths are written from the repository's root, or as far as they tell files apart. */
function isSame(file: string, path: string): boolean {
  return file === path || file.endsWith(`/${path}`) || (!path.includes("/") && basename(file) === path);
}

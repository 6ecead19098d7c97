import { strict as assert } from "node:assert";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { atStart, boundaries, floors, layers, most, mostLines, needVscode, shortLines } from "./house.ts";
import type { Layer } from "./house.ts";
import { type Imports, importsOf } from "./imports.ts";

const root = join(import.meta.dirname, "../..");
const sources = globSync("src/**/*.{ts,tsx}", { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !file.endsWith(".d.ts"))
  .sort();
const tests = globSync("test/**/*.{ts,tsx}", { cwd: root, exclude: ["**/node_modules/**"] });
const imports: ReadonlyMap<string, Imports> = new Map(
  sources.map((file) => [file, importsOf(root, file)] as const),
);

describe("Layers", () => {
  it("every source file belongs to a layer", () => {
    assert.deepEqual(
      sources.filter((file) => layerOf(file) === undefined),
      [],
    );
  });

  for (const [name, layer] of Object.entries(layers)) {
    it(`${name} imports only what its layer may`, () => {
      const files = sources.filter((file) => layerOf(file) === name);
      assert.deepEqual(
        files.flatMap((file) => violations(file, name, layer)),
        [],
      );
    });
  }

  it("ARCHITECTURE says of each layer what it may import", () => {
    const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
    const told = [...text.matchAll(/^- \*\*`(.+)`\*\* .*\n {2}May import: (.*)\.$/gm)].map(
      ([, name, line = ""]) => [
        name,
        [...line.matchAll(/`([^`]+)`|Node$/g)].map(([, one = "node:"]) => one).toSorted(),
      ],
    );
    const held = Object.entries(layers).map(([name, { folders, typesOf = [], files = [], packages }]) => [
      name,
      [...folders, ...typesOf, ...files, ...packages].toSorted(),
    ]);
    assert.deepEqual(Object.fromEntries(told), Object.fromEntries(held));
  });

  it("every file of src/editor lies on a floor", () => {
    assert.deepEqual(
      sources.filter((file) => file.startsWith("src/editor/") && floorOf(file) < 0),
      [],
    );
  });

  it("a single file whose values a folder may import brings nothing else with it", () => {
    const shared = Object.values(layers).flatMap(({ files = [] }) => files);
    const loaded = shared.flatMap((file) => [...loadedAtStart(file).keys()]);
    assert.deepEqual(loaded, shared);
  });

  it("every relative import names a file that exists", () => {
    const missing = sources.flatMap((file) =>
      imports
        .get(file)!
        .files.flatMap(({ file: target }) => (existsSync(join(root, target)) ? [] : [`${file} → ${target}`])),
    );
    assert.deepEqual(missing, []);
  });

  it("no file imports itself by way of others, types included", () => {
    assert.deepEqual(cycles(), []);
  });

  it("no two folders import each other, types included", () => {
    assert.deepEqual(pairs(dirname), []);
  });

  it("no two rooms of src/editor import each other, with all that is in their folders", () => {
    assert.deepEqual(pairs(roomOf), []);
  });

  it("src/editor imports downwards: commands, what is shown, services, models, kit", () => {
    const upwards = sources
      .filter((file) => file.startsWith("src/editor/"))
      .flatMap((file) =>
        imports
          .get(file)!
          .files.filter(({ file: target }) => floorOf(target) > floorOf(file))
          .map(({ file: target }) => `${file} → ${target}`),
      );
    assert.deepEqual(upwards, []);
  });

  it(`no folder holds more than ${String(most)} source files`, () => {
    const folders = Map.groupBy(sources, dirname);
    const crowded = [...folders].flatMap(([folder, files]) => (files.length > most ? [folder] : []));
    assert.deepEqual(crowded, []);
  });

  it(`no file of source or tests is longer than ${String(mostLines)} lines`, () => {
    assert.deepEqual(
      [...sources, ...tests].filter((file) => linesOf(file) > mostLines),
      [],
    );
  });

  it("a short file that one other file imports has tests of its own, or is a boundary", () => {
    const importers = Map.groupBy(
      [...imports].flatMap(([, { files }]) => files),
      ({ file }) => file,
    );
    const tested = new Set(
      tests.flatMap((file) =>
        [...readFileSync(join(root, file), "utf8").matchAll(/"[./]+\/(src\/[\w./]+)"/g)].map(
          ([, path]) => path,
        ),
      ),
    );
    const isTested = (file: string): boolean =>
      tested.has(file) || tests.includes(file.replace(/^src/, "test/unit").replace(/\.tsx?$/, ".test.ts"));
    const parts = sources.filter((file) => {
      const [only, ...others] = importers.get(file) ?? [];
      const isShort = linesOf(file) <= shortLines;
      return isShort && only !== undefined && only.kind !== "lazy" && others.length === 0 && !isTested(file);
    });
    assert.deepEqual(parts, boundaries);
  });

  it("the kit and the models load in plain Node, but for those that are known to need the editor", () => {
    const known = Object.entries(needVscode).flatMap(([folder, names]) =>
      names.map((name) => `src/editor/${folder}/${name}.ts`),
    );
    const pathToEditor = (file: string): string | undefined =>
      [...loadedAtStart(file)].find(([loaded]) => valueOf(loaded, "vscode"))?.[1].join(" → ");
    const others = sources.filter(
      (file) => file.startsWith("src/editor/") && floorOf(file) <= 1 && !known.includes(file),
    );
    assert.deepEqual(
      others.flatMap((file) => pathToEditor(file) ?? []),
      [],
    );
    assert.deepEqual(
      known.filter((file) => pathToEditor(file) === undefined),
      [],
      "These load in plain Node and need not be named.",
    );
  });

  it("what the extension loads at its start does not reach the network library", () => {
    const loaded = loadedAtStart("src/extension.ts");
    const reaching = [...loaded].filter(([file]) => valueOf(file, "undici"));
    assert.deepEqual(
      reaching.map(([, path]) => path.join(" → ")),
      [],
    );
  });

  it("nothing but the core and what registers the rest is loaded before its first use", () => {
    assert.deepEqual([...loadedAtStart("src/extension.ts").keys()].sort(), atStart);
  });

  it("no package is loaded by import() itself: a bundled CommonJS one would come without its named exports", () => {
    const importing = sources
      .filter((file) => layerOf(file) !== "src/emulator")
      .flatMap((file) =>
        imports
          .get(file)!
          .packages.flatMap(({ name, kind }) => (kind === "lazy" ? [`${file} → ${name}`] : [])),
      );
    assert.deepEqual(importing, []);
  });

  it("undici is imported in the editor by dispatcher.ts alone, and elsewhere as types", () => {
    const importing = sources.filter(
      (file) =>
        layerOf(file) === "src/editor" &&
        imports.get(file)!.packages.some(({ name, kind }) => name === "undici" && kind !== "type"),
    );
    assert.deepEqual(importing, ["src/editor/network/dispatcher.ts"]);
  });
});

function linesOf(file: string): number {
  return readFileSync(join(root, file), "utf8").split("\n").length - 1;
}

function layerOf(file: string): string | undefined {
  return Object.keys(layers).find((name) => file === name || file.startsWith(`${name}/`));
}

function violations(file: string, own: string, layer: Layer): string[] {
  const { files, packages } = imports.get(file)!;
  const folders = files.flatMap(({ file: target, kind }) => {
    const other = layerOf(target);
    const allowed =
      other === own ||
      (other !== undefined && layer.folders.includes(other)) ||
      layer.files?.includes(target) === true ||
      (other !== undefined && layer.typesOf?.includes(other) === true && kind === "type");
    return allowed ? [] : [`${file} must not import ${target}`];
  });
  const foreign = packages.flatMap(({ name }) => {
    const allowed = layer.packages.some((known) =>
      known.endsWith(":") ? name.startsWith(known) : name === known,
    );
    return allowed ? [] : [`${file} must not import ${name}`];
  });
  return [...folders, ...foreign];
}

/** Places that import each other, as "a <-> b"; for `dirname` a folder and one inside it are two. */
function pairs(placeOf: (file: string) => string): string[] {
  const arrows = new Set(
    sources.flatMap((file) =>
      imports.get(file)!.files.map(({ file: target }) => `${placeOf(file)} ${placeOf(target)}`),
    ),
  );
  return [...arrows].flatMap((arrow) => {
    const [from = "", to = ""] = arrow.split(" ");
    return from < to && arrows.has(`${to} ${from}`) ? [`${from} <-> ${to}`] : [];
  });
}

/** The first folder below src/editor, else the file's own. */
function roomOf(file: string): string {
  return /^src\/editor\/[^/]+(?=\/)/.exec(file)?.[0] ?? dirname(file);
}

/** On which floor of src/editor a file lies; what lies elsewhere is below all of them. */
function floorOf(file: string): number {
  const [, room, name = ""] = file.split("/");
  return room === "editor" ? floors.findIndex((floor) => floor.includes(name)) : -1;
}

/** Each cycle once, as a path that ends where it began. */
function cycles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      found.push([...path.slice(start), file].join(" → "));
      return;
    }
    if (done.has(file)) return;
    for (const { file: target } of imports.get(file)?.files ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of sources) visit(file, []);
  return found;
}

/** Files that load together with the entry, each with the path of imports that leads to it. */
function loadedAtStart(entry: string): ReadonlyMap<string, readonly string[]> {
  const loaded = new Map<string, readonly string[]>([[entry, [entry]]]);
  for (const [file, path] of loaded) {
    for (const { file: target, kind } of imports.get(file)?.files ?? []) {
      if (kind === "value" && !loaded.has(target)) loaded.set(target, [...path, target]);
    }
  }
  return loaded;
}

/** Whether the file imports values of the package as it loads. */
function valueOf(file: string, packageName: string): boolean {
  const { packages = [] } = imports.get(file) ?? {};
  return packages.some(({ name, kind }) => kind === "value" && name === packageName);
}

import { strict as assert } from "node:assert";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { type Imports, importsOf } from "./imports.ts";

/** What a folder may import: our folders, and packages by name ("node:" stands for all of Node). */
interface Layer {
  readonly folders: readonly string[];
  /** Folders of which only types may be imported. */
  readonly typesOf?: readonly string[];
  readonly packages: readonly string[];
}

const layers: Readonly<Record<string, Layer>> = {
  "src/api": { folders: [], packages: ["undici", "eventsource-parser", "node:"] },
  "src/run": { folders: [], typesOf: ["src/api"], packages: [] },
  "src/table": { folders: ["src/run"], packages: ["hyparquet"] },
  "src/webview": {
    folders: ["src/run"],
    typesOf: ["src/api", "src/table"],
    packages: ["preact", "react", "react-dom", "virtua", "marked"],
  },
  "src/emulator": {
    folders: [],
    packages: [
      "@aws-sdk/client-s3",
      "@hono/node-server",
      "@modelcontextprotocol/sdk",
      "hono",
      "hyparquet-writer",
      "oauth4webapi",
      "zod",
      "node:",
    ],
  },
  "src/editor": {
    folders: ["src/api", "src/run", "src/table"],
    packages: ["vscode", "jsonc-parser", "undici", "node:"],
  },
  "src/extension.ts": { folders: ["src/api", "src/editor"], packages: ["vscode", "node:"] },
};

const root = join(import.meta.dirname, "../..");
const sources = globSync("src/**/*.{ts,tsx}", { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !file.endsWith(".d.ts"))
  .sort();
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

  it("what the extension loads at its start does not reach the network library", () => {
    const loaded = loadedAtStart("src/extension.ts");
    const reaching = [...loaded].filter(([file]) =>
      imports.get(file)?.packages.some(({ name, kind }) => kind === "value" && name === "undici"),
    );
    assert.deepEqual(
      reaching.map(([, path]) => path.join(" → ")),
      [],
    );
  });

  it("undici is imported in the editor by network.ts alone, and elsewhere as types", () => {
    const importing = sources.filter(
      (file) =>
        layerOf(file) === "src/editor" &&
        imports.get(file)!.packages.some(({ name, kind }) => name === "undici" && kind !== "type"),
    );
    assert.deepEqual(importing, ["src/editor/network/network.ts"]);
  });
});

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

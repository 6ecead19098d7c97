import { strict as assert } from "node:assert";
import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Imports, importsOf } from "./imports.ts";

/** What a folder may import: our folders, and packages by name ("node:" stands for all of Node). */
interface Layer {
  readonly folders: readonly string[];
  /** Folders of which only types may be imported. */
  readonly typesOf?: readonly string[];
  /** Single files of those whose values may be imported, too. */
  readonly files?: readonly string[];
  readonly packages: readonly string[];
}

const layers: Readonly<Record<string, Layer>> = {
  "src/api": { folders: [], packages: ["undici", "eventsource-parser", "node:"] },
  // When to try again is decided in one place; the file imports only types, and so brings in no network library.
  "src/run": { folders: [], typesOf: ["src/api"], files: ["src/api/retry.ts"], packages: ["jsonc-parser"] },
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
  "src/main.ts": { folders: ["src/extension.ts"], packages: ["vscode", "node:"] },
};

/** The floors of src/editor from the ground up: a file imports from its own floor and from those below. */
const floors: readonly (readonly string[])[] = [
  ["kit"],
  [
    "agents",
    "connections",
    "deployments",
    "destinations",
    "issues",
    "localPlatform",
    "network",
    "parquet",
    "threads",
    "toolServers",
  ],
  ["services.ts"],
  ["views", "documents", "runPanel", "statusBar.ts"],
  ["commands"],
];

/**
 * The files of the kit and of the models that need `vscode`, themselves or by what they import, by folder below
 * src/editor. All others load in plain Node, so that a test without an editor can use them.
 */
const needVscode: Readonly<Record<string, readonly string[]>> = {
  agents: ["agents"],
  "agents/files": [
    "agentConflicts",
    "agentFileSystem",
    "agentFiles",
    "agentFolder",
    "agentStore",
    "agentUri",
  ],
  connections: ["apiKeys", "connections", "transport"],
  deployments: ["deploymentMemory", "deployments", "revisionWatches"],
  "deployments/drafts": ["draftDiagnostics", "draftUri", "unsavedDrafts"],
  destinations: ["destinations", "exportWatches"],
  issues: ["issueSubscriptions", "issueWebhooks", "localDeliveries"],
  kit: ["activityLog", "commands", "fileExists", "notice", "report", "webviewPage"],
  "kit/ask": ["clipboard", "form", "pagedChoice", "questions", "typedChoice"],
  "kit/tree": ["branchNode", "factsTooltip", "failureNode", "moreNode", "nodeTree", "rowItem"],
  localPlatform: ["localPlatform"],
  network: ["network"],
  parquet: ["parquetEditor"],
  threads: ["inbox", "threads", "waitingThreads"],
  "threads/servers": ["agentServers", "chatBackends"],
  toolServers: ["authAttempts", "toolServers"],
};

/** The most source files that lie flat in one folder. */
const most = 20;

/** Folders that the extension loads when they are first used, with those of their files that its start needs. */
const usedLater: Readonly<Record<string, readonly string[]>> = {
  // Errors and rules that models and rows know; no client.
  "src/api/": [
    "bulkExports/bulkExport.ts",
    "capabilities.ts",
    "controlPlane/status.ts",
    "errors.ts",
    "issueWebhooks/event.ts",
    "issueWebhooks/signature.ts",
    "pagination.ts",
    "poll.ts",
    "retry.ts",
    "shape.ts",
    "threadProtocol/wire.ts",
  ],
  "src/editor/commands/": ["index.ts"],
  "src/editor/kit/ask/": ["clipboard.ts", "meant.ts"],
  "src/editor/runPanel/": ["index.ts"],
  "src/run/panel/": [],
  "src/run/raw/": [],
  "src/run/session/": ["server.ts"],
  "src/table/": [],
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
    assert.deepEqual(pairs(), []);
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

  it("no module of a feature is loaded before its first use", () => {
    const loaded = [...loadedAtStart("src/extension.ts").keys()];
    const early = Object.entries(usedLater).flatMap(([folder, atStart]) =>
      loaded.filter((file) => file.startsWith(folder) && !atStart.includes(file.slice(folder.length))),
    );
    assert.deepEqual(early, []);
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

/** Folders that import each other, as "a <-> b"; a folder and one inside it are two. */
function pairs(): string[] {
  const arrows = new Set(
    sources.flatMap((file) =>
      imports.get(file)!.files.map(({ file: target }) => `${dirname(file)} ${dirname(target)}`),
    ),
  );
  return [...arrows].flatMap((arrow) => {
    const [from = "", to = ""] = arrow.split(" ");
    return from < to && arrows.has(`${to} ${from}`) ? [`${from} <-> ${to}`] : [];
  });
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

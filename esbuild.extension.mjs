// The extension host's program: dist/extension.cjs, which the editor loads, dist/extension/start.cjs with all that
// activation needs, services.cjs with the models, features.cjs with the parts that run when they are first used, and
// beside them a file for each large part.
//
// esbuild splits ES modules alone, into many small files. Reading each costs about a third of a millisecond and a
// kilobyte of the package, so they are joined, and all become CommonJS, which every editor loads at once.
import { build } from "esbuild";
import { basename } from "node:path";

/** What all builds of the extension host's program have in common. */
export const extension = {
  bundle: true,
  platform: "node",
  target: "node22",
  format: "cjs",
  mainFields: ["module", "main"],
  external: ["vscode"],
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  // So that import() becomes require(), which the editor's own module loader is fast at.
  supported: { "dynamic-import": false },
};

/** The files of chunks that are always loaded together, in the order in which they are loaded, each with its source. */
const joined = { start: "src/extension.ts", services: "src/editor/services.ts" };
/** The file of all other chunks but the large ones; each of them runs when it is first asked for. */
const rest = "features";
const largeBytes = 100_000;

/** Builds it; answers what the bundler took. */
export async function buildExtension() {
  const { outputFiles, metafile } = await build({
    ...extension,
    entryPoints: { start: "src/extension.ts" },
    format: "esm",
    outExtension: {},
    supported: {},
    splitting: true,
    chunkNames: "[name]-[hash]",
    metafile: true,
    write: false,
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]));
  const chunks = new Map(Object.entries(metafile.outputs).map(([path, chunk]) => [nameOf(path), chunk]));
  // Each chunk is in the first file that needs it, or in one of its own.
  const files = new Map();
  for (const [file, source] of Object.entries(joined)) {
    const entry = [...chunks.keys()].find((chunk) => chunks.get(chunk).entryPoint === source);
    const needed = new Set([entry]);
    for (const chunk of needed) {
      if (!files.has(chunk)) files.set(chunk, file);
      for (const { kind, path, external } of chunks.get(chunk).imports)
        if (kind === "import-statement" && external !== true) needed.add(nameOf(path));
    }
  }
  for (const [chunk, { bytes }] of chunks) {
    if (!files.has(chunk) && bytes < largeBytes) files.set(chunk, rest);
  }
  const alone = [...chunks.keys()].filter((chunk) => !files.has(chunk));

  const options = { ...extension, minify: true, outdir: "dist/extension" };
  await Promise.all([
    build({
      ...options,
      outdir: "dist",
      entryPoints: { extension: "src/main.ts" },
      plugins: [startElsewhere],
    }),
    ...[...Object.keys(joined), rest].map((file) =>
      build({ ...options, entryPoints: { [file]: `./${file}` }, plugins: [chunksIn(file)] }),
    ),
    build({
      ...options,
      entryPoints: Object.fromEntries(alone.map((name) => [name.slice(2, -3), name])),
      plugins: [chunksIn()],
    }),
  ]);
  return metafile;

  /** Reads the file's chunks from the first build; the others are in files that are there beside it. */
  function chunksIn(file) {
    const own = [...files].flatMap(([chunk, its]) => (its === file ? [chunk] : []));
    const names = own.map((chunk) => JSON.stringify(chunk));
    const joining =
      file === rest
        ? ["module.exports = {", ...names.map((name) => `get ${name}() { return require(${name}); },`), "};"]
        : [...names.map((name) => `export * as ${name} from ${name};`), `export * from ${names[0]};`];
    return {
      name: "chunks",
      setup({ onLoad, onResolve }) {
        onResolve({ filter: /^\.\/.*/ }, ({ path, kind }) => {
          if (kind === "entry-point" || own.includes(path)) return { path, namespace: "chunk" };
          if (files.has(path)) return { path, namespace: "joined" };
          return { path: path.replace(/\.js$/, ".cjs"), external: true };
        });
        onLoad({ filter: /.*/, namespace: "chunk" }, ({ path }) => ({
          contents: texts.get(path) ?? joining.join("\n"),
        }));
        onLoad({ filter: /.*/, namespace: "joined" }, ({ path }) => ({
          contents: `module.exports = require("./${files.get(path)}.cjs")[${JSON.stringify(path)}];`,
        }));
      },
    };
  }
}

const startElsewhere = {
  name: "start elsewhere",
  setup({ onResolve }) {
    onResolve({ filter: /\/extension\.ts$/ }, () => ({ path: "./extension/start.cjs", external: true }));
  },
};

function nameOf(path) {
  return `./${basename(path)}`;
}

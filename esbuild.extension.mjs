// The extension host's program: dist/extension.cjs, which the editor loads, dist/extension/start.cjs with all that
// activation needs, and beside it one file for each part that is loaded when it is first used.
//
// esbuild splits ES modules alone, into many small files. Reading each costs about a third of a millisecond, so those
// that are always loaded together are joined, and all become CommonJS, which every editor loads at once.
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
  const atStart = new Set(["./start.js"]);
  for (const chunk of atStart)
    for (const { kind, path, external } of chunks.get(chunk).imports)
      if (kind === "import-statement" && external !== true) atStart.add(nameOf(path));
  const later = [...chunks.keys()].filter((chunk) => !atStart.has(chunk));

  const options = { ...extension, minify: true, outdir: "dist/extension" };
  const start = [...atStart].map(
    (name) => `export * as ${JSON.stringify(name)} from ${JSON.stringify(name)};`,
  );
  await Promise.all([
    build({
      ...options,
      outdir: "dist",
      entryPoints: { extension: "src/main.ts" },
      plugins: [startElsewhere],
    }),
    build({
      ...options,
      entryPoints: { start: "./start" },
      plugins: [chunksFrom((name) => atStart.has(name))],
    }),
    build({
      ...options,
      entryPoints: Object.fromEntries(later.map((name) => [name.slice(2, -3), name])),
      external: ["vscode", "./start.cjs"],
      plugins: [chunksFrom(() => false)],
    }),
  ]);

  /** Reads the chunks to be joined from the first build; the others are in start.cjs or in files of their own. */
  function chunksFrom(isJoined) {
    return {
      name: "chunks",
      setup({ onLoad, onResolve }) {
        onResolve({ filter: /^\.\/.*/ }, ({ path, kind }) => {
          if (kind === "entry-point" || isJoined(path)) return { path, namespace: "chunk" };
          if (atStart.has(path)) return { path, namespace: "started" };
          return path === "./start.cjs"
            ? { path, external: true }
            : { path: path.replace(/js$/, "cjs"), external: true };
        });
        onLoad({ filter: /.*/, namespace: "chunk" }, ({ path }) => ({
          contents: texts.get(path) ?? ['export * from "./start.js";', ...start].join("\n"),
        }));
        onLoad({ filter: /.*/, namespace: "started" }, ({ path }) => ({
          contents: `module.exports = require("./start.cjs")[${JSON.stringify(path)}];`,
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

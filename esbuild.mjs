// Eight programs: the extension host's, the run panel's page and its checker of inputs, the pages of tables and of
// comparisons, and three processes of their own: the Local Platform, the reader of Parquet files, and what a server of
// the workspace's own graphs hangs on.
import { build, context } from "esbuild";
import process from "node:process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import subsetFont from "subset-font";
import { buildExtension, extension } from "./esbuild.extension.mjs";
import { noticesOf } from "./esbuild.notices.mjs";
import { icons } from "./src/webview/kit/icons.ts";

const watch = process.argv.includes("--watch");
const common = { bundle: true, minify: !watch, sourcemap: watch, logLevel: "info", metafile: true };

const page = {
  outdir: "dist",
  platform: "browser",
  target: "es2022",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  alias: { react: "preact/compat", "react-dom": "preact/compat" },
};

const bundles = [
  {
    ...common,
    entryPoints: { emulator: "src/emulator/main.ts", parquetReader: "src/editor/parquet/readerMain.ts" },
    outdir: "dist",
    // What they need only later, such as the clients of buckets and tool servers, is loaded only then; both have one
    // copy of the client of buckets.
    splitting: true,
    chunkNames: "emulator/[name]-[hash]",
    mainFields: ["module", "main"],
    platform: "node",
    target: "node22",
    format: "esm",
  },
  {
    ...common,
    entryPoints: { graphSupervisor: "src/editor/workspaceGraphs/supervisorMain.ts" },
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    platform: "node",
    target: "node22",
    format: "cjs",
  },
  {
    ...common,
    entryPoints: { inputCheck: "src/webview/checker/main.ts" },
    outdir: "dist",
    platform: "browser",
    target: "es2022",
    format: "iife",
    // The validator would make an address of the worker's own, which is none of the kind that it expects.
    define: { self: "undefined" },
  },
  {
    ...common,
    ...page,
    entryPoints: { webview: "src/webview/main.tsx" },
    // The languages of code are loaded when the first code is seen.
    splitting: true,
    chunkNames: "webview/[name]-[hash]",
  },
  { ...common, ...page, entryPoints: { parquet: "src/webview/parquet/main.tsx" } },
  { ...common, ...page, entryPoints: { compare: "src/webview/compare/main.tsx" } },
];

// vsce does not make the folder that it writes the package to.
for (const folder of ["dist", "out"]) await mkdir(folder, { recursive: true });
for (const folder of ["emulator", "extension", "webview"])
  await rm(`dist/${folder}`, { recursive: true, force: true });
await buildIcons();
if (watch) {
  for (const options of bundles) await (await context(options)).watch();
  // In one file, which is loaded more slowly and built again in one step.
  await (await context({ ...common, ...extension, entryPoints: { extension: "src/main.ts" } })).watch();
} else {
  const [first, ...others] = await Promise.all([
    buildExtension(),
    ...bundles.map((options) => build(options)),
  ]);
  await writeFile(
    "THIRD_PARTY_NOTICES.md",
    await noticesOf([first, ...others.map(({ metafile }) => metafile)]),
  );
}

/** The font and its style sheet with the icons of our pages alone: they are a twentieth of all. */
async function buildIcons() {
  const from = "node_modules/@vscode/codicons/dist/codicon";
  const style = await readFile(`${from}.css`, "utf8");
  const characters = [];
  const ours = style.replaceAll(
    /^\.codicon-([\w-]+):before \{ content: "\\(\w+)" \}\n/gm,
    (rule, name, code) => {
      if (!icons.includes(name)) return "";
      characters.push(String.fromCodePoint(Number.parseInt(code, 16)));
      return rule;
    },
  );
  if (characters.length !== icons.length)
    throw new Error("src/webview/kit/icons.ts names an icon that is none");
  await writeFile("dist/codicon.css", ours);
  const font = await subsetFont(await readFile(`${from}.ttf`), characters.join(""), {
    targetFormat: "truetype",
  });
  await writeFile("dist/codicon.ttf", font);
}

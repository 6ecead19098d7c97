// Four programs: the extension host's, the run panel's page, the table's page, and the Local Platform (a process of
// its own).
import { build, context } from "esbuild";
import process from "node:process";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { buildExtension, extension } from "./esbuild.extension.mjs";

const watch = process.argv.includes("--watch");
const common = { bundle: true, minify: !watch, sourcemap: watch, logLevel: "info", metafile: true };

const bundles = [
  {
    ...common,
    entryPoints: { emulator: "src/emulator/main.ts" },
    outdir: "dist",
    // What it needs only later, such as the clients of buckets and tool servers, is loaded only then.
    splitting: true,
    chunkNames: "emulator/[name]-[hash]",
    mainFields: ["module", "main"],
    platform: "node",
    target: "node22",
    format: "esm",
  },
  {
    ...common,
    entryPoints: { webview: "src/webview/main.tsx", parquet: "src/webview/parquet/main.tsx" },
    outdir: "dist",
    platform: "browser",
    target: "es2022",
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    alias: { react: "preact/compat", "react-dom": "preact/compat" },
  },
];

await mkdir("dist", { recursive: true });
for (const folder of ["emulator", "extension"]) await rm(`dist/${folder}`, { recursive: true, force: true });
for (const asset of ["codicon.css", "codicon.ttf"]) {
  await copyFile(`node_modules/@vscode/codicons/dist/${asset}`, `dist/${asset}`);
}
if (watch) {
  for (const options of bundles) await (await context(options)).watch();
  // In one file, which is loaded more slowly and built again in one step.
  await (await context({ ...common, ...extension, entryPoints: { extension: "src/main.ts" } })).watch();
} else {
  await Promise.all([buildExtension(), ...bundles.map((options) => build(options))]);
}

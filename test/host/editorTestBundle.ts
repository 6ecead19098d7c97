import { globSync } from "node:fs";
import { join } from "node:path";

import { build } from "esbuild";

import { repository } from "./places.ts";

/** The module that the extension host runs: its `run()` rejects when a test fails. */
export const editorTestBundle = join(repository, "out/editor-tests/index.cjs");

/** Bundles every `test/editor/**` test with its entry; returns how many test files there are. */
export async function bundleEditorTests(): Promise<number> {
  const files = globSync("test/editor/**/*.test.ts", { cwd: repository }).sort();
  const loaders = files.map(
    (file) => `[${JSON.stringify(file)}, () => require(${JSON.stringify(`./${file}`)})]`,
  );
  await build({
    stdin: {
      contents: `import { runTests } from "./test/editor/index.ts";
        export const run = () => runTests([${loaders.join(",\n")}]);`,
      resolveDir: repository,
      loader: "ts",
    },
    outfile: editorTestBundle,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    mainFields: ["module", "main"],
    external: ["vscode", "mocha"],
    logLevel: "warning",
  });
  return files.length;
}

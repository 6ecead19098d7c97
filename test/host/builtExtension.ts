import { glob, stat } from "node:fs/promises";
import { join } from "node:path";

import { exclusively } from "./exclusive.ts";
import { runNpm } from "./npm.ts";
import { packagedExtension, repository } from "./places.ts";

/** Raised when the extension can't be built or packaged; the message holds the tool's own words. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}

const sources = ["src/**/*", "media/**/*", "package.json", "package-lock.json", "esbuild*.mjs"];
const packaged = [...sources, "package.mjs", "README.md", "CHANGELOG.md", "LICENSE", ".vscodeignore"];

/** Builds the bundles unless they are newer than everything they are made of. */
export function ensureBuilt(): Promise<void> {
  return ensure(join(repository, "dist/extension.cjs"), sources, "build");
}

/** Packages the extension unless the package is newer than everything in it; gives the package's path. */
export async function ensurePackaged(): Promise<string> {
  await ensure(packagedExtension, packaged, "package");
  return packagedExtension;
}

async function ensure(product: string, inputs: readonly string[], script: string): Promise<void> {
  await exclusively(join(repository, "out/build.lock"), async () => {
    if ((await modified(product)) > (await newest(inputs))) return;
    console.log(`Running npm run ${script} …`);
    const { succeeded, lastLines } = await runNpm(["run", script], repository);
    if (!succeeded) throw new BuildError(`npm run ${script} failed:\n${lastLines}`);
  });
}

async function newest(patterns: readonly string[]): Promise<number> {
  let latest = 0;
  for await (const file of glob(patterns, { cwd: repository })) {
    latest = Math.max(latest, await modified(join(repository, file)));
  }
  return latest;
}

/** Zero when there is no such file. */
async function modified(file: string): Promise<number> {
  return stat(file).then(
    (status) => (status.isFile() ? status.mtimeMs : 0),
    () => 0,
  );
}

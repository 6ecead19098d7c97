import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { BuildError } from "./builtExtension.ts";
import { repository } from "./places.ts";
import { startProcessGroup } from "./processGroup.ts";

const vsce = join(repository, "node_modules/@vscode/vsce/vsce");

/** Packages the small extension that opens our view in a new profile; gives the package's path. */
export async function packageFirstScreen(): Promise<string> {
  const folder = join(repository, "out");
  const vsix = join(folder, "first-screen.vsix");
  await mkdir(folder, { recursive: true });
  const flags = ["--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", vsix];
  const child = startProcessGroup(process.execPath, [vsce, "package", ...flags], {
    cwd: join(import.meta.dirname, "firstScreen"),
  });
  if ((await child.exited) !== 0)
    throw new BuildError(`The first screen was not packaged:\n${child.lastLines()}`);
  return vsix;
}

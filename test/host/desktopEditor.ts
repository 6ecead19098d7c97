import { spawnSync } from "node:child_process";

import type { Profile } from "./profile.ts";

/** Raised when the desktop editor's command is missing or refuses. */
export class DesktopEditorError extends Error {
  override readonly name = "DesktopEditorError";
}

/** Installs packaged extensions into a profile of their own in the desktop editor, and opens it. */
export function openDesktopEditor(profile: Profile, extensions: readonly string[]): void {
  const folders = ["--user-data-dir", profile.userData, "--extensions-dir", profile.extensions];
  for (const vsix of extensions) code(["--install-extension", vsix, "--force", ...folders]);
  code([...folders, "--new-window", profile.workspace]);
}

/** On Windows the command is a script, which only a shell can start. */
function code(args: readonly string[]): void {
  const run = spawnSync("code", args, { stdio: "inherit", shell: process.platform === "win32" });
  if (run.error !== undefined) {
    throw new DesktopEditorError('There is no desktop editor here: the command "code" is not on the PATH.');
  }
  if (run.status !== 0) throw new DesktopEditorError(`"code ${args.join(" ")}" failed.`);
}

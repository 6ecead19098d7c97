/** What is asked of the files in the workspace. */

import * as vscode from "vscode";
import { NotPossibleError } from "./remedies.ts";

/**
 * Refuses to read variables of the environment because a file names them, where the workspace is not trusted: the file
 * may be there to get them. Throws NotPossibleError.
 */
export function checkVariables(names: readonly string[]): void {
  if (names.length === 0 || vscode.workspace.isTrusted) return;
  throw new NotPossibleError(
    `The draft takes ${names.join(", ")} from your environment, and this workspace is not trusted.`,
    "Trust the workspace if you know where the draft comes from, or leave the values out of it to be asked.",
  );
}

/** Whether there is a file or folder at the address. */
export async function fileExists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

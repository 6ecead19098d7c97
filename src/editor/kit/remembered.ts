/** The names under which is kept what goes on after a reload: activation reads these without loading the features. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type * as vscode from "vscode";
import type { Memory } from "./keptList.ts";

/** The lists of what is watched, in the memory of the workspace. */
export const WATCHED = {
  revisions: "watches",
  bulk: "bulk.unfinished",
  exports: "exports.watched",
  signIns: "authAttempts.waiting",
  graphs: "graphs.started",
} as const;

/** The file that is there since issues were first received, in the folder of issues. */
export const RECEIVER = "receiver.json";

type Storage = Pick<vscode.ExtensionContext, "globalStorageUri">;

/** Where the windows of one editor share what they received. */
export function issuesFolder({ globalStorageUri }: Storage): string {
  return join(globalStorageUri.fsPath, "issues");
}

/** Whether something was watched when the window was closed or reloaded, or issues were ever received on this machine. */
export function wasWatching(context: Storage & { readonly workspaceState: Memory }): boolean {
  const names = Object.values(WATCHED);
  const isWatching = names.some((name) => context.workspaceState.get(name) !== undefined);
  return isWatching || existsSync(join(issuesFolder(context), RECEIVER));
}

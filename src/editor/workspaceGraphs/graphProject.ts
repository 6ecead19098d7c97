/** A folder of the workspace that has graphs. */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import * as vscode from "vscode";

/** One folder with a `langgraph.json`. */
export interface GraphProject {
  /** That of its connection; the same after a reload. */
  readonly id: string;
  readonly name: string;
  readonly folder: vscode.Uri;
  /** Its `langgraph.json`. */
  readonly file: vscode.Uri;
}

/** The projects of these files; two folders of one name are told apart by their places. */
export function projectsOf(files: readonly vscode.Uri[]): readonly GraphProject[] {
  const names = files.map((file) => basename(vscode.Uri.joinPath(file, "..").path));
  return files.map((file, index) => {
    const folder = vscode.Uri.joinPath(file, "..");
    const name = names[index] ?? "";
    const isAlone = names.filter((other) => other === name).length === 1;
    const id = `graphs-${createHash("sha256").update(file.toString()).digest("hex").slice(0, 12)}`;
    return { id, file, folder, name: isAlone ? name : vscode.workspace.asRelativePath(folder, true) };
  });
}

/** New drafts, where they would be saved. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import { fileExists } from "../../kit/workspaceFiles.ts";
import { AGENT_SCHEME } from "../../kit/ids.ts";

/** A new document with this text, not shown and not saved yet. */
export async function newDraft(name: string, suffix: string, text: string): Promise<vscode.TextDocument> {
  const { path } = await freeUri(name, suffix);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: "untitled", path }));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  return document;
}

/** An address in the workspace, else in the home folder, that neither a document nor a file has. */
export async function freeUri(name: string, suffix: string): Promise<vscode.Uri> {
  const [folder] = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme !== AGENT_SCHEME);
  const base = folder?.uri ?? vscode.Uri.file(homedir());
  const file = name.replace(/[^\w.-]+/g, "-");
  const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let count = 1; ; count += 1) {
    const uri = vscode.Uri.joinPath(base, `${file}${count === 1 ? "" : `-${String(count)}`}${suffix}`);
    if (!taken.has(uri.path) && !(await fileExists(uri))) return uri;
  }
}

/** Where a new draft would be saved. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import { fileExists } from "../../kit/fileExists.ts";
import { AGENT_SCHEME } from "../../kit/ids.ts";

/** An address in the workspace that neither a document nor a file has; nothing is there until the draft is saved. */
export async function freeDraftUri(name: string, suffix: string): Promise<vscode.Uri> {
  const [folder] = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme !== AGENT_SCHEME);
  const base = folder?.uri ?? vscode.Uri.file(homedir());
  const file = name.replace(/[^\w.-]+/g, "-");
  const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let count = 1; ; count += 1) {
    const uri = vscode.Uri.joinPath(base, `${file}${count === 1 ? "" : `-${String(count)}`}${suffix}`);
    if (!taken.has(uri.path) && !(await fileExists(uri)))
      return vscode.Uri.from({ scheme: "untitled", path: uri.path });
  }
}

/** An agent's files as rows of the Agents view, as the editor's own explorer would show them. */

import * as vscode from "vscode";
import type { AgentRef } from "../../agents/agentRow.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import type { BranchHost } from "../../kit/tree/branchNode.ts";
import type { TreeNode } from "../../kit/tree/node.ts";

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** What the rows need from their view. */
export interface AgentFilesHost extends BranchHost {
  /** The folder that the editor has of this agent's files. */
  folder(ref: AgentRef): vscode.Uri;
}

/** The group of an agent's files; opening it reads them. */
export function agentFilesNode(ref: AgentRef, parent: TreeNode, host: AgentFilesHost): TreeNode {
  const item = (): vscode.TreeItem => {
    const shown = new vscode.TreeItem("Files", Collapsed);
    shown.iconPath = new vscode.ThemeIcon("files");
    shown.contextValue = "managedFiles";
    return shown;
  };
  const load = (node: TreeNode): Promise<readonly TreeNode[]> => entries(ref, "", node, host);
  return new BranchNode({ id: `${parent.id}/files`, parent, ref, item, look: () => "Files", load }, host);
}

async function entries(
  ref: AgentRef,
  path: string,
  parent: TreeNode,
  host: AgentFilesHost,
): Promise<readonly TreeNode[]> {
  const found = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(host.folder(ref), path));
  const isFile = (type: vscode.FileType): boolean => type === vscode.FileType.File;
  return found
    .sort(([one, a], [other, b]) => Number(isFile(a)) - Number(isFile(b)) || one.localeCompare(other))
    .map(([name, type]) =>
      entryNode(ref, path === "" ? name : `${path}/${name}`, isFile(type), parent, host),
    );
}

function entryNode(
  ref: AgentRef,
  path: string,
  isFile: boolean,
  parent: TreeNode,
  host: AgentFilesHost,
): TreeNode {
  const uri = vscode.Uri.joinPath(host.folder(ref), path);
  const item = (): vscode.TreeItem => {
    const shown = new vscode.TreeItem(uri, isFile ? None : Collapsed);
    shown.contextValue = isFile ? "managedFile" : "managedFolder";
    shown.tooltip = path;
    if (isFile) shown.command = { command: "vscode.open", title: "Open File", arguments: [uri] };
    return shown;
  };
  const id = `agentFile:${ref.connectionId}/${ref.agentId}/${path}`;
  const branch = { id, parent, ref, item, look: () => path };
  if (isFile) return new BranchNode(branch, host);
  return new BranchNode({ ...branch, load: (node) => entries(ref, path, node, host) }, host);
}

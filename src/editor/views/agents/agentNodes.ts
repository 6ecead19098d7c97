/** The rows of a managed agent and of what it is made of: threads, tools, backend, files. */

import * as vscode from "vscode";
import type { Agent } from "../../../api/managedAgents/wire.ts";
import { agentFacts, backendFacts, toolFacts } from "../../agents/agentFacts.ts";
import { healthIcon, healthLines } from "../../agents/agentHealth.ts";
import type { AgentRef, AgentRow } from "../../agents/agentRow.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { factsTooltip } from "../../kit/tree/factsTooltip.ts";
import { managedThreadNode } from "../threads/managedThreadNode.ts";
import { describeThreadFilter } from "../../threads/managedThreadFilter.ts";
import type { ManagedThreadFilter } from "../../threads/managedThreadFilter.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";

/** A row that stands for an agent or a part of one. */
export type AgentNode = BranchNode<AgentRef>;

/** What the rows need from their view. */
export interface AgentNodesHost extends NodeHost {
  /** How the threads of this agent are listed. */
  filter(ref: AgentRef): ManagedThreadFilter;
  /** The folder that the editor has of this agent's files. */
  folder(ref: AgentRef): vscode.Uri;
}

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** The agent's own row; opening it reads the agent and checks its health. */
export function agentNode(row: AgentRow, parent: TreeNode, host: AgentNodesHost): AgentNode {
  const { ref } = row;
  const item = (): vscode.TreeItem => {
    const { name, access_level = "" } = row.summary;
    const [icon, color] = healthIcon(row.health);
    const shown = new vscode.TreeItem(name, Collapsed);
    shown.description = agentFacts(row.summary).short;
    shown.iconPath = new vscode.ThemeIcon(
      icon,
      color === undefined ? undefined : new vscode.ThemeColor(color),
    );
    shown.contextValue = `managedAgent ${access_level.toLowerCase()}`.trim();
    shown.accessibilityInformation = { label: `Managed agent ${name}, ${shown.description}` };
    return shown;
  };
  const snapshot = (): string =>
    [row.summary.name, agentFacts(row.summary).short, healthIcon(row.health)[0]].join("\n");
  const load = async (node: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> => {
    const agent = await row.open(signal);
    const words = (error: unknown): string => host.report.words(error).message;
    void row.checkHealth(words, host.signal).then(() => host.changed());
    return [
      threadsNode(row, node, host),
      toolsNode(agent, row, node, host),
      backendNode(agent, row, node, host),
      agentFilesNode(ref, node, host),
    ];
  };
  const id = `agent:${ref.connectionId}/${ref.agentId}`;
  return new BranchNode({ id, parent, ref, item, snapshot, load, tooltip: () => tooltip(row) }, host);
}

/** The group of an agent's threads. */
function threadsNode(row: AgentRow, parent: TreeNode, host: AgentNodesHost): AgentNode {
  const { ref } = row;
  const describe = (): string => {
    const need = row.attention === 1 ? "1 needs you" : `${String(row.attention)} need you`;
    return [describeThreadFilter(host.filter(ref)), row.attention ? need : ""]
      .filter((part) => part !== "")
      .join(" · ");
  };
  const item = (): vscode.TreeItem => {
    const shown = new vscode.TreeItem("Threads", Collapsed);
    shown.description = describe();
    shown.iconPath = new vscode.ThemeIcon("comment-discussion");
    const filtered = describeThreadFilter(host.filter(ref)) === "" ? "" : " filtered";
    shown.contextValue = `managedThreads${filtered}`;
    return shown;
  };
  const load = async (node: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> => {
    const threads = await row.loadThreads(host.filter(ref), signal);
    const rows: TreeNode[] = threads.map((thread) => managedThreadNode(thread, ref, node, host));
    const label = `Load more (${String(threads.length)} shown)`;
    const more = { label, command: "agentOperations.agentThreads.loadMore", argument: ref } as const;
    if (row.moreThreads) return [...rows, new MoreNode(node, more)];
    return rows.length > 0 ? rows : [textNode("No threads", "comment", `${node.id}/none`, node, ref, host)];
  };
  return new BranchNode({ id: `${parent.id}/threads`, parent, ref, item, snapshot: describe, load }, host);
}

function toolsNode(agent: Agent, row: AgentRow, parent: TreeNode, host: NodeHost): AgentNode {
  const tools = toolFacts(agent);
  const rows = (node: TreeNode): readonly TreeNode[] => {
    if (tools.length === 0) return [textNode("No tools", "tools", `${node.id}/none`, node, row.ref, host)];
    return tools.map(({ key, label, asks, description, details }) =>
      textNode(label, asks ? "shield" : "tools", `${node.id}/${key}`, node, row.ref, host, {
        description,
        details,
      }),
    );
  };
  const description = tools.length === 0 ? "none" : String(tools.length);
  return groupNode("Tools", "tools", description, "managedTools", rows, row, parent, host);
}

function backendNode(agent: Agent, row: AgentRow, parent: TreeNode, host: NodeHost): AgentNode {
  const { type, settings } = backendFacts(agent.backend);
  const rows = (node: TreeNode): readonly TreeNode[] =>
    settings.map(([name, value]) =>
      textNode(name, "symbol-property", `${node.id}/${name}`, node, row.ref, host, { description: value }),
    );
  return groupNode("Backend", "server-environment", type, "managedBackend", rows, row, parent, host);
}

function groupNode(
  label: string,
  icon: string,
  description: string,
  contextValue: string,
  rows: (node: TreeNode) => readonly TreeNode[],
  { ref }: AgentRow,
  parent: TreeNode,
  host: NodeHost,
): AgentNode {
  const item = (): vscode.TreeItem => {
    const shown = new vscode.TreeItem(label, Collapsed);
    shown.description = description;
    shown.iconPath = new vscode.ThemeIcon(icon);
    shown.contextValue = contextValue;
    return shown;
  };
  const load = (node: TreeNode): Promise<readonly TreeNode[]> => Promise.resolve(rows(node));
  const id = `${parent.id}/${label.toLowerCase()}`;
  return new BranchNode({ id, parent, ref, item, snapshot: () => description, load }, host);
}

function textNode(
  label: string,
  icon: string,
  id: string,
  parent: TreeNode,
  ref: AgentRef,
  host: NodeHost,
  { description = "", details = "" }: { readonly description?: string; readonly details?: string } = {},
): AgentNode {
  const item = (): vscode.TreeItem => {
    const shown = new vscode.TreeItem(label, None);
    shown.description = description;
    shown.iconPath = new vscode.ThemeIcon(icon);
    if (details !== "") shown.tooltip = details;
    return shown;
  };
  return new BranchNode({ id, parent, ref, item, snapshot: () => `${label}\n${description}\n${icon}` }, host);
}

function tooltip(row: AgentRow): vscode.MarkdownString {
  const health = healthLines(row.health).join("; ");
  return factsTooltip(row.summary.name, {
    ...Object.fromEntries(agentFacts(row.summary).long),
    Health: health,
  });
}

/** The group of an agent's files; opening it reads them. */
function agentFilesNode(ref: AgentRef, parent: TreeNode, host: AgentNodesHost): TreeNode {
  const item = (): vscode.TreeItem => {
    const shown = new vscode.TreeItem("Files", Collapsed);
    shown.iconPath = new vscode.ThemeIcon("files");
    shown.contextValue = "managedFiles";
    return shown;
  };
  const load = (node: TreeNode): Promise<readonly TreeNode[]> => entries(ref, "", node, host);
  return new BranchNode({ id: `${parent.id}/files`, parent, ref, item, snapshot: () => "Files", load }, host);
}

async function entries(
  ref: AgentRef,
  path: string,
  parent: TreeNode,
  host: AgentNodesHost,
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
  host: AgentNodesHost,
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
  const branch = { id, parent, ref, item, snapshot: () => path };
  if (isFile) return new BranchNode(branch, host);
  return new BranchNode({ ...branch, load: (node) => entries(ref, path, node, host) }, host);
}

/** The rows of a managed agent and of what it is made of: threads, tools, backend, files. */

import * as vscode from "vscode";
import type { Agent } from "../../../api/managedAgents/wire.ts";
import { agentFacts, backendFacts, toolFacts } from "../../agents/agentFacts.ts";
import { healthIcon, healthLines } from "../../agents/agentHealth.ts";
import type { Agents } from "../../agents/agents.ts";
import type { AgentRef } from "../../agents/files/agentUri.ts";
import type { ListedAgent, NamedAgentRef } from "../../agents/listedAgent.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { factsTooltip } from "../../kit/tree/factsTooltip.ts";
import { managedThreadNode } from "../threads/managedThreadNode.ts";
import { describeThreadFilter } from "../../threads/managedThreadFilter.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import { counted } from "../../kit/words.ts";

/** A row that stands for an agent or a part of one. */
export type AgentNode = BranchNode<NamedAgentRef>;

/** What the rows need from their view. */
export interface AgentNodesHost extends NodeHost {
  readonly agents: Pick<Agents, "threadFilter">;
  /** The folder that the editor has of an agent's files. */
  folder(agent: NamedAgentRef): vscode.Uri;
}

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** The id of an agent's row. */
export function agentNodeId({ connectionId, agentId }: AgentRef): string {
  return `agent:${connectionId}/${agentId}`;
}

/** The id of the row of an agent's threads. */
export function threadsNodeId(agent: AgentRef): string {
  return `${agentNodeId(agent)}/threads`;
}

/** The agent's own row; opening it reads the agent and checks its health. */
export function agentNode(agent: ListedAgent, parent: TreeNode, host: AgentNodesHost): AgentNode {
  const { ref } = agent;
  const item = (): vscode.TreeItem => {
    const { name, access_level = "" } = agent.summary;
    const [icon, color] = healthIcon(agent.health);
    const shown = new vscode.TreeItem(name, Collapsed);
    shown.description = agentFacts(agent.summary).short;
    shown.iconPath = new vscode.ThemeIcon(
      icon,
      color === undefined ? undefined : new vscode.ThemeColor(color),
    );
    shown.contextValue = `managedAgent ${access_level.toLowerCase()}`.trim();
    shown.accessibilityInformation = { label: `Managed agent ${name}, ${shown.description}` };
    return shown;
  };
  const snapshot = (): string =>
    [agent.summary.name, agentFacts(agent.summary).short, healthIcon(agent.health)[0]].join("\n");
  const load = async (node: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> => {
    const detail = await agent.open(signal);
    // A check that fails is shown as the agent's health.
    agent.checkHealth(host.signal).catch(() => undefined);
    return [
      threadsNode(agent, node, host),
      toolsNode(detail, ref, node, host),
      backendNode(detail, ref, node, host),
      agentFilesNode(ref, node, host),
    ];
  };
  return new BranchNode(
    { id: agentNodeId(ref), parent, ref, item, snapshot, load, tooltip: () => tooltip(agent) },
    host,
  );
}

/** The group of an agent's threads. */
function threadsNode(agent: ListedAgent, parent: TreeNode, host: AgentNodesHost): AgentNode {
  const { ref } = agent;
  const describe = (): string => {
    const { waiting = 0 } = agent;
    const need = counted(waiting, "needs you", "need you");
    return [describeThreadFilter(host.agents.threadFilter), waiting === 0 ? "" : need]
      .filter((part) => part !== "")
      .join(" · ");
  };
  const item = (): vscode.TreeItem => {
    const shown = new vscode.TreeItem("Threads", Collapsed);
    shown.description = describe();
    shown.iconPath = new vscode.ThemeIcon("comment-discussion");
    const filtered = describeThreadFilter(host.agents.threadFilter) === "" ? "" : " filtered";
    shown.contextValue = `managedThreads${filtered}`;
    return shown;
  };
  const load = async (node: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> => {
    const threads = await agent.loadThreads(signal);
    const rows: TreeNode[] = threads.map((thread) => managedThreadNode(thread, ref, node, host));
    const label = `Load more (${String(threads.length)} shown)`;
    const more = { label, command: "agentOperations.agentThreads.loadMore", argument: ref } as const;
    if (agent.hasMoreThreads) return [...rows, new MoreNode(node, more)];
    return rows.length > 0 ? rows : [textNode("No threads", "comment", `${node.id}/none`, node, ref, host)];
  };
  return new BranchNode({ id: threadsNodeId(ref), parent, ref, item, snapshot: describe, load }, host);
}

function toolsNode(agent: Agent, ref: NamedAgentRef, parent: TreeNode, host: NodeHost): AgentNode {
  const tools = toolFacts(agent);
  const rows = (node: TreeNode): readonly TreeNode[] => {
    if (tools.length === 0) return [textNode("No tools", "tools", `${node.id}/none`, node, ref, host)];
    return tools.map(({ key, label, asks, description, details }) =>
      textNode(label, asks ? "shield" : "tools", `${node.id}/${key}`, node, ref, host, {
        description,
        details,
      }),
    );
  };
  const description = tools.length === 0 ? "none" : String(tools.length);
  return groupNode("Tools", "tools", description, "managedTools", rows, ref, parent, host);
}

function backendNode(agent: Agent, ref: NamedAgentRef, parent: TreeNode, host: NodeHost): AgentNode {
  const { type, settings } = backendFacts(agent.backend);
  const rows = (node: TreeNode): readonly TreeNode[] =>
    settings.map(([name, value]) =>
      textNode(name, "symbol-property", `${node.id}/${name}`, node, ref, host, { description: value }),
    );
  return groupNode("Backend", "server-environment", type, "managedBackend", rows, ref, parent, host);
}

function groupNode(
  label: string,
  icon: string,
  description: string,
  contextValue: string,
  rows: (node: TreeNode) => readonly TreeNode[],
  ref: NamedAgentRef,
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
  ref: NamedAgentRef,
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

/** The group of an agent's files; opening it reads them. */
function agentFilesNode(ref: NamedAgentRef, parent: TreeNode, host: AgentNodesHost): TreeNode {
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
  ref: NamedAgentRef,
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
  ref: NamedAgentRef,
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

function tooltip(agent: ListedAgent): vscode.MarkdownString {
  const health = healthLines(agent.health).join("; ");
  return factsTooltip(agent.summary.name, {
    ...Object.fromEntries(agentFacts(agent.summary).long),
    Health: health,
  });
}

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
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import { describeThreadFilter } from "../../threads/managedThreadFilter.ts";
import { managedThreadNode } from "../threads/threadNode.ts";
import { dotted } from "../../kit/words.ts";
import { ageOf } from "../../threads/threadFacts.ts";

/** A row that stands for an agent or a part of one. */
export type AgentNode = BranchNode<NamedAgentRef>;

/** What the rows need from their view. */
export interface AgentNodesHost extends NodeHost {
  readonly agents: Pick<Agents, "threadFilter">;
  /** The folder that the editor has of an agent's files. */
  folder(agent: NamedAgentRef): vscode.Uri;
  /** What the clock of an agent's platform says, in epoch milliseconds. */
  now(agent: AgentRef): number;
}

/** What a row below an agent's is made of. */
interface Part extends Row {
  /** Follows its parent's id. */
  readonly key: string;
  readonly below?: readonly Part[];
}

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
  const row = (): Row => {
    const { name: label, access_level = "" } = agent.summary;
    const { updated_at, created_at } = agent.summary;
    const age = ageOf(updated_at ?? created_at ?? "", host.now(ref));
    const description = dotted([agentFacts(agent.summary).short, age]);
    const contextValue = `managedAgent ${access_level.toLowerCase()}`.trim();
    const spoken = `Managed agent ${label}, ${description}`;
    return { label, description, icon: healthIcon(agent.health), contextValue, spoken };
  };
  const tooltip = (): vscode.MarkdownString =>
    factsTooltip(agent.summary.name, {
      ...Object.fromEntries(agentFacts(agent.summary).long),
      Health: healthLines(agent.health).join("; "),
    });
  const load = async (node: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> => {
    const detail = await agent.open(signal);
    // A check that fails is shown as the agent's health.
    agent.checkHealth(host.signal).catch(() => undefined);
    return [
      threadsNode(agent, node, host),
      partNode(toolsPart(detail), ref, node, host),
      partNode(backendPart(detail), ref, node, host),
      filesNode(ref, node, host),
    ];
  };
  return new BranchNode({ id: agentNodeId(ref), parent, ref, row, load, tooltip }, host);
}

/** The group of an agent's threads. */
function threadsNode(agent: ListedAgent, parent: TreeNode, host: AgentNodesHost): AgentNode {
  const { ref } = agent;
  const row = (): Row => {
    const filter = describeThreadFilter(host.agents.threadFilter);
    const { waiting = 0 } = agent;
    const words = waiting === 0 ? "" : `${String(waiting)} waiting`;
    return {
      label: "Threads",
      description: dotted([filter, words]),
      icon: "comment-discussion",
      contextValue: filter === "" ? "managedThreads" : "managedThreads filtered",
    };
  };
  const load = async (node: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> => {
    const threads = await agent.loadThreads(signal);
    const rows: TreeNode[] = threads.map((thread) =>
      managedThreadNode(thread, { ...ref, now: host.now(ref) }, node, host),
    );
    const label = `Load more (${String(threads.length)} shown)`;
    const more = { label, command: "agentOperations.agentThreads.loadMore", argument: ref } as const;
    if (agent.hasMoreThreads) return [...rows, new MoreNode(node, more)];
    return rows.length > 0
      ? rows
      : [partNode({ key: "none", label: "No threads", icon: "comment" }, ref, node, host)];
  };
  return new BranchNode({ id: threadsNodeId(ref), parent, ref, row, load }, host);
}

function toolsPart(agent: Agent): Part {
  const tools = toolFacts(agent).map(({ key, label, asks, description, details }) => {
    return { key, label, icon: asks ? "shield" : "tools", description, tooltip: details };
  });
  return {
    key: "tools",
    label: "Tools",
    icon: "tools",
    description: tools.length === 0 ? "none" : String(tools.length),
    contextValue: "managedTools",
    below: tools.length === 0 ? [{ key: "none", label: "No tools", icon: "tools" }] : tools,
  };
}

function backendPart({ backend }: Agent): Part {
  const { type, settings } = backendFacts(backend);
  const below = settings.map(([name, value]) => {
    return { key: name, label: name, icon: "symbol-property", description: value };
  });
  const icon = "server-environment";
  return { key: "backend", label: "Backend", icon, description: type, contextValue: "managedBackend", below };
}

function partNode(
  { key, below, ...row }: Part,
  ref: NamedAgentRef,
  parent: TreeNode,
  host: NodeHost,
): AgentNode {
  const branch = { id: `${parent.id}/${key}`, parent, ref, row: () => row };
  if (below === undefined) return new BranchNode(branch, host);
  const known = (node: TreeNode) => below.map((part) => partNode(part, ref, node, host));
  return new BranchNode({ ...branch, known }, host);
}

/** The group of an agent's files, as the editor's own explorer would show them; opening it reads them. */
function filesNode(ref: NamedAgentRef, parent: TreeNode, host: AgentNodesHost): AgentNode {
  const row = () => ({ label: "Files", icon: "files", contextValue: "managedFiles" });
  const load = (node: TreeNode): Promise<readonly TreeNode[]> => entries(ref, "", node, host);
  return new BranchNode({ id: `${parent.id}/files`, parent, ref, row, load }, host);
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
): AgentNode {
  const uri = vscode.Uri.joinPath(host.folder(ref), path);
  const open = { command: "vscode.open", title: "Open File", arguments: [uri] };
  const contextValue = isFile ? "managedFile" : "managedFolder";
  const row = () => ({ label: uri, contextValue, tooltip: path, ...(isFile && { command: open }) });
  const branch = { id: `agentFile:${ref.connectionId}/${ref.agentId}/${path}`, parent, ref, row };
  if (isFile) return new BranchNode(branch, host);
  return new BranchNode({ ...branch, load: (node) => entries(ref, path, node, host) }, host);
}

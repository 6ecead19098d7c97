/** What hangs below a deployment besides its revisions and threads: assistants, secrets, and why it has no threads. */

import * as vscode from "vscode";
import type { AgentServer } from "../../../api/agentServer/index.ts";
import type { Assistant } from "../../../api/agentServer/wire.ts";
import type { Deployment } from "../../../api/controlPlane/wire.ts";
import type { DeploymentRef } from "../../connections/connection.ts";
import { progressOfDeployment, progressOfRevision } from "../../../api/controlPlane/status.ts";
import type { CommandId } from "../../kit/ids.ts";
import type { DeploymentFacts } from "../../deployments/deploymentFacts.ts";
import { statusWords } from "../../deployments/revisionStatus.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { progressIcon } from "./deploymentItem.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";

/** A row below a deployment. */
export type DeploymentPart = BranchNode<DeploymentRef>;

/** The agents that a deployment can run, asked for when the branch is opened. */
export function assistantsBranch(
  parent: TreeNode,
  ref: DeploymentRef,
  client: () => Promise<AgentServer>,
  host: NodeHost,
): DeploymentPart {
  const load = async (branch: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> => {
    const { assistants } = await client();
    const found = await assistants.search({}, { signal });
    return found.map((assistant) =>
      leaf(branch, ref, assistant.assistant_id, () => assistantItem(assistant), host),
    );
  };
  const item = () => folded("Assistants", "hubot", "assistants");
  return new BranchNode({ id: `assistants:${parent.id}`, parent, ref, item, load }, host);
}

/** The names of a deployment's secrets; values never get here. */
export function secretsBranch(
  parent: TreeNode,
  ref: DeploymentRef,
  { secrets, secret_references: references }: Deployment,
  host: NodeHost,
): DeploymentPart {
  const referred = (references ?? []).map(({ name }) => name).filter((name) => typeof name === "string");
  const names = [...new Set([...(secrets ?? []).map(({ name }) => name), ...referred])];
  const item = (): vscode.TreeItem => {
    const branch = folded("Secrets", "key", "secrets");
    if (names.length > 0) return branch;
    branch.description = "none";
    branch.collapsibleState = vscode.TreeItemCollapsibleState.None;
    return branch;
  };
  const known = (branch: TreeNode): readonly TreeNode[] =>
    names.map((name) => leaf(branch, ref, name, () => secretItem(name), host));
  return new BranchNode({ id: `secrets:${parent.id}`, parent, ref, item, known }, host);
}

/** Stands where threads would be as long as nothing of the deployment runs. */
export function stateLeaf(
  parent: TreeNode,
  ref: DeploymentRef,
  { deployment, latest }: DeploymentFacts,
  host: NodeHost,
): DeploymentPart {
  const item = (): vscode.TreeItem => {
    const revision = latest?.status ? `its revision is ${statusWords(latest.status)}` : "";
    const whole = deployment?.status ? `it is ${statusWords(deployment.status)}` : "";
    const row = new vscode.TreeItem("Nothing runs here now");
    row.description = [whole, revision].filter((part) => part !== "").join(", ");
    row.iconPath = progressIcon(
      latest === undefined
        ? progressOfDeployment({ status: deployment?.status ?? "" })
        : progressOfRevision(latest),
    );
    row.contextValue = "deploymentState";
    return row;
  };
  return new BranchNode({ id: `state:${parent.id}`, parent, ref, item }, host);
}

/** Stands where threads would be when they are at an address that the connection's key was not entered for. */
export function keyLeaf(
  parent: TreeNode,
  ref: DeploymentRef,
  origin: string,
  host: NodeHost,
): DeploymentPart {
  const item = (): vscode.TreeItem => {
    const row = new vscode.TreeItem("The API key is not sent here");
    const command: CommandId = "agentOperations.deployment.allowKey";
    row.description = `Send it to ${origin}…`;
    row.iconPath = new vscode.ThemeIcon("key", new vscode.ThemeColor("list.warningForeground"));
    row.contextValue = "deploymentKey";
    row.tooltip = `${origin} asks for a key, and the connection's key was not entered for this address.`;
    row.command = { command, title: "Send API Key to This Address", arguments: [ref] };
    return row;
  };
  return new BranchNode({ id: `key:${parent.id}`, parent, ref, item }, host);
}

/** Says that the control plane has no list, and how deployments get here. */
export function unlistedLeaf(
  parent: TreeNode,
  ref: { readonly connectionId: string },
  host: NodeHost,
): TreeNode {
  const item = (): vscode.TreeItem => {
    const row = new vscode.TreeItem("This control plane lists no deployments");
    const command: CommandId = "agentOperations.deployment.addById";
    row.description = "Add one by its id…";
    row.iconPath = new vscode.ThemeIcon("info");
    row.contextValue = "unlisted";
    row.tooltip = "Shown are the deployments that you added by id or created here.";
    row.command = { command, title: "Add Deployment by ID", arguments: [ref] };
    return row;
  };
  return new BranchNode({ id: `unlisted:${parent.id}`, parent, ref, item }, host);
}

function assistantItem({ name, graph_id, description, assistant_id }: Assistant): vscode.TreeItem {
  const item = new vscode.TreeItem(name ?? graph_id);
  item.description = [name === graph_id ? "" : graph_id, description ?? ""]
    .filter((part) => part !== "")
    .join(" · ");
  item.iconPath = new vscode.ThemeIcon("hubot");
  item.contextValue = "assistant";
  item.tooltip = `${name ?? graph_id}\n${assistant_id}`;
  return item;
}

function secretItem(name: string): vscode.TreeItem {
  const item = new vscode.TreeItem(name);
  item.iconPath = new vscode.ThemeIcon("lock");
  item.contextValue = "secret";
  item.tooltip = `${name}\nThe platform does not give its value back.`;
  return item;
}

function folded(label: string, icon: string, contextValue: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.contextValue = contextValue;
  return item;
}

function leaf(
  parent: TreeNode,
  ref: DeploymentRef,
  key: string,
  item: () => vscode.TreeItem,
  host: NodeHost,
): DeploymentPart {
  return new BranchNode({ id: `${parent.id}/${key}`, parent, ref, item }, host);
}

/** A deployment's row: how it stands, and below it its revisions, its agents, its secrets and its threads. */

import * as vscode from "vscode";
import type { DeploymentsHost } from "./deploymentParts.ts";
import type { AgentServerRef, DeploymentRef } from "../../connections/connection.ts";
import { isRunning, nameOf } from "../../deployments/deploymentRow.ts";
import type { DeploymentRow } from "../../deployments/deploymentRow.ts";
import type { Services } from "../../services.ts";
import type { BranchNode } from "../../kit/tree/branchNode.ts";
import { deploymentIcon, deploymentTooltip, deploymentWords } from "./deploymentItem.ts";
import { assistantsBranch, keyLeaf, secretsBranch, stateLeaf } from "./deploymentParts.ts";
import type { DeploymentPart } from "./deploymentParts.ts";
import { FailureNode } from "../../kit/tree/failureNode.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import { RevisionRows } from "./revisionRows.ts";
import { refusesKey, ServerBranch } from "../threads/serverBranch.ts";

/** A deployment's row. */
export class DeploymentNode implements TreeNode {
  readonly id: string;
  readonly parent: TreeNode;
  readonly ref: DeploymentRef;
  readonly revisions: BranchNode<DeploymentRef>;
  readonly revisionRows: RevisionRows;
  readonly #startsOpen: boolean;
  readonly #services: Services;
  readonly #host: DeploymentsHost;
  readonly #parts: Readonly<Record<"assistants" | "secrets" | "state", DeploymentPart>>;
  #row: DeploymentRow;
  #server: ServerBranch | undefined;
  /** Stands for the threads when the key must not be sent where they are. */
  #keyless: DeploymentPart | undefined;
  #revisionsOpen = false;

  constructor(
    parent: TreeNode,
    ref: DeploymentRef,
    row: DeploymentRow,
    {
      open,
      services,
      host,
    }: { readonly open: boolean; readonly services: Services; readonly host: DeploymentsHost },
  ) {
    const { connectionId, deploymentId } = ref;
    this.id = `deployment:${connectionId}/${deploymentId}`;
    this.parent = parent;
    this.ref = ref;
    this.#row = row;
    this.#startsOpen = open;
    this.#services = services;
    this.#host = host;
    const deployment = () => this.#row.deployment;
    const controlPlane = () => services.platforms.controlPlane(connectionId);
    this.revisionRows = new RevisionRows(ref, { controlPlane, deployment });
    this.revisions = this.revisionRows.branch(this, host);
    const client = () =>
      services.agentServers.client({ connectionId, server: { kind: "deployment", deploymentId } });
    this.#parts = {
      assistants: assistantsBranch(this, ref, client, host),
      secrets: secretsBranch(this, ref, deployment, host),
      state: stateLeaf(this, ref, () => this.#row, host),
    };
    this.show(row);
  }

  get connectionId(): string {
    return this.ref.connectionId;
  }

  get row(): DeploymentRow {
    return this.#row;
  }

  /** Its agent server, when something runs. */
  get server(): ServerBranch | undefined {
    return this.#server;
  }

  get known(): readonly TreeNode[] | undefined {
    if (this.#row.deployment === undefined)
      return [new FailureNode(this, this.connectionId, this.#row.error, this.#host)];
    const { assistants, secrets, state } = this.#parts;
    if (this.#server === undefined) return [state, this.revisions, secrets];
    const threads = this.#keyless === undefined ? this.#server.known : [this.#keyless];
    return threads && [this.revisions, assistants, secrets, ...threads];
  }

  snapshot(): string {
    return [nameOf(this.#row), this.#description, this.#contextValue].join("\n");
  }

  item(): vscode.TreeItem {
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const name = nameOf(this.#row);
    const item = new vscode.TreeItem(name, this.#startsOpen ? Expanded : Collapsed);
    item.id = this.id;
    item.description = this.#description;
    item.iconPath = deploymentIcon(this.#row);
    item.contextValue = this.#contextValue;
    item.accessibilityInformation = { label: `Deployment ${name}, ${this.#description}` };
    return item;
  }

  tooltip(): vscode.MarkdownString {
    return deploymentTooltip(this.#row);
  }

  async children(): Promise<readonly TreeNode[]> {
    // What was fetched is of no use once the server is at another address: nobody else would ask the new one.
    while (this.known === undefined && !this.#host.signal.aborted) await this.#server?.load();
    await this.#checkKey();
    return this.known ?? [];
  }

  /** Takes what was read of the deployment; a server at another address is another server. */
  show(row: DeploymentRow): void {
    this.#row = row;
    const { deployment } = row;
    const { deployments } = this.#services;
    const ref = deployment && isRunning(row) ? deployments.learn(this.connectionId, deployment) : undefined;
    if (sameServer(ref, this.#server?.ref)) return;
    const open = this.#server?.open ?? this.#startsOpen;
    this.#server?.leave();
    this.#keyless = undefined;
    this.#server = ref && new ServerBranch(this, ref, open, this.#services, this.#host);
  }

  /** One of its branches was opened or closed. */
  opened(branch: TreeNode, open: boolean): void {
    if (branch === this.revisions) this.#revisionsOpen = open;
  }

  /** Reads the revisions anew where they are seen, because `changed` tells so or one of them is on its way. */
  async lookAgain(changed: boolean, signal: AbortSignal): Promise<void> {
    if (!this.#revisionsOpen || this.revisions.known === undefined) return;
    if (changed || this.revisionRows.busy) await this.revisions.load(signal);
  }

  /** Reads anew what was read, because a person asked for it. */
  async refresh(): Promise<void> {
    const { assistants, secrets } = this.#parts;
    const read = [this.revisions, assistants, secrets].filter(({ known }) => known !== undefined);
    await Promise.all(read.map((part) => part.load()));
  }

  /** A key that must not go where the server is: a person decides. */
  async #checkKey(): Promise<void> {
    const server = this.#server;
    const { apiKeys } = this.#services;
    this.#keyless = undefined;
    if (server?.failure === undefined || !refusesKey(server.failure.error)) return;
    const origins = await apiKeys.origins(this.connectionId);
    const { origin } = new URL(server.ref.url);
    if (origins.length > 0 && !origins.includes(origin))
      this.#keyless = keyLeaf(this, this.ref, origin, this.#host);
  }

  get #description(): string {
    return [...deploymentWords(this.#row), this.#server?.count ?? ""]
      .filter((part) => part !== "")
      .join(" · ");
  }

  /** Menus ask it for the status, whether something runs, and where it is known from. */
  get #contextValue(): string {
    const { deployment, origin } = this.#row;
    const running = this.#server === undefined ? "waiting" : "running";
    return ["deployment", deployment?.status ?? "UNKNOWN", running, origin].join(" ");
  }
}

function sameServer(a: AgentServerRef | undefined, b: AgentServerRef | undefined): boolean {
  return a?.url === b?.url && a?.name === b?.name;
}

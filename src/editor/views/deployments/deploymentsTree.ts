/** The rows of the Deployments view and why there are none; it knows nothing of commands and timers. */

import type { DeploymentsHost } from "./deploymentParts.ts";
import type * as vscode from "vscode";
import type { DeploymentRef } from "../../connections/connection.ts";
import { isSameServer } from "../../connections/serverRef.ts";
import type { ConnectedServer } from "../../connections/serverRef.ts";
import type { Services } from "../../services.ts";
import { ConnectionNode } from "./connectionNode.ts";
import { DeploymentNode } from "./deploymentNode.ts";
import { NodeTree } from "../../kit/tree/nodeTree.ts";
import { AgentServerNode } from "../threads/agentServerNode.ts";
import type { ServerBranch } from "../threads/serverBranch.ts";
import { isFiltering } from "../../threads/threadFilter.ts";
import { adviceFor } from "../../kit/remedies.ts";

/** Why there is nothing to show; each has a welcome text in package.json. */
export type EmptyReason =
  | "noConnection"
  | "stopped"
  | "keyMissing"
  | "keyRefused"
  | "unreachable"
  | "empty"
  | "noDeployment"
  | "noDeploymentFound"
  | "filtered";

/** The view's rows, from connections down. */
export class DeploymentsTree implements vscode.Disposable {
  readonly #services: Services;
  readonly #host: DeploymentsHost;
  readonly #gone = new AbortController();
  /** The rows as the editor asks for them. */
  readonly nodes = new NodeTree({ roots: () => this.#asked(), empty: () => this.#emptyReason() });
  readonly #kept = new Map<string, ConnectionNode>();
  #roots: readonly ConnectionNode[] | undefined;

  constructor(services: Services, options: Pick<DeploymentsHost, "listing" | "wanted" | "isOpen">) {
    this.#services = services;
    this.#host = {
      ...options,
      changed: () => this.nodes.update(),
      signal: this.#gone.signal,
      refresh: "agentOperations.deployments.refresh",
    };
  }

  /** Why nothing is shown; undefined when something is. */
  get empty(): EmptyReason | undefined {
    return this.#emptyReason();
  }

  get connections(): readonly ConnectionNode[] {
    return this.#roots ?? [];
  }

  get servers(): readonly ServerBranch[] {
    return this.connections.flatMap(({ servers }) => servers);
  }

  /** The deployments' rows as far as they are known. */
  get deployments(): readonly DeploymentNode[] {
    return this.connections.flatMap(({ deployments }) => deployments?.nodes ?? []);
  }

  deployment({ connectionId, deploymentId }: DeploymentRef): DeploymentNode | undefined {
    return this.deployments.find(
      ({ ref }) => ref.connectionId === connectionId && ref.deploymentId === deploymentId,
    );
  }

  server(ref: ConnectedServer): ServerBranch | undefined {
    return this.servers.find((node) => isSameServer(node.ref, ref));
  }

  /** The list of connections changed, or one of them did. */
  connectionsChanged(): void {
    if (this.#roots === undefined) return;
    this.#roots = this.#connectionNodes();
    this.#services.waitingThreads.retain(this.#roots.map(({ connectionId }) => connectionId));
    this.nodes.update();
  }

  /** Forgets what is known of a connection, or of all: keys, filters or addresses changed. */
  reset(connectionId?: string): void {
    for (const node of this.connections) {
      if (connectionId === undefined || node.connectionId === connectionId) node.reset();
    }
    this.nodes.update();
  }

  dispose(): void {
    this.#gone.abort();
    this.nodes.dispose();
  }

  /** The connections' rows, made when they are first asked for. */
  #asked(): readonly ConnectionNode[] {
    this.#roots ??= this.#connectionNodes();
    return this.#roots;
  }

  #connectionNodes(): readonly ConnectionNode[] {
    const settings = this.#services.connections.list();
    for (const id of this.#kept.keys())
      if (!settings.some((setting) => setting.id === id)) this.#kept.delete(id);
    return settings.map((setting) => {
      const known = this.#kept.get(setting.id);
      const node = known ?? new ConnectionNode(setting, settings.length === 1, this.#services, this.#host);
      if (known !== undefined) this.#changeSetting(known, setting);
      this.#kept.set(setting.id, node);
      return node;
    });
  }

  #changeSetting(node: ConnectionNode, setting: ConnectionNode["setting"]): void {
    const same = JSON.stringify(node.setting) === JSON.stringify(setting);
    const state = setting.kind === "localPlatform" ? this.#services.localPlatform.state : undefined;
    if (!same || node.platformState !== state) node.reset();
    if (node.setting.url !== setting.url) this.#services.waitingThreads.forget(setting.id);
    node.setting = setting;
    node.platformState = state;
  }

  #emptyReason(): EmptyReason | undefined {
    const [only, ...others] = this.#roots ?? [];
    if (this.#roots === undefined || others.length > 0) return undefined;
    if (only === undefined) return "noConnection";
    const [server, ...more] = only.servers;
    const failure = only.failure ?? server?.failure;
    const hasDeployments = only.deployments !== undefined && only.deployments.rows.length > 0;
    if (failure !== undefined)
      return server?.threads?.loaded === true || hasDeployments
        ? undefined
        : emptyReasonOf(failure.error, only.key === "stored" || only.key === "env");
    if (only.known === undefined || more.length > 0) return undefined;
    if (server === undefined) return hasDeployments ? undefined : this.#nothing(only);
    const nothing = server.threads?.loaded === true && server.threads.matching === 0;
    return nothing && isFiltering(this.#host.listing().filter) && server.threads.rest() === undefined
      ? "filtered"
      : undefined;
  }

  #nothing({ deployments }: ConnectionNode): EmptyReason {
    if (deployments === undefined) return "empty";
    const { name, status } = this.#host.wanted();
    return name === undefined && status === undefined ? "noDeployment" : "noDeploymentFound";
  }
}

/** The agent server that a row stands for, if it is one and runs. */
export function branchOf(row: unknown): ServerBranch | undefined {
  const isServer =
    row instanceof AgentServerNode || row instanceof DeploymentNode || row instanceof ConnectionNode;
  return isServer ? row.server : undefined;
}

/** The empty view that stands for a failure; undefined where a row with its words helps more. */
export function emptyReasonOf(error: unknown, hasKey: boolean): EmptyReason | undefined {
  const { blockedBy } = adviceFor(error);
  switch (blockedBy) {
    case "stopped":
      return "stopped";
    case "key":
      return hasKey ? "keyRefused" : "keyMissing";
    case "network":
      return "unreachable";
    case undefined:
      return undefined;
    default:
      return blockedBy satisfies never;
  }
}

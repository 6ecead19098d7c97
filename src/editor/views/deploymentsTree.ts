/** The rows of the Deployments view and when they are drawn again; it knows nothing of commands and timers. */

import * as vscode from "vscode";
import { ApiError } from "../../api/errors.ts";
import { ConnectionError } from "../connectionSettings.ts";
import type { Services } from "../services.ts";
import type { AgentServerNode } from "./agentServerNode.ts";
import { ConnectionNode } from "./connectionNode.ts";
import type { NodeHost, TreeNode } from "./node.ts";
import type { ServerThreadsOptions } from "./serverThreads.ts";
import { isFiltering } from "./threadFilter.ts";
import { changedNodes } from "./treeChange.ts";
import type { Drawing } from "./treeChange.ts";

/** Why there is nothing to show; each has a welcome text in package.json. */
export type EmptyReason =
  "noConnection" | "stopped" | "keyMissing" | "keyRefused" | "unreachable" | "empty" | "filtered";

export class DeploymentsTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #services: Services;
  readonly #host: NodeHost;
  readonly #gone = new AbortController();
  readonly #redraw = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.#redraw.event;
  readonly #updated = new vscode.EventEmitter<void>();
  /** Something was fetched or forgotten, drawn again or not. */
  readonly onDidUpdate = this.#updated.event;
  readonly #kept = new Map<string, ConnectionNode>();
  #roots: readonly ConnectionNode[] | undefined;
  #drawn: Drawing = { id: "", look: "", children: undefined };
  #empty: EmptyReason | undefined;

  constructor(services: Services, listing: () => ServerThreadsOptions) {
    this.#services = services;
    this.#host = { changed: () => this.update(), listing, signal: this.#gone.signal };
  }

  /** Why nothing is shown; undefined when something is. */
  get empty(): EmptyReason | undefined {
    return this.#empty;
  }

  get connections(): readonly ConnectionNode[] {
    return this.#roots ?? [];
  }

  get servers(): readonly AgentServerNode[] {
    return this.connections.flatMap(({ servers }) => servers);
  }

  server(ref: { readonly connectionId: string; readonly serverId: string }): AgentServerNode | undefined {
    return this.servers.find(
      (node) => node.ref.connectionId === ref.connectionId && node.ref.serverId === ref.serverId,
    );
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return node.item();
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node !== undefined) return [...(await node.children())];
    this.#roots ??= this.#connectionNodes();
    this.#drawn = this.#draw();
    this.#updated.fire();
    return this.#empty === undefined ? [...this.#roots] : [];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.tooltip !== undefined) item.tooltip = node.tooltip();
    return item;
  }

  /** The list of connections changed, or one of them did. */
  connectionsChanged(): void {
    if (this.#roots === undefined) return;
    this.#roots = this.#connectionNodes();
    this.#services.attention.retain(this.#roots.map(({ connectionId }) => connectionId));
    this.update();
  }

  /** Forgets what is known of a connection, or of all: keys, filters or addresses changed. */
  reset(connectionId?: string): void {
    for (const node of this.connections) {
      if (connectionId === undefined || node.connectionId === connectionId) node.reset();
    }
    this.update();
  }

  /** Draws what differs from what was drawn before, and nothing else. */
  update(): void {
    const drawing = this.#draw();
    const ids = new Set(changedNodes(this.#drawn, drawing));
    this.#drawn = drawing;
    if (ids.has("")) this.#redraw.fire(undefined);
    else if (ids.size > 0) this.#redraw.fire(nodesWith(this.connections, ids));
    this.#updated.fire();
  }

  dispose(): void {
    this.#gone.abort();
    this.#redraw.dispose();
    this.#updated.dispose();
  }

  #draw(): Drawing {
    this.#empty = this.#emptyReason();
    const children = this.#empty === undefined ? this.connections.map(draw) : [];
    return { id: "", look: this.#empty ?? "", children };
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
    node.setting = setting;
    node.platformState = state;
  }

  #emptyReason(): EmptyReason | undefined {
    const [only, ...others] = this.#roots ?? [];
    if (this.#roots === undefined || others.length > 0) return undefined;
    if (only === undefined) return "noConnection";
    const [server, ...more] = only.servers;
    const failure = only.failure ?? server?.failure;
    if (failure !== undefined)
      return server?.threads?.loaded === true ? undefined : reasonOf(failure.error, only);
    if (only.known === undefined || more.length > 0) return undefined;
    if (server === undefined) return only.setting.kind === "localPlatform" ? "stopped" : "empty";
    const nothing = server.threads?.loaded === true && server.threads.matching === 0;
    return nothing && isFiltering(this.#host.listing().filter) && server.threads.rest() === undefined
      ? "filtered"
      : undefined;
  }
}

function reasonOf(error: unknown, { key }: ConnectionNode): EmptyReason | undefined {
  if (error instanceof ConnectionError)
    return error.reason === "localPlatformStopped" ? "stopped" : undefined;
  if (!(error instanceof ApiError)) return undefined;
  switch (error.kind) {
    case "unauthorized":
    case "forbidden":
      return key === "stored" || key === "env" ? "keyRefused" : "keyMissing";
    case "dns":
    case "refused":
    case "unreachable":
    case "timeout":
      return "unreachable";
    default:
      return undefined;
  }
}

function draw(node: TreeNode): Drawing {
  return { id: node.id, look: node.look(), children: node.known?.map(draw) };
}

function nodesWith(nodes: readonly TreeNode[], ids: ReadonlySet<string>): TreeNode[] {
  return nodes.flatMap((node) => (ids.has(node.id) ? [node] : nodesWith(node.known ?? [], ids)));
}

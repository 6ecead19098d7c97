/** What is below a connection: the deployments and agent servers of a platform, or the threads of the one server it is. */

import type * as vscode from "vscode";
import type { AgentServerRef, ConnectionKind, ConnectionSetting } from "../../connections/connection.ts";
import { serverText } from "../../connections/serverRef.ts";
import { isFiltering } from "../../deployments/deploymentFilter.ts";
import { runningServer } from "../../deployments/deploymentServers.ts";
import type { PlatformDeployments } from "../../deployments/platformDeployments.ts";
import type { Services } from "../../services.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Failure } from "../../kit/fetching/fetched.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import type { ConnectionFacts } from "../platform/connectionRow.ts";
import type { PlatformNode } from "../platform/platformView.ts";
import { threadRows } from "../threads/threadRows.ts";
import { deploymentNode } from "./deploymentNode.ts";
import { graphProjectRow, graphProjectTooltip, idleGraphRows } from "./graphProjectRows.ts";
import { graphRows } from "./graphRows.ts";
import { missingListLeaf } from "./deploymentParts.ts";
import type { ThreadListing } from "../../threads/threadListing.ts";
import { dotted } from "../../kit/words.ts";

/** Makes the rows of what models know. */
export class ConnectionRows {
  readonly #services: Services;
  readonly #host: NodeHost;
  /** By connection the row that is open from the start because there is no other; "" for none. */
  readonly #open = new Map<string, string>();
  readonly #owners = new WeakMap<ThreadListing, TreeNode>();

  constructor(services: Services, host: NodeHost) {
    this.#services = services;
    this.#host = host;
  }

  /** The row below which the threads of a server hang. */
  owner(listing: ThreadListing): TreeNode | undefined {
    return this.#owners.get(listing);
  }

  /** The deployments; undefined for a connection without a control plane. */
  deployments(connectionId: string): PlatformDeployments | undefined {
    const { deployments, platforms } = this.#services;
    return platforms.hasControlPlane(connectionId) ? deployments.of(connectionId) : undefined;
  }

  /** Why its deployments can't be listed, or its graphs do not run. */
  failure(connectionId: string): Failure | undefined {
    const { connections, workspaceGraphs } = this.#services;
    const { kind } = workspaceGraphs.state(connectionId);
    if (kind !== "broken" && kind !== "failed") return this.deployments(connectionId)?.failure;
    try {
      connections.resolve(connectionId);
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  /** Finds deployments and agent servers anew. */
  async load(parent: PlatformNode, signal: AbortSignal): Promise<undefined> {
    const { connectionId } = parent.ref;
    await this.#services.connectionFindings.find(connectionId);
    await this.deployments(connectionId)?.load(signal);
    this.leaveGone(connectionId);
    const only = this.#only(parent);
    if (only !== undefined && only.threads === undefined) await only.load();
  }

  /** The rows as far as they are known. */
  known(parent: PlatformNode): readonly TreeNode[] | undefined {
    const { connectionId } = parent.ref;
    const only = this.#only(parent);
    if (only !== undefined) return this.#onServer(only, parent);
    const { graphs, named, other } = this.#services.connectionFindings.of(connectionId);
    if (graphs !== undefined) {
      const state = this.#services.workspaceGraphs.state(connectionId);
      return idleGraphRows(parent, state, { graphs, other }, this.#host);
    }
    const listed = this.deployments(connectionId);
    const isMissing = listed?.loaded === false && listed.failure === undefined;
    if (named === undefined || isMissing) return undefined;
    const { items = [] } = listed ?? {};
    const others = [...items.map(({ id }) => id), ...named.map(({ url }) => url)];
    const isAlone = this.#services.connections.list().length === 1 && others.length === 1;
    const open = this.#open.get(connectionId) ?? (isAlone ? others[0] : undefined) ?? "";
    this.#open.set(connectionId, open);
    const options = { services: this.#services, below: this.#below, host: this.#host };
    return [
      ...items.map((facts) => deploymentNode(facts, parent, { ...options, startsOpen: open === facts.id })),
      ...(listed === undefined ? [] : this.#beside(listed, parent)),
      ...named.map((ref) => this.#agentServer(ref, parent, open === ref.url)),
      ...(listed === undefined && others.length === 0
        ? [missingListLeaf("noControlPlane", parent, parent.ref, this.#host)]
        : []),
    ];
  }

  /** Stops asking the servers of a connection that have no row any more. */
  leaveGone(connectionId: string): void {
    const { named } = this.#services.connectionFindings.of(connectionId);
    const listed = this.deployments(connectionId);
    const isMissing = listed?.loaded === false && listed.failure === undefined;
    if (named === undefined || isMissing) return;
    const running = listed?.items.flatMap((facts) => runningServer(connectionId, facts) ?? []) ?? [];
    this.#services.threadListings.retain(connectionId, [...running, ...named]);
  }

  /** What the connection's row says of it. */
  facts(connectionId: string): Pick<ConnectionFacts, "count" | "wantsKey"> {
    const { key } = this.#services.connectionFindings.of(connectionId);
    const listings = this.#services.threadListings.on(connectionId);
    const only = listings.find((listing) => this.owner(listing)?.parent === undefined);
    // A server that needs no key is left in peace.
    const asks =
      key !== "none" ||
      this.deployments(connectionId)?.failure !== undefined ||
      listings.some(({ failure }) => failure !== undefined);
    const isMissing = key !== undefined && key !== "stored" && key !== "env";
    return { count: only?.count ?? "", wantsKey: isMissing && asks };
  }

  /** The row of the workspace's own graphs; other connections have the row that all views have. */
  row(setting: ConnectionSetting): Row | undefined {
    if (setting.kind !== "workspaceGraphs") return undefined;
    const { count = "" } = this.facts(setting.id);
    const { workspaceGraphs } = this.#services;
    const { id } = setting;
    return graphProjectRow(setting, workspaceGraphs.state(id), count, workspaceGraphs.debugging.of(id));
  }

  async tooltip(connectionId: string): Promise<vscode.MarkdownString | undefined> {
    return graphProjectTooltip(this.#services.workspaceGraphs, connectionId);
  }

  /** Forgets what was found: the connection was changed, or its key. */
  forget(connectionId: string): void {
    this.#open.delete(connectionId);
    this.#services.connectionFindings.forget(connectionId);
    this.#services.threadListings.retain(connectionId, []);
    this.#services.deployments.forget(connectionId);
  }

  /** The server that the connection is: it needs no row of its own. */
  #only(parent: PlatformNode): ThreadListing | undefined {
    const { connectionId } = parent.ref;
    const kind = this.#services.connections.get(connectionId)?.kind;
    const [ref] = this.#services.connectionFindings.of(connectionId).named ?? [];
    if (ref === undefined || kind === undefined || !isServer(kind)) return undefined;
    return this.#below(parent, ref);
  }

  readonly #below = (owner: TreeNode, ref: AgentServerRef): ThreadListing => {
    const listing = this.#services.threadListings.of(ref);
    this.#owners.set(listing, owner);
    return listing;
  };

  /** The graphs of a server and its threads, as far as these are known; chat backends have no list of graphs. */
  #onServer(listing: ThreadListing, parent: TreeNode): readonly TreeNode[] | undefined {
    const { ref } = listing;
    const threads = threadRows(listing, parent, this.#host);
    if (threads === undefined || ref.server.kind === "chatBackend") return threads;
    const client = this.#services.agentServers.client(ref);
    return [...graphRows(parent, listing, client, this.#host), ...threads];
  }

  /** What is to be said of the list of deployments. */
  #beside({ loaded, isListed, hasMore, items }: PlatformDeployments, parent: PlatformNode): TreeNode[] {
    const none = isFiltering(this.#services.deployments.filter) ? "noneFits" : "none";
    const why = !isListed ? "unlisted" : items.length === 0 && !hasMore ? none : undefined;
    const missing = loaded && why !== undefined ? [missingListLeaf(why, parent, parent.ref, this.#host)] : [];
    if (!hasMore) return missing;
    const total = this.#services.deployments.total(parent.ref.connectionId);
    const shown = total === undefined || total <= items.length ? "" : ` of ${String(total)}`;
    const label = `Load more deployments (${String(items.length)}${shown} shown)`;
    const command = "agentOperations.deployments.loadMore";
    return [...missing, new MoreNode(parent, { label, command, argument: parent.ref })];
  }

  /** The row of an agent server whose address stands in a platform's settings. */
  #agentServer(ref: AgentServerRef, parent: PlatformNode, startsOpen: boolean): TreeNode {
    const { connectionId, name: label, url } = ref;
    const row = (): Row => {
      const words = [this.#services.threadListings.find(ref)?.count ?? "", "address from the settings"];
      const description = dotted(words);
      const [icon, contextValue, tooltip] = ["server-process", "agentServer", `${label}\n${url}`];
      const spoken = `Agent server ${label} ${description}`;
      return { label, description, icon, contextValue, tooltip, spoken, startsOpen };
    };
    const load = async (node: TreeNode): Promise<undefined> => {
      await this.#below(node, ref).load();
    };
    const known = (node: TreeNode) => this.#onServer(this.#below(node, ref), node);
    const id = `server:${connectionId}/${serverText(ref.server)}`;
    return new BranchNode({ id, parent, ref, row, known, load }, this.#host);
  }
}

/** Whether a connection of this kind is one server: its threads hang below the connection's own row. */
function isServer(kind: ConnectionKind): boolean {
  return kind === "agentServer" || kind === "protocol" || kind === "workspaceGraphs";
}

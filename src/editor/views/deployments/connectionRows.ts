/** What is below a connection: the deployments and agent servers of a platform, or the threads of the one server it is. */

import type * as vscode from "vscode";
import type { KeyState } from "../../connections/apiKeys.ts";
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
import { graphsBranch } from "./graphRows.ts";
import { missingListLeaf } from "./deploymentParts.ts";
import type { ShownServer, ShownServers } from "./shownServers.ts";
import type { GraphEntry } from "../../workspaceGraphs/graphFile.ts";
import type { ThreadListing } from "../../threads/threadListing.ts";
import { dotted } from "../../kit/words.ts";

/** What was found out about a connection since it or its key changed. */
interface Found {
  key?: KeyState;
  /** The agent servers whose addresses stand in the settings. */
  named?: readonly AgentServerRef[];
  /** The graphs of a project of this workspace whose server does not run. */
  graphs?: readonly GraphEntry[];
  /** Where a server of its graphs answers that was started outside of the editor. */
  other?: string | undefined;
  /** The row that is open from the start because there is no other; "" for none. */
  open?: string;
}

/** Makes the rows, and remembers what they are made of. */
export class ConnectionRows {
  readonly #services: Services;
  readonly #servers: ShownServers;
  readonly #host: NodeHost;
  readonly #found = new Map<string, Found>();

  constructor(services: Services, servers: ShownServers, host: NodeHost) {
    this.#services = services;
    this.#servers = servers;
    this.#host = host;
  }

  /** Whether a key is there; undefined before the servers were asked for. */
  key(connectionId: string): KeyState | undefined {
    return this.#found.get(connectionId)?.key;
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
    const { agentServers, apiKeys, connections, workspaceGraphs } = this.#services;
    const { connectionId } = parent.ref;
    const found = this.#of(connectionId);
    const setting = connections.get(connectionId);
    if (setting?.kind === "workspaceGraphs" && workspaceGraphs.state(connectionId).kind !== "running") {
      found.graphs = (await workspaceGraphs.file(connectionId)).graphs;
      await this.findOtherServer(connectionId);
      return;
    }
    if (setting !== undefined) found.key = await apiKeys.state(setting);
    const named = await agentServers.named(connectionId);
    await this.deployments(connectionId)?.load(signal);
    found.named = named;
    this.leaveGone(connectionId);
    const only = this.#only(parent);
    if (only !== undefined && only.listing.threads === undefined) await only.listing.load();
  }

  /** Looks for a server of graphs that does not run here; whether another one, or none, is there by now. */
  async findOtherServer(connectionId: string): Promise<boolean> {
    const { workspaceGraphs } = this.#services;
    const found = this.#of(connectionId);
    if (found.graphs === undefined || workspaceGraphs.state(connectionId).kind !== "stopped") return false;
    const before = found.other;
    found.other = await workspaceGraphs.otherServer(connectionId);
    return found.other !== before;
  }

  /** The rows as far as they are known. */
  known(parent: PlatformNode): readonly TreeNode[] | undefined {
    const { connectionId } = parent.ref;
    const only = this.#only(parent);
    if (only !== undefined) return this.#onServer(only.listing, parent);
    const found = this.#of(connectionId);
    if (found.graphs !== undefined) {
      const state = this.#services.workspaceGraphs.state(connectionId);
      return idleGraphRows(parent, state, { graphs: found.graphs, other: found.other }, this.#host);
    }
    const listed = this.deployments(connectionId);
    const isMissing = listed?.loaded === false && listed.failure === undefined;
    if (found.named === undefined || isMissing) return undefined;
    const { items = [] } = listed ?? {};
    const others = [...items.map(({ id }) => id), ...found.named.map(({ url }) => url)];
    const isAlone = this.#services.connections.list().length === 1 && others.length === 1;
    found.open ??= (isAlone ? others[0] : undefined) ?? "";
    const options = { services: this.#services, servers: this.#servers, host: this.#host };
    return [
      ...items.map((facts) =>
        deploymentNode(facts, parent, { ...options, startsOpen: found.open === facts.id }),
      ),
      ...(listed === undefined ? [] : this.#beside(listed, parent)),
      ...found.named.map((ref) => this.#agentServer(ref, parent, found.open === ref.url)),
      ...(listed === undefined && others.length === 0
        ? [missingListLeaf("noControlPlane", parent, parent.ref, this.#host)]
        : []),
    ];
  }

  /** Stops asking the servers of a connection that have no row any more. */
  leaveGone(connectionId: string): void {
    const named = this.#found.get(connectionId)?.named;
    const listed = this.deployments(connectionId);
    const isMissing = listed?.loaded === false && listed.failure === undefined;
    if (named === undefined || isMissing) return;
    const running = listed?.items.flatMap((facts) => runningServer(connectionId, facts) ?? []) ?? [];
    this.#servers.retain(connectionId, [...running, ...named]);
  }

  /** What the connection's row says of it. */
  facts(connectionId: string): Pick<ConnectionFacts, "count" | "wantsKey"> {
    const { key } = this.#of(connectionId);
    const [only] = this.#servers.of(connectionId).filter(({ owner }) => owner.parent === undefined);
    // A server that needs no key is left in peace.
    const asks =
      key !== "none" ||
      this.deployments(connectionId)?.failure !== undefined ||
      this.#servers.of(connectionId).some(({ listing }) => listing.failure !== undefined);
    const isMissing = key !== undefined && key !== "stored" && key !== "env";
    return { count: only?.listing.count ?? "", wantsKey: isMissing && asks };
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
    this.#found.delete(connectionId);
    this.#servers.retain(connectionId, []);
    this.#services.deployments.forget(connectionId);
  }

  #of(connectionId: string): Found {
    const found = this.#found.get(connectionId) ?? {};
    this.#found.set(connectionId, found);
    return found;
  }

  /** The server that the connection is: it needs no row of its own. */
  #only(parent: PlatformNode): ShownServer | undefined {
    const { connectionId } = parent.ref;
    const kind = this.#services.connections.get(connectionId)?.kind;
    const [ref] = this.#of(connectionId).named ?? [];
    if (ref === undefined || kind === undefined || !isServer(kind)) return undefined;
    return this.#servers.below(parent, ref);
  }

  /** The graphs of a server and its threads, as far as these are known; chat backends have no list of graphs. */
  #onServer(listing: ThreadListing, parent: TreeNode): readonly TreeNode[] | undefined {
    const { ref } = listing;
    const threads = threadRows(listing, parent, this.#host);
    if (threads === undefined || ref.server.kind === "chatBackend") return threads;
    const client = this.#services.agentServers.client(ref);
    return [graphsBranch(parent, ref, client, this.#host), ...threads];
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
    const servers = this.#servers;
    const row = (): Row => {
      const words = [servers.find(ref)?.listing.count ?? "", "address from the settings"];
      const description = dotted(words);
      const [icon, contextValue, tooltip] = ["server-process", "agentServer", `${label}\n${url}`];
      const spoken = `Agent server ${label} ${description}`;
      return { label, description, icon, contextValue, tooltip, spoken, startsOpen };
    };
    const load = async (node: TreeNode): Promise<undefined> => {
      await servers.below(node, ref).listing.load();
    };
    const known = (node: TreeNode) => this.#onServer(servers.below(node, ref).listing, node);
    const id = `server:${connectionId}/${serverText(ref.server)}`;
    return new BranchNode({ id, parent, ref, row, known, load }, this.#host);
  }
}

/** Whether a connection of this kind is one server: its threads hang below the connection's own row. */
function isServer(kind: ConnectionKind): boolean {
  return kind === "agentServer" || kind === "protocol" || kind === "workspaceGraphs";
}

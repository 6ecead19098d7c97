/** What is below a connection: the deployments and agent servers of a platform, or the threads of the one server it is. */

import type { KeyState } from "../../connections/apiKeys.ts";
import type { AgentServerRef } from "../../connections/connection.ts";
import { serverText } from "../../connections/serverRef.ts";
import type { PlatformDeployments } from "../../deployments/platformDeployments.ts";
import type { Services } from "../../services.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import type { ConnectionFacts } from "../platform/connectionRow.ts";
import type { PlatformNode } from "../platform/platformView.ts";
import { threadRows } from "../threads/threadRows.ts";
import { deploymentNode } from "./deploymentNode.ts";
import { unlistedLeaf } from "./deploymentParts.ts";
import type { ShownServer, ShownServers } from "./shownServers.ts";
import { dotted } from "../../kit/words.ts";

/** What was found out about a connection since it or its key changed. */
interface Found {
  key?: KeyState;
  /** The agent servers whose addresses stand in the settings. */
  named?: readonly AgentServerRef[];
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

  /** Finds deployments and agent servers anew. */
  async load(parent: PlatformNode, signal: AbortSignal): Promise<undefined> {
    const { agentServers, apiKeys, connections } = this.#services;
    const { connectionId } = parent;
    const found = this.#of(connectionId);
    const setting = connections.get(connectionId);
    if (setting !== undefined) found.key = await apiKeys.state(setting);
    const named = await agentServers.named(connectionId);
    await this.deployments(connectionId)?.load(signal);
    found.named = named;
    const only = this.#only(parent);
    if (only !== undefined && only.listing.threads === undefined) await this.#servers.load(only);
  }

  /** The rows as far as they are known. */
  known(parent: PlatformNode): readonly TreeNode[] | undefined {
    const { connectionId } = parent;
    const only = this.#only(parent);
    if (only !== undefined) return threadRows(only.listing, parent, this.#host);
    const found = this.#of(connectionId);
    const listed = this.deployments(connectionId);
    const isMissing = listed?.loaded === false && listed.failure === undefined;
    if (found.named === undefined || isMissing) return undefined;
    const { items = [] } = listed ?? {};
    const others = [...items.map(({ id }) => id), ...found.named.map(({ url }) => url)];
    const isAlone = this.#services.connections.list().length === 1 && others.length === 1;
    found.open ??= (isAlone ? others[0] : undefined) ?? "";
    const options = { services: this.#services, servers: this.#servers, host: this.#host };
    const rows = [
      ...items.map((facts) =>
        deploymentNode(facts, parent, { ...options, startsOpen: found.open === facts.id }),
      ),
      ...(listed === undefined ? [] : this.#beside(listed, parent)),
      ...found.named.map((ref) => this.#agentServer(ref, parent, found.open === ref.url)),
    ];
    this.#servers.retain(connectionId, rows);
    return rows;
  }

  /** What the connection's row says of it. */
  facts(connectionId: string): Pick<ConnectionFacts, "count" | "wantsKey"> {
    const { key } = this.#of(connectionId);
    const [only] = this.#ofConnection(connectionId).filter(({ owner }) => owner.parent === undefined);
    // A server that needs no key is left in peace.
    const asks =
      key !== "none" ||
      this.deployments(connectionId)?.failure !== undefined ||
      this.#ofConnection(connectionId).some(({ listing }) => listing.failure !== undefined);
    const isMissing = key !== undefined && key !== "stored" && key !== "env";
    return { count: only?.listing.count ?? "", wantsKey: isMissing && asks };
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

  #ofConnection(connectionId: string): readonly ShownServer[] {
    return this.#servers.all.filter(({ listing }) => listing.ref.connectionId === connectionId);
  }

  /** The server that the connection is: it needs no row of its own. */
  #only(parent: PlatformNode): ShownServer | undefined {
    const { connectionId } = parent;
    const kind = this.#services.connections.get(connectionId)?.kind;
    const [ref] = this.#of(connectionId).named ?? [];
    if (ref === undefined || (kind !== "agentServer" && kind !== "protocol")) return undefined;
    return this.#servers.below(parent, ref);
  }

  /** What is to be said of the list of deployments. */
  #beside({ loaded, isListed, hasMore, items }: PlatformDeployments, parent: PlatformNode): TreeNode[] {
    const unlisted = loaded && !isListed ? [unlistedLeaf(parent, parent.ref, this.#host)] : [];
    if (!hasMore) return unlisted;
    const label = `Load more deployments (${String(items.length)} shown)`;
    const command = "agentOperations.deployments.loadMore";
    return [...unlisted, new MoreNode(parent, { label, command, argument: parent.ref })];
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
      await servers.load(servers.below(node, ref));
    };
    const known = (node: TreeNode) => threadRows(servers.below(node, ref).listing, node, this.#host);
    const id = `server:${connectionId}/${serverText(ref.server)}`;
    return new BranchNode({ id, parent, ref, row, known, load }, this.#host);
  }
}

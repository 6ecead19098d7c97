/** The agent servers whose threads hang below rows of the Deployments view. */

import type { AgentServerRef } from "../../connections/connection.ts";
import { serverKey } from "../../connections/serverRef.ts";
import type { ConnectedServer } from "../../connections/serverRef.ts";
import type { Services } from "../../services.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import type { ThreadListing } from "../../threads/threadListing.ts";

/** A row, and the threads that hang below it. */
export interface ShownServer {
  readonly owner: TreeNode;
  readonly listing: ThreadListing;
}

/** Keeps what was fetched of a server for as long as it is at the same address. */
export class ShownServers {
  readonly #services: Pick<Services, "threadListings">;
  readonly #shown = new Map<string, ShownServer>();

  constructor(services: Pick<Services, "threadListings">) {
    this.#services = services;
  }

  get all(): readonly ShownServer[] {
    return [...this.#shown.values()];
  }

  /** Those of one connection. */
  of(connectionId: string): readonly ShownServer[] {
    return this.all.filter(({ listing }) => listing.ref.connectionId === connectionId);
  }

  find(server: ConnectedServer): ShownServer | undefined {
    return this.#shown.get(serverKey(server));
  }

  /** The one that stands below the row; a server at another address is another server. */
  below(owner: TreeNode, ref: AgentServerRef): ShownServer {
    const known = this.find(ref);
    const listing = this.#services.threadListings.of(ref);
    if (known?.owner === owner && known.listing === listing) return known;
    const shown = { owner, listing };
    this.#shown.set(serverKey(ref), shown);
    return shown;
  }

  /** Stops asking a server. */
  leave(server: ConnectedServer): void {
    this.#services.threadListings.leave(server);
    this.#shown.delete(serverKey(server));
  }

  /** Stops asking the servers of a connection that are none of these. */
  retain(connectionId: string, servers: readonly ConnectedServer[]): void {
    const keys = new Set(servers.map(serverKey));
    for (const { listing } of this.of(connectionId))
      if (!keys.has(serverKey(listing.ref))) this.leave(listing.ref);
  }
}

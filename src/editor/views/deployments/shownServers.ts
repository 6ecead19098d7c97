/** The agent servers whose threads hang below rows of the Deployments view. */

import type { AgentServerRef } from "../../connections/connection.ts";
import { serverKey } from "../../connections/serverRef.ts";
import type { ConnectedServer } from "../../connections/serverRef.ts";
import type { Services } from "../../services.ts";
import type { PollResult } from "../../kit/tree/pollSchedule.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import { refusesKey } from "../../threads/threadListing.ts";
import type { ThreadListing } from "../../threads/threadListing.ts";

/** A row, and the threads that hang below it. */
export interface ShownServer {
  readonly owner: TreeNode;
  readonly listing: ThreadListing;
  /** The origin that asks for a key, when the connection's key was not entered for it. */
  keylessOrigin: string | undefined;
}

/** Keeps what was fetched of a server for as long as it is at the same address. */
export class ShownServers {
  readonly #services: Pick<Services, "apiKeys" | "threadListings">;
  readonly #host: Pick<NodeHost, "changed">;
  readonly #shown = new Map<string, ShownServer>();

  constructor(services: Pick<Services, "apiKeys" | "threadListings">, host: Pick<NodeHost, "changed">) {
    this.#services = services;
    this.#host = host;
  }

  get all(): readonly ShownServer[] {
    return [...this.#shown.values()];
  }

  find(server: ConnectedServer): ShownServer | undefined {
    return this.#shown.get(serverKey(server));
  }

  /** The one that stands below the row; a server at another address is another server. */
  below(owner: TreeNode, ref: AgentServerRef): ShownServer {
    const known = this.find(ref);
    const listing = this.#services.threadListings.of(ref);
    if (known?.owner === owner && known.listing === listing) return known;
    const shown: ShownServer = { owner, listing, keylessOrigin: undefined };
    this.#shown.set(serverKey(ref), shown);
    return shown;
  }

  /** Stops asking a server. */
  leave(server: ConnectedServer): void {
    this.#services.threadListings.leave(server);
    this.#shown.delete(serverKey(server));
  }

  /** Stops asking the servers of a connection that stand below none of these rows. */
  retain(connectionId: string, rows: readonly TreeNode[]): void {
    const ids = new Set(rows.map(({ id }) => id));
    for (const { owner, listing } of this.all)
      if (listing.ref.connectionId === connectionId && !ids.has(owner.id)) this.leave(listing.ref);
  }

  async load(shown: ShownServer): Promise<void> {
    await shown.listing.load();
    await this.#checkKey(shown);
  }

  async poll(shown: ShownServer, signal: AbortSignal): Promise<PollResult> {
    const result = await shown.listing.poll(signal);
    await this.#checkKey(shown);
    return result;
  }

  /** A key that must not go where the server is: a person decides. */
  async #checkKey(shown: ShownServer): Promise<void> {
    const { failure, ref } = shown.listing;
    const refused = failure !== undefined && refusesKey(failure.error);
    const origins = refused ? await this.#services.apiKeys.origins(ref.connectionId) : [];
    const { origin } = new URL(ref.url);
    const before = shown.keylessOrigin;
    shown.keylessOrigin = origins.length > 0 && !origins.includes(origin) ? origin : undefined;
    if (shown.keylessOrigin !== before) this.#host.changed();
  }
}

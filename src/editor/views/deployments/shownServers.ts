/** The agent servers whose threads hang below rows of the Deployments view. */

import type { AgentServerRef } from "../../connections/connection.ts";
import { serverKey } from "../../connections/serverRef.ts";
import type { ConnectedServer } from "../../connections/serverRef.ts";
import type { Services } from "../../services.ts";
import type { PollResult } from "../../kit/fetching/pollSchedule.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import { ApiError } from "../../../api/errors.ts";
import { type Withheld, withheldFrom } from "../../connections/withheld.ts";
import { refusesKey } from "../../../api/advice.ts";
import type { ThreadListing } from "../../threads/threadListing.ts";

/** A row, and the threads that hang below it. */
export interface ShownServer {
  readonly owner: TreeNode;
  readonly listing: ThreadListing;
  /**
   * What the connection would send but does not, since nobody confirmed the server's origin; the server refuses
   * requests without it.
   */
  withheld: Withheld | undefined;
}

/** Keeps what was fetched of a server for as long as it is at the same address. */
export class ShownServers {
  readonly #services: Pick<Services, "apiKeys" | "connections" | "threadListings">;
  readonly #host: Pick<NodeHost, "changed">;
  readonly #shown = new Map<string, ShownServer>();

  constructor(
    services: Pick<Services, "apiKeys" | "connections" | "threadListings">,
    host: Pick<NodeHost, "changed">,
  ) {
    this.#services = services;
    this.#host = host;
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
    const shown: ShownServer = { owner, listing, withheld: undefined };
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

  async load(shown: ShownServer): Promise<void> {
    await shown.listing.load();
    await this.#checkKey(shown);
  }

  async poll(shown: ShownServer, signal: AbortSignal): Promise<PollResult> {
    const result = await shown.listing.poll(signal);
    await this.#checkKey(shown);
    return result;
  }

  /** What must not go where the server is: a person decides. */
  async #checkKey(shown: ShownServer): Promise<void> {
    const { failure, ref } = shown.listing;
    const refused = failure !== undefined && asksForMore(failure.error);
    const before = shown.withheld?.what.join();
    shown.withheld = refused ? await withheldFrom(this.#services, ref.connectionId, ref.url) : undefined;
    if (shown.withheld?.what.join() !== before) this.#host.changed();
  }
}

/** Gateways answer with a sign-in page, or lead to one. */
function asksForMore(error: unknown): boolean {
  return refusesKey(error) || (error instanceof ApiError && ["redirected", "notJson"].includes(error.kind));
}

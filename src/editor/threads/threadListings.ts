/** Which threads of agent servers are listed: by one filter, each server for as long as somebody shows it. */

import * as vscode from "vscode";
import type { AgentServerRef } from "../connections/connection.ts";
import { type ConnectedServer, serverKey } from "../connections/serverRef.ts";
import { SECTION, SETTINGS } from "../kit/ids.ts";
import { filterFrom, type ThreadFilter } from "./threadFilter.ts";
import type { ThreadChange, Threads } from "./threads.ts";
import { ThreadListing, type ThreadListingServices } from "./threadListing.ts";

interface Needs extends ThreadListingServices {
  readonly context: Pick<vscode.ExtensionContext, "workspaceState">;
  readonly threads: ThreadListingServices["threads"] & Pick<Threads, "onDidChange">;
}

const filterKey = "threads.filter";
const groupingKey = "threads.grouping";

/** The lists, and the filter that is kept in the workspace's state. */
export class ThreadListings implements vscode.Disposable {
  readonly #services: Needs;
  readonly #listings = new Map<string, ThreadListing>();
  readonly #gone = new AbortController();
  readonly #changed = new vscode.EventEmitter<void>();
  /** Something was fetched or forgotten. */
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  #isSeen = (): boolean => false;
  #filter: ThreadFilter;
  #grouped: boolean;

  constructor(services: Needs) {
    const { workspaceState } = services.context;
    this.#services = services;
    this.#filter = filterFrom(workspaceState.get(filterKey));
    this.#grouped = workspaceState.get(groupingKey, true);
    this.#subscription = services.threads.onDidChange((change) => void this.#follow(change));
  }

  /** Who shows the lists says whether somebody can see them. */
  shownWhile(isSeen: () => boolean): void {
    this.#isSeen = isSeen;
  }

  get filter(): ThreadFilter {
    return this.#filter;
  }

  get all(): readonly ThreadListing[] {
    return [...this.#listings.values()];
  }

  /** Every status that was seen on a listed thread. */
  get statuses(): readonly string[] {
    const rows = this.all.flatMap(({ threads }) => threads?.rows() ?? []);
    return [...new Set(rows.map(({ status }) => status))];
  }

  /** Those of one connection. */
  on(connectionId: string): readonly ThreadListing[] {
    return this.all.filter(({ ref }) => ref.connectionId === connectionId);
  }

  find(server: ConnectedServer): ThreadListing | undefined {
    return this.#listings.get(serverKey(server));
  }

  /** The list of a server; at another address or under another name it is another server. */
  of(ref: AgentServerRef): ThreadListing {
    const known = this.find(ref);
    if (known?.ref.url === ref.url && known.ref.name === ref.name) return known;
    this.leave(ref);
    const listing = new ThreadListing(ref, this.#services, {
      options: () => ({ filter: this.#filter, grouped: this.#grouped, pageSize: pageSize() }),
      changed: () => this.#changed.fire(),
      signal: this.#gone.signal,
    });
    this.#listings.set(serverKey(ref), listing);
    return listing;
  }

  /** Forgets a server that nobody shows any more. */
  leave(server: ConnectedServer): void {
    this.find(server)?.leave();
    this.#listings.delete(serverKey(server));
  }

  /** Forgets the servers of a connection that are none of these. */
  retain(connectionId: string, servers: readonly ConnectedServer[]): void {
    const keys = new Set(servers.map(serverKey));
    for (const { ref } of this.on(connectionId)) if (!keys.has(serverKey(ref))) this.leave(ref);
  }

  /** Lists other threads. */
  async setFilter(filter: ThreadFilter): Promise<void> {
    this.#filter = filter;
    await this.#services.context.workspaceState.update(filterKey, filter);
    this.#listAnew();
  }

  /** Lists threads below their statuses, or without groups. */
  async toggleGrouping(): Promise<void> {
    this.#grouped = !this.#grouped;
    await this.#services.context.workspaceState.update(groupingKey, this.#grouped);
    this.#listAnew();
  }

  dispose(): void {
    this.#gone.abort();
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** While nobody can see the lists, the next poll is early enough for runs. */
  async #follow({ kind, threads }: ThreadChange): Promise<void> {
    if (kind === "run" && !this.#isSeen()) return;
    await Promise.all(
      threads.map(async (thread) => {
        const listing = this.find(thread);
        if (kind === "deleted") listing?.remove(thread.threadId);
        else await listing?.refreshThread(thread.threadId);
      }),
    );
  }

  #listAnew(): void {
    for (const listing of this.#listings.values()) listing.reset();
    this.#changed.fire();
  }
}

function pageSize(): number {
  return vscode.workspace.getConfiguration(SECTION).get(SETTINGS.threadsPageSize, 50);
}

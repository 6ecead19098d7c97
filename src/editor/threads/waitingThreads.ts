/** How many threads wait for a person, counted from what was listed and what sessions saw; it asks no server. */

import * as vscode from "vscode";
import type { ThreadRef } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { type ConnectedServer, serverKey, type ServerRef } from "../connections/serverRef.ts";

interface ServerCount {
  readonly connectionId: string;
  /** What is at its address; two connections may reach the same. */
  readonly address: string;
  count: number;
  /** The waiting threads that are known one by one; the count may be larger. */
  readonly threads: Set<string>;
  /** When it was counted: the newest count of a server is the one that is true. */
  at: number;
}

/** What waits on one connection, beside what waits on others. */
export interface WaitingShare {
  readonly connectionId: string;
  readonly count: number;
}

/** The one number of what waits, for the badge, the status bar and the view. */
export class WaitingThreads implements vscode.Disposable {
  readonly #servers = new Map<string, ServerCount>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #connections: Pick<Connections, "list" | "onDidChange">;
  readonly #subscription: vscode.Disposable;
  #clock = 0;
  /** The address of each connection whose waiting threads are counted. */
  #urls: ReadonlyMap<string, string | undefined> = new Map();

  constructor(connections: Pick<Connections, "list" | "onDidChange">) {
    this.#connections = connections;
    this.#subscription = connections.onDidChange(() => this.#forgetAddresses());
    this.#forgetAddresses();
  }

  /** The threads that need a person: of one connection, or of all, where a server that two of them reach counts once. */
  count(connectionId?: string): number {
    const counts = connectionId === undefined ? this.#distinct() : this.#servers.values();
    return [...counts]
      .filter((server) => connectionId === undefined || server.connectionId === connectionId)
      .reduce((sum, { count }) => sum + count, 0);
  }

  /** How the number of all is made up, in the order of the connections; each thread stands at one of them. */
  shares(): readonly WaitingShare[] {
    const byConnection = Map.groupBy(this.#distinct(), ({ connectionId }) => connectionId);
    return this.#connections.list().flatMap(({ id }) => {
      const count = (byConnection.get(id) ?? []).reduce((sum, server) => sum + server.count, 0);
      return count === 0 ? [] : [{ connectionId: id, count }];
    });
  }

  /** What a server says: how many wait, and the status of the threads that were listed. */
  set(
    server: ConnectedServer & { readonly url?: string },
    count: number,
    threads: readonly { readonly id: string; readonly status: string }[],
  ): void {
    // An answer may come after its connection was removed.
    if (!this.#isListed(server.connectionId)) return;
    const before = this.count();
    const waiting = threads.filter(({ status }) => status === "interrupted").map(({ id }) => id);
    const { connectionId } = server;
    const known = this.#servers.get(keyOf(server));
    const address = server.url === undefined ? known?.address : addressKey(server, server.url);
    const fresh = { connectionId, address: address ?? keyOf(server), count, threads: new Set(waiting) };
    this.#servers.set(keyOf(server), { ...fresh, at: ++this.#clock });
    if (this.count() !== before) this.#changed.fire();
  }

  /** What a session saw of its thread; every connection that reaches its server counts it so. */
  update(thread: ThreadRef, needsPerson: boolean): void {
    const known = this.#servers.get(keyOf(thread));
    const { connectionId, threadId } = thread;
    if ((known === undefined && !needsPerson) || !this.#isListed(connectionId)) return;
    const fresh = { connectionId, address: keyOf(thread), count: 0, threads: new Set<string>(), at: 0 };
    const own = known ?? fresh;
    if (known === undefined) this.#servers.set(keyOf(thread), fresh);
    const counts = [...this.#servers.values()].filter(({ address }) => address === own.address);
    const changed = counts.filter(({ threads }) => threads.has(threadId) !== needsPerson);
    for (const server of changed) {
      if (needsPerson) server.threads.add(threadId);
      else server.threads.delete(threadId);
      server.count = Math.max(0, server.count + (needsPerson ? 1 : -1));
      server.at = ++this.#clock;
    }
    if (changed.length > 0) this.#changed.fire();
  }

  /** A server is there no more, or all of a connection are at another address. */
  forget(connectionId: string, server?: ServerRef): void {
    if (server === undefined) this.#drop((known) => known.connectionId === connectionId);
    else this.#drop((_, key) => key === keyOf({ connectionId, server }));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** Nobody is waited for on a connection that was removed, or at an address that it has left. */
  #forgetAddresses(): void {
    const urls = new Map(this.#connections.list().map(({ id, url }) => [id, url]));
    this.#drop(
      ({ connectionId: id }) => !urls.has(id) || (this.#urls.has(id) && this.#urls.get(id) !== urls.get(id)),
    );
    this.#urls = urls;
  }

  #drop(which: (server: ServerCount, key: string) => boolean): void {
    const before = this.count();
    for (const [key, server] of this.#servers) if (which(server, key)) this.#servers.delete(key);
    if (this.count() !== before) this.#changed.fire();
  }

  /** The newest count of each server, at the first of the connections that reach it. */
  #distinct(): readonly ServerCount[] {
    return [...Map.groupBy(this.#servers.values(), ({ address }) => address).values()].flatMap((counts) => {
      const [newest] = counts.toSorted((a, b) => b.at - a.at);
      const [first] = counts.toSorted((a, b) => this.#order(a) - this.#order(b));
      return newest === undefined || first === undefined ? [] : [{ ...first, count: newest.count }];
    });
  }

  #isListed(connectionId: string): boolean {
    return this.#connections.list().some(({ id }) => id === connectionId);
  }

  #order({ connectionId }: ServerCount): number {
    return this.#connections.list().findIndex(({ id }) => id === connectionId);
  }
}

/** Whether these are the threads of managed agents, which a platform counts all together. */
export function isManaged({ server }: ConnectedServer): boolean {
  return server.kind === "managedAgent";
}

/** One text for what is at an address, however the address is written. */
export function addressKey(server: ConnectedServer, address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  const host = url.host.replace(/^localhost\b/, "127.0.0.1");
  return `${isManaged(server) ? "agents " : ""}${url.protocol}//${host}${url.pathname.replace(/\/+$/, "")}`;
}

function keyOf(server: ConnectedServer): string {
  return isManaged(server) ? server.connectionId : serverKey(server);
}

/** How many threads wait for a person, counted from what was listed and what sessions saw; it asks no server. */

import * as vscode from "vscode";
import type { ThreadRef } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { type ConnectedServer, serverKey, type ServerRef } from "../connections/serverRef.ts";

interface ServerCount {
  readonly connectionId: string;
  /** Whether these are the threads of managed agents, which a platform counts all together. */
  readonly managed: boolean;
  count: number;
  /** The waiting threads that are known one by one; the count may be larger. */
  readonly threads: Set<string>;
}

export class WaitingThreads implements vscode.Disposable {
  readonly #servers = new Map<string, ServerCount>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #connections: Pick<Connections, "list" | "onDidChange">;
  readonly #subscription: vscode.Disposable;
  /** The address of each connection whose waiting threads are counted. */
  #urls: ReadonlyMap<string, string | undefined> = new Map();

  constructor(connections: Pick<Connections, "list" | "onDidChange">) {
    this.#connections = connections;
    this.#subscription = connections.onDidChange(() => this.#forgetAddresses());
    this.#forgetAddresses();
  }

  /** The threads that need a person, of one connection or of all. */
  count(connectionId?: string): number {
    return this.#sum((server) => connectionId === undefined || server.connectionId === connectionId);
  }

  /** The same without those of managed agents. */
  countOnServers(): number {
    return this.#sum(({ managed }) => !managed);
  }

  /** Whether a server has said how many wait. */
  has(server: ConnectedServer): boolean {
    return this.#servers.has(keyOf(server));
  }

  /** What a server says: how many wait, and the status of the threads that were listed. */
  set(
    server: ConnectedServer,
    count: number,
    threads: readonly { readonly id: string; readonly status: string }[],
  ): void {
    const before = this.count();
    const waiting = threads.filter(({ status }) => status === "interrupted").map(({ id }) => id);
    const { connectionId } = server;
    const managed = isManaged(server);
    this.#servers.set(keyOf(server), { connectionId, managed, count, threads: new Set(waiting) });
    if (this.count() !== before) this.#changed.fire();
  }

  /** What a session saw of its thread. */
  update(thread: ThreadRef, needsPerson: boolean): void {
    const known = this.#servers.get(keyOf(thread));
    if (known?.threads.has(thread.threadId) === needsPerson) return;
    const { connectionId } = thread;
    const fresh = { connectionId, managed: isManaged(thread), count: 0, threads: new Set<string>() };
    const server = known ?? fresh;
    if (known === undefined && !needsPerson) return;
    this.#servers.set(keyOf(thread), server);
    if (needsPerson) server.threads.add(thread.threadId);
    else server.threads.delete(thread.threadId);
    server.count = Math.max(0, server.count + (needsPerson ? 1 : -1));
    this.#changed.fire();
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

  #sum(which: (server: ServerCount) => boolean): number {
    return [...this.#servers.values()].filter(which).reduce((sum, { count }) => sum + count, 0);
  }
}

/** Whether these are the threads of managed agents, which a platform counts all together. */
export function isManaged({ server }: ConnectedServer): boolean {
  return server.kind === "managedAgent";
}

function keyOf(server: ConnectedServer): string {
  return isManaged(server) ? server.connectionId : serverKey(server);
}

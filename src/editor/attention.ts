/** How many threads wait for a person, known from what views fetched and what sessions saw; it asks no server. */

import * as vscode from "vscode";
import type { AgentServerRef, ThreadRef } from "./connection.ts";

interface ServerCount {
  readonly connectionId: string;
  count: number;
  /** The waiting threads that are known one by one; the count may be larger. */
  readonly threads: Set<string>;
}

export class Attention implements vscode.Disposable {
  readonly #servers = new Map<string, ServerCount>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  /** The threads that need a person, of one connection or of all. */
  count(connectionId?: string): number {
    return [...this.#servers.values()]
      .filter((server) => connectionId === undefined || server.connectionId === connectionId)
      .reduce((sum, { count }) => sum + count, 0);
  }

  /** What a server said: how many wait, and the status of the threads that were fetched. */
  learn(
    server: AgentServerRef,
    count: number,
    threads: readonly { readonly id: string; readonly status: string }[],
  ): void {
    const before = this.count();
    const waiting = threads.filter(({ status }) => status === "interrupted").map(({ id }) => id);
    const { connectionId } = server;
    this.#servers.set(keyOf(server), { connectionId, count, threads: new Set(waiting) });
    if (this.count() !== before) this.#changed.fire();
  }

  /** What a session saw of its thread. */
  see(thread: ThreadRef, needsPerson: boolean): void {
    const known = this.#servers.get(keyOf(thread));
    if (known?.threads.has(thread.threadId) === needsPerson) return;
    const server = known ?? { connectionId: thread.connectionId, count: 0, threads: new Set<string>() };
    if (known === undefined && !needsPerson) return;
    this.#servers.set(keyOf(thread), server);
    if (needsPerson) server.threads.add(thread.threadId);
    else server.threads.delete(thread.threadId);
    server.count = Math.max(0, server.count + (needsPerson ? 1 : -1));
    this.#changed.fire();
  }

  /** Keeps only the servers of these connections. */
  retain(connectionIds: readonly string[]): void {
    const before = this.count();
    for (const [key, { connectionId }] of this.#servers) {
      if (!connectionIds.includes(connectionId)) this.#servers.delete(key);
    }
    if (this.count() !== before) this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function keyOf({
  connectionId,
  serverId,
}: {
  readonly connectionId: string;
  readonly serverId: string;
}): string {
  return `${connectionId} ${serverId}`;
}

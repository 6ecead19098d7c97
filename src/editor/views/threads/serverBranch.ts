/** What is known of an agent server's threads, as rows below whichever row stands for the server. */

import { ApiError } from "../../../api/errors.ts";
import type { AgentServerRef } from "../../connections/connection.ts";
import { counted } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import type { Unsupported } from "../../threads/servers/threadHost.ts";
import { lazily } from "../../kit/lazily.ts";
import { FailureNode } from "../../kit/tree/failureNode.ts";
import { retryAfter } from "../../kit/tree/pollSchedule.ts";
import type { PollResult } from "../../kit/tree/pollSchedule.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import { ServerRows } from "./serverRows.ts";
import { ServerThreads } from "../../threads/serverThreads.ts";
import type { ServerThreadsOptions } from "../../threads/serverThreads.ts";
import type { ThreadSource } from "../../threads/threadList.ts";
import { rowOf } from "../../threads/threadRow.ts";

/** What it needs of the extension. */
export type ServerServices = Pick<Services, "agentServers" | "threadHosts" | "threads" | "waitingThreads">;

/** What it needs of its view. */
export interface ServerHost extends NodeHost {
  /** How threads are to be listed. */
  listing(): ServerThreadsOptions;
}

/** Fetches pages of threads, looks for changes, and keeps each row the same object. */
export class ServerBranch {
  readonly ref: AgentServerRef;
  readonly #owner: TreeNode;
  readonly #services: ServerServices;
  readonly #host: ServerHost;
  readonly #left = new AbortController();
  readonly #signal: AbortSignal;
  readonly #rows: ServerRows;
  #threads: ServerThreads | undefined;
  #failure: { readonly error: unknown } | undefined;
  #loading: Promise<void> | undefined;

  constructor(owner: TreeNode, ref: AgentServerRef, services: ServerServices, host: ServerHost) {
    this.ref = ref;
    this.#owner = owner;
    this.#services = services;
    this.#host = host;
    this.#signal = AbortSignal.any([host.signal, this.#left.signal]);
    this.#rows = new ServerRows(ref, () => this.#unsupported, {
      known: (group) => {
        const threads = this.#threads;
        return threads?.hasGroup(group.status) === true
          ? this.#rows.list(group, threads, group.status)
          : undefined;
      },
      fetch: async (group) => {
        await this.#attempt(() => this.#threads?.loadGroup(group.status, this.#signal));
        return group.known ?? [];
      },
    });
  }

  /** Why its threads can't be listed; undefined when the last attempt went well. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** What was fetched of its threads so far. */
  get threads(): ServerThreads | undefined {
    return this.#threads;
  }

  get known(): readonly TreeNode[] | undefined {
    const failure =
      this.#failure === undefined
        ? []
        : [new FailureNode(this.#owner, this.ref.connectionId, this.#failure.error, this.#host)];
    if (this.#threads?.loaded !== true) return this.#failure === undefined ? undefined : failure;
    return [...failure, ...this.#rows.below(this.#owner, this.#threads)];
  }

  /** How many threads there are, in words; "" while that is not known. */
  get count(): string {
    const count = this.#threads?.loaded === true ? this.#threads.matching : undefined;
    if (count === undefined) return "";
    if (this.#unsupported.has("list")) return `no list · ${String(count)} made here${this.#lost}`;
    return counted(count, "thread");
  }

  /** Fetches what is shown anew, once at a time; a failure becomes a row. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Forgets what was listed: the view's filter or grouping changed. */
  reset(): void {
    this.#threads = undefined;
    this.#failure = undefined;
    this.#loading = undefined;
  }

  /** Stops asking: another branch has taken its place. */
  leave(): void {
    this.#left.abort();
  }

  /** Asks for changes. A server that refused the key is left alone until a person did something about it. */
  async poll(signal: AbortSignal): Promise<PollResult> {
    if (this.#failure !== undefined && refusesKey(this.#failure.error))
      return { changed: false, busy: false };
    const threads = this.#threads;
    if (threads?.loaded !== true || this.#failure !== undefined) {
      await this.load();
      return {
        changed: this.#failure === undefined,
        busy: false,
        retryAfterMs: retryAfter(this.#failure?.error),
      };
    }
    try {
      const changed = await threads.look(signal);
      this.#learned();
      return { changed, busy: threads.busy };
    } catch (error) {
      if (signal.aborted) return { changed: false, busy: threads.busy };
      const wait = retryAfter(error);
      if (wait === undefined) this.#failure = { error };
      this.#learned();
      return { changed: false, busy: threads.busy, retryAfterMs: wait };
    }
  }

  /** Fetches one thread, after something happened to it. */
  async refreshThread(threadId: string): Promise<void> {
    await this.#attempt(async () => {
      const threads = await this.#services.agentServers.threads(this.ref);
      try {
        this.#threads?.put(rowOf(await threads.get(threadId, { signal: this.#signal })));
      } catch (error) {
        if (!(error instanceof ApiError && error.kind === "notFound")) throw error;
        this.#threads?.remove(threadId);
      }
    });
  }

  /** Takes a thread out that was deleted. */
  forget(threadId: string): void {
    this.#threads?.remove(threadId);
    this.#learned();
  }

  async loadMore(group?: string): Promise<void> {
    await this.#attempt(() => this.#threads?.loadMore(group, this.#signal));
  }

  async #load(): Promise<void> {
    const threads = this.#threads ?? new ServerThreads(this.#source, this.#host.listing());
    this.#threads = threads;
    await this.#attempt(() => threads.load(this.#signal));
    // Forgotten while it was fetched: who asked waits for the list that is wanted now.
    if (this.#threads !== threads && !this.#signal.aborted) return this.load();
    this.#loading = undefined;
  }

  async #attempt(work: () => Promise<void> | undefined): Promise<void> {
    try {
      await work();
      this.#failure = undefined;
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#failure = { error };
    }
    this.#learned();
  }

  /** Backends that keep threads in memory lose them with a restart. */
  get #lost(): string {
    const { lost = 0 } = this.#services.threadHosts.of(this.ref);
    return lost === 0 ? "" : `, ${String(lost)} no longer on the backend`;
  }

  get #unsupported(): Unsupported {
    return this.#services.threadHosts.of(this.ref).unsupported;
  }

  /** Asks for the client anew each time: the connection's address and headers may have changed. */
  get #source(): ThreadSource {
    return lazily(async () => ({ threads: await this.#services.agentServers.threads(this.ref) }), "threads")
      .threads;
  }

  /** Tells who counts the threads that need a person, and draws. */
  #learned(): void {
    if (this.#left.signal.aborted) return;
    const threads = this.#threads;
    if (threads?.loaded === true && threads.needing !== undefined)
      this.#services.waitingThreads.set(this.ref, threads.needing, threads.rows());
    if (threads?.loaded === true) {
      const { connectionId, server } = this.ref;
      for (const { id: threadId, title } of threads.rows())
        this.#services.threads.setTitle({ connectionId, server, threadId }, title);
      this.#rows.prune(threads);
    }
    this.#host.changed();
  }
}

/** Whether the server wants another key, or one at all. */
export function refusesKey(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === "unauthorized" || error.kind === "forbidden");
}

/** The threads of one agent server as they are listed: fetched, kept up to date, or why they can't be. */

import { refusesKey } from "../../api/advice.ts";
import { ApiError, isGone } from "../../api/errors.ts";
import type { AgentServerRef } from "../connections/connection.ts";
import type { ConnectedServer } from "../connections/serverRef.ts";
import { type Withheld, withheldFrom, type WithheldServices } from "../connections/withheld.ts";
import { type Failure, failureOf } from "../kit/fetching/fetched.ts";
import { type PollResult, retryAfter } from "../kit/fetching/pollSchedule.ts";
import { counted } from "../kit/words.ts";
import type { StrandedThreads } from "./strandedThreads.ts";
import type { Unsupported } from "./servers/threadHost.ts";
import type { ThreadHosts } from "./servers/threadHosts.ts";
import { ServerThreads, type ServerThreadsOptions } from "./serverThreads.ts";
import { hasTitle, type ThreadFacts } from "./threadFacts.ts";
import type { AgentServers } from "./servers/agentServers.ts";
import { type ThreadSource, threadSource, type ThreadSourceServices } from "./threadSource.ts";
import type { Threads } from "./threads.ts";
import type { WaitingThreads } from "./waitingThreads.ts";

/** What it asks, and whom it tells what it read. */
export interface ThreadListingServices extends ThreadSourceServices, WithheldServices {
  readonly agentServers: Pick<AgentServers, "now" | "threads">;
  readonly strandedThreads: Pick<StrandedThreads, "has">;
  readonly threadHosts: Pick<ThreadHosts, "of">;
  readonly threads: Pick<Threads, "setTitle" | "knownTitle" | "askTitles">;
  readonly waitingThreads: Pick<WaitingThreads, "set">;
}

/** How its owner wants it. */
export interface ThreadListingOptions {
  /** Which threads are wanted, and how. */
  options(): ServerThreadsOptions;
  /** Something was fetched, or could not be. */
  changed(): void;
  /** Aborts when nobody wants the list any more. */
  readonly signal: AbortSignal;
}

/** Which list of threads is meant. */
export interface ListRef extends ConnectedServer {
  /** The status group; absent for a list without groups. */
  readonly group?: string;
}

/** One server's list, or groups by status. */
export class ThreadListing {
  readonly ref: AgentServerRef;
  readonly #services: ThreadListingServices;
  readonly #owner: ThreadListingOptions;
  readonly #left = new AbortController();
  readonly #signal: AbortSignal;
  readonly #source: Required<ThreadSource>;
  #threads: ServerThreads | undefined;
  #failure: Failure | undefined;
  #withheld: Withheld | undefined;
  #readAt: number | undefined;
  #loading: Promise<void> | undefined;

  constructor(ref: AgentServerRef, services: ThreadListingServices, owner: ThreadListingOptions) {
    this.ref = ref;
    this.#services = services;
    this.#owner = owner;
    this.#signal = AbortSignal.any([owner.signal, this.#left.signal]);
    this.#source = threadSource(services, ref, this.#signal);
  }

  /** Why the threads can't be listed; undefined when the last attempt went well. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /**
   * What the connection would send but does not, since nobody confirmed the server's origin; the server refuses
   * requests without it. A person decides.
   */
  get withheld(): Withheld | undefined {
    return this.#failure && this.#withheld;
  }

  /** What was fetched; undefined before that. */
  get threads(): ServerThreads | undefined {
    return this.#threads?.loaded === true ? this.#threads : undefined;
  }

  /** What can't be done with the threads, as far as is known. */
  get unsupported(): Unsupported {
    return this.#services.threadHosts.of(this.ref).unsupported;
  }

  /** Whether a listed thread has a run that seems to be stranded. */
  isStranded(row: ThreadFacts): boolean {
    const { connectionId, server } = this.ref;
    return this.#services.strandedThreads.has({ connectionId, server, threadId: row.id }, row);
  }

  /** What the clock of their server says, in epoch milliseconds. */
  now(): number {
    return this.#services.agentServers.now(this.ref);
  }

  /** How many threads there are, in words; "" while that is not known. */
  get count(): string {
    const count = this.threads?.matching;
    if (count === undefined) return "";
    if (!this.unsupported.has("list")) return counted(count, "thread");
    // Backends that keep threads in memory lose them with a restart.
    const { lost = 0 } = this.#services.threadHosts.of(this.ref);
    const gone = lost === 0 ? "" : `, ${String(lost)} no longer on the backend`;
    return `no list · ${String(count)} made here${gone}`;
  }

  /** Fetches anew what is listed, once at a time. Never rejects. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Forgets what was listed: other threads are wanted, or otherwise grouped. */
  reset(): void {
    this.#threads = undefined;
    this.#failure = undefined;
    this.#readAt = undefined;
    this.#loading = undefined;
  }

  /** Stops asking for good. */
  leave(): void {
    this.#left.abort();
  }

  /** Asks for changes. A server that refused the key is left alone until a person did something about it. */
  async poll(signal: AbortSignal): Promise<PollResult> {
    const threads = this.#threads;
    if (this.#failure !== undefined && refusesKey(this.#failure.error))
      return { changed: false, busy: false };
    if (threads?.loaded !== true || this.#failure !== undefined) {
      await this.load();
      const { failure } = this;
      return { changed: failure === undefined, busy: false, retryAfterMs: retryAfter(failure?.error) };
    }
    try {
      const changed = await threads.poll(signal);
      this.#readAt = Date.now();
      this.#share();
      return { changed, busy: threads.busy };
    } catch (error) {
      if (signal.aborted) return { changed: false, busy: threads.busy };
      const retryAfterMs = retryAfter(error);
      if (retryAfterMs === undefined) await this.#fail(error);
      this.#share();
      return { changed: false, busy: threads.busy, retryAfterMs };
    }
  }

  /** Fetches one thread, after something happened to it. */
  async refreshThread(threadId: string): Promise<void> {
    await this.#attempt(async () => {
      const threads = await this.#services.agentServers.threads(this.ref);
      try {
        this.#threads?.put(this.#source.facts(await threads.row(threadId, { signal: this.#signal })));
      } catch (error) {
        if (!isGone(error)) throw error;
        this.#threads?.remove(threadId);
      }
    });
  }

  /** Takes a thread out that was deleted. */
  remove(threadId: string): void {
    this.#threads?.remove(threadId);
    this.#share();
  }

  async loadMore(group?: string): Promise<void> {
    await this.#attempt(() => this.#threads?.loadMore(group, this.#signal));
  }

  /** Finds titles for those of the threads that have none: they are in sight. */
  async entitle(ids: ReadonlySet<string>): Promise<void> {
    const { threads } = this;
    const untitled = threads?.rows().filter((row) => ids.has(row.id) && !hasTitle(row)) ?? [];
    if (untitled.length === 0) return;
    const titled = await this.#source.entitled(untitled);
    const found = titled.filter((row) => hasTitle(row));
    // Rows may have changed meanwhile: only the title is put in.
    const now = new Map(threads?.rows().map((row) => [row.id, row]));
    for (const { id, title } of found) {
      const row = now.get(id);
      if (row !== undefined) threads?.put({ ...row, title });
    }
    if (found.length > 0 && !this.#signal.aborted) this.#owner.changed();
  }

  /** Fetches the first page of a group's threads; rejects when that fails. */
  async loadGroup(group: string): Promise<void> {
    if (this.threads === undefined) await this.load();
    this.#signal.throwIfAborted();
    if (this.#threads === undefined || this.#failure !== undefined) throw this.#failure?.error;
    await this.#threads.loadGroup(group, this.#signal);
    this.#share();
  }

  async #load(): Promise<void> {
    const threads = this.#threads ?? new ServerThreads(this.#source, this.#owner.options());
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
      this.#readAt = Date.now();
    } catch (error) {
      if (this.#signal.aborted) return;
      await this.#fail(error);
    }
    this.#share();
  }

  async #fail(error: unknown): Promise<void> {
    const { connectionId, url } = this.ref;
    this.#withheld = asksForMore(error) ? await withheldFrom(this.#services, connectionId, url) : undefined;
    this.#failure = failureOf(error, this.#readAt);
  }

  /** Sets titles and counts by what was read. */
  #share(): void {
    if (this.#left.signal.aborted) return;
    const { threads } = this;
    if (threads !== undefined) {
      const { connectionId, server } = this.ref;
      for (const { id: threadId, title } of threads.rows())
        this.#services.threads.setTitle({ connectionId, server, threadId }, title);
      if (threads.needing !== undefined)
        this.#services.waitingThreads.set(this.ref, threads.needing, threads.rows());
    }
    this.#owner.changed();
  }
}

/** Gateways answer with a sign-in page, or lead to one. */
function asksForMore(error: unknown): boolean {
  return refusesKey(error) || (error instanceof ApiError && ["redirected", "notJson"].includes(error.kind));
}

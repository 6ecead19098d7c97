/** Titles of threads that nobody named: how each began, asked of its server once per change. */

import { ApiError } from "../../api/errors.ts";
import { isTransient } from "../../api/retry.ts";
import { inBackground } from "../../api/turns.ts";
import type { ThreadRef } from "../connections/connection.ts";
import { type ConnectedServer, threadKey } from "../connections/serverRef.ts";
import type { ThreadHosts } from "./servers/threadHosts.ts";
import { hasTitle, type ThreadFacts } from "./threadFacts.ts";

/** What of a thread is needed to ask for its title. */
export type Untitled = Pick<ThreadFacts, "id" | "title" | "updatedAt" | "metadata">;

const mostAsked = 10_000;
/** How long after a transient failure the thread is read again, in milliseconds. */
const againMs = 30_000;

/** Remembers what was asked, so that a thread is asked for again only when it changed. */
export class ThreadBeginnings {
  readonly #hosts: Pick<ThreadHosts, "of">;
  readonly #found: (thread: ThreadRef, title: string) => void;
  readonly #now: () => number;
  readonly #asked = new Map<string, { readonly updatedAt: string; readonly until: number }>();

  /** `found` hears of each title. */
  constructor(
    hosts: Pick<ThreadHosts, "of">,
    found: (thread: ThreadRef, title: string) => void,
    now: () => number = Date.now,
  ) {
    this.#hosts = hosts;
    this.#found = found;
    this.#now = now;
  }

  /** Asks for those that have no title and changed since they were asked for; resolves with the titles by id. Never rejects. */
  async ask(
    { connectionId, server }: ConnectedServer,
    threads: readonly Untitled[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const host = this.#hosts.of({ connectionId, server });
    const titles = new Map<string, string>();
    if (host.began === undefined) return titles;
    const work = async (thread: Untitled): Promise<void> => {
      const ref: ThreadRef = { connectionId, server, threadId: thread.id };
      const key = threadKey(ref);
      if (signal.aborted || !this.#isDue(key, thread)) return;
      this.#remember(key, thread.updatedAt, Infinity);
      try {
        const title = await host.began?.(thread.id, thread.metadata, { signal });
        if (title === undefined) return;
        titles.set(thread.id, title);
        this.#found(ref, title);
      } catch (error) {
        if (error instanceof ApiError && error.kind === "aborted") this.#asked.delete(key);
        else if (isTransient(error) || !(error instanceof ApiError))
          this.#remember(key, thread.updatedAt, this.#now() + againMs);
      }
    };
    await inBackground(() => Promise.all(threads.map(work)));
    return titles;
  }

  #isDue(key: string, thread: Untitled): boolean {
    if (hasTitle(thread)) return false;
    const asked = this.#asked.get(key);
    return asked?.updatedAt !== thread.updatedAt || asked.until <= this.#now();
  }

  /** What was asked for longest ago is forgotten. */
  #remember(key: string, updatedAt: string, until: number): void {
    this.#asked.delete(key);
    this.#asked.set(key, { updatedAt, until });
    const [oldest] = this.#asked.keys();
    if (oldest !== undefined && this.#asked.size > mostAsked) this.#asked.delete(oldest);
  }
}

/** Which threads of a chat backend wait for a person: its list does not say, so their states are read. */

import type { CallOptions } from "../../../api/http.ts";
import type { Interrupt, Thread } from "../../../api/agentServer/wire.ts";
import type { ThreadProtocol } from "../../../api/threadProtocol/index.ts";
import type { ChatMemory } from "./chatMemory.ts";
import { ChatThreads } from "./chatThreads.ts";

/** What one poll of a backend found. */
export interface WaitingChatsResult {
  readonly threads: readonly { readonly thread: Thread; readonly interrupts: readonly Interrupt[] }[];
  /** Whether the backend lists more threads than were asked about. */
  readonly listsMore: boolean;
  /** Whether there are threads whose state was never read; the next poll goes on with them. */
  readonly asking: boolean;
  /** Why one of the states could not be read. */
  readonly error?: unknown;
}

/** What to ask for. */
export interface WaitingChatsQuery extends CallOptions {
  /** At most this many threads, those that changed last. */
  readonly most: number;
  /** Reads also states that were read a moment ago. */
  readonly force: boolean;
}

/** The most states that one poll reads, so that a long list delays nothing else. */
const mostStates = 100;
const statesAtOnce = 6;

export class WaitingChats {
  readonly #client: ThreadProtocol;
  readonly #memory: ChatMemory;

  constructor(client: ThreadProtocol, memory: ChatMemory) {
    this.#client = client;
    this.#memory = memory;
  }

  async poll({ most, force, signal }: WaitingChatsQuery): Promise<WaitingChatsResult> {
    const { states } = this.#memory;
    const page = await new ChatThreads(this.#client, this.#memory).search({ limit: most }, { signal });
    const { threads } = page;
    states.retain(new Set(threads.map(({ thread_id }) => thread_id)));
    const due = threads
      .filter((thread) => this.#isDue(thread, force))
      .toSorted((a, b) => states.readAt(a.thread_id) - states.readAt(b.thread_id));
    await this.#ask(due.slice(0, mostStates), signal);
    const errors = threads.map(({ thread_id }) => states.error(thread_id));
    const error = errors.find((one) => one !== undefined);
    return {
      threads: threads.flatMap((thread) => {
        const interrupts = this.#interrupts(thread);
        return interrupts.length === 0 ? [] : [{ thread, interrupts }];
      }),
      listsMore: page.hasMore,
      asking: due.some(({ thread_id }) => !states.has(thread_id)),
      ...(error === undefined ? {} : { error }),
    };
  }

  /** What runs in this window waits for nobody, whatever its last checkpoint asked. */
  #isDue(thread: Thread, force: boolean): boolean {
    const { states } = this.#memory;
    if (this.#memory.statusOf(thread) === "busy") return false;
    return states.isDue(thread.thread_id, this.#memory.versionOf(thread), force);
  }

  #interrupts(thread: Thread): readonly Interrupt[] {
    if (this.#memory.statusOf(thread) === "busy") return [];
    return this.#memory.states.interrupts(thread.thread_id, this.#memory.versionOf(thread)) ?? [];
  }

  /** A few at a time; after a failure no more are read: it may be too much for the backend. */
  async #ask(threads: readonly Thread[], signal: AbortSignal | undefined): Promise<void> {
    const queue = threads.values();
    let failed = false;
    const askOn = async (): Promise<void> => {
      for (const thread of queue) {
        if (failed) return;
        if (!(await this.#read(thread, signal))) failed = true;
      }
    };
    await Promise.all(Array.from({ length: statesAtOnce }, askOn));
  }

  /** Whether the thread's state could be read. */
  async #read(thread: Thread, signal: AbortSignal | undefined): Promise<boolean> {
    const { thread_id: id, updated_at: at } = thread;
    const { states } = this.#memory;
    const version = this.#memory.versionOf(thread);
    try {
      states.set(id, version, await this.#client.state(id, { signal }), at !== "");
      return true;
    } catch (error) {
      if (signal?.aborted === true) throw error;
      states.setError(id, version, error);
      return false;
    }
  }
}

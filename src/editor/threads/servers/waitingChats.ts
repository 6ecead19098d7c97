/** Which threads of a chat backend wait for a person: its list does not tell, so their states are asked for. */

import type { CallOptions } from "../../../api/http.ts";
import type { Interrupt, Thread } from "../../../api/agentServer/wire.ts";
import type { ThreadProtocol } from "../../../api/threadProtocol/index.ts";
import type { ChatMemory } from "./chatMemory.ts";
import { ChatThreads } from "./chatThreads.ts";

/** What one look at a backend found. */
export interface WaitingInChats {
  readonly threads: readonly { readonly thread: Thread; readonly interrupts: readonly Interrupt[] }[];
  /** Whether the backend lists more threads than were looked at. */
  readonly listsMore: boolean;
  /** Whether there are threads of which nobody knows yet; the next look goes on with them. */
  readonly asking: boolean;
  /** Why one of the states could not be read. */
  readonly error?: unknown;
}

/** How far to look. */
export interface ChatLook extends CallOptions {
  /** So many threads, those that changed last. */
  readonly most: number;
  /** Asks also for states that were asked for a moment ago. */
  readonly afresh: boolean;
}

/** For so many states one look asks, so that a long list keeps nothing else waiting. */
const statesInLook = 100;
const statesAtOnce = 6;

export class WaitingChats {
  readonly #client: ThreadProtocol;
  readonly #memory: ChatMemory;

  constructor(client: ThreadProtocol, memory: ChatMemory) {
    this.#client = client;
    this.#memory = memory;
  }

  async look({ most, afresh, signal }: ChatLook): Promise<WaitingInChats> {
    const { standings } = this.#memory;
    const page = await new ChatThreads(this.#client, this.#memory).search({ limit: most }, { signal });
    const { threads } = page;
    standings.retain(new Set(threads.map(({ thread_id }) => thread_id)));
    const due = threads
      .filter((thread) => this.#isDue(thread, afresh))
      .toSorted((a, b) => standings.askedAt(a.thread_id) - standings.askedAt(b.thread_id));
    await this.#ask(due.slice(0, statesInLook), signal);
    const errors = threads.map(({ thread_id }) => standings.error(thread_id));
    const error = errors.find((one) => one !== undefined);
    return {
      threads: threads.flatMap((thread) => {
        const interrupts = this.#interrupts(thread);
        return interrupts.length === 0 ? [] : [{ thread, interrupts }];
      }),
      listsMore: page.hasMore,
      asking: due.some(({ thread_id }) => standings.isNew(thread_id)),
      ...(error === undefined ? {} : { error }),
    };
  }

  /** What runs in this window waits for nobody, whatever its last checkpoint asked. */
  #isDue(thread: Thread, afresh: boolean): boolean {
    const { standings } = this.#memory;
    if (this.#memory.statusOf(thread) === "busy") return false;
    return standings.isDue(thread.thread_id, this.#memory.markOf(thread), afresh);
  }

  #interrupts(thread: Thread): readonly Interrupt[] {
    if (this.#memory.statusOf(thread) === "busy") return [];
    return this.#memory.standings.interrupts(thread.thread_id, this.#memory.markOf(thread)) ?? [];
  }

  /** A few at a time; what fails ends the look at the others, which the backend may not bear either. */
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
    const { standings } = this.#memory;
    const mark = this.#memory.markOf(thread);
    try {
      standings.note(id, mark, await this.#client.state(id, { signal }), at !== "");
      return true;
    } catch (error) {
      if (signal?.aborted === true) throw error;
      standings.noteError(id, mark, error);
      return false;
    }
  }
}

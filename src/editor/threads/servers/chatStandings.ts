/** What the states of a chat backend's threads said, so that a thread that did not change is not asked again. */

import type { Interrupt, ThreadState } from "../../../api/agentServer/wire.ts";
import { pendingInterrupts } from "../../../run/fold/threadState.ts";
import { statusIn, withInterrupts } from "./chatState.ts";

/** What became of asking for one thread's state. */
interface Standing {
  /** What the thread looked like from outside when it was asked for. */
  readonly mark: string;
  /** What it asks a person; empty when nothing, absent when it could never be read. */
  readonly interrupts: readonly Interrupt[] | undefined;
  /** Why the state could not be read. */
  readonly error?: unknown;
  readonly askedAt: number;
  /** When it may say something else although it looks the same from outside; Infinity when it can't. */
  readonly againAt: number;
  readonly pauseMs: number;
}

const shortestPauseMs = 2_000;
const longestPauseMs = 60_000;

export class ChatStandings {
  readonly #now: () => number;
  readonly #standings = new Map<string, Standing>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What the thread asks a person; undefined when its state was not read since it looks like this. */
  interrupts(threadId: string, mark: string): readonly Interrupt[] | undefined {
    return this.#at(threadId, mark)?.interrupts;
  }

  /** Why the thread's state could not be read when it was asked for last. */
  error(threadId: string): unknown {
    return this.#standings.get(threadId)?.error;
  }

  /** Whether the thread's state could not be read a moment ago, and the pause after that is not over. */
  isResting(threadId: string): boolean {
    const standing = this.#standings.get(threadId);
    return standing?.error !== undefined && standing.againAt > this.#now();
  }

  /** Whether nobody asked for the thread's state yet. */
  isNew(threadId: string): boolean {
    return !this.#standings.has(threadId);
  }

  /** When the thread's state was asked for last; the first to be asked for again is the one of longest ago. */
  askedAt(threadId: string): number {
    return this.#standings.get(threadId)?.askedAt ?? 0;
  }

  /** Whether to ask for the thread's state; `afresh` asks also when its pause is not over. */
  isDue(threadId: string, mark: string, afresh: boolean): boolean {
    const standing = this.#standings.get(threadId);
    if (standing === undefined || (standing.mark !== mark && standing.error === undefined)) return true;
    return standing.againAt <= this.#now() || (afresh && standing.againAt !== Infinity);
  }

  /** A thread's state as it was read; undefined when the backend has none. `dated`: a change of it shows outside. */
  note(threadId: string, mark: string, state: ThreadState | undefined, dated: boolean): void {
    const whole = state === undefined ? undefined : withInterrupts(state);
    const interrupts = whole === undefined ? [] : pendingInterrupts(whole);
    const over = whole === undefined || statusIn(whole) === "success";
    const at = this.#now();
    const once = { mark, interrupts, askedAt: at };
    // A task may ask, and be answered, without a new checkpoint: the time of the last change stays the same.
    if (interrupts.length > 0) this.#standings.set(threadId, { ...once, againAt: at, pauseMs: 0 });
    else if (over && dated) this.#standings.set(threadId, { ...once, againAt: Infinity, pauseMs: 0 });
    else this.#standings.set(threadId, { ...once, ...this.#pause(threadId, mark) });
  }

  /** The state could not be read: what was known of it stands. */
  noteError(threadId: string, mark: string, error: unknown): void {
    const { interrupts } = this.#at(threadId, mark) ?? {};
    const pause = this.#pause(threadId, mark);
    this.#standings.set(threadId, { mark, interrupts, error, askedAt: this.#now(), ...pause });
  }

  /** Keeps only these threads. */
  retain(threadIds: ReadonlySet<string>): void {
    for (const id of this.#standings.keys()) if (!threadIds.has(id)) this.#standings.delete(id);
  }

  #at(threadId: string, mark: string): Standing | undefined {
    const standing = this.#standings.get(threadId);
    return standing?.mark === mark ? standing : undefined;
  }

  /** Twice as long as the last one while the thread looks the same. */
  #pause(threadId: string, mark: string): Pick<Standing, "againAt" | "pauseMs"> {
    const before = this.#at(threadId, mark)?.pauseMs ?? 0;
    const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, 2 * before));
    return { againAt: this.#now() + pauseMs, pauseMs };
  }
}

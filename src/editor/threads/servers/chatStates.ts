/** The states of a chat backend's threads: how they are read, and what they said, cached until a thread changes. */

import type { Interrupt, RunStatus, ThreadState, ThreadTask } from "../../../api/agentServer/wire.ts";
import { growingPause } from "../../../api/retry.ts";
import { pendingInterrupts } from "../../../run/fold/threadState.ts";
import { titleFrom } from "./threadTitle.ts";

/** What reading one thread's state gave. */
interface CachedState {
  /** What the thread looked like from outside when its state was read. */
  readonly version: string;
  /** What it asks a person; empty when nothing, absent when it could never be read. */
  readonly interrupts: readonly Interrupt[] | undefined;
  /** Why the state could not be read. */
  readonly error?: unknown;
  readonly readAt: number;
  /** When it may say something else although the version is the same; Infinity when it can't. */
  readonly againAt: number;
  /** How often in a row it was read and will be read again; the pause in between grows with it. */
  readonly attempts: number;
}

interface CachedTitle {
  readonly version: string;
  readonly title: string | undefined;
}

const backoff = { firstMs: 2_000, mostMs: 60_000 };

/** The cache. A thread's version is whatever changes when the thread does, as far as that can be seen from outside. */
export class ChatStates {
  readonly #now: () => number;
  readonly #states = new Map<string, CachedState>();
  readonly #titles = new Map<string, CachedTitle>();

  /** `now` gives epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** What the thread asks a person; undefined when its state was not read at this version. */
  interrupts(threadId: string, version: string): readonly Interrupt[] | undefined {
    return this.#at(threadId, version)?.interrupts;
  }

  /** Why the thread's state could not be read the last time. */
  error(threadId: string): unknown {
    return this.#states.get(threadId)?.error;
  }

  /** Whether the thread's state could not be read a moment ago, and the pause after that is not over. */
  isBackingOff(threadId: string): boolean {
    const state = this.#states.get(threadId);
    return state?.error !== undefined && state.againAt > this.#now();
  }

  has(threadId: string): boolean {
    return this.#states.has(threadId);
  }

  /** When the thread's state was read last, 0 for never: the one of longest ago is read first. */
  readAt(threadId: string): number {
    return this.#states.get(threadId)?.readAt ?? 0;
  }

  /** Whether to read the thread's state; `force` reads it also when its pause is not over. */
  isDue(threadId: string, version: string, force: boolean): boolean {
    const state = this.#states.get(threadId);
    if (state === undefined || (state.version !== version && state.error === undefined)) return true;
    return state.againAt <= this.#now() || (force && state.againAt !== Infinity);
  }

  /**
   * Keeps a state that was read; undefined when the backend has none. `isDated`: the version changes with each change
   * of the thread.
   */
  set(threadId: string, version: string, state: ThreadState | undefined, isDated: boolean): void {
    const whole = state === undefined ? undefined : withInterrupts(state);
    const interrupts = whole === undefined ? [] : pendingInterrupts(whole);
    const isOver = whole === undefined || statusIn(whole) === "success";
    const readAt = this.#now();
    const read = { version, interrupts, readAt };
    // A task may ask, and be answered, without a new checkpoint: the time of the last change stays the same.
    if (interrupts.length > 0) this.#states.set(threadId, { ...read, againAt: readAt, attempts: 0 });
    else if (isOver && isDated) this.#states.set(threadId, { ...read, againAt: Infinity, attempts: 0 });
    else this.#states.set(threadId, { ...read, ...this.#pause(threadId, version) });
  }

  /** The state could not be read: what was known of it stays. */
  setError(threadId: string, version: string, error: unknown): void {
    const { interrupts } = this.#at(threadId, version) ?? {};
    const pause = this.#pause(threadId, version);
    this.#states.set(threadId, { version, interrupts, error, readAt: this.#now(), ...pause });
  }

  /** Keeps only the states of these threads. */
  retain(threadIds: ReadonlySet<string>): void {
    for (const id of this.#states.keys()) if (!threadIds.has(id)) this.#states.delete(id);
  }

  /** What the first message says; undefined as long as it is not known. */
  title(threadId: string): string | undefined {
    return this.#titles.get(threadId)?.title;
  }

  /** Keeps the title that a state gives; undefined for a state that can't be read. */
  setTitle(threadId: string, version: string, state: ThreadState | undefined): void {
    const title = state === undefined ? undefined : titleFrom(state.values);
    this.#titles.set(threadId, { title, version });
  }

  /** Whether reading the state may give a title: it was not read, or had no message yet and has changed. */
  mayHaveTitle(threadId: string, version: string): boolean {
    const known = this.#titles.get(threadId);
    return known === undefined || (known.title === undefined && known.version !== version);
  }

  #at(threadId: string, version: string): CachedState | undefined {
    const state = this.#states.get(threadId);
    return state?.version === version ? state : undefined;
  }

  /** Twice as long as the last one while the version is the same. */
  #pause(threadId: string, version: string): Pick<CachedState, "againAt" | "attempts"> {
    const { attempts = 0 } = this.#at(threadId, version) ?? {};
    return { againAt: this.#now() + growingPause(attempts, backoff), attempts: attempts + 1 };
  }
}

/** What backends leave out of a state, or add to it. */
interface LooseState {
  readonly tasks?: readonly ThreadTask[];
  readonly interrupts?: readonly Interrupt[];
}

/** The state with what is asked in its tasks: older servers put the interrupts beside them. */
export function withInterrupts(state: ThreadState): ThreadState {
  const { interrupts: beside = [], tasks: given } = state as LooseState;
  const tasks = given ?? [];
  if (beside.length === 0 || pendingInterrupts({ ...state, tasks }).length > 0) return { ...state, tasks };
  return { ...state, tasks: [...tasks, { id: "", name: "", interrupts: beside }] };
}

/** "running" while nodes are next and no question waits. */
export function statusIn(state: ThreadState): RunStatus {
  if (pendingInterrupts(state).length > 0) return "success";
  if (state.tasks.some(({ error }) => error !== undefined && error !== null)) return "error";
  return Array.isArray(state.next) && state.next.length === 0 ? "success" : "running";
}

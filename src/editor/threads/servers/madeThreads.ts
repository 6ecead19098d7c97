/** The threads that were made here on one backend, for backends that list none: ids and times, nothing of what was said. */

import type { ThreadState } from "../../../api/agentServer/wire.ts";
import { titleFrom } from "./threadTitle.ts";

/** What is remembered of a thread. */
export interface MadeThread {
  readonly id: string;
  /** When it was made, ISO. */
  readonly at: string;
}

/** Where they are kept beyond this window. */
export interface MadeStore {
  get(): readonly MadeThread[];
  set(threads: readonly MadeThread[]): void;
}

/** What this window read of a thread's state. */
interface StateFacts {
  readonly title: string | undefined;
  /** What the thread looked like from outside when it was read. */
  readonly mark: string;
}

export class MadeThreads {
  readonly #store: MadeStore;
  readonly #facts = new Map<string, StateFacts>();
  #lost = 0;

  constructor(store: MadeStore) {
    this.#store = store;
  }

  /** The newest first. */
  get list(): readonly MadeThread[] {
    return this.#store.get().toReversed();
  }

  /** How many of them the backend did not know any more, since the window was opened. */
  get lost(): number {
    return this.#lost;
  }

  add(id: string): void {
    this.#store.set([...this.#without(id), { id, at: new Date().toISOString() }]);
  }

  /** False when it was not among them. */
  remove(id: string): boolean {
    const rest = this.#without(id);
    if (rest.length === this.#store.get().length) return false;
    this.#store.set(rest);
    return true;
  }

  /** The backend does not know it any more; false when it was not among them. */
  lose(id: string): boolean {
    if (!this.remove(id)) return false;
    this.#lost += 1;
    return true;
  }

  /** The backend has a list: nothing needs to be remembered. */
  clear(): void {
    if (this.#store.get().length > 0) this.#store.set([]);
  }

  /** Notes what a state tells; undefined for one that can't be read. */
  tell(id: string, state: ThreadState | undefined, mark: string): void {
    this.#facts.set(id, { title: state === undefined ? undefined : titleFrom(state.values), mark });
  }

  titleOf(id: string): string | undefined {
    return this.#facts.get(id)?.title;
  }

  /** Whether reading its state may tell more: it was not read, or had no beginning yet and has changed. */
  isUntold(id: string, mark: string): boolean {
    const facts = this.#facts.get(id);
    return facts === undefined || (facts.title === undefined && facts.mark !== mark);
  }

  #without(id: string): readonly MadeThread[] {
    return this.#store.get().filter((thread) => thread.id !== id);
  }
}

/** Remembers for as long as the object is there. */
export function passingStore(): MadeStore {
  let held: readonly MadeThread[] = [];
  return {
    get: () => held,
    set: (threads) => {
      held = threads;
    },
  };
}

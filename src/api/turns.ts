/** How many requests are on their way at once, to all servers together; what a person does goes before what is only polled. */

import { AsyncLocalStorage } from "node:async_hooks";

/** How many at once; what is absent has a bound that suits a window of the editor. */
export interface TurnsOptions {
  /** In all. */
  readonly most?: number;
  /** To one origin: a server that does not answer keeps no other waiting. */
  readonly mostPerOrigin?: number;
  /** Of those that nobody waits for; the rest is always free for a person. */
  readonly mostInBackground?: number;
  /** Of those, to one origin. */
  readonly mostInBackgroundPerOrigin?: number;
}

/** A request that is on its way, or wants to be. */
interface Turn {
  readonly origin: string;
  readonly isBackground: boolean;
}

interface Waiting extends Turn {
  readonly start: () => void;
}

const background = new AsyncLocalStorage<boolean>();

/** Runs work that nobody waits for, such as a poll: its requests leave after those of a person. */
export function inBackground<T>(work: () => T): T {
  return background.run(true, work);
}

/** Lets requests leave in turns: those of a person first, each kind in the order in which they came. */
export class Turns {
  readonly #options: Required<TurnsOptions>;
  readonly #going = new Set<Turn>();
  readonly #waiting = new Set<Waiting>();

  constructor(options: TurnsOptions = {}) {
    const bounds = { most: 6, mostPerOrigin: 4, mostInBackground: 4, mostInBackgroundPerOrigin: 3 };
    this.#options = { ...bounds, ...options };
  }

  /**
   * Resolves when a request to the origin may leave, with a function to call once its answer was read. Rejects with
   * the signal's reason when that aborts before.
   */
  async take(origin: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const turn: Turn = { origin, isBackground: background.getStore() === true };
    if (this.#isFree(turn)) this.#going.add(turn);
    else await this.#wait(turn, signal);
    return () => {
      if (this.#going.delete(turn)) this.#next();
    };
  }

  #wait(turn: Turn, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        ...turn,
        start: () => {
          signal?.removeEventListener("abort", leave);
          this.#going.add(turn);
          resolve();
        },
      };
      const leave = (): void => {
        this.#waiting.delete(waiting);
        reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.add(waiting);
    });
  }

  #next(): void {
    for (const isBackground of [false, true]) {
      for (const waiting of this.#waiting) {
        if (waiting.isBackground !== isBackground || !this.#isFree(waiting)) continue;
        this.#waiting.delete(waiting);
        waiting.start();
      }
    }
  }

  #isFree({ origin, isBackground }: Turn): boolean {
    const { most, mostPerOrigin, mostInBackground, mostInBackgroundPerOrigin } = this.#options;
    const going = [...this.#going];
    const here = going.filter((turn) => turn.origin === origin);
    if (going.length >= most || here.length >= mostPerOrigin) return false;
    const later = (turns: readonly Turn[]): number => turns.filter((turn) => turn.isBackground).length;
    return !isBackground || (later(going) < mostInBackground && later(here) < mostInBackgroundPerOrigin);
  }
}

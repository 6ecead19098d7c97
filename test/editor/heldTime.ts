/** The clock by which the extension polls, in the hands of a test. */

import type { Clock } from "../../src/api/retry.ts";
import type { Extension } from "./extensionUnderTest.ts";

/** Time that stands still but for what the test lets pass. */
export interface HeldTime extends Disposable {
  /** The pauses until what polls goes on, in ms that are left: what nobody sees has none. */
  readonly pauses: readonly number[];
  /** Ends at once the pauses that are over after so long. */
  pass(ms: number): void;
}

/** Stops the clock for views and documents until it is let go of; then their pauses go on in their own time. */
export function holdTime({ clock }: Pick<Extension, "clock">): HeldTime {
  return controlled(clock).hold();
}

/** Puts the clock under control, so that pauses that begin from now on can be ended. */
export function controlTime({ clock }: Pick<Extension, "clock">): void {
  controlled(clock);
}

interface Pause {
  readonly endsAt: number;
  readonly end: () => void;
  timer: NodeJS.Timeout | undefined;
}

const clocks = new WeakMap<Clock, ControlledClock>();

function controlled(clock: Clock): ControlledClock {
  const known = clocks.get(clock) ?? new ControlledClock();
  clocks.set(clock, known);
  clock.now = () => known.now();
  clock.sleep = (ms, signal) => known.sleep(ms, signal);
  return known;
}

/** Runs as real time does, unless it is held. It never goes back. */
class ControlledClock {
  readonly #pauses = new Set<Pause>();
  #aheadMs = 0;
  #heldAt: number | undefined;

  now(): number {
    return this.#heldAt ?? Date.now() + this.#aheadMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const over = (): void => {
        clearTimeout(pause.timer);
        this.#pauses.delete(pause);
      };
      const end = (): void => {
        over();
        resolve();
      };
      const pause: Pause = { endsAt: this.now() + ms, end, timer: undefined };
      this.#pauses.add(pause);
      if (this.#heldAt === undefined || ms <= 0) this.#run(pause);
      signal?.addEventListener("abort", () => {
        over();
        reject(new Error("The pause was ended."));
      });
    });
  }

  hold(): HeldTime {
    this.#heldAt = this.now();
    for (const { timer } of this.#pauses) clearTimeout(timer);
    const left = (): readonly number[] => [...this.#pauses].map(({ endsAt }) => endsAt - this.now());
    return {
      get pauses() {
        return left();
      },
      pass: (ms) => this.#pass(ms),
      [Symbol.dispose]: () => this.#letGo(),
    };
  }

  #pass(ms: number): void {
    const now = this.now() + ms;
    this.#heldAt = now;
    for (const pause of [...this.#pauses]) if (pause.endsAt <= now) pause.end();
  }

  #letGo(): void {
    this.#aheadMs = this.now() - Date.now();
    this.#heldAt = undefined;
    for (const pause of this.#pauses) this.#run(pause);
  }

  #run(pause: Pause): void {
    pause.timer = setTimeout(pause.end, Math.max(0, pause.endsAt - this.now()));
  }
}

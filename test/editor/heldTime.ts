/** The clock by which the extension polls, in the hands of a test. */

import type { Clock } from "../../src/api/retry.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";

/**
 * Time that stands still but for what the test lets pass. All that polls has the same clock, and what is on its way has
 * no pause: a test lets time pass until what it waits for is there, and counts the requests that are its own.
 */
export interface HeldTime extends Disposable {
  /** Ends at once the pauses that are over after so long. */
  pass(ms: number): void;
  /** Lets so much time pass again and again until `holds` gives something true, and returns it. */
  until<T>(awaited: string, holds: () => T | Promise<T>, stepMs?: number): Promise<NonNullable<T>>;
  /** Whether something, whatever it is, began a pause since time passed last, of as many ms as `fits` accepts. */
  began(fits: (ms: number) => boolean): boolean;
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
  readonly ms: number;
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
      const pause: Pause = { ms, endsAt: this.now() + ms, end, timer: undefined };
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
    return {
      pass: (ms) => this.#pass(ms),
      until: (awaited, holds, stepMs = 1000) =>
        until(awaited, async () => {
          const held = await holds();
          if (!held) this.#pass(stepMs);
          return held;
        }),
      began: (fits) => [...this.#pauses].some(({ ms, endsAt }) => endsAt === this.now() + ms && fits(ms)),
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

/** A clock that jumps to its next timer whenever nothing else is going on. */

import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../src/api/retry.ts";

interface Timer {
  readonly at: number;
  readonly ring: () => void;
}

export class TestClock implements Clock {
  private time = 1_700_000_000_000;
  private timers: Timer[] = [];

  now(): number {
    return this.time;
  }

  random(): number {
    return 0.5;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const timer: Timer = { at: this.time + ms, ring: resolve };
      this.timers = [...this.timers, timer].sort((a, b) => a.at - b.at);
      signal?.addEventListener("abort", () => {
        this.timers = this.timers.filter((other) => other !== timer);
        reject(new Error("aborted"));
      });
    });
  }

  /** Lets time pass until the condition holds. */
  async until(holds: () => boolean): Promise<void> {
    for (let turn = 0; turn < 20_000; turn += 1) {
      for (let quiet = 0; quiet < 3; quiet += 1) {
        if (holds()) return;
        await setImmediate();
      }
      const next = this.timers.shift();
      if (next === undefined) continue;
      this.time = Math.max(this.time, next.at);
      next.ring();
    }
    throw new Error("it never happened");
  }
}

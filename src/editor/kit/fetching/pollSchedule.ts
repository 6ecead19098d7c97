/** When to ask the servers again: soon while things change, rarely while they don't, never while nobody sees it. */

import { ApiError } from "../../../api/errors.ts";
import type { Clock } from "../../../api/retry.ts";
import { inBackground } from "../../../api/turns.ts";

/** What one poll found. */
export interface PollResult {
  readonly changed: boolean;
  /** Something is running or waiting. */
  readonly busy: boolean;
  /** The server asked for no request for so long. */
  readonly retryAfterMs?: number | undefined;
}

const aMinuteMs = 60_000;

/** Has at most one timer, and none while nobody watches. */
export class PollSchedule {
  readonly #poll: (signal: AbortSignal) => Promise<PollResult>;
  readonly #fastestMs: () => number;
  readonly #clock: Clock;
  readonly #slowestMs: () => number;
  #watched = false;
  #waiting: AbortController | undefined;
  #polling: AbortController | undefined;
  #delayMs: number;
  #lastAt: number | undefined;

  /** `poll` never rejects: what it can't fetch it shows. The pauses grow up to a minute unless given. */
  constructor(
    poll: (signal: AbortSignal) => Promise<PollResult>,
    fastestMs: () => number,
    clock: Clock,
    slowestMs: () => number = () => aMinuteMs,
  ) {
    this.#poll = poll;
    this.#fastestMs = fastestMs;
    this.#clock = clock;
    this.#slowestMs = slowestMs;
    this.#delayMs = fastestMs();
  }

  /** Whether somebody can see the view; becoming visible polls at once when the last poll is old. */
  watch(watched: boolean): void {
    if (watched === this.#watched) return;
    this.#watched = watched;
    if (!watched) {
      this.#stop();
      return;
    }
    // What is shown for the first time has just been fetched.
    this.#lastAt ??= this.#clock.now();
    const age = this.#clock.now() - this.#lastAt;
    this.#delayMs = this.#fastestMs();
    this.#wait(Math.max(0, this.#delayMs - age));
  }

  /** Something happened: the next poll comes at the fastest pace. */
  hurry(): void {
    this.#delayMs = this.#fastestMs();
    if (this.#watched && this.#polling === undefined) this.#wait(this.#delayMs);
  }

  dispose(): void {
    this.#watched = false;
    this.#stop();
  }

  #stop(): void {
    this.#waiting?.abort();
    this.#waiting = undefined;
    this.#polling?.abort();
    this.#polling = undefined;
  }

  #wait(ms: number): void {
    this.#waiting?.abort();
    const waiting = new AbortController();
    this.#waiting = waiting;
    const over = (): void => {
      if (this.#waiting === waiting) void this.#tick();
    };
    this.#clock.sleep(ms, waiting.signal).then(over, () => undefined);
  }

  async #tick(): Promise<void> {
    const polling = new AbortController();
    this.#polling = polling;
    const result = await inBackground(() => this.#poll(polling.signal));
    if (this.#polling !== polling) return;
    this.#polling = undefined;
    this.#lastAt = this.#clock.now();
    this.#delayMs = nextDelay(this.#delayMs, result, this.#fastestMs(), this.#slowestMs());
    this.#wait(Math.max(this.#delayMs, result.retryAfterMs ?? 0));
  }
}

/** One result of several polls that were made together. */
export function together(results: readonly PollResult[]): PollResult {
  const waits = results.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  return {
    changed: results.some(({ changed }) => changed),
    busy: results.some(({ busy }) => busy),
    ...(waits.length > 0 && { retryAfterMs: Math.max(...waits) }),
  };
}

/** For how long the server asked for no request, in ms; undefined when it didn't. */
export function retryAfter(error: unknown): number | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.retryAfterMs ?? (error.kind === "rateLimited" ? aMinuteMs : undefined);
}

/** The pause after a poll: the fastest pace after a change, growing up to the slowest without one. */
export function nextDelay(
  previousMs: number,
  result: PollResult,
  fastestMs: number,
  slowestMs = aMinuteMs,
): number {
  if (result.changed) return fastestMs;
  const grown = Math.max(fastestMs, previousMs) * (result.busy ? 1.5 : 3);
  return Math.min(Math.max(fastestMs, slowestMs), grown);
}

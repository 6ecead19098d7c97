/** Asking again and again until something is done, ever less often. */

import { backoff, sleep } from "./backoff.ts";
import { ApiError } from "./errors.ts";

/** What tells the time and lets it pass; tests bring their own. */
export interface PollClock {
  /** Milliseconds since any fixed moment. */
  now(): number;
  /** Rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** When to stop asking, and how often to ask. */
export interface PollOptions<T> {
  readonly until: (value: T) => boolean;
  /** Whether things move between two answers: then the next question comes after the first interval again. */
  readonly moved?: ((before: T, now: T) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** First interval, 2 s unless given. */
  readonly minMs?: number | undefined;
  /** Longest interval, 60 s unless given. */
  readonly maxMs?: number | undefined;
  /** Give up after so long, with a last question at the end; for ever unless given. */
  readonly deadlineMs?: number | undefined;
  readonly random?: (() => number) | undefined;
  readonly clock?: PollClock | undefined;
}

/** The machine's own time. */
export const realClock: PollClock = { now: () => performance.now(), sleep };

/**
 * Calls `ask` until its value is accepted, waiting jittered and doubling intervals in between.
 * A 429 or 503 with Retry-After is waited out; other errors, and a deadline that passed, are thrown.
 */
export async function poll<T, Done extends T>(
  ask: (signal: AbortSignal | undefined) => Promise<T>,
  options: PollOptions<T> & { readonly until: (value: T) => value is Done },
): Promise<Done>;
export async function poll<T>(
  ask: (signal: AbortSignal | undefined) => Promise<T>,
  options: PollOptions<T>,
): Promise<T>;
export async function poll<T>(
  ask: (signal: AbortSignal | undefined) => Promise<T>,
  options: PollOptions<T>,
): Promise<T> {
  const { until, moved, signal, minMs = 2000, maxMs = 60_000, deadlineMs = Infinity, random } = options;
  const { clock = realClock } = options;
  const end = clock.now() + deadlineMs;
  let before: { readonly value: T } | undefined;
  for (let attempt = 0; ; attempt++) {
    const outcome = await asked(ask, signal);
    if ("value" in outcome) {
      if (until(outcome.value)) return outcome.value;
      if (before !== undefined && moved?.(before.value, outcome.value) === true) attempt = 0;
      before = outcome;
    }
    const leastMs = "retryAfterMs" in outcome ? outcome.retryAfterMs : 0;
    const leftMs = end - clock.now();
    if (leftMs <= 0 || leastMs > leftMs)
      throw new PollTimeout(`still not done after ${Math.round(deadlineMs / 1000)} s`);
    await clock.sleep(Math.min(leftMs, Math.max(backoff(attempt, minMs, maxMs, random), leastMs)), signal);
  }
}

/** The deadline of `poll` passed. */
export class PollTimeout extends Error {
  override readonly name = "PollTimeout";
}

async function asked<T>(
  ask: (signal: AbortSignal | undefined) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<{ readonly value: T } | { readonly retryAfterMs: number }> {
  try {
    return { value: await ask(signal) };
  } catch (error) {
    if (error instanceof ApiError && error.retryAfterMs !== undefined)
      return { retryAfterMs: error.retryAfterMs };
    throw error;
  }
}

/** Asking again and again until something is done, ever less often. */

import { backoff, sleep } from "./backoff.ts";
import { ApiError } from "./errors.ts";

/** When to stop asking, and how often to ask. */
export interface PollOptions<T> {
  readonly until: (value: T) => boolean;
  readonly signal?: AbortSignal | undefined;
  /** First interval, 2 s unless given. */
  readonly minMs?: number | undefined;
  /** Longest interval, 60 s unless given. */
  readonly maxMs?: number | undefined;
  /** Give up after so long; for ever unless given. */
  readonly deadlineMs?: number | undefined;
  readonly random?: (() => number) | undefined;
}

/**
 * Calls `ask` until its value is accepted, waiting jittered and doubling intervals in between.
 * A 429 or 503 with Retry-After is waited out; other errors, and a deadline that passed, are thrown.
 */
export async function poll<T>(
  ask: (signal: AbortSignal | undefined) => Promise<T>,
  options: PollOptions<T>,
): Promise<T> {
  const { until, signal, minMs = 2000, maxMs = 60_000, deadlineMs = Infinity, random } = options;
  const end = performance.now() + deadlineMs;
  for (let attempt = 0; ; attempt++) {
    const outcome = await asked(ask, signal);
    if (!("retryAfterMs" in outcome) && until(outcome.value)) return outcome.value;
    const waitMs = Math.max(
      backoff(attempt, minMs, maxMs, random),
      "retryAfterMs" in outcome ? outcome.retryAfterMs : 0,
    );
    if (performance.now() + waitMs > end)
      throw new PollTimeout(`still not done after ${Math.round(deadlineMs / 1000)} s`);
    await sleep(waitMs, signal);
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

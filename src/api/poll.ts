/** Asking again and again until something is done, ever less often. */

import timers from "node:timers/promises";
import { ApiError } from "./errors.ts";
import { type Clock, growingPause, isTransient } from "./retry.ts";

/** When to stop asking, and how often to ask. */
export interface PollOptions<T> {
  readonly until: (value: T) => boolean;
  /** Whether there was progress between two answers: the interval then starts again at the first one. */
  readonly moved?: ((before: T, now: T) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** First interval, 2 s unless given. */
  readonly minMs?: number | undefined;
  /** Longest interval, 60 s unless given. */
  readonly maxMs?: number | undefined;
  /** Milliseconds until polling ends, with one last request; no limit unless given. */
  readonly deadlineMs?: number | undefined;
  /** Called with each transient failure; polling then goes on. */
  readonly onTransient?: ((error: unknown) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** The machine's own time. */
export const realClock: Clock = { now: Date.now, sleep, random: Math.random };

/** Node makes one millisecond of a longer pause. */
const longestMs = 2 ** 31 - 1;

/** Resolves after `ms`, or after 24 days if that is sooner; rejects with an AbortError as soon as the signal aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await timers.setTimeout(Math.min(ms, longestMs), undefined, signal === undefined ? {} : { signal });
}

/**
 * Calls `ask` until its value is accepted, waiting jittered and doubling intervals in between.
 * An error with Retry-After is waited out; others are thrown unless `onTransient` takes them. Throws PollTimeout.
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
  const { until, moved, signal, minMs = 2000, maxMs = 60_000, deadlineMs = Infinity } = options;
  const { clock = realClock } = options;
  const pauses = { firstMs: minMs, mostMs: maxMs, random: () => clock.random() };
  const end = clock.now() + deadlineMs;
  let before: { readonly value: T } | undefined;
  for (let attempt = 0; ; attempt++) {
    const outcome = await asked(ask, options);
    if ("value" in outcome) {
      if (until(outcome.value)) return outcome.value;
      if (before !== undefined && moved?.(before.value, outcome.value) === true) attempt = 0;
      before = outcome;
    }
    const leastMs = "retryAfterMs" in outcome ? outcome.retryAfterMs : 0;
    const leftMs = end - clock.now();
    if (leftMs <= 0 || leastMs > leftMs)
      throw new PollTimeout(`still not done after ${Math.round(deadlineMs / 1000)} s`);
    await clock.sleep(Math.min(leftMs, Math.max(growingPause(attempt, pauses), leastMs)), signal);
  }
}

/** As `poll`, but undefined where its deadline passed. */
export async function pollWithin<T>(
  ask: (signal: AbortSignal | undefined) => Promise<T>,
  options: PollOptions<T> & { readonly deadlineMs: number },
): Promise<T | undefined> {
  try {
    return await poll(ask, options);
  } catch (error) {
    if (error instanceof PollTimeout) return undefined;
    throw error;
  }
}

/** The deadline of `poll` passed. */
export class PollTimeout extends Error {
  override readonly name = "PollTimeout";
}

async function asked<T>(
  ask: (signal: AbortSignal | undefined) => Promise<T>,
  { signal, onTransient }: PollOptions<T>,
): Promise<{ readonly value: T } | { readonly retryAfterMs: number }> {
  try {
    return { value: await ask(signal) };
  } catch (error) {
    const wanted = error instanceof ApiError ? error.retryAfterMs : undefined;
    const waits = onTransient !== undefined && signal?.aborted !== true && isTransient(error);
    if (waits) onTransient(error);
    else if (wanted === undefined) throw error;
    return { retryAfterMs: wanted ?? 0 };
  }
}

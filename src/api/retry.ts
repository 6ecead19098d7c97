/**
 * When to try again: which failures are transient, which are for good, and how the pauses between attempts grow.
 * It imports nothing that runs, so that `src/run` can use it without reaching the network library.
 */

import type { ErrorKind } from "./errors.ts";

/** The time, and pauses; tests bring their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

/** Without an answer: the network or the proxy is away, or the server is being restarted. */
const transientKinds: ReadonlySet<string> = new Set<ErrorKind>([
  "dns",
  "refused",
  "unreachable",
  "proxy",
  "timeout",
  "cut",
]);

/**
 * Whether the same call may work later, although nobody changes anything. Reads the kind and the status of an ApiError,
 * the status of any other error, and `isTransient` of errors that say so of themselves.
 */
export function isTransient(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { kind, status, isTransient: says } = error as Readonly<Record<string, unknown>>;
  if (says === true || (typeof kind === "string" && transientKinds.has(kind))) return true;
  return typeof status === "number" && isTransientStatus(status);
}

/** Timeouts, limits of the rate, and failures of the server; 501 says that it will never do what was asked. */
function isTransientStatus(status: number): boolean {
  return [408, 425, 429].includes(status) || (status >= 500 && status !== 501);
}

/** Whether the status means that the server has no such endpoint: a retry never helps. */
export function isUnsupportedStatus(status: number | undefined): boolean {
  return status === 404 || status === 405 || status === 501;
}

/** How pauses grow. */
export interface Pauses {
  /** The first pause. */
  readonly firstMs: number;
  readonly mostMs: number;
  /** From 0 to 1; with it half of each pause is random, so that many clients don't come back at once. */
  readonly random?: (() => number) | undefined;
}

/** The pause after an attempt, counted from 0: doubling from the first up to the longest one. */
export function growingPause(attempt: number, { firstMs, mostMs, random = () => 1 }: Pauses): number {
  const full = Math.min(mostMs, firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(full / 2 + (random() * full) / 2);
}

/** Whatever a server says: what it tells of is over by then, or is worth one more request. */
const longestWaitMs = 3_600_000;

/** A Retry-After header (seconds or an HTTP date) as milliseconds from now, an hour at most. */
export function retryAfterMs(value: string | undefined, now: number = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(value);
  const wait = seconds ? Math.round(Number(value) * 1000) : Date.parse(value) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), longestWaitMs);
}

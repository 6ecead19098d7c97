/** A server that stands still for a while on purpose, as when a debugger holds it: calls wait, and are not out of time. */

import { errorOfFailure, type FailedCall } from "./networkFailure.ts";

/** What to wait for before the server can answer; undefined while it goes on. */
export type Standstill = () => Promise<unknown> | undefined;

/** Resolves when the server can answer; rejects with an ApiError when the call is given up before. */
export async function goesOn(standstill: Standstill | undefined, call: FailedCall): Promise<void> {
  const { signal } = call;
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<unknown>();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    for (let wait; (wait = standstill?.()) !== undefined;) {
      if (signal?.aborted === true) throw errorOfFailure(signal.reason, call);
      await Promise.race([wait, givenUp]);
    }
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}

/** Aborts after `ms` milliseconds. Where the server is paused by then, the time begins again when it goes on. */
export function deadlineOf(ms: number, standstill: Standstill | undefined): AbortSignal {
  if (standstill === undefined) return AbortSignal.timeout(ms);
  const end = new AbortController();
  const begin = (): void => {
    setTimeout(() => {
      const wait = standstill();
      if (wait !== undefined) void wait.then(begin);
      else end.abort(new DOMException("The time is up.", "TimeoutError"));
    }, ms).unref();
  };
  begin();
  return end.signal;
}

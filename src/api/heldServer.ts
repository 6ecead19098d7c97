/** A server that a debugger holds for a while: calls wait, and are not out of time. */

import { errorOfFailure, type FailedCall } from "./networkFailure.ts";

/** What to wait for before a held server can answer; undefined while it is not held. */
export type HeldUntil = () => Promise<unknown> | undefined;

/** Resolves when the server can answer; rejects with an ApiError when the call is given up before. */
export async function untilReleased(heldUntil: HeldUntil | undefined, call: FailedCall): Promise<void> {
  const { signal } = call;
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<unknown>();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    for (let wait; (wait = heldUntil?.()) !== undefined;) {
      if (signal?.aborted === true) throw errorOfFailure(signal.reason, call);
      await Promise.race([wait, givenUp]);
    }
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}

/** Aborts after `ms` milliseconds. Where the server is held by then, the time begins again when it is released. */
export function deadlineOf(ms: number, heldUntil: HeldUntil | undefined): AbortSignal {
  if (heldUntil === undefined) return AbortSignal.timeout(ms);
  const end = new AbortController();
  const begin = (): void => {
    setTimeout(() => {
      const wait = heldUntil();
      if (wait !== undefined) void wait.then(begin);
      else end.abort(new DOMException("The time is up.", "TimeoutError"));
    }, ms).unref();
  };
  begin();
  return end.signal;
}

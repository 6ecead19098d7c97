/** Patience with what may be over by itself: a network that is away, a server that is being restarted. */

import { ApiError } from "../../api/errors.ts";
import { ConnectionError } from "../connections/connectionSettings.ts";

const passing: ReadonlySet<string> = new Set<ApiError["kind"]>([
  "dns",
  "refused",
  "unreachable",
  "proxy",
  "timeout",
  "cut",
  "server",
  "rateLimited",
]);

/** Asks once for somebody who asks again later: undefined, and `onWaiting` hears why, where no answer came for now. */
export async function patiently<T>(
  ask: () => Promise<T>,
  signal: AbortSignal,
  onWaiting: (error: unknown) => void,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!isPassing(error) || signal.aborted) throw error;
    onWaiting(error);
    // Who asks again waits as long as the server wants.
    if (error instanceof ApiError && error.retryAfterMs !== undefined) throw error;
    return undefined;
  }
}

/** Whether asking again later may help. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.reason === "localPlatformStopped";
  return error instanceof ApiError && passing.has(error.kind);
}

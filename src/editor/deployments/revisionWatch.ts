/** Watching one revision until it has ended: asked ever less often, patient with a network that is away. */

import { mayChange, progressOfRevision } from "../../api/controlPlane/status.ts";
import { ApiError } from "../../api/errors.ts";
import { poll, PollTimeout } from "../../api/poll.ts";
import type { PollClock } from "../../api/poll.ts";
import { patiently } from "../kit/patience.ts";

/** Why a watch is over: the revision ended, or it can't be watched any longer. */
export type WatchEnd = "done" | "failed" | "stopped" | "gone" | "deadline" | "cancelled" | "refused";

/** What is known at one moment; `status` is what the server said last. */
export type WatchState =
  | { readonly kind: "asking"; readonly status: string | undefined }
  | { readonly kind: "waiting"; readonly status: string | undefined; readonly error: unknown }
  | {
      readonly kind: "ended";
      readonly end: WatchEnd;
      readonly status: string | undefined;
      readonly error?: unknown;
    };

/** What is watched, and who hears of it. */
export interface RevisionWatchOptions {
  /** The status of the revision as the server tells it now. */
  readonly read: (signal: AbortSignal | undefined) => Promise<string>;
  /** Hears of each answer and each failure, the end included. */
  readonly onState: (state: WatchState) => void;
  readonly signal: AbortSignal;
  /** Give up after so long. */
  readonly deadlineMs: number;
  readonly clock?: PollClock;
  readonly random?: () => number;
}

/** Resolves when the watch is over, however that came; never rejects. */
export async function watchRevision(options: RevisionWatchOptions): Promise<void> {
  const { read, onState, signal, deadlineMs, clock, random } = options;
  let status: string | undefined;
  const ask = (asked: AbortSignal | undefined): Promise<string | undefined> =>
    patiently(
      async () => {
        status = await read(asked);
        if (isPending(status)) onState({ kind: "asking", status });
        return status;
      },
      signal,
      (error) => onState({ kind: "waiting", status, error }),
    );
  try {
    await poll(ask, {
      until: (answer) => answer !== undefined && !isPending(answer),
      moved: (before, now) => before !== now,
      signal,
      deadlineMs: Math.max(0, deadlineMs),
      clock,
      random,
    });
    onState({ kind: "ended", end: endOf(status), status });
  } catch (error) {
    onState({ kind: "ended", end: endOfError(error, signal), status, error });
  }
}

function isPending(status: string): boolean {
  return mayChange(progressOfRevision({ status }));
}

function endOf(status: string | undefined): WatchEnd {
  const progress = progressOfRevision({ status: status ?? null });
  return progress === "done" || progress === "failed" ? progress : "stopped";
}

function endOfError(error: unknown, signal: AbortSignal): WatchEnd {
  if (signal.aborted) return "cancelled";
  if (error instanceof PollTimeout) return "deadline";
  return error instanceof ApiError && error.kind === "notFound" ? "gone" : "refused";
}

/** Watching one revision until it has ended: asked ever less often, patient with a network that is away. */

import { mayChange, progressOfRevision } from "../../api/controlPlane/status.ts";
import { ApiError } from "../../api/errors.ts";
import { poll, PollTimeout } from "../../api/poll.ts";
import type { PollClock } from "../../api/poll.ts";
import { ConnectionError } from "../connections/connectionSettings.ts";

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
  const ask = async (asked: AbortSignal | undefined): Promise<Answer> => {
    try {
      status = await read(asked);
      if (isPending(status)) onState({ kind: "asking", status });
      return { status };
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      onState({ kind: "waiting", status, error });
      if (error instanceof ApiError && error.retryAfterMs !== undefined) throw error;
      return { status: undefined };
    }
  };
  try {
    await poll(ask, {
      until: (answer) => answer.status !== undefined && !isPending(answer.status),
      moved: (before, now) => before.status !== now.status,
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

interface Answer {
  /** Undefined when no answer came. */
  readonly status: string | undefined;
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

/** Whether it may be over by itself: a network that is away, a server that is being restarted. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.reason === "localPlatformStopped";
  if (!(error instanceof ApiError)) return false;
  return passing.has(error.kind);
}

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

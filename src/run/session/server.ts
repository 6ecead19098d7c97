/** What a session needs of an agent server, a clock and the rest of the world; all of it can be played in tests. */

import type { CallOptions } from "../../api/http.ts";
import type { SseEvent } from "../../api/sse.ts";
import type { Run, RunCreate, ThreadState } from "../../api/agentServer/wire.ts";
import type { Clock } from "../../api/retry.ts";
import type { TranscriptFold } from "../fold/fold.ts";
import type { Failure } from "../panel/messages.ts";
import type { Feedback } from "../panel/transcript.ts";

/** A run's events; leaving the loop leaves the run alone. */
export interface EventBatches {
  readonly runId: string | undefined;
  /** One array per chunk of the socket. */
  readonly events: AsyncIterable<readonly SseEvent[]>;
  /** Whether no event of it was delivered before, although the server may have sent it: ids need not be compared. */
  readonly isDistinct?: boolean | undefined;
  /** Whether events never came that should have by now, or came too late; undefined where that can't be known. */
  readonly isIncomplete?: (() => boolean) | undefined;
}

/** What everything that works on one thread needs, and who hears of what it did. */
export interface SessionParts {
  readonly server: RunServer;
  readonly clock: Clock;
  readonly fold: TranscriptFold;
  readonly threadId: string;
  /** Aborts when the session is over. */
  readonly signal: AbortSignal;
  /** The transcript or the state changed. */
  readonly onChange: () => void;
  readonly describe: (error: unknown) => Failure;
}

/** The part of an agent server's client that a session uses. */
export interface RunServer {
  /** The only assistant that runs here, where there is no choice. */
  readonly soleAssistant?: string | undefined;
  readonly threads: {
    create(body?: object, options?: CallOptions): Promise<{ readonly thread_id: string }>;
    state(threadId: string, options?: CallOptions): Promise<ThreadState>;
  };
  readonly runs: {
    stream(threadId: string, body: RunCreate, options?: CallOptions): Promise<EventBatches>;
    rejoin(
      threadId: string,
      runId: string,
      options?: CallOptions & { readonly lastEventId?: string | undefined },
    ): Promise<EventBatches>;
    get(threadId: string, runId: string, options?: CallOptions): Promise<Run>;
    list(
      threadId: string,
      options?: CallOptions & { readonly limit?: number | undefined },
    ): Promise<readonly Run[]>;
    cancel(threadId: string, runId: string, options?: CallOptions): Promise<void>;
  };
}

/** What was sent for feedback keys, kept longer than a session. */
export interface SentFeedback {
  get(runId: string, key: string): Feedback | undefined;
  set(runId: string, key: string, feedback: Feedback): void;
}

/** The HTTP status that an error carries; undefined when no server answered. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("status" in error)) return undefined;
  return typeof error.status === "number" ? error.status : undefined;
}

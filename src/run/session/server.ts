/** What a session needs of an agent server, a clock and the rest of the world, and how it asks what a thread is now. */

import type { CallOptions } from "../../api/http.ts";
import type { SseEvent } from "../../api/sse.ts";
import type { Run, RunCreate, StreamMode, ThreadState } from "../../api/agentServer/wire.ts";
import { type Clock, isTransient } from "../../api/retry.ts";
import type { TranscriptFold } from "../fold/fold.ts";
import { isNestedTooDeep, mostNested, sameJson } from "../json/json.ts";
import type { Failure } from "../panel/messages.ts";
import type { Feedback } from "../panel/transcript.ts";

const mostRuns = 20;
const listSizes = [100, 1000];

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

/**
 * Pieces of messages as they come, what each node did, and what graphs report. The whole state is left out:
 * it repeats all messages with every step, and is asked for once at the end of a run instead.
 */
export const defaultStreamModes: readonly StreamMode[] = ["messages-tuple", "updates", "custom"];

/** A run that can be left and joined again at any time. */
export function followable(body: RunCreate, streamModes = defaultStreamModes): RunCreate {
  return {
    ...body,
    stream_mode: streamModes,
    stream_subgraphs: true,
    stream_resumable: true,
    on_disconnect: "continue",
  };
}

/** What a thread is before anything of its runs is replayed. */
export interface ThreadNow {
  readonly state: ThreadState;
  /** The newest ones, the oldest first. */
  readonly runs: readonly Run[];
}

/** The answer to the only question of a thread, and the run that it started. */
export interface SentAnswer {
  /** What the thread was when it was asked last whether it waits. */
  readonly before: ThreadNow;
  /** The answer in words. */
  readonly text: string;
  readonly body: RunCreate;
  readonly stream: EventBatches;
  /** Leaves the stream. */
  readonly aborter: AbortController;
}

type ThreadToRead = Pick<SessionParts, "server" | "threadId" | "signal">;

/** Reads a thread's state and its newest runs: enough to answer what it asks. */
export async function readThread(thread: ThreadToRead): Promise<ThreadNow> {
  const [state, runs] = await Promise.all([readState(thread), newestRuns(thread)]);
  return { state, runs };
}

/** Reads a thread's state, as far as it can be followed to its end; throws NestingError for another one. */
export async function readState({ server, threadId, signal }: ThreadToRead): Promise<ThreadState> {
  const state = await server.threads.state(threadId, { signal });
  if (isNestedTooDeep(state)) throw new NestingError();
  return state;
}

/** The newest runs, the oldest first; some servers list the oldest first and cut the list there. */
async function newestRuns({ server, threadId, signal }: ThreadToRead): Promise<readonly Run[]> {
  let runs: readonly Run[] = [];
  for (const limit of listSizes) {
    runs = await server.runs.list(threadId, { limit, signal });
    const [first, last] = [runs[0], runs.at(-1)];
    const oldestFirst = first !== undefined && last !== undefined && first.created_at < last.created_at;
    if (runs.length < limit || !oldestFirst) break;
  }
  return runs.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)).slice(-mostRuns);
}

/** The thread's newest run, if it may be the one that was asked for; servers that hide a run's input leave it open. */
export async function newestLike(
  thread: ThreadToRead,
  { input, command }: RunCreate,
): Promise<Run | undefined> {
  const newest = (await newestRuns(thread)).at(-1);
  const { input: given, command: resumed } = newest?.kwargs ?? {};
  const isHidden = given === undefined && resumed === undefined;
  return isHidden || sameJson(given ?? resumed, input ?? command) ? newest : undefined;
}

/** What a run is now; undefined after a transient failure, or without an answer: it is to be asked for again. */
export async function readRun(
  { server, threadId, signal }: ThreadToRead,
  runId: string,
): Promise<Run | undefined> {
  try {
    return await server.runs.get(threadId, runId, { signal });
  } catch (error) {
    if (signal.aborted || (statusOf(error) !== undefined && !isTransient(error))) throw error;
    return undefined;
  }
}

/** A state that nothing can show: it is nested too deep. */
class NestingError extends Error {
  override readonly name = "NestingError";

  constructor() {
    super(`The thread's state is nested deeper than ${mostNested} levels.`);
  }
}

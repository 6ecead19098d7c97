/** What a session needs of an agent server, a clock and the rest of the world; all of it can be played in tests. */

import type { CallOptions } from "../../api/http.ts";
import type { SseEvent } from "../../api/sse.ts";
import type { Run, RunCreate, ThreadState } from "../../api/agentServer/wire.ts";
import { failureText } from "../fold/runFailure.ts";
import { isNestedTooDeep, isObject, mostNested, parseJson, textOf } from "../json/json.ts";
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

/** Reads a thread's state, as far as it can be followed to its end; throws NestingError for another one. */
export async function readState(
  server: RunServer,
  threadId: string,
  options: CallOptions,
): Promise<ThreadState> {
  const state = await server.threads.state(threadId, options);
  if (isNestedTooDeep(state)) throw new NestingError();
  return state;
}

/** A server that does not name the run in a header names it in the first event. */
export async function withRunId(stream: EventBatches): Promise<EventBatches & { readonly runId: string }> {
  const batches = stream.events[Symbol.asyncIterator]();
  const first = await batches.next();
  const events = first.done === true ? [] : first.value;
  const data = parseJson(events.find(({ event }) => event === "metadata")?.data ?? "null");
  const runId = isObject(data) ? textOf(data["run_id"]) : undefined;
  if (runId !== undefined) return { ...stream, runId, events: continued(events, batches) };
  const failure = events.find(({ event }) => event === "error")?.data;
  throw new Error(
    failure === undefined
      ? "The server does not say which run it started."
      : failureText(parseJson(failure) ?? failure).text,
  );
}

async function* continued(
  first: readonly SseEvent[],
  rest: AsyncIterator<readonly SseEvent[]>,
): AsyncIterable<readonly SseEvent[]> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** A state that nothing can show: it is nested too deep. */
class NestingError extends Error {
  override readonly name = "NestingError";

  constructor() {
    super(`The thread's state is nested deeper than ${mostNested} levels.`);
  }
}

/** What a session needs of an agent server, a clock and the rest of the world, and how it asks what a thread is now. */

import type { GraphOptions } from "../../api/agentServer/assistants.ts";
import type { CallOptions } from "../../api/http.ts";
import type { SseEvent } from "../../api/exchange.ts";
import type {
  AssistantGraph,
  AssistantSchemas,
  Checkpoint,
  JsonObject,
  Run,
  RunCreate,
  StateUpdate,
  ThreadState,
} from "../../api/agentServer/wire.ts";
import { type Clock, growingPause, isTransient } from "../../api/retry.ts";
import type { TranscriptFold } from "../fold/fold.ts";
import { isOver } from "../fold/drafts/runDraft.ts";
import type { StateNow, ThreadRow } from "../fold/threadState.ts";
import { isNestedTooDeep, mostNested, sameJson } from "../json/json.ts";
import type { Failure } from "../panel/messages.ts";
import type { Feedback } from "../panel/transcript.ts";

const stopDeadlineMs = 30_000;
/** How many are asked for first, and then at once. */
const [few, many] = [100, 1000];
/** Of a thread with more, the newest are shown. */
const mostRuns = 5000;

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
  /** Called with what was read of the thread, before it is folded. */
  readonly onRead?: ((state: StateNow) => void) | undefined;
}

/** When the process began that carries a server's runs on. */
export interface ServerBegin {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whose saving made it begin anew; undefined where that is not known. */
  readonly savedFile?: string | undefined;
}

/** The part of an agent server's client that a session uses. */
export interface RunServer {
  /** The only assistant that runs here, where there is no choice. */
  readonly soleAssistant?: string | undefined;
  readonly threads: {
    create(body?: object, options?: CallOptions): Promise<{ readonly thread_id: string }>;
    state(threadId: string, options?: CallOptions): Promise<StateNow>;
    /** Its states, the newest first; absent on servers that keep none. */
    history?(threadId: string, options?: CallOptions & HistoryPage): Promise<readonly ThreadState[]>;
    /** What the thread's row says, without its values; absent where the state says it or a server has no rows. */
    row?(threadId: string, options?: CallOptions): Promise<ThreadRow | undefined>;
    /** Writes a state, which becomes the newest; absent where a thread's course can't be changed. */
    update?(
      threadId: string,
      body: StateUpdate,
      options?: CallOptions,
    ): Promise<{ readonly checkpoint: Pick<Checkpoint, "checkpoint_id"> }>;
    /** Makes a thread with the same states, and without runs. */
    copy?(threadId: string, options?: CallOptions): Promise<{ readonly thread_id: string }>;
    /** Merges metadata into the thread's. */
    patch?(
      threadId: string,
      body: { readonly metadata: JsonObject },
      options?: CallOptions,
    ): Promise<unknown>;
  };
  /** What is known of the process that carries its runs on; absent where nothing is. */
  readonly process?: {
    /** Undefined where that is not known. */
    began(): ServerBegin | undefined;
    /** Whether it has the events of each run that can be followed twice, until it ends. */
    keepsEvents(options?: CallOptions): Promise<boolean>;
  };
  /** Absent where a server tells no graphs. */
  readonly assistants?: {
    graph(assistantId: string, options?: GraphOptions): Promise<AssistantGraph>;
    /** What the graph takes and keeps; may take 20 seconds. */
    schemas?(assistantId: string, options?: CallOptions): Promise<AssistantSchemas>;
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
      options?: CallOptions & {
        readonly limit?: number | undefined;
        readonly offset?: number | undefined;
      },
    ): Promise<readonly Run[]>;
    cancel(threadId: string, runId: string, options?: CallOptions): Promise<void>;
  };
}

/** Which states of a thread's history are wanted. */
export interface HistoryPage {
  readonly limit?: number | undefined;
  /** The id of a checkpoint: states before it. */
  readonly before?: string | undefined;
  /** Of a subgraph. */
  readonly checkpoint?: { readonly checkpoint_ns: string } | undefined;
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

/** What a thread is before anything of its runs is replayed. */
export interface ThreadNow {
  readonly state: StateNow;
  /** The oldest first. */
  readonly runs: readonly Run[];
  /** How many the server lists without an id: nothing can be asked about them. */
  readonly nameless: number;
}

/** Who runs a thread: its newest run's assistant, else the one that the thread names, as a copy does that has no runs. */
export function assistantIn({ state, runs }: ThreadNow, server: RunServer): string | undefined {
  const { metadata } = state.row ?? {};
  const named = [metadata?.["assistant_id"], metadata?.["graph_id"]].find((id) => typeof id === "string");
  return runs.at(-1)?.assistant_id ?? server.soleAssistant ?? named;
}

/** The answer to a question of a thread, and the run that it started. */
export interface SentAnswer {
  /** What the thread was when it was asked last whether it waits. */
  readonly before: ThreadNow;
  readonly body: RunCreate;
  readonly stream: EventBatches;
  /** Leaves the stream. */
  readonly aborter: AbortController;
}

type ThreadToRead = Pick<SessionParts, "server" | "threadId" | "signal">;

/** Reads a thread's state and its newest runs: enough to answer what it asks. */
export async function readThread(thread: ThreadToRead): Promise<ThreadNow> {
  // A state may be older than the end of a run that is listed as over, if it is read beside the list.
  const listed = await newestRuns(thread);
  const state = await readState(thread);
  const isListed = (runId: string): boolean => listed.runs.some((run) => run.run_id === runId);
  return isOfRun(state, isListed) ? { state, ...listed } : readRunsOf(thread, state);
}

/** The runs of a thread whose state was read before. */
export async function readRunsOf(thread: ThreadToRead, state: StateNow): Promise<ThreadNow> {
  return { state, ...(await newestRuns(thread)) };
}

/**
 * Whether a state was made by one of the known runs, as far as the server says by which. What another run brought
 * must not be folded before that run: its messages would belong to no run, and be shown twice once the run is found.
 */
export function isOfRun({ metadata }: StateNow, isKnown: (runId: string) => boolean): boolean {
  const runId = metadata?.["run_id"];
  return typeof runId !== "string" || isKnown(runId);
}

/** Like `readThread`, for a thread whose state can't be shown: what is known without it. */
export async function readWithoutState(thread: ThreadToRead): Promise<ThreadNow> {
  const none = {
    values: {},
    next: [],
    tasks: [],
    ...{ created_at: null, checkpoint: null, parent_checkpoint: null },
  };
  return { state: none, ...(await newestRuns(thread)) };
}

/**
 * Reads the state of a thread and what its row says beside it. Throws NestingError for a state that is nested too deep.
 */
export async function readState({ server, threadId, signal }: ThreadToRead): Promise<StateNow> {
  const [state, row] = await Promise.all([
    server.threads.state(threadId, { signal }),
    // Without a row the state has to do, as on servers that have none.
    server.threads.row?.(threadId, { signal }).catch(() => undefined),
  ]);
  if (isNestedTooDeep(state) || isNestedTooDeep(row)) throw new NestingError();
  return row === undefined ? state : { ...state, row };
}

/** The runs, the oldest first; some servers list the oldest first and cut the list there. */
export async function newestRuns(thread: ThreadToRead): Promise<Omit<ThreadNow, "state">> {
  const { server, threadId, signal } = thread;
  const known = new Map<string, Run>();
  const list = async (size: number, limit: number, offset?: number) => {
    const page = await server.runs.list(threadId, { limit, offset, signal });
    const runs = page.filter(isRun);
    const [first, last] = [runs[0], runs.at(-1)];
    const before = known.size;
    for (const run of runs) known.set(run.run_id, isNestedTooDeep(run.kwargs) ? withoutInput(run) : run);
    return {
      isCut: known.size > before && page.length >= size,
      isOldestFirst: first !== undefined && last !== undefined && first.created_at < last.created_at,
      nameless: page.length - runs.length,
    };
  };
  let found = await list(few, few);
  const { isOldestFirst } = found;
  if (found.isCut && isOldestFirst) found = await list(many, many);
  // Servers that begin with the oldest take the limit for the index of the list's end.
  for (let offset = isOldestFirst ? many : few; found.isCut && offset < mostRuns; offset += many) {
    found = await list(many, isOldestFirst ? offset + many : many, offset);
  }
  const { nameless } = found;
  return { runs: [...known.values()].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)), nameless };
}

/** A list may hold what is no run that could be asked about. */
function isRun(run: Partial<Run> | null): run is Run {
  return typeof run?.run_id === "string" && run.run_id !== "";
}

function withoutInput(run: Run): Run {
  return { ...run, kwargs: {} };
}

/** The thread's newest run, if it may be the one that was asked for; servers that hide a run's input leave it open. */
export async function newestLike(
  thread: ThreadToRead,
  { input, command }: RunCreate,
): Promise<Run | undefined> {
  const newest = (await newestRuns(thread)).runs.at(-1);
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

/** Stops a run. Servers answer before a run has stopped, so it is watched until it did; undefined after half a minute. */
export async function stopRun(parts: SessionParts, runId: string): Promise<Run | undefined> {
  const { server, clock, threadId, signal } = parts;
  await server.runs.cancel(threadId, runId, { signal });
  const deadline = clock.now() + stopDeadlineMs;
  for (let attempt = 0; clock.now() < deadline; attempt++) {
    await clock.sleep(growingPause(attempt, { firstMs: 200, mostMs: 2000 }), signal);
    const run = await readRun(parts, runId);
    if (run !== undefined && isOver(run.status)) return run;
  }
  return undefined;
}

/** A state that nothing can show: it is nested too deep. */
export class NestingError extends Error {
  override readonly name = "NestingError";

  constructor() {
    super(`The thread's state is nested deeper than ${mostNested} levels.`);
  }
}

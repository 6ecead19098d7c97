/** Brings an existing thread's transcript back: its state at once, then what its newest runs streamed. */

import type { SseEvent } from "../../api/sse.ts";
import type { Json, Run, ThreadState } from "../../api/agentServer/wire.ts";
import type { TranscriptFold } from "../fold/fold.ts";
import { answerText } from "../fold/humanReview.ts";
import { isObject } from "../json/json.ts";
import { isOver, type RunFacts } from "../fold/runDraft.ts";
import { readState, type RunServer } from "./server.ts";
import type { Clock } from "../../api/retry.ts";

/** Where a transcript is brought back from, and to. */
export interface HydrationParts {
  readonly server: RunServer;
  readonly clock: Clock;
  readonly threadId: string;
  readonly fold: TranscriptFold;
  /** Whether a run's events arrive by another way, or did until somebody left them. */
  readonly isFollowed: (runId: string) => boolean;
  /** Counts the runs that were followed or ended here. */
  readonly version: () => number;
  readonly onChange: () => void;
}

const mostRuns = 20;
const atOnce = 4;
const longestReplayMs = 20_000;
const listSizes = [100, 1000];

/** What was read of a thread before any of its runs is replayed. */
interface ThreadNow {
  readonly state: ThreadState;
  readonly runs: readonly Run[];
  readonly version: number;
}

/** Folds what a thread is now, its state and its newest runs: enough to answer what it asks. */
export async function readThread(parts: HydrationParts, signal: AbortSignal): Promise<ThreadNow> {
  const { server, threadId, fold } = parts;
  const version = parts.version();
  const [state, runs] = await Promise.all([
    readState(server, threadId, { signal }),
    newestRuns(server, threadId, signal),
  ]);
  for (const run of runs) fold.open(runFacts(run), run.kwargs?.["input"]);
  fold.reconcile(state);
  parts.onChange();
  return { state, runs, version };
}

/**
 * Fills a fold with what it is missing: nothing is folded twice. Resolves with the runs that go on and that
 * nobody follows yet, the oldest first.
 */
export async function hydrate(parts: HydrationParts, signal: AbortSignal): Promise<readonly Run[]> {
  const { server, threadId, fold, isFollowed } = parts;
  const { state, runs, version } = await readThread(parts, signal);
  const free = runs.filter(({ run_id: runId }) => !isFollowed(runId));
  const over = free.filter(({ status }) => isOver(status));
  const missing = over.filter((run) => isResumable(run) && !fold.hasEvents(run.run_id));
  const replays = inOrder(missing, atOnce, (run) => replay(parts, run, signal));
  for await (const [run, events] of replays) {
    if (!fold.hasEvents(run.run_id)) fold.apply(run.run_id, events, parts.clock.now(), true);
    parts.onChange();
  }
  // What was answered or asked meanwhile is in no state that was read before.
  fold.reconcile(parts.version() === version ? state : await readState(server, threadId, { signal }));
  for (const run of over) fold.settle(run.run_id, run.status);
  answered(fold, runs);
  parts.onChange();
  const isKnown = (runId: string): boolean => isFollowed(runId) || fold.hasEvents(runId);
  return free.filter(({ status, run_id: runId }) => !isOver(status) && !isKnown(runId));
}

/** What a run object says of a run. */
export function runFacts(run: Run): RunFacts {
  const { run_id: runId, assistant_id: assistantId, status, multitask_strategy: strategy } = run;
  const [startedAt, endedAt] = [Date.parse(run.created_at), Date.parse(run.updated_at)];
  return {
    runId,
    assistantId,
    status,
    ...(typeof strategy === "string" && { strategy }),
    ...(!Number.isNaN(startedAt) && { startedAt }),
    ...(!Number.isNaN(endedAt) && isOver(status) && { endedAt }),
  };
}

/** The newest runs, the oldest first; some servers list the oldest first and cut the list there. */
async function newestRuns(server: RunServer, threadId: string, signal: AbortSignal): Promise<readonly Run[]> {
  let runs: readonly Run[] = [];
  for (const limit of listSizes) {
    runs = await server.runs.list(threadId, { limit, signal });
    const [first, last] = [runs[0], runs.at(-1)];
    const oldestFirst = first !== undefined && last !== undefined && first.created_at < last.created_at;
    if (runs.length < limit || !oldestFirst) break;
  }
  return runs.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)).slice(-mostRuns);
}

/** A run that is known not to keep its events has nothing to replay; servers spell it in two ways, or not at all. */
function isResumable({ kwargs }: Run): boolean {
  return kwargs?.["resumable"] !== false && kwargs?.["stream_resumable"] !== false;
}

/** All events of a run that is over; what came before a failure, or before it took too long. */
async function replay(parts: HydrationParts, run: Run, signal: AbortSignal): Promise<readonly SseEvent[]> {
  const events: SseEvent[] = [];
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const deadline = parts.clock.sleep(longestReplayMs, either).then(
    () => enough.abort(),
    () => undefined,
  );
  try {
    const options = { lastEventId: "-1", signal: either };
    const stream = await parts.server.runs.rejoin(parts.threadId, run.run_id, options);
    for await (const batch of stream.events) for (const event of batch) events.push(event);
  } catch {
    signal.throwIfAborted();
  }
  enough.abort();
  await deadline;
  return events;
}

/** Works on several items at a time and yields the results in the items' order. */
async function* inOrder<T, R>(
  items: readonly T[],
  atATime: number,
  work: (item: T) => Promise<R>,
): AsyncIterable<readonly [T, R]> {
  const started: Promise<R>[] = [];
  for (const [index, item] of items.entries()) {
    while (started.length < Math.min(items.length, index + atATime)) {
      const next = items[started.length];
      if (next === undefined) break;
      const result = work(next);
      // A failure is thrown where the result is awaited.
      result.catch(() => undefined);
      started.push(result);
    }
    const result = started[index];
    if (result !== undefined) yield [item, await result];
  }
}

/** An interrupt that a later run resumed was answered, and that run's command says how. */
function answered(fold: TranscriptFold, runs: readonly Run[]): void {
  const before = new Set<string>();
  for (const run of runs) {
    const command = run.kwargs?.["command"];
    const resume: Json | undefined = isObject(command) ? command["resume"] : undefined;
    if (resume !== undefined && resume !== null) {
      for (const { id, runId, state } of fold.interrupts.all()) {
        if (state !== "elsewhere" || runId === undefined || !before.has(runId)) continue;
        fold.interrupts.set(id, "answered", answerText(resume, fold.interrupts.serverId(id)));
      }
    }
    before.add(run.run_id);
  }
}

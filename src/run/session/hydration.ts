/** Brings an existing thread's transcript back: its state at once, then what its newest runs streamed. */

import type { SseEvent } from "../../api/sse.ts";
import type { Json, Run } from "../../api/agentServer/wire.ts";
import type { TranscriptFold } from "../fold/fold.ts";
import { answerText } from "../fold/humanReview.ts";
import { isObject } from "../json/json.ts";
import { isOver, type RunFacts } from "../fold/runDraft.ts";
import { readState, readThread, type SessionParts, type ThreadNow } from "./server.ts";

/** Runs whose events arrive by another way, or did until somebody left them. */
interface Followed {
  follows(runId: string): boolean;
  /** Counts the runs that were followed or ended here. */
  readonly version: number;
}

const atOnce = 4;
const longestReplayMs = 20_000;

/** Folds what a thread is now. */
export function foldThread({ fold, onChange }: SessionParts, { state, runs }: ThreadNow): void {
  for (const run of runs) fold.open(runFacts(run), run.kwargs?.["input"]);
  fold.reconcile(state);
  onChange();
}

/**
 * Fills a fold with what it is missing: nothing is folded twice. Resolves with the runs that go on and that
 * nobody follows yet, the oldest first.
 */
export async function hydrate(parts: SessionParts, followed: Followed): Promise<readonly Run[]> {
  const { fold } = parts;
  const { version } = followed;
  const now = await readThread(parts);
  const { state, runs } = now;
  foldThread(parts, now);
  const free = runs.filter(({ run_id: runId }) => !followed.follows(runId));
  const over = free.filter(({ status }) => isOver(status));
  const missing = over.filter((run) => isResumable(run) && !fold.hasEvents(run.run_id));
  for await (const [run, events] of inOrder(missing, atOnce, (run) => replay(parts, run))) {
    if (!fold.hasEvents(run.run_id)) fold.apply(run.run_id, events, parts.clock.now(), true);
    parts.onChange();
  }
  // What was answered or asked meanwhile is in no state that was read before.
  fold.reconcile(followed.version === version ? state : await readState(parts));
  for (const run of over) fold.settle(run.run_id, run.status);
  answered(fold, runs);
  parts.onChange();
  const isKnown = (runId: string): boolean => followed.follows(runId) || fold.hasEvents(runId);
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

/** A run that is known not to keep its events has nothing to replay; servers spell it in two ways, or not at all. */
function isResumable({ kwargs }: Run): boolean {
  return kwargs?.["resumable"] !== false && kwargs?.["stream_resumable"] !== false;
}

/** All events of a run that is over; what came before a failure, or before it took too long. */
async function replay(
  { server, clock, threadId, signal }: SessionParts,
  run: Run,
): Promise<readonly SseEvent[]> {
  const events: SseEvent[] = [];
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const deadline = clock.sleep(longestReplayMs, either).then(
    () => enough.abort(),
    () => undefined,
  );
  try {
    const options = { lastEventId: "-1", signal: either };
    const stream = await server.runs.rejoin(threadId, run.run_id, options);
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
    for (const next of items.slice(started.length, index + atATime)) {
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

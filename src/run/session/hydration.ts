/** Brings an existing thread's transcript back: its state at once, then its history, then more of its newest runs. */

import type { Run, RunCreate } from "../../api/agentServer/wire.ts";
import { isOver, type RunFacts } from "../fold/drafts/runDraft.ts";
import { stateError } from "../fold/threadState.ts";
import type { ThreadHistory } from "./history.ts";
import type { PastRuns } from "./pastRuns.ts";
import { isObject } from "../json/json.ts";
import { answerIn } from "./runBody.ts";
import {
  isOfRun,
  NestingError,
  newestLike,
  readRunsOf,
  readState,
  readThread,
  readWithoutState,
  type SessionParts,
  type ThreadNow,
} from "./server.ts";

/** Runs whose events arrive by another way, or did until somebody left them. */
interface Followed {
  readonly follows: (runId: string) => boolean;
  readonly join: (runId: string) => void;
  /** Counts the runs that were followed or ended here. */
  readonly version: number;
}

/** Folds what a thread is now; returns how many messages were missing or different. */
export function foldThread({ fold, onChange, onRead }: SessionParts, { state, runs }: ThreadNow): number {
  onRead?.(state);
  for (const run of runs) {
    fold.open(runFacts(run), run.kwargs?.["input"], answerIn(run));
    if (isOver(run.status)) fold.interrupts.ended(run.run_id, run.status);
  }
  const changes = fold.reconcile(state);
  onChange();
  return changes;
}

/** What a thread is after a run that was followed; with its runs where others started some meanwhile. */
export async function readSince(parts: SessionParts): Promise<ThreadNow> {
  const state = await readState(parts);
  const isKnown = isOfRun(state, (runId) => parts.fold.facts(runId) !== undefined);
  return isKnown ? { state, runs: [], nameless: 0 } : readRunsOf(parts, state);
}

/** Opens the thread's newest run if it may be the one that was asked for and was not known; returns its id. */
export async function openStarted(parts: SessionParts, body: RunCreate): Promise<string | undefined> {
  const { fold } = parts;
  const newest = await newestLike(parts, body);
  if (newest === undefined || fold.facts(newest.run_id) !== undefined) return undefined;
  fold.open(runFacts(newest), body.input, { resume: body.command?.resume });
  return newest.run_id;
}

/**
 * Fills a fold with what it is missing: nothing is folded twice. The runs that go on and that nobody follows yet are
 * joined, the oldest first.
 */
export async function hydrate(parts: SessionParts, followed: Followed, past: PastRuns): Promise<void> {
  const { fold } = parts;
  const { history } = past;
  const { version } = followed;
  const now = await readAll(parts, history);
  const { state, runs } = now;
  foldThread(parts, now);
  const free = runs.filter(({ run_id: runId }) => !followed.follows(runId));
  const over = free.filter(({ status }) => isOver(status));
  const replays = past.begin(over);
  await history.read(runs, state, followed.follows);
  await past.fold(replays);
  // What was answered or asked meanwhile is in no state that was read before.
  if (followed.version === version) fold.reconcile(state);
  else foldThread(parts, await readAll(parts, history));
  for (const run of over) fold.settle(run.run_id, run.status);
  history.refold((runId) => !followed.follows(runId));
  for (const { run_id: runId } of over)
    fold.noteLostFailure(runId, isOfRun(state, (id) => id === runId) ? stateError(state) : undefined);
  parts.onChange();
  const isKnown = (runId: string): boolean => followed.follows(runId) || fold.hasEvents(runId);
  const going = free.filter(({ status, run_id: runId }) => !isOver(status) && !isKnown(runId));
  for (const { run_id: runId } of going) followed.join(runId);
}

/** What a thread is now; what of it can't be shown is said, and the rest goes on. */
async function readAll(parts: SessionParts, history: ThreadHistory): Promise<ThreadNow> {
  const { describe } = parts;
  const now = await readThread(parts).catch((error: unknown) => {
    if (!(error instanceof NestingError)) throw error;
    history.noteOnce({ level: "warning", text: describe(error).message });
    return readWithoutState(parts);
  });
  const { nameless } = now;
  if (nameless > 0) {
    const what = nameless === 1 ? "a run" : `${nameless} runs`;
    history.noteOnce({ level: "warning", text: `The server lists ${what} without an ID: left out here.` });
  }
  return now;
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
    ...traceOf(run),
  };
}

/** No server has a field for it: who traces runs notes the address with them. */
function traceOf({ metadata }: Run): Pick<RunFacts, "trace"> {
  const named = Object.entries(isObject(metadata) ? metadata : {}).find(([name]) =>
    /(^|_)trace_?(url|link)$/i.test(name),
  );
  const url = typeof named?.[1] === "string" ? URL.parse(named[1]) : null;
  return url?.protocol === "https:" || url?.protocol === "http:" ? { trace: url.href } : {};
}

/** Where a thread stands before its course is changed: its state, its runs, and its history as far back as is needed. */

import type { AssistantGraph, Run, ThreadState } from "../../api/agentServer/wire.ts";
import { isOver } from "../fold/drafts/runDraft.ts";
import type { StateNow } from "../fold/threadState.ts";
import { Checkpoints } from "../history/checkpoints.ts";
import { checkpointIn, lengthOf, pagesBefore } from "../history/pages.ts";
import { assistantIn, readThread, type SessionParts, type ThreadNow } from "../session/server.ts";

/** How much of a history is read at most, in characters of JSON. */
const budget = 48_000_000;

/** What is asked about a thread. */
export type CourseThread = Pick<SessionParts, "server" | "threadId" | "signal">;

/** A thread at rest. */
export interface ThreadPosition {
  readonly state: StateNow;
  /** The oldest first. */
  readonly runs: readonly Run[];
  /** Who runs it. */
  readonly assistantId: string;
  /** The graph that runs it now; undefined where the server tells none. */
  readonly graph: AssistantGraph | undefined;
  readonly checkpoints: Checkpoints;
  /** Why reading ended: what was looked for was found, there are no older states, or they are too large to read on. */
  readonly end: "found" | "first" | "budget";
}

/** Why the course of a thread can't be changed so, and what to do instead. */
export class CourseRefusal extends Error {
  override readonly name = "CourseRefusal";
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * Reads a thread, from the newest state back to the one for which `isEnough` holds; throws CourseRefusal for a thread
 * whose course nobody can change now, and what the server answers.
 */
export async function readPosition(
  thread: CourseThread,
  isEnough: (state: ThreadState, read: Checkpoints) => boolean = () => true,
): Promise<ThreadPosition> {
  refuseUnchangeable(thread);
  const now = await readThread(thread);
  if (now.state.row?.status === "busy" || now.runs.some(({ status }) => !isOver(status))) throw busy();
  return positionOf(thread, now, isEnough);
}

/**
 * Like `readPosition`, for a thread whose run is stranded: where a copy of it stands, as if that run had been stopped.
 * A copy begins without the thread's configuration.
 */
export async function readStrandedPosition(thread: CourseThread): Promise<ThreadPosition> {
  refuseUnchangeable(thread);
  const now = await readThread(thread);
  const runs = now.runs.map((run) => (isOver(run.status) ? run : { ...run, status: "interrupted" }));
  const { row } = now.state;
  const state = { ...now.state, ...(row !== undefined && { row: { ...row, config: {} } }) };
  return positionOf(thread, { ...now, runs, state }, () => true);
}

/** A run goes on in the thread. */
export function busy(): CourseRefusal {
  return new CourseRefusal(
    "A run goes on in this thread.",
    "Wait until it ended, or stop it, and try again. Somebody else may have started it.",
  );
}

/** The thread stands elsewhere than when its course was planned. */
export function changedMeanwhile(): CourseRefusal {
  return new CourseRefusal(
    "The thread went on meanwhile: somebody else ran or changed it. Nothing was done.",
    "Look at it again, and start from what it is now.",
  );
}

function refuseUnchangeable({ server }: CourseThread): void {
  if (server.threads.update !== undefined) return;
  throw new CourseRefusal(
    "The states of this thread can't be changed: its server has no way to do that.",
    "Send a new message instead.",
  );
}

async function positionOf(
  thread: CourseThread,
  now: ThreadNow,
  isEnough: (state: ThreadState, read: Checkpoints) => boolean,
): Promise<ThreadPosition> {
  const { server } = thread;
  const { state, runs } = now;
  const assistantId = assistantIn(now, server);
  if (assistantId === undefined)
    throw new CourseRefusal(
      "Nothing ran in this thread yet, so there is no course to change.",
      "Start a run first.",
    );
  const checkpoints = new Checkpoints();
  const [graph, end] = await Promise.all([
    // Without it a plan says less; nothing else depends on it.
    server.assistants?.graph(assistantId, { signal: thread.signal }).catch(() => undefined),
    readBack(thread, state, checkpoints, isEnough),
  ]);
  return { state, runs, assistantId, graph, checkpoints, end };
}

async function readBack(
  { server: { threads }, threadId, signal }: CourseThread,
  head: ThreadState,
  checkpoints: Checkpoints,
  isEnough: (state: ThreadState, read: Checkpoints) => boolean,
): Promise<ThreadPosition["end"]> {
  const add = (states: readonly ThreadState[]): boolean => {
    checkpoints.add(states);
    // Each is asked about, since it may look at more than one of them.
    return states.map((state) => isEnough(state, checkpoints)).includes(true);
  };
  const from = checkpointIn(head);
  if (add([head])) return "found";
  if (from === undefined || threads.history === undefined) return "first";
  const read = (limit: number, before: string) =>
    threads.history?.(threadId, { limit, before, signal }) ?? Promise.resolve([]);
  let left = budget;
  for await (const { states, length } of pagesBefore(from, lengthOf(head), read)) {
    if (add(states)) return "found";
    left -= length;
    if (left <= 0) return "budget";
  }
  return "first";
}

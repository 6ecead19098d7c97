/**
 * Goes on with a stranded run in a copy of its thread, which its server makes, or which is written step by step where it
 * can't. The thread itself stays as it is: to delete the run would delete its states. Both threads name each other in
 * their metadata.
 */

import type { JsonObject, RunCreate } from "../../api/agentServer/wire.ts";
import { isUnsupportedStatus } from "../../api/retry.ts";
import { sameJson } from "../json/json.ts";
import { readState, statusOf } from "../session/server.ts";
import { mended, stuckCheckpoint } from "../session/stuckCheckpoint.ts";
import { type CheckedThread, findStranded, type StrandedRun } from "../session/strandedRun.ts";
import { planClone, writeClone } from "./clone.ts";
import { goOnPlan, type Plan } from "./plan.ts";
import { comesFrom, leadsTo, linksIn } from "./threadLinks.ts";
import { CourseRefusal, readStrandedPosition } from "./threadPosition.ts";

/** What is to be done about a stranded run. */
export interface Rescue {
  readonly stranded: StrandedRun;
  /** The nodes before which the thread stands. */
  readonly next: readonly string[];
  /** What runs in the copy; undefined where nothing can, as `why` says. */
  readonly plan: Plan | undefined;
  readonly why: string | undefined;
}

/** Looks what can be done. Throws CourseRefusal where nothing runs, or a run goes on. */
export async function planRescue(thread: CheckedThread, listenMs?: number): Promise<Rescue> {
  const stranded = await strandedIn(thread, listenMs);
  const position = await readStrandedPosition(thread);
  const { next } = position.state;
  try {
    return { stranded, next, plan: goOnPlan(position), why: undefined };
  } catch (error) {
    if (!(error instanceof CourseRefusal)) throw error;
    return { stranded, next, plan: undefined, why: error.message };
  }
}

/** The thread that goes on, and the run with which it does. */
export interface Rescued {
  readonly threadId: string;
  readonly run: RunCreate | undefined;
  /** What is to be said of the copy, as sentences; "" where it is as the thread. */
  readonly said: string;
}

/** A copy, and what keeps it from going on by itself. */
interface Copied {
  readonly threadId: string;
  readonly said: string;
  readonly mayRun: boolean;
}

/** Looks once more, and copies the thread. Throws CourseRefusal when the run is still running after all, or somebody was faster. */
export async function copyStranded(
  thread: CheckedThread,
  { stranded, next, plan }: Rescue,
  listenMs?: number,
): Promise<Rescued> {
  const { threadId, signal } = thread;
  const { threads } = thread.server;
  if (threads.patch === undefined)
    throw new CourseRefusal("The server of this thread can't copy threads.", "");
  if ((await strandedIn(thread, listenMs)).runId !== stranded.runId) throw stillRunning();
  const { row } = await readState(thread);
  if (linksIn(row?.metadata).continuedIn !== undefined) throw continuedMeanwhile("Nothing was done.");
  const { threadId: copyId, said, mayRun } = await copied(thread, row?.metadata ?? {});
  const copy = await readState({ server: thread.server, threadId: copyId, signal });
  if (!sameJson([...copy.next], [...next]))
    throw stillRunning(`The copy ${copyId} was made, and nothing was run in it.`);
  await threads.patch(copyId, { metadata: comesFrom(threadId) }, { signal });
  // To copy takes a while, and who has written the link last goes on: the others run nothing.
  await checkLink(thread, copyId);
  await threads.patch(threadId, { metadata: leadsTo(copyId) }, { signal });
  await checkLink(thread, copyId);
  // A server that copies the configuration, too, copies the checkpoint in it.
  const run = plan && mended(plan.run, stuckCheckpoint(copy.row?.config));
  return { threadId: copyId, run: mayRun ? run : undefined, said };
}

/** Throws CourseRefusal where the thread leads to another copy. */
async function checkLink(thread: CheckedThread, copyId: string): Promise<void> {
  const { row } = await readState(thread);
  const { continuedIn = copyId } = linksIn(row?.metadata);
  if (continuedIn !== copyId)
    throw continuedMeanwhile(
      `It goes on in ${continuedIn}. The copy ${copyId} was made, and nothing was run in it.`,
    );
}

function continuedMeanwhile(what: string): CourseRefusal {
  return new CourseRefusal(
    `Somebody else has continued this thread in a copy meanwhile. ${what}`,
    "Open the copy: the thread's panel leads to it.",
  );
}

/** By the server, which keeps also what steps side by side have done; else by writing its steps anew. */
async function copied(thread: CheckedThread, metadata: JsonObject): Promise<Copied> {
  const { threadId, signal } = thread;
  const { threads } = thread.server;
  if (threads.copy !== undefined) {
    try {
      const { thread_id: copyId } = await threads.copy(threadId, { signal });
      return { threadId: copyId, said: "", mayRun: true };
    } catch (error) {
      if (!isUnsupportedStatus(statusOf(error))) throw error;
    }
  }
  const clone = await planClone(thread, []);
  if (clone.graphId === undefined)
    throw new CourseRefusal("The server of this thread can't copy threads, and does not tell its graph.", "");
  const { threadId: copyId, onlyNewest, different } = await writeClone(thread, clone, clone.graphId);
  await threads.patch?.(copyId, { metadata }, { signal });
  // What a step has done that is not part of a state yet is not in the copy: it would be done twice.
  const { tasks } = await threads.state(threadId, { signal });
  const done = tasks.flatMap(({ name, result }) => (result === undefined || result === null ? [] : name));
  const troubles = [
    ...(different > 0 ? ["Its states are not all as in the thread."] : []),
    ...(done.length > 0 ? [`${done.join(", ")} would run a second time.`] : []),
  ];
  const said = [
    "The server can't copy threads: the copy was written step by step.",
    ...(onlyNewest ? ["It has the newest state alone."] : []),
    ...(troubles.length > 0 ? [...troubles, "Nothing was run in it: look at it, and repair it."] : []),
  ];
  return { threadId: copyId, said: said.join(" "), mayRun: troubles.length === 0 };
}

async function strandedIn(thread: CheckedThread, listenMs: number | undefined): Promise<StrandedRun> {
  const found = await findStranded(thread, listenMs);
  if (found.kind === "alive") throw stillRunning();
  if (found.kind === "none")
    throw new CourseRefusal(
      "No run is under way in this thread.",
      "Use Repair Thread to go on from where it stands.",
    );
  return found;
}

function stillRunning(what = "Nothing was done."): CourseRefusal {
  return new CourseRefusal(
    `The run in this thread goes on: it sent an event, or the thread changed. ${what}`,
    "Follow it, or stop it first.",
  );
}

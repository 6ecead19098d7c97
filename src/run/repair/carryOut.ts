/** Carries out a change of course: looks that the thread still stands where it stood, and writes what is to be written. */

import type { RunCreate, ThreadState } from "../../api/agentServer/wire.ts";
import { isOver } from "../fold/runDraft.ts";
import { checkpointIn } from "../history/pages.ts";
import { readThread, statusOf } from "../session/server.ts";
import type { Plan } from "./plan.ts";
import { busy, changedMeanwhile, type CourseThread } from "./threadPosition.ts";

/** What was written, and the run that is to be started then. */
export interface Written {
  /** The thread's newest state, from which the run goes on. */
  readonly state: ThreadState;
  readonly run: RunCreate;
}

/** Throws CourseRefusal when somebody else was faster, and what the server answers. */
export async function carryOut(thread: CourseThread, { head, update, run }: Plan): Promise<Written> {
  const { server, threadId, signal } = thread;
  const { state, runs } = await readThread(thread);
  if (state.row?.status === "busy" || runs.some(({ status }) => !isOver(status))) throw busy();
  if (checkpointIn(state) !== head) throw changedMeanwhile();
  if (update === undefined) return { state, run };
  const written = await server.threads.update?.(threadId, update, { signal }).catch((error: unknown) => {
    throw statusOf(error) === 409 ? busy() : error;
  });
  const now = await server.threads.state(threadId, { signal });
  if (checkpointIn(now) !== written?.checkpoint.checkpoint_id) throw changedMeanwhile();
  return { state: now, run };
}

/** Carries out a change of course: looks that the thread still stands where it stood, and writes what is to be written. */

import type { RunCreate, ThreadState } from "../../api/agentServer/wire.ts";
import { isOver } from "../fold/drafts/runDraft.ts";
import { checkpointIn } from "../history/pages.ts";
import { readThread, statusOf } from "../session/server.ts";
import type { Plan } from "./plan.ts";
import { busy, changedMeanwhile, CourseRefusal, type CourseThread } from "./threadPosition.ts";

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
  const isBeside = update.checkpoint === undefined && (await isCrowded(thread, head));
  if (checkpointIn(now) !== written?.checkpoint.checkpoint_id || isBeside)
    throw new CourseRefusal(
      "Somebody else changed this thread in the same moment. What you wrote is among its states, and you started nothing.",
      "Look at what it is now, and start from there.",
    );
  return { state: now, run };
}

/** Whether more than one state was written on the one that was newest, or what was written lies on another one. */
async function isCrowded(
  { server, threadId, signal }: CourseThread,
  head: string | undefined,
): Promise<boolean> {
  const states = await server.threads.history?.(threadId, { limit: 4, signal });
  if (states === undefined) return false;
  const onHead = states.filter(({ parent_checkpoint: parent }) => parent?.checkpoint_id === head);
  return onHead.length > 1 || states[0]?.parent_checkpoint?.checkpoint_id !== head;
}

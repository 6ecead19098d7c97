/** A change of a thread's course, as a person is asked about it and as it is done. */

import type { ThreadState } from "../../../api/agentServer/wire.ts";
import { carryOut } from "../../../run/repair/carryOut.ts";
import type { Plan } from "../../../run/repair/plan.ts";
import { effectsText } from "../../../run/repair/planText.ts";
import type { CourseThread } from "../../../run/repair/threadPosition.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import type { Connections } from "../../connections/connections.ts";
import { confirmAct } from "../../connections/guard.ts";
import type { Sessions } from "../sessions.ts";
import type { Threads } from "../threads.ts";

/** What is to be done. */
export interface CourseChange {
  readonly plan: Plan;
  /** How it is called in the question: "Retry “write”". */
  readonly name: string;
  /** The question's button. */
  readonly verb: string;
  /** What else a person is told before. */
  readonly note?: string;
}

interface CourseServices {
  readonly connections: Pick<Connections, "resolve">;
  readonly threads: Pick<Threads, "titleOf">;
  readonly sessions: Pick<Sessions, "changeCourse">;
}

/**
 * Says what runs again and which tools were called, asks, and does it; what only goes on is asked about on protected
 * connections alone. `isMeant` looks at the state that was written before anything runs.
 */
export async function changeCourse(
  { connections, threads, sessions }: CourseServices,
  thread: ThreadRef,
  { plan, name, verb, note }: CourseChange,
  isMeant: (state: ThreadState) => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  const { first, made, waiting } = plan.effects;
  await confirmAct(connections.resolve(thread.connectionId), {
    question: `${name} in “${threads.titleOf(thread)}”?`,
    detail: [note, effectsText(plan.effects)].filter((line) => line !== undefined).join("\n"),
    verb,
    always: plan.update !== undefined || first.some(({ again }) => again) || made.length + waiting.length > 0,
  });
  await sessions.changeCourse(thread, async (there: CourseThread) => {
    const { state, run } = await carryOut(there, plan);
    return state.next.length > 0 && (await isMeant(state)) ? run : undefined;
  });
}

/** What a thread's state says, whichever parts of it a chat backend leaves out. */

import type { Interrupt, RunStatus, ThreadState, ThreadTask } from "../../../api/agentServer/wire.ts";
import { pendingInterrupts } from "../../../run/fold/threadState.ts";

/** What backends leave out of a state, or add to it. */
interface LooseState {
  readonly tasks?: readonly ThreadTask[];
  readonly interrupts?: readonly Interrupt[];
}

/** The state with what is asked in its tasks: older servers tell the interrupts beside them. */
export function withInterrupts(state: ThreadState): ThreadState {
  const { interrupts: beside = [], tasks: told } = state as LooseState;
  const tasks = told ?? [];
  if (beside.length === 0 || pendingInterrupts({ ...state, tasks }).length > 0) return { ...state, tasks };
  return { ...state, tasks: [...tasks, { id: "", name: "", interrupts: beside }] };
}

/** A run goes on while something is to come and nobody is waited for. */
export function statusIn(state: ThreadState): RunStatus {
  if (pendingInterrupts(state).length > 0) return "success";
  if (state.tasks.some(({ error }) => error !== undefined && error !== null)) return "error";
  return Array.isArray(state.next) && state.next.length === 0 ? "success" : "running";
}

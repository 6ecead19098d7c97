/** What a transcript needs of a thread's state, whatever shape a server gives it. */

import type { CallOptions } from "../../api/http.ts";
import type { Interrupt, Json, ThreadState } from "../../api/agentServer/wire.ts";
import { chatMessages } from "./chatMessage.ts";
import type { ChatMessage } from "./chatMessage.ts";
import { interruptOf } from "./interrupts.ts";
import { isList, isNestedTooDeep, isObject, mostNested } from "../json/json.ts";
import type { RunServer } from "../session/server.ts";

/** Reads a thread's state, as far as it can be followed to its end; throws NestingError for another one. */
export async function readState(
  server: RunServer,
  threadId: string,
  options: CallOptions,
): Promise<ThreadState> {
  const state = await server.threads.state(threadId, options);
  if (isNestedTooDeep(state)) throw new NestingError();
  return state;
}

/** The conversation so far. */
export function stateMessages(state: ThreadState): readonly ChatMessage[] {
  const values: Json | undefined = anyShape(state.values);
  return isObject(values) ? chatMessages(values["messages"]) : [];
}

/** What the thread waits for, in its own tasks and in those of its subgraphs. */
export function pendingInterrupts(state: ThreadState): readonly Interrupt[] {
  return interruptsIn(anyShape(state.tasks));
}

/** Why a task of the thread failed; undefined when none did. */
export function stateError(state: ThreadState): Json | undefined {
  const tasks = anyShape(state.tasks);
  if (!isList(tasks)) return undefined;
  const errors = tasks.map((task) => (isObject(task) ? task["error"] : undefined));
  return errors.find((error) => error !== undefined && error !== null);
}

/** A state that nothing can show: it is nested too deep. */
class NestingError extends Error {
  override readonly name = "NestingError";

  constructor() {
    super(`The thread's state is nested deeper than ${mostNested} levels.`);
  }
}

function interruptsIn(tasks: Json | undefined): readonly Interrupt[] {
  if (!isList(tasks)) return [];
  return tasks.filter(isObject).flatMap((task) => {
    const own = isList(task["interrupts"]) ? task["interrupts"].map(interruptOf) : [];
    const nested = isObject(task["state"]) ? interruptsIn(task["state"]["tasks"]) : [];
    return [...own.filter((interrupt) => interrupt !== undefined), ...nested];
  });
}

/** Types promise a shape that no server is held to. */
function anyShape(value: unknown): Json | undefined {
  return value as Json | undefined;
}

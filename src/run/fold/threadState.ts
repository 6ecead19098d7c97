/** What a thread's state says, now or earlier, whatever shape a server gives it. */

import type { Interrupt, Json, ThreadState } from "../../api/agentServer/wire.ts";
import { type ChatMessage, chatMessages } from "./chatMessage.ts";
import { contentText } from "./content.ts";
import { interruptOf } from "./interrupts.ts";
import { isList, isObject, textOf } from "../json/json.ts";

/** What tells one state from the next. */
export interface EarlierState {
  /** "Step 3"; "State" where the server numbers no steps. */
  readonly step: string;
  /** How it came to be: "input", "state written", "forked", or as the server spells it; empty for a plain step. */
  readonly source: string;
  /** What was said last and what was to come, on one line. */
  readonly detail: string;
  readonly waits: boolean;
}

const longest = 120;
const sources = new Map(Object.entries({ loop: "", update: "state written", fork: "forked" }));
const speakers = new Map(Object.entries({ human: "You", ai: "Agent" }));

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

/** Puts a state into words; a server may leave out any part of it. */
export function earlierState(state: ThreadState): EarlierState {
  const { step, source = "loop" } = state.metadata ?? {};
  const waits = pendingInterrupts(state).length > 0;
  const parts = [lastSaid(state), waits ? "waits for an answer" : following(state.next)];
  return {
    step: typeof step === "number" ? `Step ${String(step)}` : "State",
    source: sources.get(textOf(source) ?? "") ?? textOf(source) ?? "",
    detail: parts.filter((part) => part !== "").join(" · "),
    waits,
  };
}

function following(next: Json | undefined): string {
  const nodes = isList(next) ? next.map((node) => textOf(node) ?? "") : [];
  return nodes.length === 0 ? "" : `then ${nodes.join(", ")}`;
}

function lastSaid(state: ThreadState): string {
  const message = stateMessages(state).at(-1);
  if (message === undefined) return "";
  const text = contentText(message.content).replace(/\s+/g, " ").trim();
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return `${speakers.get(message.role) ?? message.role}: ${shown}`;
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

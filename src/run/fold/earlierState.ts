/** A state out of a thread's history, as a row to choose it by. */

import type { Json, ThreadState } from "../../api/agentServer/wire.ts";
import { contentText } from "./content.ts";
import { isList, textOf } from "../json/json.ts";
import { pendingInterrupts, stateMessages } from "./threadState.ts";

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

/** What a thread waits for, read from what servers list of it, and whether it still does. */

import type { Interrupt, Json, ThreadState } from "../../api/agentServer/wire.ts";
import { actionRequests, decisionProblem } from "../../run/fold/humanReview.ts";
import { pendingInterrupts } from "../../run/fold/threadState.ts";
import type { ActionRequest, Decision } from "../../run/panel/transcript.ts";
import type { ThreadRef } from "../connections/connection.ts";

/** A thread that waits for a person. */
export interface WaitingThread {
  readonly ref: ThreadRef;
  readonly title: string;
  /** The connection, and the agent server or the managed agent. */
  readonly place: string;
  /** Since when, as the server told. */
  readonly since: string;
  readonly question: Question;
}

/** What is asked, as far as the server lists it. */
export interface Question {
  /** What is to be done, on one line: the action's name, or the beginning of a free question. */
  readonly label: string;
  /** All of it, as a person wants to read it before answering. */
  readonly details: string;
  /** The only action of the only interrupt: what can be answered without opening the thread. */
  readonly sole?: SoleAction;
}

/** An action that nothing else is asked beside. */
export interface SoleAction {
  /** The server's, where it gives one. */
  readonly interruptId: string | undefined;
  readonly request: ActionRequest;
}

const longest = 80;
const longestDetails = 2000;

/** The question in a thread's interrupts, which servers keep by task. */
export function questionOf(
  interrupts: Readonly<Record<string, readonly Interrupt[]>> | null | undefined,
): Question {
  const all = Object.values(interrupts ?? {}).flat();
  const asked = all.flatMap(({ id, value }) =>
    actionRequests(value).map((request) => ({ interruptId: id, request })),
  );
  const [first, ...others] = asked;
  if (first === undefined) return freeQuestion(all[0]?.value);
  const details = asked.map(({ request }) => detailsOf(request)).join("\n\n");
  if (others.length > 0) {
    const names = asked.map(({ request }) => request.name);
    return { label: cut(`${String(names.length)} actions: ${names.join(", ")}`), details };
  }
  const label = cut(first.request.name);
  return all.length === 1 ? { label, details, sole: first } : { label, details };
}

/** Whether a thread still waits for this answer and for no other; a server may list a question twice. */
export function waitsFor({ interruptId }: SoleAction, decision: Decision, state: ThreadState): boolean {
  const pending = pendingInterrupts(state);
  const [only, ...others] = new Map(
    pending.map((one) => [one.id ?? JSON.stringify(one.value), one]),
  ).values();
  if (only === undefined || others.length > 0) return false;
  const isSame = interruptId === undefined || only.id === interruptId;
  return isSame && decisionProblem(actionRequests(only.value), [decision]) === undefined;
}

/** Those that wait longest first. */
export function byAge(threads: readonly WaitingThread[]): readonly WaitingThread[] {
  return threads.toSorted((a, b) => time(a) - time(b));
}

function time({ since }: WaitingThread): number {
  const at = Date.parse(since);
  return Number.isNaN(at) ? Infinity : at;
}

/** What is asked in a form of its own. */
function freeQuestion(value: Json | undefined): Question {
  if (value === undefined || value === null) return { label: "Waits for an answer", details: "" };
  const details = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return { label: cut(details), details };
}

function detailsOf({ name, args, description }: ActionRequest): string {
  const lines = [name, description ?? "", JSON.stringify(args, null, 2)];
  return lines
    .filter((line) => line !== "")
    .join("\n")
    .slice(0, longestDetails);
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

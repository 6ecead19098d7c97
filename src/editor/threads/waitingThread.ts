/** What a thread waits for, read from what servers list of it. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { actionRequests, freeQuestion } from "../../run/fold/humanReview.ts";
import { interruptsInRow, type ThreadRow } from "../../run/fold/threadState.ts";
import type { ActionRequest } from "../../run/panel/transcript.ts";
import type { AskedAction } from "../../run/session/answers.ts";
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
  /** The thread's, where the server lists it. */
  readonly metadata?: JsonObject;
}

/** What is asked, as far as the server lists it. */
export interface Question {
  /** What is to be done, on one line: the action's name, or the beginning of a free question. */
  readonly label: string;
  /** All of it, as a person wants to read it before answering. */
  readonly details: string;
  /** The only action of the only interrupt: what can be answered without opening the thread. */
  readonly sole?: AskedAction;
  /** Nothing is asked: the thread stopped at a breakpoint, and can go on. */
  readonly isBreakpoint?: true;
}

const longest = 80;
const longestDetails = 2000;

/** The question in the interrupts of a thread's row; a server may not list them. */
export function questionOf(interrupts: ThreadRow["interrupts"] | null): Question {
  const all = interruptsInRow(interrupts);
  const asked = all.flatMap(({ id, value }) =>
    actionRequests(value).map((request) => ({ interruptId: id, request })),
  );
  const [first, ...others] = asked;
  if (all.length === 0 && interrupts !== undefined && interrupts !== null)
    return { label: "Stopped at a breakpoint", details: "", isBreakpoint: true };
  if (first === undefined) return askedFreely(all[0]?.value);
  const details = asked.map(({ request }) => detailsOf(request)).join("\n\n");
  if (others.length > 0) {
    const names = asked.map(({ request }) => request.name);
    return { label: cut(`${String(names.length)} actions: ${names.join(", ")}`), details };
  }
  const label = cut(first.request.name);
  return all.length === 1 ? { label, details, sole: first } : { label, details };
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
function askedFreely(value: Json | undefined): Question {
  if (value === undefined || value === null) return { label: "Waits for an answer", details: "" };
  const { text, options = [], rest } = freeQuestion(value) ?? { text: JSON.stringify(value, null, 2) };
  const details = [text, ...options.map(({ label }) => `- ${label}`), rest && JSON.stringify(rest, null, 2)];
  return {
    label: cut(text),
    details: details
      .filter((part) => part !== undefined)
      .join("\n")
      .slice(0, longestDetails),
  };
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

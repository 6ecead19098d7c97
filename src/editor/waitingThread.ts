/** What a thread waits for, read from what servers list of it. */

import type { Interrupt, Json } from "../api/agentServer/wire.ts";
import { actionRequests } from "../run/humanReview.ts";
import type { ActionRequest } from "../run/transcript.ts";
import type { ThreadRef } from "./connection.ts";

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
  /** On one line. */
  readonly label: string;
  /** The only action of the only interrupt: what can be answered without opening the thread. */
  readonly sole?: { readonly interruptId: string | undefined; readonly request: ActionRequest };
}

const longest = 100;

/** The question in a thread's interrupts, which servers keep by task. */
export function questionOf(
  interrupts: Readonly<Record<string, readonly Interrupt[]>> | null | undefined,
): Question {
  const all = Object.values(interrupts ?? {}).flat();
  const asked = all.flatMap(({ id, value }) =>
    actionRequests(value).map((request) => ({ interruptId: id, request })),
  );
  const [first, ...others] = asked;
  if (first === undefined) return { label: freeText(all[0]?.value) };
  if (others.length > 0) {
    const names = asked.map(({ request }) => request.name);
    return { label: cut(`${String(names.length)} actions: ${names.join(", ")}`) };
  }
  const label = cut(`${first.request.name}(${argumentsText(first.request.args)})`);
  return all.length === 1 ? { label, sole: first } : { label };
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
function freeText(value: Json | undefined): string {
  if (value === undefined || value === null) return "Waits for an answer";
  return cut(typeof value === "string" ? value : JSON.stringify(value));
}

function argumentsText(args: Json): string {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return JSON.stringify(args);
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

/** What a thread waits for, read from what servers list of it. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { actionRequests, freeQuestion } from "../../run/fold/drafts/humanReview.ts";
import { fieldsText } from "../../run/json/fieldsText.ts";
import { interruptsInRow, type ThreadRow } from "../../run/fold/threadState.ts";
import type { ActionRequest } from "../../run/panel/transcript.ts";
import type { AskedAction } from "../../run/session/answerSteps.ts";
import type { ThreadRef } from "../connections/connection.ts";
import { oneLine } from "../kit/words.ts";

/** A thread that waits for a person. */
export interface WaitingThread {
  readonly ref: ThreadRef;
  readonly title: string;
  /** The connection's name. */
  readonly connection: string;
  /** The managed agent; of an agent server its name and the graph, as far as they say more than the connection. */
  readonly agent: string;
  /** Since when, as the server says. */
  readonly since: string;
  readonly question: Question;
  /** The thread's, where the server lists it. */
  readonly metadata?: JsonObject;
}

/** What is asked, as far as the server lists it. */
export interface Question {
  /** What is to be done, on one line: the action's name, or the beginning of a free question. */
  readonly label: string;
  /** The names of the actions; none for a free question. */
  readonly tools: readonly string[];
  /** All of it, as a person wants to read it before answering: the arguments as the card shows them. */
  readonly details: string;
  /** The only action of the only interrupt: what can be answered without opening the thread. */
  readonly sole?: AskedAction;
  /** Nothing is asked: the thread stopped at a breakpoint, and can go on. */
  readonly isBreakpoint?: true;
}

const longest = 80;
/** More than this of a question is read in its thread. */
const longestDetails = 20_000;

/** The question in the interrupts of a thread's row; a server may not list them. */
export function questionOf(interrupts: ThreadRow["interrupts"] | null): Question {
  const all = interruptsInRow(interrupts);
  const asked = all.flatMap(({ id, value }) =>
    actionRequests(value).map((request) => ({ interruptId: id, request })),
  );
  const [first, ...others] = asked;
  if (all.length === 0 && interrupts !== undefined && interrupts !== null)
    return { label: "Stopped at a breakpoint", tools: [], details: "", isBreakpoint: true };
  if (first === undefined) return askedFreely(all[0]?.value);
  const details = shortened(asked.map(({ request }) => detailsOf(request)).join("\n\n"));
  const tools = asked.map(({ request }) => request.name);
  if (others.length > 0)
    return { label: cut(`${String(tools.length)} actions: ${tools.join(", ")}`), tools, details };
  const label = cut(first.request.name);
  return all.length === 1 ? { label, tools, details, sole: first } : { label, tools, details };
}

/** A thread's row, of whichever kind of server. */
interface AskingRow {
  readonly status?: string;
  readonly interrupts?: ThreadRow["interrupts"] | null;
}

/** How many things a thread's row asks: actions, and questions of another form; 0 while it goes on. */
export function askedIn({ status, interrupts }: AskingRow): number {
  if (status !== "interrupted") return 0;
  const asked = interruptsInRow(interrupts).map(({ value }) => Math.max(1, actionRequests(value).length));
  return asked.reduce((sum, count) => sum + count, 0);
}

/**
 * Whether a server may leave out questions in its list, as agent servers do where several subgraphs ask; their states
 * would tell, and can be large.
 */
export function mayAskMore({ server: { kind } }: ThreadRef): boolean {
  return kind !== "chatBackend" && kind !== "managedAgent";
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
  if (value === undefined || value === null) return { label: "Waits for an answer", tools: [], details: "" };
  const { text, options = [], rest } = freeQuestion(value) ?? { text: fieldsText(value) };
  const details = [text, ...options.map(({ label }) => `- ${label}`), rest && fieldsText(rest)];
  const read = shortened(details.filter((part) => part !== undefined).join("\n"));
  return { label: cut(text), tools: [], details: read };
}

function detailsOf({ name, args, description }: ActionRequest): string {
  return [name, description ?? "", fieldsText(args)].filter((line) => line !== "").join("\n");
}

function shortened(text: string): string {
  if (text.length <= longestDetails) return text;
  return `${text.slice(0, longestDetails)}…\nOpen the thread to read the rest.`;
}

function cut(text: string): string {
  const line = oneLine(text);
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

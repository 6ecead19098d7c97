/** What a thread's state says, now or earlier, whatever shape a server gives it. */

import type { Interrupt, Json, Thread, ThreadState } from "../../api/agentServer/wire.ts";
import { type ChatMessage, chatMessages } from "./chatMessage.ts";
import { contentText } from "./drafts/messageDraft.ts";
import { fieldOf, isList, isObject, sameJson, textOf } from "../json/json.ts";

/** A thread's state, and what the thread's row says beside it, where a server has rows. */
export interface StateNow extends ThreadState {
  readonly row?: ThreadRow;
}

/** What a thread's row says of its questions, which a server may not list, of who runs it, and how. */
export type ThreadRow = Pick<Thread, "status" | "interrupts"> &
  Partial<Pick<Thread, "metadata" | "config" | "updated_at">>;

/** What a thread waits for. */
export interface Waiting {
  readonly interrupts: readonly Interrupt[];
  /** The nodes that come next. */
  readonly next: readonly string[];
  /** Whether it stopped at a breakpoint; undefined where that can't be known. */
  readonly stopped: boolean | undefined;
  /** Of the interrupts, those that may have been answered: a state goes on listing them while others beside them wait. */
  readonly maybeAnswered: readonly MaybeAnswered[];
}

/** Tasks of which not all may wait, each with what it asks. */
export interface MaybeAnswered {
  readonly asks: readonly (readonly Interrupt[])[];
  /** How many of them wait; undefined where that is not told. */
  readonly waiting: number | undefined;
}

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

/**
 * The questions that wait. A state goes on listing answered questions as long as others beside them wait, but its
 * `next` names only nodes that wait. A row lists questions that wait, but of several subgraphs only those of the last
 * one. After a run without an answer, or one that stopped at a breakpoint, it lists answered ones, too.
 */
export function waitingIn(state: StateNow): Waiting {
  const { row } = state;
  const next = nextNodes(state);
  const listed = row?.status === "interrupted" ? interruptsInRow(row.interrupts) : [];
  // A node that failed on its answer is still listed with its question; tried again, it is given that answer again.
  const tasks = askingTasks(state, row?.status === "error");
  const isAsked = (one: Interrupt): boolean => tasks.some(({ asks }) => lists(asks, one));
  // What none of its tasks asks was answered, unless the server tells of no tasks.
  const inRow = hasTasks(state) ? listed.filter(isAsked) : listed;
  const onlyInRow = inRow.filter((one) => !isAsked(one));
  const ofNodes = [...Map.groupBy(tasks, ({ node }) => node)].flatMap(([node, same]) => {
    const isNamed = next.length > 0 && node !== "";
    return askedBy(same, inRow, isNamed ? next.filter((name) => name === node).length : undefined);
  });
  const all = [...onlyInRow, ...ofNodes.flatMap(({ questions }) => questions)];
  const asked = all.filter((question, at) => all.findIndex((other) => isSame(question, other)) === at);
  return {
    interrupts: asked,
    next,
    stopped: inRow.length > 0 ? false : isStopped(row, asked.length > 0, next),
    maybeAnswered: asked.length > 1 ? ofNodes.flatMap(({ maybeAnswered }) => maybeAnswered) : [],
  };
}

/** A node's tasks may be several side by side. */
interface AskingTask {
  readonly node: string;
  readonly asks: readonly Interrupt[];
}

/** What the tasks of one node may still ask. */
interface AskedByNode {
  readonly questions: readonly Interrupt[];
  readonly maybeAnswered: readonly MaybeAnswered[];
}

/**
 * What the tasks of one node still ask. `coming` is how many of these tasks come next, undefined where that is not
 * known. Those that the row lists come first; which of the others still wait may be uncertain.
 */
function askedBy(
  tasks: readonly AskingTask[],
  inRow: readonly Interrupt[],
  coming: number | undefined,
): AskedByNode {
  if (coming === 0) return { questions: [], maybeAnswered: [] };
  const inRowTasks = tasks.filter(({ asks }) => asks.some((one) => lists(inRow, one)));
  const others = tasks.filter((task) => !inRowTasks.includes(task)).map(({ asks }) => asks);
  const askedInRow = inRowTasks.map(({ asks }) => asks.filter((one) => lists(inRow, one)));
  const isRowUnsure = coming !== undefined && coming < inRowTasks.length;
  const maybeAnswered = isRowUnsure ? [{ asks: askedInRow, waiting: coming }] : [];
  const left = coming === undefined ? undefined : coming - inRowTasks.length;
  const isNoneLeft = left === undefined ? inRow.length > 0 : left <= 0;
  if (isNoneLeft) return { questions: askedInRow.flat(), maybeAnswered };
  const areOthersUnsure = left === undefined || left < others.length;
  const several = others
    .filter((asks) => asks.length > 1)
    .map((asks) => ({ asks: [asks], waiting: undefined }));
  return {
    questions: [...askedInRow.flat(), ...others.flat()],
    maybeAnswered: [...maybeAnswered, ...(areOthersUnsure ? [{ asks: others, waiting: left }] : several)],
  };
}

/** Whether the thread stands at a breakpoint; undefined where that can't be known. */
function isStopped(row: ThreadRow | undefined, asks: boolean, next: readonly string[]): boolean | undefined {
  switch (row?.status) {
    case undefined:
    case "busy":
      return undefined;
    case "interrupted":
      if (asks) return false;
      return row.interrupts === undefined ? undefined : next.length > 0;
    // A thread that stopped after an answer is "idle" for some servers, too.
    case "idle":
      return asks || next.length > 0 ? undefined : false;
    default:
      return asks ? undefined : false;
  }
}

/** The tasks of a state that ask something, each with what is asked in it. */
function askingTasks(state: ThreadState, butFailed: boolean): readonly AskingTask[] {
  const tasks = anyShape(state.tasks);
  return (isList(tasks) ? tasks : []).flatMap((task) => {
    if (!isObject(task) || (butFailed && (task["error"] ?? null) !== null)) return [];
    const all = interruptsIn([task]);
    const asks = all.filter((one, at) => all.findIndex((other) => isSame(one, other)) === at);
    return asks.length === 0 ? [] : [{ node: textOf(task["name"]) ?? "", asks }];
  });
}

function hasTasks(state: ThreadState): boolean {
  const tasks = anyShape(state.tasks);
  return isList(tasks) && tasks.length > 0;
}

function lists(questions: readonly Interrupt[], one: Interrupt): boolean {
  return questions.some((other) => isSame(one, other));
}

function isSame(one: Interrupt, other: Interrupt): boolean {
  return sameJson(asJson(one), asJson(other));
}

/** Reads an interrupt; undefined when the value is none. */
export function interruptOf(value: Json): Interrupt | undefined {
  if (!isObject(value)) return undefined;
  const id = textOf(fieldOf(value, "id", "interrupt_id"));
  return { value: value["value"] ?? null, ...(id !== undefined && { id }) };
}

/** The questions in a thread's row, which servers keep by task. */
export function interruptsInRow(interrupts: ThreadRow["interrupts"] | null): readonly Interrupt[] {
  const byTask = anyShape(interrupts);
  const lists = isObject(byTask) ? Object.values(byTask) : [];
  return lists.flatMap((list) => (isList(list) ? list.flatMap((one) => interruptOf(one) ?? []) : []));
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
  const parts = [lastSaid(state), waits ? "waits for an answer" : following(nextNodes(state))];
  return {
    step: typeof step === "number" ? `Step ${String(step)}` : "State",
    source: sources.get(textOf(source) ?? "") ?? textOf(source) ?? "",
    detail: parts.filter((part) => part !== "").join(" · "),
    waits,
  };
}

function following(nodes: readonly string[]): string {
  return nodes.length === 0 ? "" : `then ${nodes.join(", ")}`;
}

function nextNodes(state: ThreadState): readonly string[] {
  const next = anyShape(state.next);
  return isList(next) ? next.map((node) => textOf(node) ?? "") : [];
}

function asJson({ id, value }: Interrupt): Json {
  return { id, value };
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

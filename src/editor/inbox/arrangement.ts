/** Which of the waiting threads the Inbox shows, and by what they are grouped. */

import type { WaitingThread } from "../threads/waitingThread.ts";

/** What threads are grouped by. */
export type InboxGrouping = "connection" | "agent" | "tool";

/** What a person wants to see; each condition holds. Without a grouping the oldest stands first. */
export interface InboxArrangement {
  readonly group?: InboxGrouping;
  readonly connectionId?: string;
  readonly agent?: string;
  /** One of the actions that are asked for. */
  readonly tool?: string;
  /** Words of the title, the question, its arguments, the agent or the connection. */
  readonly text?: string;
}

/** Threads that belong together. */
export interface InboxGroup {
  readonly key: string;
  readonly label: string;
  /** Where all of them are; absent for a group of many connections. */
  readonly connectionId?: string;
  readonly threads: readonly WaitingThread[];
}

const texts = ["connectionId", "agent", "tool", "text"] as const;
const groupings: readonly unknown[] = ["connection", "agent", "tool"] satisfies InboxGrouping[];

/** Those of the threads that are wanted. */
export function wanted(
  threads: readonly WaitingThread[],
  { connectionId, agent, tool, text = "" }: InboxArrangement,
): readonly WaitingThread[] {
  const words = text.trim().toLowerCase();
  return threads.filter(
    (thread) =>
      (connectionId === undefined || thread.ref.connectionId === connectionId) &&
      (agent === undefined || agentOf(thread) === agent) &&
      (tool === undefined || thread.question.tools.includes(tool)) &&
      (words === "" || searchedIn(thread).includes(words)),
  );
}

/** The threads in groups, each in the order of its oldest. */
export function grouped(threads: readonly WaitingThread[], by: InboxGrouping): readonly InboxGroup[] {
  const groups = Map.groupBy(threads, (thread) => keyOf(thread, by));
  return [...groups].flatMap(([key, members]) => {
    const [first] = members;
    if (first === undefined) return [];
    const where = by === "tool" ? {} : { connectionId: first.ref.connectionId };
    return { key, label: labelOf(first, by), ...where, threads: members };
  });
}

/** The agent that asks; where nothing is known of it, the connection stands for it. */
export function agentOf({ agent, connection }: WaitingThread): string {
  return agent === "" ? connection : agent;
}

/** Whether anything is left out. */
export function isFiltered(arrangement: InboxArrangement): boolean {
  return texts.some((name) => (arrangement[name] ?? "").trim() !== "");
}

/** The arrangement in words: "by tool", "Production", "“refund”". */
export function arrangementWords(
  { group, connectionId, agent, tool, text = "" }: InboxArrangement,
  nameOf: (connectionId: string) => string,
): readonly string[] {
  const words = [
    group === undefined ? "" : `by ${group}`,
    connectionId === undefined ? "" : nameOf(connectionId),
    agent ?? "",
    tool ?? "",
    text.trim() === "" ? "" : `“${text.trim()}”`,
  ];
  return words.filter((part) => part !== "");
}

/** An arrangement that was kept, as far as it can be read. */
export function arrangementFrom(kept: unknown): InboxArrangement {
  if (typeof kept !== "object" || kept === null) return {};
  const values = kept as Readonly<Record<string, unknown>>;
  const group = groupings.includes(values["group"]) ? { group: values["group"] as InboxGrouping } : {};
  const read = texts.flatMap((name) => (typeof values[name] === "string" ? [[name, values[name]]] : []));
  return { ...group, ...(Object.fromEntries(read) as InboxArrangement) };
}

function keyOf(thread: WaitingThread, by: InboxGrouping): string {
  switch (by) {
    case "connection":
      return thread.ref.connectionId;
    case "agent":
      return `${thread.ref.connectionId} ${agentOf(thread)}`;
    case "tool":
      return labelOf(thread, by);
    default:
      return by satisfies never;
  }
}

function labelOf(thread: WaitingThread, by: InboxGrouping): string {
  const { connection, question } = thread;
  switch (by) {
    case "connection":
      return connection;
    case "agent":
      return agentOf(thread) === connection ? connection : `${connection} · ${agentOf(thread)}`;
    case "tool":
      if (question.isBreakpoint === true) return "Breakpoints";
      return question.tools.length === 0 ? "Questions" : [...new Set(question.tools)].join(", ");
    default:
      return by satisfies never;
  }
}

function searchedIn({ title, connection, agent, question }: WaitingThread): string {
  return [title, connection, agent, question.label, question.details].join("\n").toLowerCase();
}

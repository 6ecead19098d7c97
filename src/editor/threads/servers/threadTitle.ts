/** What a thread is called, wherever it is shown. */

import type { Json, Message, Thread } from "../../../api/agentServer/wire.ts";
import type { ManagedThread } from "../../../api/managedAgents/wire.ts";

const longest = 80;
/** The longest title of a tab in characters, which leaves room for other tabs. */
const longestOnTab = 32;

/** The end of an id tells more than its beginning, where servers write the time of day. */
const shownOfId = 6;

/** The thread's name: what a person called it, else how it began; undefined where the server says neither. */
export function titleOf({ metadata, values }: Pick<Thread, "metadata" | "values">): string | undefined {
  return givenTitle(metadata) ?? titleFrom(values);
}

/** What a managed agent's thread is called: by a person or the platform, else by its id. */
export function managedTitle({ title, id }: ManagedThread): string {
  return title === undefined || title === null || title === "" ? titleOfId(id) : title;
}

/** How a conversation began; undefined when nobody has said anything yet. */
export function titleFrom(values: Thread["values"]): string | undefined {
  const first = messagesOf(values?.["messages"]).find((message) => isHuman(message));
  return first === undefined ? undefined : titleOfText(textOf(first.content));
}

/** What a person called the thread. */
export function givenTitle(metadata: Thread["metadata"]): string | undefined {
  const given = metadata["title"];
  return typeof given === "string" ? titleOfText(given) : undefined;
}

/** The beginning of a text on one line; undefined when there is nothing to read. */
export function titleOfText(text: string): string | undefined {
  const line = text
    .slice(0, 10 * longest)
    .replace(/\s+/g, " ")
    .trim();
  return line === "" ? undefined : startOf(line, longest);
}

/** A title as it stands on a tab. */
export function titleOnTab(title: string): string {
  return startOf(title, longestOnTab);
}

/** What a thread is called of which only its id is known, and perhaps its graph: `reviewer 86dc8a`. */
export function titleOfId(threadId: string, metadata: Thread["metadata"] = {}): string {
  return `${graphOf(metadata) ?? "Thread"} ${threadId.slice(-shownOfId)}`;
}

/** Whether a title is no more than `titleOfId` makes of the id. */
export function isTitleOfId(title: string, threadId: string): boolean {
  const isLong = threadId.length > shownOfId;
  return title === titleOfId(threadId) || (isLong && title.endsWith(` ${threadId.slice(-shownOfId)}`));
}

/**
 * How a thread began, by the input of its first run: what a person said, or the first text of a structured input with
 * the graph's name before it.
 */
export function titleOfInput(input: Json | undefined, metadata: Thread["metadata"]): string | undefined {
  if (typeof input === "string") return titleOfText(input);
  if (!isRecord(input)) return undefined;
  const said = titleFrom(input);
  if (said !== undefined) return said;
  const text = Object.values(input).find((value) => typeof value === "string" && titleOfText(value));
  if (typeof text !== "string") return undefined;
  const graph = graphOf(metadata);
  return titleOfText(graph === undefined ? text : `${graph}: ${text}`);
}

function startOf(line: string, length: number): string {
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}

function graphOf(metadata: Thread["metadata"]): string | undefined {
  const graph = metadata["graph_id"];
  return typeof graph === "string" ? titleOfText(graph) : undefined;
}

/** Also of an input, which may hold a single message, or texts in place of messages. */
function messagesOf(value: Json | undefined): readonly Message[] {
  const items: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [value ?? null];
  return items
    .map((item) => (typeof item === "string" ? { role: "user", content: item } : item))
    .filter(isRecord);
}

function isRecord(value: unknown): value is Readonly<Record<string, Json>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isHuman(message: Message): boolean {
  return message.type === "human" || message.role === "user" || message.role === "human";
}

function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as readonly Json[])
    .map((block) => (block !== null && typeof block === "object" && "text" in block ? block.text : undefined))
    .filter((text) => typeof text === "string")
    .join(" ");
}

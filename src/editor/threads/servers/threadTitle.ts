/** What a thread is called, wherever it is shown. */

import type { Json, Message, Thread } from "../../../api/agentServer/wire.ts";
import type { ManagedThread } from "../../../api/managedAgents/wire.ts";

const longest = 80;
/** So many characters leave room for other tabs beside it. */
const longestOnTab = 32;

/** The thread's name: what a person called it, else how it began, else the start of its id. */
export function titleOf(thread: Pick<Thread, "thread_id" | "metadata" | "values">): string {
  return givenTitle(thread.metadata) ?? titleFrom(thread.values) ?? titleOfId(thread.thread_id);
}

/** What a managed agent's thread is called: by a person or the platform, else the start of its id. */
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

/** What a thread is called of which nothing but its id is known. */
export function titleOfId(threadId: string): string {
  return `Thread ${threadId.slice(0, 8)}`;
}

function startOf(line: string, length: number): string {
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}

function messagesOf(value: Json | undefined): readonly Message[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).filter(
    (item) => item !== null && typeof item === "object" && !Array.isArray(item),
  ) as Message[];
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

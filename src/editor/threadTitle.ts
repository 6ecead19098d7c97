/** What a thread is called, wherever it is shown. */

import type { Json, Message, Thread } from "../api/agentServer/wire.ts";

const longest = 80;

/** The thread's name: what a person called it, else how it began, else the start of its id. */
export function titleOf(thread: Pick<Thread, "thread_id" | "metadata" | "values">): string {
  const given = thread.metadata["title"];
  if (typeof given === "string" && given.trim() !== "") return oneLine(given);
  const first = messagesOf(thread.values?.["messages"]).find((message) => isHuman(message));
  const text = first === undefined ? "" : oneLine(textOf(first.content));
  return text === "" ? `Thread ${thread.thread_id.slice(0, 8)}` : text;
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

function oneLine(text: string): string {
  const line = text
    .slice(0, 10 * longest)
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

/** A thread as lists hold it: without its values, which can be large. */

import type { JsonObject, Thread, ThreadStatus } from "../../api/agentServer/wire.ts";
import { isTitleOfId, titleOf, titleOfId } from "./servers/threadTitle.ts";
import { askedIn } from "./waitingThread.ts";

/** What lists ask of a thread: what it asks, too, but not its values, which can be large. */
export const listedFields = [
  "thread_id",
  "status",
  "metadata",
  "created_at",
  "updated_at",
  "interrupts",
] as const;

/** What is shown of a thread. */
export interface ThreadFacts {
  readonly id: string;
  readonly title: string;
  readonly status: ThreadStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly metadata: JsonObject;
  /** How many things it asks, as far as the server lists them; 0 where it lists none. */
  readonly asks: number;
}

/** What is shown of a thread as the server sent it; `known` is its title as far as it was found out before. */
export function factsOf(thread: Thread, known?: string): ThreadFacts {
  const { thread_id: id, metadata } = thread;
  return {
    id,
    title: titleOf(thread) ?? known ?? titleOfId(id, metadata),
    status: thread.status,
    createdAt: thread.created_at,
    updatedAt: thread.updated_at,
    metadata,
    asks: askedIn(thread),
  };
}

/** Whether the title says more than the id. */
export function hasTitle({ id, title }: Pick<ThreadFacts, "id" | "title">): boolean {
  return !isTitleOfId(title, id);
}

/** Whether both say the same about one thread. */
export function sameFacts(a: ThreadFacts, b: ThreadFacts): boolean {
  return a.id === b.id && a.title === b.title && a.status === b.status && a.updatedAt === b.updatedAt;
}

/** How long ago something was, in one short phrase: "now", "5 min ago", "3 d ago". */
export function ageOf(timestamp: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(timestamp)) / 60_000);
  if (Number.isNaN(minutes)) return "";
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}

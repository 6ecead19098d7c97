/** A thread as the Deployments view holds it: without its values, which can be large. */

import type { JsonObject, Thread, ThreadStatus } from "../../api/agentServer/wire.ts";
import { titleOf } from "./servers/threadTitle.ts";

/** What is shown of a thread. */
export interface ThreadRow {
  readonly id: string;
  readonly title: string;
  readonly status: ThreadStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly metadata: JsonObject;
}

/** The row of a thread as the server sent it. */
export function rowOf(thread: Thread): ThreadRow {
  return {
    id: thread.thread_id,
    title: titleOf(thread),
    status: thread.status,
    createdAt: thread.created_at,
    updatedAt: thread.updated_at,
    metadata: thread.metadata,
  };
}

/** Whether two rows say the same about one thread. */
export function sameRow(a: ThreadRow, b: ThreadRow): boolean {
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

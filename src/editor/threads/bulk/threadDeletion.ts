/** The threads of a server by their age, how large they are, and how many of them are deleted, each as it was agreed to. */

import type { Threads } from "../../../api/agentServer/threads.ts";
import type { Thread, ThreadStatus } from "../../../api/agentServer/wire.ts";
import { ApiError, isGone } from "../../../api/errors.ts";
import type { BulkItem, BulkJob } from "../../bulk/bulkJob.ts";
import { type BulkWork, LeftOut } from "../../bulk/bulkRound.ts";
import type { AgentServerRef, ThreadRef } from "../../connections/connection.ts";
import type { Threads as KnownThreads } from "../threads.ts";
import { titleOf, titleOfId } from "../servers/threadTitle.ts";

/** A thread that is to be deleted; `before` is when it changed last. */
export interface DeleteItem extends BulkItem, ThreadRef {
  readonly before: string;
  readonly status: ThreadStatus;
}

/** Deleting many threads. */
export type DeleteJob = BulkJob<DeleteItem, { readonly kind: "delete" }>;

/** One of a server's, as it was when it was read. */
export interface ListedThread {
  readonly ref: ThreadRef;
  readonly title: string;
  readonly status: ThreadStatus;
  readonly updatedAt: string;
}

/** Those of one server. */
export interface ThreadsByAge {
  /** The one that changed longest ago first. */
  readonly threads: readonly ListedThread[];
  /** The server has more of them, which changed later. */
  readonly isCut: boolean;
}

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called with how many were read. */
  readonly onRead: (count: number) => void;
  readonly most?: number;
}

interface Needs {
  readonly serverOf: (thread: ThreadRef) => { readonly threads: Pick<Threads, "row" | "delete"> };
  readonly threads: Pick<KnownThreads, "notify">;
}

const mostRead = 10_000;
const page = 500;
/** The most states that are read to estimate the size of all. */
const mostMeasured = 40;

/** Lists threads, those first that changed longest ago; no state is read. */
export async function readByAge(
  server: AgentServerRef,
  threads: Pick<Threads, "list">,
  { signal, onRead, most = mostRead }: ReadOptions,
): Promise<ThreadsByAge> {
  const rows: Thread[] = [];
  const query = { sort_by: "updated_at", sort_order: "asc", limit: page } as const;
  for await (const row of threads.list(query, { signal })) {
    rows.push(row);
    if (rows.length % page === 0) onRead(rows.length);
    if (rows.length > most) break;
  }
  const listed = rows.slice(0, most).map((row): ListedThread => {
    const { thread_id: threadId, metadata, status, updated_at: updatedAt } = row;
    const ref = { connectionId: server.connectionId, server: server.server, threadId };
    return { ref, title: titleOf(row) ?? titleOfId(threadId, metadata), status, updatedAt };
  });
  return { threads: listed, isCut: rows.length > most };
}

/** How large the newest states of threads are. */
export interface Measured {
  /** Of all of them, by those that were read. */
  readonly bytes: number;
  readonly read: number;
}

/** Reads some of the threads' newest states, spread over all of them, one after the other. */
export async function measure(
  listed: readonly ListedThread[],
  threadsOf: (thread: ThreadRef) => Pick<Threads, "state">,
  signal: AbortSignal,
): Promise<Measured> {
  const every = Math.max(1, listed.length / mostMeasured);
  let [bytes, read] = [0, 0];
  for (let at = 0; Math.floor(at) < listed.length; at += every) {
    const { ref } = listed[Math.floor(at)] ?? {};
    if (ref === undefined) break;
    try {
      const { values } = await threadsOf(ref).state(ref.threadId, { signal });
      bytes += Buffer.byteLength(JSON.stringify(values));
      read += 1;
    } catch (error) {
      // One that was deleted meanwhile, or is too large to be read, is not measured.
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return { bytes: read === 0 ? 0 : (bytes / read) * listed.length, read };
}

/** The work of one job: a thread that anything happened to since is left. */
export function deleteWork({ serverOf, threads: known }: Needs): BulkWork<DeleteItem> {
  const announceDeleted = ({ connectionId, server, threadId }: ThreadRef): void =>
    known.notify({ kind: "deleted", threads: [{ connectionId, server, threadId }] });
  return {
    prepare: async (item) => {
      const { threads } = serverOf(item);
      const { status, updated_at: updatedAt } = await threads.row(item.threadId);
      if (status === "busy") throw new LeftOut("A run goes on in it.");
      if (updatedAt !== item.before || status !== item.status)
        throw new LeftOut("It was used or changed since you were asked.");
      return async () => {
        await threads.delete(item.threadId);
        announceDeleted(item);
        return {};
      };
    },
    checkSent: async (item) => {
      try {
        await serverOf(item).threads.row(item.threadId);
        return { not: {} };
      } catch (error) {
        if (!isGone(error)) throw error;
        announceDeleted(item);
        return { done: {} };
      }
    },
    follow: () => Promise.resolve({ isDone: true, said: "" }),
  };
}

/** The failed threads of a server, with what each failed of, and which of them failed for the same reason. */

import type { Threads } from "../../../api/agentServer/threads.ts";
import type { Thread } from "../../../api/agentServer/wire.ts";
import { checkpointIn } from "../../../run/history/pages.ts";
import { failureIn, failureKey, groupedBy, type ThreadFailure } from "../../../run/repair/failureGroups.ts";
import type { AgentServerRef, ThreadRef } from "../../connections/connection.ts";
import { adviceFor } from "../../kit/remedies.ts";
import { titleOf, titleOfId } from "../servers/threadTitle.ts";

/** One of them, as it was when it was read. */
export interface FailedThread extends ThreadFailure {
  readonly ref: ThreadRef;
  readonly server: AgentServerRef;
  readonly title: string;
  /** Its newest checkpoint; undefined where its state can't be read. */
  readonly head: string | undefined;
  readonly updatedAt: string;
}

/** Those of one server. */
export interface FailedOnServer {
  readonly threads: readonly FailedThread[];
  /** The server has more of them. */
  readonly isCut: boolean;
}

/** What failed for the same reason. */
export interface FailureGroup extends ThreadFailure {
  readonly threads: readonly FailedThread[];
}

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called with how many were read. */
  readonly onRead: (count: number) => void;
  readonly most?: number;
}

/** The most threads that are read of one server, the newest first: a state may be large. */
const mostRead = 2000;
const atOnce = 4;

/** Reads the failed threads of a server; rejects with what the server answers to the list of them. */
export async function readFailed(
  server: AgentServerRef,
  threads: Pick<Threads, "list" | "state">,
  { signal, onRead, most = mostRead }: ReadOptions,
): Promise<FailedOnServer> {
  const rows: Thread[] = [];
  const query = { status: "error", sort_by: "updated_at", sort_order: "desc" } as const;
  for await (const row of threads.list(query, { signal })) {
    // A server that does not know the condition answers others, too.
    if (row.status === "error") rows.push(row);
    if (rows.length > most) break;
  }
  const wanted = rows.slice(0, most);
  const found = new Map<string, FailedThread>();
  const left = wanted.values();
  const worker = async (): Promise<void> => {
    for (const row of left) {
      found.set(row.thread_id, await readOne(server, threads, row, signal));
      onRead(found.size);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { threads: wanted.flatMap(({ thread_id: id }) => found.get(id) ?? []), isCut: rows.length > most };
}

/** The groups, the largest first. */
export function failureGroups(threads: readonly FailedThread[]): readonly FailureGroup[] {
  return groupedBy(threads, failureKey).map((group) => ({
    nodes: group[0]?.nodes ?? [],
    error: group[0]?.error ?? "",
    threads: group,
  }));
}

async function readOne(
  server: AgentServerRef,
  threads: Pick<Threads, "state">,
  row: Thread,
  signal: AbortSignal,
): Promise<FailedThread> {
  const { thread_id: threadId, metadata, updated_at: updatedAt } = row;
  const base = {
    ref: { connectionId: server.connectionId, server: server.server, threadId },
    server,
    title: titleOf(row) ?? titleOfId(threadId, metadata),
    updatedAt,
  };
  try {
    const state = await threads.state(threadId, { signal });
    const title = titleOf({ metadata, values: state.values }) ?? base.title;
    return { ...base, title, ...failureIn(state), head: checkpointIn(state) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { ...base, nodes: [], error: `It can't be read: ${adviceFor(error).message}`, head: undefined };
  }
}

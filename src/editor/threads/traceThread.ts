/** Finds the thread that a trace or a failed run belongs to, among the agent servers of all connections. */

import { ApiError } from "../../api/errors.ts";
import type { AgentServer } from "../../api/agentServer/index.ts";
import type { AgentServerRef, ThreadRef } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { ConnectionError } from "../connections/connectionSettings.ts";
import type { AgentServers } from "./servers/agentServers.ts";

/** What is known of it: the thread itself, or a run in it and when that began. */
export interface TraceClue {
  readonly threadId?: string;
  /** Ids that may be the run's: a trace has its root run's. */
  readonly runIds: readonly string[];
  /** RFC 3339. */
  readonly startTime?: string | undefined;
}

/** Clocks differ, and a thread's row may be written a little after its run began. */
const toleranceMs = 5 * 60_000;
/** Threads whose runs are listed, on each server: the newest of those that can have the run. */
const mostThreads = 100;

/** Undefined when no server that answers has it; servers that don't answer are passed over. */
export async function findThread(
  services: {
    readonly connections: Pick<Connections, "running">;
    readonly agentServers: Pick<AgentServers, "list" | "client">;
  },
  clue: TraceClue,
  signal: AbortSignal,
): Promise<ThreadRef | undefined> {
  for (const { id } of services.connections.running()) {
    signal.throwIfAborted();
    const servers = await services.agentServers.list(id, signal).catch(() => []);
    for (const server of servers) {
      const client = services.agentServers.client(server);
      const threadId = await threadOn(client, clue, signal).catch((error: unknown) =>
        passOver(error, signal),
      );
      if (threadId !== undefined) return refOf(server, threadId);
    }
  }
  return undefined;
}

async function threadOn(
  client: AgentServer,
  { threadId, runIds, startTime }: TraceClue,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (threadId !== undefined) return (await client.threads.row(threadId, { signal })).thread_id;
  const started = Date.parse(startTime ?? "");
  const known = Number.isFinite(started);
  let searched = 0;
  for await (const thread of client.threads.list({ sort_by: "updated_at", sort_order: "desc" }, { signal })) {
    // The list is in the order of the last change: every further thread was last changed before the run.
    if (known && Date.parse(thread.updated_at) < started - toleranceMs) return undefined;
    if (known && Date.parse(thread.created_at) > started + toleranceMs) continue;
    if (++searched > mostThreads) return undefined;
    const runs = await client.runs.list(thread.thread_id, { signal, limit: 100 });
    if (runs.some(({ run_id }) => runIds.includes(run_id))) return thread.thread_id;
  }
  return undefined;
}

function passOver(error: unknown, signal: AbortSignal): undefined {
  signal.throwIfAborted();
  if (error instanceof ApiError || error instanceof ConnectionError) return undefined;
  throw error;
}

function refOf({ connectionId, server }: AgentServerRef, threadId: string): ThreadRef {
  return { connectionId, server, threadId };
}

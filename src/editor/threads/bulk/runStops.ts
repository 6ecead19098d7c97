/** The runs of a server that go on, and how many of them are stopped: each is asked to stop once, and followed until it has. */

import type { Runs } from "../../../api/agentServer/index.ts";
import type { Threads } from "../../../api/agentServer/threads.ts";
import type { Run, RunStatus, Thread } from "../../../api/agentServer/wire.ts";
import { pollWithin } from "../../../api/poll.ts";
import type { Clock } from "../../../api/retry.ts";
import { isOver } from "../../../run/fold/drafts/runDraft.ts";
import type { BulkItem, BulkJob } from "../../bulk/bulkJob.ts";
import { type BulkWork, LeftOut } from "../../bulk/bulkRound.ts";
import type { AgentServerRef, ThreadRef } from "../../connections/connection.ts";
import type { Threads as KnownThreads } from "../threads.ts";
import { titleOf, titleOfId } from "../servers/threadTitle.ts";

/** A run that is to be stopped; `before` is its id. */
export interface StopItem extends BulkItem, ThreadRef {
  readonly before: string;
}

/** Stopping many runs. */
export type StopJob = BulkJob<StopItem, { readonly kind: "stop" }>;

/** A run that is running or pending. */
export interface UnfinishedRun {
  readonly ref: ThreadRef;
  readonly title: string;
  readonly graph: string;
  readonly run: Run;
}

/** An agent server as it is needed here. */
export interface StopServer {
  readonly runs: Pick<Runs, "get" | "list" | "cancel">;
}

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called with how many threads were read. */
  readonly onRead: (count: number) => void;
}

interface Needs {
  readonly serverOf: (thread: ThreadRef) => StopServer;
  readonly clock: Clock;
  readonly threads: Pick<KnownThreads, "notify">;
}

/** In this order: a run that begins meanwhile is found by the second request. */
const unfinished: readonly RunStatus[] = ["pending", "running"];
/** The most runs of one thread that are read; more of them rarely queue. */
const mostOfThread = 100;
const atOnce = 4;
/** How long a running run takes at most to notice that it is to stop. */
const endsWithinMs = 60_000;

/** Reads the unfinished runs of a server, those that began first in front. */
export async function readUnfinished(
  server: AgentServerRef,
  { threads, runs }: { readonly threads: Pick<Threads, "list">; readonly runs: Pick<Runs, "list"> },
  { signal, onRead }: ReadOptions,
): Promise<readonly UnfinishedRun[]> {
  const rows: Thread[] = [];
  for await (const row of threads.list({ status: "busy" }, { signal })) rows.push(row);
  const found = new Map<string, UnfinishedRun>();
  const left = rows.values();
  let read = 0;
  const worker = async (): Promise<void> => {
    for (const row of left) {
      const { thread_id: threadId, metadata } = row;
      const ref = { connectionId: server.connectionId, server: server.server, threadId };
      const title = titleOf(row) ?? titleOfId(threadId, metadata);
      for (const status of unfinished)
        for (const run of await runs.list(threadId, { status, limit: mostOfThread, signal })) {
          const graph = metadata["graph_id"];
          // A server that does not know the condition answers others, too.
          if (run.status === status)
            found.set(run.run_id, {
              ...{ ref, title, run },
              graph: typeof graph === "string" ? graph : run.assistant_id,
            });
        }
      onRead((read += 1));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return [...found.values()].toSorted((one, other) => one.run.created_at.localeCompare(other.run.created_at));
}

/** The work of one job. A run that is asked twice to stop does so once: whether it was asked need not be known. */
export function stopWork({ serverOf, clock, threads }: Needs): BulkWork<StopItem> {
  return {
    prepare: async (item) => {
      const { runs } = serverOf(item);
      const { threadId, before: runId } = item;
      const { status } = await runs.get(threadId, runId);
      if (isOver(status)) throw new LeftOut(`It ended by itself with “${status}”.`);
      return async () => {
        await runs.cancel(threadId, runId);
        return { made: runId };
      };
    },
    checkSent: async (item) => {
      const { status } = await serverOf(item).runs.get(item.threadId, item.before);
      return isOver(status) ? { done: { said: `It ended with “${status}”.` } } : { not: {} };
    },
    follow: async (item, signal) => {
      const { connectionId, server, threadId, before: runId } = item;
      const { runs } = serverOf(item);
      const run = await pollWithin(() => runs.get(threadId, runId, { signal }), {
        ...{ until: ({ status }) => isOver(status), signal, clock, minMs: 250, maxMs: 5000 },
        ...{ deadlineMs: endsWithinMs, onTransient: () => undefined },
      });
      threads.notify({ kind: "changed", threads: [{ connectionId, server, threadId }] });
      if (run === undefined)
        return {
          isDone: false,
          said: "It was asked to stop and goes on. If its server was restarted since it began, continue its thread in a copy.",
        };
      return { isDone: true, said: run.status === "interrupted" ? "" : `It ended with “${run.status}”.` };
    },
  };
}

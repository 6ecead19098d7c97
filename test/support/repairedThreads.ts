/** Many threads that failed at the same step, what is written down of their repair, and how often each was executed. */

import { randomUUID } from "node:crypto";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { JsonObject } from "../../src/api/agentServer/wire.ts";
import { realClock } from "../../src/api/poll.ts";
import { bulkRound, type BulkPorts, type BulkWork } from "../../src/editor/bulk/bulkRound.ts";
import type { BulkJob } from "../../src/editor/bulk/bulkJob.ts";
import type { BulkRecords } from "../../src/editor/bulk/bulkRecords.ts";
import { readFailed } from "../../src/editor/threads/bulk/failedThreads.ts";
import {
  type RepairChange,
  type RepairItem,
  type RepairJob,
  type RepairServer,
  repairWork,
} from "../../src/editor/threads/bulk/repairWork.ts";
import { until } from "./until.ts";
import { runToEnd } from "./runToEnd.ts";

/** Makes what does a job's work. */
type Worker<Job extends BulkJob> = (job: Job) => BulkWork<Job["items"][number]>;

const connectionId = "c";
const url = "https://agents.test";
const { signal } = new AbortController();

/** Nobody who shows threads is told what becomes of them. */
export const untold = { notify: () => undefined };

/** Makes so many threads of the sample agent that fail at a step; each has a tag that finds it again. */
export async function failThreads(
  api: AgentServer,
  count: number,
  { failAt = "write", times = 1 }: { readonly failAt?: string; readonly times?: number } = {},
): Promise<readonly string[]> {
  const ids: string[] = [];
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { thread_id: id } = await api.threads.create();
      ids.push(id);
      const input = {
        messages: [{ role: "user", content: "go" }],
        job: id,
        fail_at: failAt,
        fail_times: times,
      };
      const config = { configurable: { token_delay_ms: 0 } };
      await runToEnd(api, id, { assistant_id: "pipeline", input, config });
      await comesTo(api, id, "error");
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return ids;
}

/** Resolves when a thread's row has a status: a server writes it down after the run's end was heard. */
export async function comesTo(api: AgentServer, id: string, status: string): Promise<void> {
  await until(`${id} is ${status}`, async () => (await api.threads.row(id)).status === status);
}

/** What a person would agree to: the failed threads among these. */
export async function repairOf(
  api: AgentServer,
  ids: readonly string[],
  change: RepairChange = { kind: "retry" },
  atOnce = 8,
): Promise<RepairJob> {
  const server = { connectionId, server: { kind: "agentServer", url } as const, name: "Agents", url };
  const { threads } = await readFailed(server, api.threads, { signal, onRead: () => undefined });
  const items = threads
    .filter(({ ref }) => ids.includes(ref.threadId))
    .map(({ ref, title, head, updatedAt }): RepairItem => ({
      ...{ ...ref, name: title, before: head ?? "", updatedAt, words: "", state: "waiting" },
    }));
  return {
    ...{ id: randomUUID(), startedAt: Date.now(), title: "Repair", doneWord: "repaired", change, items },
    ...{ pace: { atOnce, everyMs: 0, mostFailures: 5 }, agreed: [], isTried: true },
  };
}

/** Goes on with a repair as a window does, until nothing is left to do; `server` is what its requests go to. */
export function goOn(
  records: BulkRecords,
  id: string,
  server: RepairServer,
  onSave?: (job: RepairJob) => void | Promise<void>,
): Promise<RepairJob> {
  const needs = { serverOf: () => server, clock: realClock, deadlineMs: () => 60_000, threads: untold };
  return goOnWith<RepairJob>(records, id, (job) => repairWork(needs, job), onSave);
}

/** The same of any job. */
export function goOnWith<Job extends BulkJob>(
  records: BulkRecords,
  id: string,
  worker: Worker<Job>,
  onSave: (job: Job) => void | Promise<void> = () => undefined,
): Promise<Job> {
  const again = async (): Promise<Job> => {
    let after: Job | undefined;
    await records.alone(signal, async () => {
      const job = (await records.read(id)) as Job | undefined;
      if (job === undefined) throw new Error("The job is gone.");
      await records.write(job);
      const ports: BulkPorts<Job["items"][number]> = {
        ...{ work: worker(job), clock: realClock, hindrance: () => undefined },
        save: async (now, index) => {
          const item = now.items[index];
          if (item !== undefined) await records.note(id, index, item);
          await onSave({ ...job, ...now });
        },
      };
      const round = await bulkRound(job, ports, { most: Infinity, pace: job.pace, signal });
      after = { ...job, ...round };
    });
    return after ?? again();
  };
  return again();
}

/** What became of a thread: how often its steps were executed, and how many runs it has. */
export async function outcomeOf(
  api: AgentServer,
  threadId: string,
): Promise<{ readonly executions: JsonObject; readonly runs: number; readonly next: readonly string[] }> {
  const [{ values, next }, runs] = await Promise.all([
    api.threads.state(threadId),
    api.runs.list(threadId, { limit: 50 }),
  ]);
  return { executions: values["executions"] as JsonObject, runs: runs.length, next };
}

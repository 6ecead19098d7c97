/**
 * How many failed threads are repaired: each is looked at, repaired as one thread is, and followed to its run's end. The
 * run carries the job's id, so that a window that died finds afterwards what it had begun.
 */

import type { Runs } from "../../../api/agentServer/index.ts";
import type { AssistantGraph, Json, JsonObject, Run } from "../../../api/agentServer/wire.ts";
import { ApiError } from "../../../api/errors.ts";
import { pollWithin } from "../../../api/poll.ts";
import type { Clock } from "../../../api/retry.ts";
import { isOver } from "../../../run/fold/drafts/runDraft.ts";
import { waitingIn } from "../../../run/fold/threadState.ts";
import { checkpointIn } from "../../../run/history/pages.ts";
import { carryOut } from "../../../run/repair/carryOut.ts";
import { failureIn } from "../../../run/repair/failureGroups.ts";
import { forkPlan, goOnPlan, type Plan, skipPlan } from "../../../run/repair/plan.ts";
import {
  CourseRefusal,
  type CourseThread,
  readPosition,
  type ThreadPosition,
} from "../../../run/repair/threadPosition.ts";
import { readState, readThread, type RunServer } from "../../../run/session/server.ts";
import type { BulkItem, BulkJob } from "../../bulk/bulkJob.ts";
import { type BulkWork, LeftOut } from "../../bulk/bulkRound.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import { serverKey } from "../../connections/serverRef.ts";
import { adviceText } from "../../kit/remedies.ts";
import type { Threads } from "../threads.ts";

/** What is done to each thread. */
export type RepairChange =
  | { readonly kind: "retry" }
  /** Goes on after the step, as if it had returned these values. */
  | { readonly kind: "skip"; readonly node: string; readonly values: Json }
  /** Writes values into the state before the step that failed, which then runs again. */
  | { readonly kind: "edit"; readonly values: Json };

/** A failed thread; `before` is its newest checkpoint. */
export interface RepairItem extends BulkItem, ThreadRef {
  /** When its row changed last: a step that fails again makes no checkpoint. */
  readonly updatedAt: string;
  /** The state of this item was written, and its run is still to be started. */
  readonly isWritten?: boolean;
}

/** A repair of many threads. */
export type RepairJob = BulkJob<RepairItem, RepairChange>;

/** An agent server as it is needed here. */
export interface RepairServer extends RunServer {
  readonly runs: RunServer["runs"] & Pick<Runs, "create">;
}

interface Needs {
  readonly serverOf: (thread: ThreadRef) => RepairServer;
  readonly clock: Clock;
  readonly deadlineMs: () => number;
  readonly threads: Pick<Threads, "notify">;
}

/** What tells which job started a run, in the run's metadata. */
const mark = "repaired_by";
/** A graph is read again after so long: somebody may deploy another one meanwhile. */
const graphMs = 30_000;
const wasThere = "Somebody else ran or changed it since you were asked: nothing was done.";

/** The work of one job. */
export function repairWork(
  { serverOf, clock, deadlineMs, threads }: Needs,
  { id: jobId, change }: Pick<RepairJob, "id" | "change">,
): BulkWork<RepairItem> {
  const { signal } = new AbortController();
  const graphs = new Map<string, { readonly at: number; readonly graph: Promise<AssistantGraph> }>();
  /** Hundreds of threads have one graph: it is asked for now and then. */
  const courseOf = (item: RepairItem): CourseThread & { readonly server: RepairServer } => {
    const server = serverOf(item);
    const graph = (assistantId: string): Promise<AssistantGraph> => {
      const key = `${serverKey(item)} ${assistantId}`;
      const known = graphs.get(key);
      if (known !== undefined && clock.now() - known.at < graphMs) return known.graph;
      const asked = server.assistants?.graph(assistantId, { signal }) ?? Promise.reject(new Error("none"));
      graphs.set(key, { at: clock.now(), graph: asked });
      return asked;
    };
    return { server: { ...server, assistants: { graph } }, threadId: item.threadId, signal };
  };
  const planned = async (item: RepairItem) => {
    const course = courseOf(item);
    const position = await positionFor(change, course);
    const { state } = position;
    const row = state.row ?? (await course.server.threads.row?.(item.threadId, { signal }));
    const isMoved = item.isWritten !== true && row?.updated_at !== item.updatedAt;
    if (checkpointIn(state) !== item.before || isMoved) throw new LeftOut(wasThere);
    return { course, plan: item.isWritten === true ? goOnPlan(position) : planOf(change, position), state };
  };
  const isMine = ({ metadata }: Run): boolean => metadata[mark] === jobId;
  return {
    prepare: (item) =>
      refusing(async () => {
        const { course, plan, state } = await planned(item).catch((error: unknown) => {
          if (!(error instanceof CourseRefusal)) throw error;
          // Somebody may have deployed another graph since it was asked for: what it is now is told.
          graphs.clear();
          return planned(item);
        });
        let written: Awaited<ReturnType<typeof carryOut>> | undefined;
        return () =>
          refusing(async () => {
            // What was written is not written again where a server wants to be asked later.
            written ??= await carryOut(course, plan);
            const { state: now, run } = written;
            if (now.next.length === 0) return { said: "No step was left to run." };
            if (change.kind === "edit" && !state.next.every((node) => now.next.includes(node)))
              throw new LeftOut(
                `The state was written, and now ${now.next.join(", ")} would run: it was left there.`,
              );
            const metadata: JsonObject = { ...run.metadata, [mark]: jobId };
            const made = await course.server.runs.create(item.threadId, { ...run, metadata }, { signal });
            return { made: made.run_id };
          });
      }),
    checkSent: async (item) => {
      const { state, runs } = await readThread(courseOf(item));
      const mine = runs.findLast(isMine);
      if (mine !== undefined) return { done: { made: mine.run_id } };
      const head = checkpointIn(state);
      if (head === item.before || head === undefined) return { not: {} };
      const isWritten =
        change.kind !== "retry" &&
        state.metadata?.["source"] === "update" &&
        state.parent_checkpoint?.checkpoint_id === item.before;
      if (!isWritten) throw new LeftOut(wasThere);
      return { not: { before: head, isWritten } };
    },
    follow: async (item, stop) => {
      const { server, threadId } = courseOf(item);
      const runId = item.made ?? "";
      const run = await pollWithin(() => server.runs.get(threadId, runId, { signal: stop }), {
        ...{ until: ({ status }) => isOver(status), signal: stop, clock, minMs: 250, maxMs: 5000 },
        ...{ deadlineMs: deadlineMs(), onTransient: () => undefined },
      });
      const { connectionId, server: of } = item;
      threads.notify({ kind: "changed", threads: [{ connectionId, server: of, threadId }] });
      if (run === undefined) return { isDone: false, said: "It runs longer than was waited for." };
      if (run.status === "interrupted") return { isDone: false, said: "Somebody stopped its run." };
      const state = await readState({ server, threadId, signal: stop });
      if (run.status === "success") {
        const waits = waitingIn(state).interrupts.length > 0;
        return { isDone: true, said: waits ? "It waits for an answer." : "" };
      }
      const { nodes, error } = failureIn(state);
      const reason = error === "" ? `The run ended with “${run.status}”.` : error;
      return { isDone: false, said: [nodes.join(", "), reason].filter((part) => part !== "").join(": ") };
    },
  };
}

/** Where a thread stands, read back as far as its change needs. */
export function positionFor({ kind }: RepairChange, course: CourseThread): Promise<ThreadPosition> {
  let before: string | undefined;
  return readPosition(course, (state) => {
    before ??= state.parent_checkpoint?.checkpoint_id ?? "";
    return kind !== "edit" || before === "" || checkpointIn(state) === before;
  });
}

/** What is done to a thread that stands there. */
export function planOf(change: RepairChange, position: ThreadPosition): Plan {
  const { state, checkpoints } = position;
  switch (change.kind) {
    case "retry":
      return goOnPlan(position);
    case "skip":
      return skipPlan(position, change.node, change.values);
    case "edit": {
      const checkpointId = checkpointIn(state) ?? "";
      const before = checkpoints.get(state.parent_checkpoint?.checkpoint_id ?? "");
      const ran = [...new Set(before?.tasks.map(({ node }) => node))];
      // Whose result it is decides what comes next: the step that failed, if it is written as the one before it.
      const asNode = ran.length > 1 ? undefined : (ran[0] ?? "__start__");
      return forkPlan(position, state, { checkpointId, values: change.values, asNode });
    }
    default:
      return change satisfies never;
  }
}

/** What keeps a thread from being repaired leaves it out, in the words in which a single repair says it. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CourseRefusal) throw new LeftOut(adviceText(error));
    if (error instanceof ApiError && error.kind === "conflict")
      throw new LeftOut("Somebody else began a run in it: nothing was started.");
    throw error;
  }
}

/** Which nodes ran in which run of a thread, as its checkpoints tell: what each said and changed, asked, or failed with. */

import type { Json, Run } from "../../api/agentServer/wire.ts";
import { isList, isObject } from "../json/json.ts";
import type { Checkpoints, KeptCheckpoint, KeptTask, KeptValues } from "./checkpoints.ts";
import { type KeptStep, namelessStep, stepsFrom, type TriedStep } from "./keptSteps.ts";

/** What the checkpoints of one graph tell of a run. */
export interface KeptRun {
  readonly runId: string;
  /** What was new in the conversation before its first node. */
  readonly input: readonly Json[];
  /** In the order in which they ran; those that ran side by side in the graph's order. */
  readonly steps: readonly KeptStep[];
  /** Where it ended, and what the state held then beside the conversation. */
  readonly end: { readonly checkpointId: string; readonly rest: KeptValues | undefined } | undefined;
  /** The nodes before which it stopped at a breakpoint; empty where it did not. */
  readonly stoppedBefore: readonly string[];
  /** How much of it the thread left behind, since it went on from a state before that; undefined for nothing. */
  readonly left: "whole" | "part" | undefined;
  /** It ended before the thread had its input: earlier questions stay open. */
  readonly isVain: boolean;
}

interface RunCheckpoints {
  readonly run: Run;
  readonly own: readonly KeptCheckpoint[];
  /** The checkpoint, made by another run, from which it started. */
  readonly base: KeptCheckpoint | undefined;
}

/**
 * What is kept of each run, in the order of the runs, which is that of their beginnings. Before the checkpoint `gap`, some
 * were not read.
 */
export function keptRuns(
  runs: readonly Run[],
  checkpoints: Checkpoints,
  graph: "root" | "subgraph" = "root",
  gap?: string,
): readonly KeptRun[] {
  const ordered = checkpoints.inOrder();
  const own = Map.groupBy(ordered, (checkpoint) => runOf(checkpoint, runs));
  const located = runs.map((run) => withBase(run, own.get(run.run_id) ?? [], ordered, checkpoints));
  const pairs = located.flatMap((one) => one.own.map((checkpoint) => ({ one, checkpoint })));
  const owners = Map.groupBy(pairs, ({ checkpoint }) => checkpoint);
  const attempts = Map.groupBy(located, ({ base }) => base?.id);
  const way = graph === "root" ? wayToNewest(ordered, checkpoints, gap) : undefined;
  return located.map((one) => {
    const from = one.base === undefined ? one.own : [one.base, ...one.own];
    const said: Json[] = [];
    const steps = from.flatMap((checkpoint) => {
      const makers = owners.get(checkpoint)?.map(({ one: maker }) => maker) ?? [];
      const came = [...makers, ...(attempts.get(checkpoint.id) ?? [])];
      const tried = came
        .filter((other) => breakpointAt(checkpoint, other, checkpoints) !== true)
        .map((other) => attempt(checkpoint, other));
      const mine = tried.findIndex(({ run }) => run === one.run);
      if (checkpoint.tasks.length > 0) return stepsFrom(checkpoint, tried, mine);
      const now = tried[mine];
      const messages = now?.next?.change?.messages ?? [];
      if (checkpoint.source === "input") said.push(...messages);
      else if (now?.next !== undefined && (graph === "subgraph" || messages.length > 0))
        return [namelessStep(checkpoint, now)];
      return [];
    });
    const [first, last] = [one.own[0], one.own.at(-1)];
    const before = first === undefined || one.base !== undefined ? [] : (first.change?.messages ?? []);
    const isFirst = attempts.get(one.base?.id)?.[0] === one;
    const written = one.base !== undefined && isFirst ? writtenBefore(one.base, checkpoints) : [];
    return {
      runId: one.run.run_id,
      input: [...written, ...before, ...said],
      steps,
      end: last === undefined ? undefined : { checkpointId: last.id, rest: last.rest },
      stoppedBefore: graph === "root" ? stoppedBefore(one, from.at(-1), checkpoints) : [],
      left: leftOf(one.own, way),
      isVain: graph === "root" && isVain(one, checkpoints.get(gap ?? "") ?? ordered[0]),
    };
  });
}

/**
 * The nodes that it stopped before: it ended although they were next, at a breakpoint, or well and without a question
 * of theirs.
 */
function stoppedBefore(
  one: RunCheckpoints,
  last: KeptCheckpoint | undefined,
  checkpoints: Checkpoints,
): readonly string[] {
  if (last === undefined || endOf(one.run) === undefined) return [];
  const asks = last.tasks.some(({ interrupts }) => interrupts.length > 0);
  const stops = breakpointAt(last, one, checkpoints) ?? (one.run.status === "success" && !asks);
  return stops ? last.tasks.map(({ node }) => node) : [];
}

/** Whether a run got no further than a checkpoint because it was told so; undefined where that is not known. */
function breakpointAt(
  checkpoint: KeptCheckpoint,
  { run, own }: RunCheckpoints,
  checkpoints: Checkpoints,
): true | undefined {
  const { interrupt_before: before, interrupt_after: after } = run.kwargs ?? {};
  if (own.at(-1) !== checkpoint) return undefined;
  const ran = checkpoints.get(checkpoint.parentId ?? "")?.tasks ?? [];
  const stops = names(before, checkpoint.tasks) || (checkpoint.tasks.length > 0 && names(after, ran));
  return stops ? true : undefined;
}

function names(nodes: Json | undefined, tasks: readonly KeptTask[]): boolean {
  const list = isList(nodes) ? nodes : [nodes];
  return tasks.some(({ node }) => list.includes("*") || list.includes(node));
}

function withBase(
  run: Run,
  own: readonly KeptCheckpoint[],
  ordered: readonly KeptCheckpoint[],
  checkpoints: Checkpoints,
): RunCheckpoints {
  const [first] = own;
  if (first === undefined) return { run, own, base: stoodAt(run, ordered) };
  // A server may begin a run with a copy of the checkpoint from which it goes on, and do its steps there.
  const continues = first.source !== "input" && first.source !== "fork" && first.parentId !== undefined;
  return { run, own, base: continues ? checkpoints.get(first.parentId) : undefined };
}

/** What people wrote into the conversation for a run to go on from. */
function writtenBefore(base: KeptCheckpoint, checkpoints: Checkpoints): readonly Json[] {
  const messages: Json[] = [];
  let at: KeptCheckpoint | undefined = base;
  while (at !== undefined && at.runId === undefined && (at.source === "update" || at.source === "fork")) {
    messages.unshift(...(at.change?.messages ?? []));
    at = checkpoints.get(at.parentId ?? "");
  }
  return messages;
}

/** The checkpoints that lead to the newest one. */
interface Way {
  readonly has: (checkpoint: KeptCheckpoint) => boolean;
  /** Of what was made before that, in epoch milliseconds, it is not known whether it leads there. */
  readonly since: number;
}

/** Undefined where a server does not tell them apart from others. */
function wayToNewest(
  ordered: readonly KeptCheckpoint[],
  checkpoints: Checkpoints,
  gap: string | undefined,
): Way | undefined {
  if (ordered.filter(({ parentId }) => parentId === undefined).length > 1) return undefined;
  const way = new Set<KeptCheckpoint>();
  let last: KeptCheckpoint | undefined;
  for (let at = ordered.at(-1); at !== undefined && !way.has(at); at = checkpoints.get(at.parentId ?? "")) {
    way.add(at);
    last = at;
  }
  const isWhole = last?.parentId === undefined || gap === undefined;
  return {
    has: (checkpoint) => way.has(checkpoint),
    since: isWhole ? -Infinity : (checkpoints.get(gap)?.at ?? Infinity),
  };
}

/** Of what was made before `from` it is not known. */
function isVain({ run, own }: RunCheckpoints, from: KeptCheckpoint | undefined): boolean {
  const isKnown = from?.at !== undefined && from.at <= Date.parse(run.created_at);
  return isKnown && own.length === 0 && hasInput(run) && endOf(run) !== undefined;
}

function leftOf(own: readonly KeptCheckpoint[], way: Way | undefined): KeptRun["left"] {
  const last = own.at(-1);
  if (way === undefined || last === undefined || way.has(last)) return undefined;
  if ((last.at ?? -Infinity) < way.since) return undefined;
  // Before its input it did nothing.
  return own.some((checkpoint) => way.has(checkpoint) && checkpoint.source !== "input") ? "part" : "whole";
}

/** Where the thread stood when a run ended that made no checkpoint, if it went on from there. */
function stoodAt(run: Run, ordered: readonly KeptCheckpoint[]): KeptCheckpoint | undefined {
  const end = endOf(run);
  if (end === undefined || hasInput(run)) return undefined;
  return ordered.findLast(({ at }) => at !== undefined && at <= end);
}

function hasInput({ kwargs }: Run): boolean {
  return kwargs?.["input"] !== undefined && kwargs["input"] !== null;
}

/** A server that does not say which run made a checkpoint says when. */
function runOf({ runId, source, at }: KeptCheckpoint, runs: readonly Run[]): string | undefined {
  if (runId !== undefined) return runId;
  if (at === undefined || (source !== "input" && source !== "loop")) return undefined;
  return runs.findLast(({ created_at: begun }) => Date.parse(begun) <= at)?.run_id;
}

function attempt(from: KeptCheckpoint, { run, own, base }: RunCheckpoints): TriedStep {
  const next = own.find(({ parentId, source }) => parentId === from.id && source !== "input");
  const started = base === from || !own.includes(from) ? Date.parse(run.created_at) : -Infinity;
  const startedAt =
    from.at === undefined ? undefined : Math.max(from.at, Number.isNaN(started) ? -Infinity : started);
  return {
    run,
    finished: next !== undefined,
    resume: resumeOf(run),
    startedAt,
    endedAt: next === undefined ? endOf(run) : next.at,
    ...(next !== undefined && { next }),
  };
}

/** What a run brought as answer; undefined for none. */
function resumeOf(run: Run): Json | undefined {
  const command = run.kwargs?.["command"];
  return isObject(command) ? (command["resume"] ?? undefined) : undefined;
}

function endOf(run: Run): number | undefined {
  const over = ["success", "error", "timeout", "interrupted"].includes(run.status);
  const at = Date.parse(run.updated_at);
  return over && !Number.isNaN(at) ? at : undefined;
}

/** Which run asked a node's question, where several runs came to the same node: the server keeps only what was asked last. */

import type { Json, Run } from "../../api/agentServer/wire.ts";
import { isObject } from "../json/json.ts";
import type { KeptTask } from "./checkpoints.ts";

/** A run that came to the nodes after a checkpoint. */
export interface Attempt {
  readonly run: Run;
  /** It got past them. */
  readonly finished: boolean;
  /** The answer that it brought; undefined for none. */
  readonly resume: Json | undefined;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** What a node that asks did in a run. */
export interface Asked {
  readonly status: "interrupted" | "done" | "error" | "stopped" | "running";
  /** What it asked then, or failed with, is not kept. */
  readonly lost: boolean;
  /** It was stopped after an answer, and still lists its question. */
  readonly again: boolean;
}

/**
 * How far a node that asks got: it waits for an answer, was answered and did not go on, or got past its question. A
 * run that was stopped may have ended before the node asked: it waits since then, or since a later run.
 */
type Progress = "new" | "stopped" | "waits" | "answered" | "done";

/** Of each node that asked something: what it did in which run; `coming` is how many nodes still come, where that is known. */
export function questionsOf(
  tasks: readonly KeptTask[],
  tried: readonly Attempt[],
  coming?: number,
): ReadonlyMap<string, ReadonlyMap<string, Asked>> {
  const asking = tasks.filter(({ interrupts }) => interrupts.length > 0);
  const ids = new Set(asking.flatMap(({ interrupts }) => interrupts.flatMap(({ id }) => id ?? [])));
  const over = surelyOver(asking, tried, ids, coming);
  const progress = new Map<KeptTask, Progress>(asking.map((task) => [task, "new"]));
  const attempts = new Map(asking.map((task) => [task, new Map<string, Asked>()]));
  /** Runs that were stopped, too, and that came to the node if it had not asked by then. */
  const passed = new Map(asking.map((task) => [task, new Set<string>()]));
  for (const attempt of tried) {
    const ran = asking.filter((task) => {
      const before = progress.get(task);
      if (before === "stopped" && attempt.run.status === "success") return true;
      const waits = before === "stopped" || before === "waits";
      return waits ? attempt.finished || brings(attempt.resume, task, ids) : before !== "done";
    });
    for (const task of asking)
      if (progress.get(task) === "stopped" && !ran.includes(task)) passed.get(task)?.add(attempt.run.run_id);
    const unanswered = asking.filter((task) => {
      const before = progress.get(task);
      return before !== "new" && before !== "done" && !brings(attempt.resume, task, ids);
    });
    for (const task of ran) {
      const isOver = attempt === tried.at(-1) && over.includes(task);
      const othersWait = isOver || unanswered.some((other) => other !== task);
      const known = attempts.get(task);
      const asksNow =
        progress.get(task) === "stopped" && !attempt.finished && !brings(attempt.resume, task, ids);
      const isFirst = asksNow || progress.get(task) === "new";
      const status = outcomeOf(task, attempt, isFirst, othersWait);
      // This run asked for certain; an earlier one that was stopped may not have come that far.
      if (asksNow) {
        for (const [runId, one] of known ?? []) known?.set(runId, { ...one, status: "stopped" });
        for (const runId of passed.get(task) ?? [])
          known?.set(runId, { status: "stopped", lost: false, again: false });
      }
      // The server keeps what was asked last, and what it failed with last; without a new answer nothing else is asked.
      const isOther = status === "error" || (status === "interrupted" && brings(attempt.resume, task, ids));
      for (const [runId, one] of known ?? []) {
        if (one.status === status && isOther) known?.set(runId, { ...one, lost: true, again: false });
        else if (status === "interrupted") known?.set(runId, { ...one, again: false });
      }
      const again = status === "stopped" && brings(attempt.resume, task, ids);
      known?.set(attempt.run.run_id, { status, lost: false, again });
      progress.set(task, progressOf(status, attempt));
    }
  }
  return new Map(asking.map((task) => [task.id, attempts.get(task) ?? new Map<string, Asked>()]));
}

/**
 * The nodes that asked and surely wait no more: those that come wait, first what nobody answered, then what was answered by
 * a run that was stopped or failed.
 */
function surelyOver(
  asking: readonly KeptTask[],
  tried: readonly Attempt[],
  ids: ReadonlySet<string>,
  coming = 0,
): readonly KeptTask[] {
  if (tried.at(-1)?.run.status !== "success") return [];
  const levels = asking.map((task) => {
    const answered = tried.filter(({ resume }) => brings(resume, task, ids));
    return answerLevel(answered.map(({ run }) => run.status === "success"));
  });
  const most = levels.toSorted()[coming - 1] ?? Infinity;
  return asking.filter((_, at) => (levels[at] ?? 0) > most);
}

/** How surely something asked waits no more, by whether the runs ended well that brought an answer to it. */
export function answerLevel(ends: readonly boolean[]): 0 | 1 | 2 {
  return ends.length === 0 ? 0 : ends.at(-1) === true ? 2 : 1;
}

function progressOf(status: Asked["status"], { run }: Attempt): Progress {
  if (status === "done") return "done";
  if (status !== "interrupted") return "answered";
  return run.status === "interrupted" || run.status === "timeout" ? "stopped" : "waits";
}

function outcomeOf(
  { error }: KeptTask,
  { run, finished }: Attempt,
  isFirst: boolean,
  othersWait: boolean,
): Asked["status"] {
  if (finished) return "done";
  switch (run.status) {
    case "success":
      // All questions of the run were answered, and it did not go on: it asked again.
      return isFirst || !othersWait ? "interrupted" : "done";
    case "error":
      return error !== undefined ? "error" : isFirst ? "interrupted" : "stopped";
    case "interrupted":
    case "timeout":
      return isFirst ? "interrupted" : "stopped";
    default:
      return isFirst ? "interrupted" : "running";
  }
}

/** Whether a run's answer is for this node: by the id of its question, or because it names none. */
function brings(resume: Json | undefined, task: KeptTask, ids: ReadonlySet<string>): boolean {
  if (resume === undefined) return false;
  const named =
    isObject(resume) && Object.keys(resume).some((key) => ids.has(key) || /^[0-9a-f]{32}$/.test(key));
  if (!named) return true;
  return task.interrupts.some(({ id }) => id !== undefined && resume[id] !== undefined);
}

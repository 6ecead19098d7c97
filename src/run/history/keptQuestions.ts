/** Which run asked a node's question, where several runs came to the same node: the server keeps only what was asked last. */

import type { Json, Run } from "../../api/agentServer/wire.ts";
import { isObject } from "../json/json.ts";
import type { KeptTask } from "./checkpoints.ts";

/** A run that came to the nodes behind a checkpoint. */
export interface Attempt {
  readonly run: Run;
  /** It got behind them. */
  readonly finished: boolean;
  /** The answer that it brought; undefined for none. */
  readonly resume: Json | undefined;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** What a node that asks did in a run. */
export interface Asked {
  readonly status: "interrupted" | "done";
  /** What it asked then is not kept. */
  readonly lost: boolean;
}

/** Of each node that asked something: what it did in which run. */
export function questionsOf(
  tasks: readonly KeptTask[],
  tried: readonly Attempt[],
): ReadonlyMap<string, ReadonlyMap<string, Asked>> {
  const asking = tasks.filter(({ interrupts }) => interrupts.length > 0);
  const ids = new Set(asking.flatMap(({ interrupts }) => interrupts.flatMap(({ id }) => id ?? [])));
  const [first, ...later] = tried;
  const answered = new Set<KeptTask>();
  const askers = new Map(asking.map((task) => [task, first === undefined ? [] : [first]]));
  const doneBy = new Map<KeptTask, Attempt>();
  for (const attempt of later) {
    const open = asking.filter((task) => !doneBy.has(task));
    const got = open.filter((task) => brings(attempt.resume, task, ids));
    for (const task of got) answered.add(task);
    const waits = open.some((task) => !answered.has(task));
    for (const task of attempt.finished ? open : got) {
      // A run that was answered all it was asked, and yet did not get on, asked again.
      if (attempt.finished || waits) doneBy.set(task, attempt);
      else if (attempt.run.status === "success") askers.get(task)?.push(attempt);
    }
  }
  return new Map(
    asking.map((task) => {
      const known = askers.get(task) ?? [];
      const done = doneBy.get(task);
      const outcomes = known.map(
        ({ run }, index) =>
          [run.run_id, { status: "interrupted", lost: index < known.length - 1 }] as const satisfies [
            string,
            Asked,
          ],
      );
      const finished =
        done === undefined ? [] : ([[done.run.run_id, { status: "done", lost: false }]] as const);
      return [task.id, new Map<string, Asked>([...outcomes, ...finished])];
    }),
  );
}

/** Whether a run's answer is for this node: by the id of its question, or because it names none. */
function brings(resume: Json | undefined, task: KeptTask, ids: ReadonlySet<string>): boolean {
  if (resume === undefined) return false;
  const named =
    isObject(resume) && Object.keys(resume).some((key) => ids.has(key) || /^[0-9a-f]{32}$/.test(key));
  if (!named) return true;
  return task.interrupts.some(({ id }) => id !== undefined && resume[id] !== undefined);
}

import type { Json, JsonObject, Run, RunStatus, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { Checkpoints } from "../../../../src/run/history/checkpoints.ts";
import { keptRuns } from "../../../../src/run/history/keptRuns.ts";

/** What ran at a step, in short. */
export type Task = Readonly<{
  name: string;
  result?: Json;
  error?: string;
  asks?: readonly (readonly [string, Json])[];
}>;

const begun = Date.parse("2026-11-22T12:00:00Z");
/** So many seconds after everything began, as servers write it. */
export const at = (second: number): string => new Date(begun + second * 1000).toISOString();

/** A run that went on from one second to another. */
export function run(
  id: string,
  from: number,
  to: number,
  kwargs: JsonObject,
  status: RunStatus = "success",
): Run {
  const [created_at, updated_at] = [at(from), at(to)];
  return {
    run_id: id,
    thread_id: "t",
    assistant_id: "a",
    status,
    created_at,
    updated_at,
    metadata: {},
    kwargs,
  };
}

/** The state after a step of a run, as a server tells it. */
export function state(
  id: string,
  second: number,
  about: { readonly parent?: string; readonly run?: string; readonly source?: string },
  values: JsonObject,
  tasks: readonly Task[] = [],
): ThreadState {
  const checkpoint = (name: string) => ({ thread_id: "t", checkpoint_ns: "", checkpoint_id: name });
  return {
    values,
    next: tasks.map(({ name }) => name),
    tasks: tasks.map(({ name, result, error, asks = [] }) => ({
      id: `${id}-${name}`,
      name,
      error: error ?? null,
      result: result ?? null,
      interrupts: asks.map(([asked, value]) => ({ id: asked, value })),
    })),
    metadata: { source: about.source ?? "loop", ...(about.run !== undefined && { run_id: about.run }) },
    created_at: at(second),
    checkpoint: checkpoint(id),
    parent_checkpoint: about.parent === undefined ? null : checkpoint(about.parent),
  };
}

/** What is kept, in short: the steps of each run, with what they asked, said and wrote. */
export function told(
  runs: readonly Run[],
  newestFirst: readonly ThreadState[],
  graph?: "subgraph",
): readonly string[] {
  const checkpoints = new Checkpoints();
  for (const one of newestFirst) checkpoints.add([one]);
  return keptRuns(runs, checkpoints, graph).map(({ runId, input, steps }) => {
    const lines = steps.map((step) => {
      const parts = [
        `${step.node} ${step.status}`,
        step.wrote === undefined ? "" : `wrote ${step.wrote.keys.join(" ")}`,
        step.messages.length === 0 ? "" : `said ${JSON.stringify(step.messages)}`,
        step.questions.length === 0 ? "" : `asked ${step.questions.map(({ id }) => id).join(" ")}`,
        step.lostQuestion ? "asked what is lost" : "",
        step.lostError ? "failed with what is lost" : "",
        step.isErrorUnsure ? "failed with what may be lost" : "",
        step.error === undefined ? "" : `failed: ${JSON.stringify(step.error)}`,
        step.outcome.length === 0 ? "" : `left ${step.outcome.join(" ")}`,
        step.endedAt === undefined ? "" : `${(step.endedAt - (step.startedAt ?? 0)) / 1000} s`,
      ];
      return parts.filter((part) => part !== "").join(", ");
    });
    return [runId, ...(input.length === 0 ? [] : [`given ${JSON.stringify(input)}`]), ...lines].join(" | ");
  });
}

import type { AssistantGraph, Run, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import type { StateNow } from "../../../../src/run/fold/threadState.ts";
import { Checkpoints } from "../../../../src/run/history/checkpoints.ts";
import type { ThreadPosition } from "../../../../src/run/repair/threadPosition.ts";
import { stateOf } from "../session/scriptedServer.ts";

const graph: AssistantGraph = {
  nodes: ["__start__", "plan", "left", "right", "join", "__end__"].map((id) => ({ id })),
  edges: [
    { source: "__start__", target: "plan" },
    { source: "plan", target: "left" },
    { source: "plan", target: "right" },
    { source: "left", target: "join" },
    { source: "right", target: "join" },
    { source: "join", target: "plan" },
    { source: "join", target: "__end__" },
  ],
};

/** What is special about the newest state, the newest run, or the graph. */
export interface Part {
  readonly next?: readonly string[];
  readonly tasks?: ThreadState["tasks"];
  readonly source?: string;
  readonly row?: StateNow["row"];
  readonly run?: Partial<Run>;
  readonly graph?: AssistantGraph | undefined;
  readonly end?: ThreadPosition["end"];
}

/** So many seconds after the first. */
export const at = (second: number): string => new Date(1_700_000_000_000 + second * 1000).toISOString();

/** A state at a checkpoint. */
export function stateAt(
  id: string,
  { next = [], tasks = [], source = "loop" }: Part,
  parent?: string,
): ThreadState {
  const checkpoint = (name: string) => ({ thread_id: "t", checkpoint_ns: "", checkpoint_id: name });
  return {
    ...stateOf({}, tasks),
    next,
    metadata: { source },
    created_at: at(10),
    checkpoint: checkpoint(id),
    parent_checkpoint: parent === undefined ? null : checkpoint(parent),
  };
}

/** Where a thread stands: its newest checkpoint is "head", behind "base". */
export function position(part: Part): ThreadPosition {
  const head = stateAt("head", part, "base");
  const checkpoints = new Checkpoints();
  checkpoints.add([head, stateAt("base", {})]);
  const run: Run = {
    ...{ run_id: "r", thread_id: "t", assistant_id: "ran", status: "success", metadata: {} },
    ...{ created_at: at(1), updated_at: at(9), kwargs: {}, ...part.run },
  };
  return {
    state: { ...head, ...(part.row !== undefined && { row: part.row }) },
    runs: [run],
    assistantId: "a",
    graph: "graph" in part ? part.graph : graph,
    checkpoints,
    end: part.end ?? "first",
  };
}

/** A task that failed. */
export const failedTask = { id: "1", name: "left", error: "no", interrupts: [] };

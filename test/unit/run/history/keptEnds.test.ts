import { deepEqual } from "node:assert/strict";
import type { Run, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { Checkpoints } from "../../../../src/run/history/checkpoints.ts";
import { keptRuns } from "../../../../src/run/history/keptRuns.ts";
import { stateOf } from "../session/scriptedServer.ts";

const run: Run = {
  ...{
    run_id: "r",
    thread_id: "t",
    assistant_id: "a",
    status: "success",
    metadata: {},
    kwargs: { input: {} },
  },
  created_at: "2026-11-22T12:00:00Z",
  updated_at: "2026-11-22T12:00:09Z",
};

function stateAt(
  id: string,
  second: number,
  parent: string | undefined,
  values: ThreadState["values"],
): ThreadState {
  const checkpoint = (name: string) => ({ thread_id: "t", checkpoint_ns: "", checkpoint_id: name });
  return {
    ...stateOf(values),
    metadata: { source: parent === undefined ? "input" : "loop", run_id: "r" },
    created_at: `2026-11-22T12:00:0${second}Z`,
    checkpoint: checkpoint(id),
    parent_checkpoint: parent === undefined ? null : checkpoint(parent),
  };
}

it("A run ended at its last checkpoint, with what the state held there", () => {
  const checkpoints = new Checkpoints();
  checkpoints.add([
    stateAt("c", 3, "b", { n: 3 }),
    stateAt("b", 2, "a", { n: 2 }),
    stateAt("a", 1, undefined, {}),
  ]);
  deepEqual(
    keptRuns([run], checkpoints).map(({ end }) => end),
    [{ checkpointId: "c", rest: { keys: ["n"], text: '{"n":3}' } }],
  );
});

it("A run was given no messages that nobody wrote for it", () => {
  const said = (id: string) => ({ type: "human", id, content: id });
  const checkpoints = new Checkpoints();
  const foreign = (state: ThreadState, source: string): ThreadState => ({ ...state, metadata: { source } });
  checkpoints.add([
    stateAt("c", 3, "b", { messages: [said("1"), said("2")] }),
    {
      ...foreign(stateAt("b", 0, "a", { messages: [said("1"), said("2")] }), "loop"),
      next: ["model"],
      tasks: [{ id: "t", name: "model", interrupts: [] }],
    },
    foreign(stateAt("a", 0, undefined, { messages: [said("1")] }), "fork"),
  ]);
  const late = { ...run, created_at: "2026-11-22T12:00:02Z", kwargs: { input: null } };
  deepEqual(
    keptRuns([late], checkpoints).map(({ input }) => input),
    [[]],
  );
});

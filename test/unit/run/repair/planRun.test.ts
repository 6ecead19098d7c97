import { deepEqual } from "node:assert/strict";
import type { JsonObject, Run } from "../../../../src/api/agentServer/wire.ts";
import { Checkpoints } from "../../../../src/run/history/checkpoints.ts";
import { goOnPlan, type Reach } from "../../../../src/run/repair/plan.ts";

const at = "2026-01-01T00:00:00Z";
const told = {
  context: { model: "large" },
  config: { recursion_limit: 7, configurable: { user: "me" } },
  interrupt_before: ["publish"],
};

/** A thread that failed before its node, as it stands; `config` is its row's. */
function planned(reach?: Reach, config: JsonObject = {}) {
  const run: Run = {
    ...{ run_id: "r", thread_id: "t", assistant_id: "writer", status: "error" },
    ...{ created_at: at, updated_at: at, metadata: {}, kwargs: told },
  };
  const state = {
    ...{ values: {}, next: ["write"], tasks: [], created_at: at },
    ...{ checkpoint: { thread_id: "t", checkpoint_ns: "", checkpoint_id: "c" }, parent_checkpoint: null },
    row: { status: "error", config },
  };
  const checkpoints = new Checkpoints();
  checkpoints.add([state]);
  const position = { state, runs: [run], assistantId: "named", graph: undefined, checkpoints } as const;
  return goOnPlan({ ...position, end: "first" }, reach).run;
}

describe("The run that changes a thread's course", () => {
  const body = { assistant_id: "writer", input: null, multitask_strategy: "reject", context: told.context };

  it("is told what the run before was told, but where it stops", () => {
    deepEqual(planned(), { ...body, config: { recursion_limit: 7 } });
  });

  it("stops where it is to stop now", () => {
    const limited = { ...body, config: { recursion_limit: 7 } };
    deepEqual(planned("step"), { ...limited, interrupt_before: "*" });
    deepEqual(planned({ before: ["send"] }), { ...limited, interrupt_before: ["send"] });
  });

  it("goes on from the newest state, though the thread's configuration names another one", () => {
    deepEqual(planned("end", { configurable: { checkpoint_id: "old" } }), {
      ...body,
      config: { recursion_limit: 7, configurable: { checkpoint_id: null } },
    });
  });
});

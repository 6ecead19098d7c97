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

it("A run was in vain that ended before the thread had its input, as far as all since then was read", () => {
  const checkpoints = new Checkpoints();
  checkpoints.add([stateAt("b", 2, "a", {}), stateAt("a", 1, undefined, {})]);
  const isVain = (second: number, given: Partial<Run> = {}, gap?: string): boolean | undefined => {
    const created = { created_at: `2026-11-22T12:00:0${second}Z` };
    const other: Run = { ...run, run_id: "s", status: "interrupted", ...created, ...given };
    return keptRuns([run, other], checkpoints, "root", gap).at(-1)?.isVain;
  };
  deepEqual(isVain(3), true);
  deepEqual(isVain(3, { status: "running" }), false, "it goes on");
  deepEqual(isVain(3, { kwargs: { input: null } }), false, "it goes on from where the thread stands");
  deepEqual(isVain(3, { run_id: "r" }), false, "it has a checkpoint");
  deepEqual(isVain(3, {}, "b"), true);
  deepEqual(isVain(1, {}, "b"), false, "what was made then was not read");
  deepEqual(isVain(0), false, "what was made then is not kept");
});

it("A run that was stopped where it was told to stop anyway stands at that breakpoint, and ran no step behind it", () => {
  const told = (status: string, kwargs: Run["kwargs"]) => {
    const checkpoints = new Checkpoints();
    const tasks = [{ id: "t", name: "send", interrupts: [] }];
    checkpoints.add([
      { ...stateAt("b", 2, "a", { n: 1 }), next: ["send"], tasks },
      {
        ...stateAt("a", 1, undefined, {}),
        next: ["plan"],
        tasks: [{ id: "p", name: "plan", interrupts: [] }],
      },
    ]);
    const [kept] = keptRuns([{ ...run, status, kwargs: { input: {}, ...kwargs } }], checkpoints);
    return [kept?.steps.map(({ node }) => node), kept?.stoppedBefore];
  };
  for (const stop of [{ interrupt_before: ["send"] }, { interrupt_after: ["plan"] }]) {
    for (const status of ["success", "interrupted", "timeout"])
      deepEqual(told(status, stop), [["plan"], ["send"]], status);
    deepEqual(told("running", stop), [["plan"], []], "it is not over");
  }
  deepEqual(told("interrupted", {}), [["plan", "send"], []]);
});

it("A run said what a node did not return, which failed before and is done beside one that asks", () => {
  const said = (id: string) => ({ type: "ai", id, content: id });
  const tasks = [
    { id: "1", name: "ask", interrupts: [{ id: "q", value: "Sure?" }] },
    { id: "2", name: "look", interrupts: [], error: "aborted" },
    { id: "3", name: "note", interrupts: [], result: { messages: [{ type: "ai", content: "n" }] } },
  ];
  const kept = { ...stateAt("a", 1, undefined, { messages: [] }), next: ["ask", "look", "note"], tasks };
  const told = (head: ThreadState) => {
    const checkpoints = new Checkpoints();
    checkpoints.setNewest(kept, head);
    const stopped: Run = { ...run, status: "interrupted" };
    const later: Run = { ...run, run_id: "s", kwargs: { input: null }, created_at: "2026-11-22T12:00:10Z" };
    const runs = keptRuns([stopped, { ...later, updated_at: "2026-11-22T12:00:12Z" }], checkpoints);
    return runs.map(({ steps }) =>
      steps.flatMap(({ node, messages }) => messages.map((one) => [node, JSON.stringify(one)])),
    );
  };
  const noted = ["note", '{"type":"ai","content":"n"}'];
  const head = {
    ...kept,
    next: ["ask"],
    values: { messages: [said("x"), { ...said("made up"), content: "n" }] },
  };
  deepEqual(told(head), [[noted], [["look", JSON.stringify(said("x"))], noted]]);
  deepEqual(told(kept), [[noted], [noted]]);
});

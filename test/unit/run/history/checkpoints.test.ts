import { deepEqual, equal } from "node:assert/strict";
import type { Json, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { Checkpoints } from "../../../../src/run/history/checkpoints.ts";

function stateAt(
  id: string,
  values: ThreadState["values"],
  tasks: unknown = [],
  parent?: string,
): ThreadState {
  const checkpoint = (name: string) => ({ thread_id: "t", checkpoint_ns: "", checkpoint_id: name });
  return {
    ...{ values, next: [], tasks: tasks as ThreadState["tasks"], metadata: {}, created_at: null },
    checkpoint: checkpoint(id),
    parent_checkpoint: parent === undefined ? null : checkpoint(parent),
  };
}

describe("the checkpoints of a thread", () => {
  let checkpoints: Checkpoints;

  beforeEach(() => (checkpoints = new Checkpoints()));

  it("leave out states that are nested too deep, and say so", () => {
    const deep = JSON.parse("[".repeat(600) + "]".repeat(600)) as Json;
    const task = { id: "1", name: "one", interrupts: [] };
    checkpoints.add([stateAt("a", { n: 1 }, [task])]);
    equal(checkpoints.tooDeep, false);
    checkpoints.add([stateAt("a", { deep }, [task, { ...task, id: "2" }]), stateAt("b", { deep }, [task])]);
    equal(checkpoints.tooDeep, true);
    equal(checkpoints.get("a")?.tasks.length, 1, "what was read before stays");
    deepEqual([checkpoints.get("b")?.tasks, checkpoints.get("b")?.rest], [[], undefined]);
  });

  it("keep what a state holds beside its conversation, but for what holds nothing", () => {
    const values = { messages: [], n: 0, no: false, none: null, text: "", list: [], object: {}, some: ["x"] };
    checkpoints.add([stateAt("a", { ...values, __interrupt__: [{ value: 1 }] })]);
    deepEqual(checkpoints.get("a")?.rest, {
      keys: ["n", "no", "some"],
      text: '{"n":0,"no":false,"some":["x"]}',
    });
    checkpoints.add([stateAt("b", { messages: ["Hi"] })]);
    deepEqual(checkpoints.get("b")?.rest, { keys: ["messages"], text: undefined });
    checkpoints.add([stateAt("c", { list: [] })]);
    equal(checkpoints.get("c")?.rest, undefined);
  });

  it("tell what changed against the state before, once that was read", () => {
    checkpoints.add([stateAt("b", { n: 1, same: [1], messages: ["Hi", "Ho"] }, [], "a")]);
    equal(checkpoints.get("b")?.change, undefined);
    checkpoints.add([stateAt("a", { n: 0, same: [1], messages: ["Hi"] })]);
    deepEqual(checkpoints.get("b")?.change, { keys: ["n", "messages"], text: '{"n":1}', messages: ["Ho"] });
    deepEqual(checkpoints.get("a")?.change?.messages, ["Hi"]);
    checkpoints.add([stateAt("c", { n: 0, same: [1], messages: ["Hi"] }, [], "a"), stateAt("a", {})]);
    deepEqual(
      checkpoints.childrenOf("a").map(({ id }) => id),
      ["b", "c"],
    );
    checkpoints.add([
      stateAt("e", { n: 1, messages: ["Hi"] }, [], "d"),
      stateAt("d", { n: 1, messages: ["Hi"] }),
    ]);
    deepEqual(checkpoints.get("e")?.change, { keys: [], text: undefined, messages: [] });
  });

  it("tell the same change when a state is read again that is another one by now", () => {
    checkpoints.add([stateAt("b", { n: 2 }, [], "a"), stateAt("a", { n: 1 })]);
    deepEqual(checkpoints.get("b")?.change?.keys, ["n"]);
    checkpoints.add([stateAt("a", { n: 2 })]);
    deepEqual(checkpoints.get("b")?.change?.keys, ["n"]);
  });

  it("are read in whatever shape a server tells their tasks", () => {
    const odd = [
      null,
      7,
      { id: "0", name: "__start__" },
      { id: "1" },
      { name: "x" },
      { id: "2", name: "ask", interrupts: [{ interrupt_id: "q" }, 7, { id: "p", value: 1 }], error: null },
      { id: "3", name: "said", result: { messages: { id: "m" } } },
      { id: "4", name: "wrote", result: {}, interrupts: null },
      { id: "5", name: "pairs", result: [["n", 1]], error: "no" },
    ];
    checkpoints.add([
      stateAt("a", {}, odd),
      stateAt("b", {}, "none"),
      { ...stateAt("c", {}), checkpoint: null },
    ]);
    const tasks = checkpoints.get("a")?.tasks ?? [];
    deepEqual(
      tasks.map(({ node, interrupts, error, result, said }) => [node, interrupts, error, result, [...said]]),
      [
        [
          "ask",
          [
            { id: "q", value: null },
            { id: "p", value: 1 },
          ],
          undefined,
          undefined,
          [],
        ],
        ["said", [], undefined, { keys: ["messages"], text: undefined }, ["m"]],
        ["wrote", [], undefined, { keys: [], text: undefined }, []],
        ["pairs", [], "no", undefined, []],
      ],
    );
    deepEqual(
      [
        checkpoints.get("b")?.tasks,
        checkpoints
          .inOrder()
          .map(({ id }) => id)
          .toSorted(),
      ],
      [[], ["a", "b"]],
    );
  });
});

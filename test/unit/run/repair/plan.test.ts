import { strict as assert } from "node:assert";
import { forkPlan, goOnPlan, pendingNodes, skipPlan } from "../../../../src/run/repair/plan.ts";
import { effectsText } from "../../../../src/run/repair/planText.ts";
import { CourseRefusal } from "../../../../src/run/repair/threadPosition.ts";
import { at, failedTask, type Part, position, stateAt } from "./threadAt.ts";

/** Why it is refused: what is wrong, and what to do. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof CourseRefusal) return `${error.message} ${error.remedy}`;
  }
  return "not refused";
}

describe("What runs next where a thread stands", () => {
  const again = (part: Part): string =>
    pendingNodes(position({ next: ["left", "right"], ...part }))
      .map(({ name, again: ran }) => `${name}${ran ? " again" : ""}`)
      .join(", ");

  it("runs again as far as it failed or was cut short there", () => {
    assert.equal(again({}), "left, right");
    assert.equal(again({ tasks: [failedTask] }), "left again, right");
    assert.equal(again({ next: ["right"], tasks: [failedTask] }), "right", "what failed elsewhere");
    assert.equal(again({ next: ["left", "left"] }), "left");
    for (const status of ["error", "interrupted", "timeout"])
      assert.equal(again({ run: { status } }), "left again, right again", status);
  });

  it("runs for the first time where somebody wrote the state since", () => {
    for (const source of ["update", "fork"]) {
      assert.equal(again({ source, run: { status: "error" } }), "left, right", source);
      assert.equal(
        again({ source, run: { status: "error", created_at: at(10) } }),
        "left again, right again",
        "the run began behind the written state",
      );
    }
    assert.equal(again({ source: "input", run: { status: "error" } }), "left again, right again");
  });

  it("is refused in words where nothing does, or the graph has it no more", () => {
    assert.match(
      refusal(() => pendingNodes(position({}))),
      /^The thread is finished: no step is left to run\. Run from an earlier state/,
    );
    const bad = { run: { status: "error" } };
    assert.match(
      refusal(() => pendingNodes(position(bad))),
      /graph was changed since\. .* Its steps are now plan, left, right, join\.$/,
    );
    assert.match(
      refusal(() => pendingNodes(position({ ...bad, graph: undefined }))),
      /as one of its steps\.$/,
    );
    assert.match(
      refusal(() => pendingNodes(position({ next: ["gone"] }))),
      /^The graph has no step “gone” any more/,
    );
    for (const shown of [undefined, { nodes: [{ id: "__start__" }], edges: [] }])
      assert.equal(again({ next: ["gone"], graph: shown }), "gone", "what shows no steps says nothing");
    assert.equal(again({ next: ["__start__"] }), "__start__");
  });
});

describe("A run that changes a thread's course", () => {
  it("is one without input, told what the newest run was told", () => {
    const config = { recursion_limit: 7, configurable: { checkpoint_id: "c", user: "me" } };
    const told = position({
      next: ["left"],
      run: { kwargs: { input: {}, context: { model: "m" }, config } },
    });
    const run = { assistant_id: "ran", input: null, multitask_strategy: "reject" };
    assert.deepEqual(goOnPlan(told).run, { ...run, context: { model: "m" }, config: { recursion_limit: 7 } });
    assert.deepEqual(goOnPlan(position({ next: ["left"] })).run, run);
    assert.deepEqual(goOnPlan(position({ next: ["left"], run: { kwargs: { context: {} } } })).run, run);
    assert.deepEqual(goOnPlan({ ...position({ next: ["left"] }), runs: [] }).run, {
      ...run,
      assistant_id: "a",
    });
    const row = { status: "idle", config: { configurable: { checkpoint_id: "old" } } };
    const out = { configurable: { checkpoint_id: null } };
    assert.deepEqual(goOnPlan(position({ next: ["left"], row })).run, { ...run, config: out });
    assert.deepEqual(goOnPlan({ ...told, state: { ...told.state, row } }).run.config, {
      recursion_limit: 7,
      ...out,
    });
  });

  it("executes again what ended well beside it, where the thread has a place for a checkpoint", () => {
    const done = { ...failedTask, id: "2", name: "right", error: null, result: { n: 1 } };
    const first = (configurable: object): unknown =>
      goOnPlan(
        position({
          next: ["left"],
          tasks: [failedTask, done],
          row: { status: "error", config: { configurable: { ...configurable } } },
        }),
      ).effects.first.map(({ name, again }) => `${name} ${String(again)}`);
    assert.deepEqual(first({}), ["left true"]);
    for (const checkpoint_id of [null, "old"])
      assert.deepEqual(first({ checkpoint_id }), ["left true", "right true"]);
  });

  it("goes as far as it is to", () => {
    const before = (reach?: Parameters<typeof goOnPlan>[1]): unknown =>
      goOnPlan(position({ next: ["left"] }), reach).run.interrupt_before;
    assert.deepEqual(
      [before(), before("end"), before("step"), before({ before: ["join"] })],
      [undefined, undefined, "*", ["join"]],
    );
  });

  it("leaves no question behind by itself", () => {
    const tasks = [{ id: "1", name: "left", interrupts: [{ id: "q", value: "Sure?" }] }];
    assert.match(
      refusal(() => goOnPlan(position({ next: ["left"], tasks }))),
      /^The thread waits for an answer/,
    );
  });

  it("says what it means, as far as the graph and the history tell", () => {
    const text = (part: Part): string => effectsText(goOnPlan(position({ next: ["left"], ...part })).effects);
    assert.equal(
      text({ end: "budget" }),
      "Runs next: left.\nThen, as the graph goes: join, plan, right.\nNo tool was called after this point.\nThe history is longer than what was read: more tools may have been called.",
    );
    assert.equal(text({ graph: undefined }), "Runs next: left.\nNo tool was called after this point.");
  });
});

describe("Skipping a step", () => {
  it("goes on behind it and beside it, each step once", () => {
    const plan = skipPlan(position({ next: ["left", "right"], tasks: [failedTask] }), "left", { n: 1 });
    assert.deepEqual([plan.head, plan.update], ["head", { values: { n: 1 }, as_node: "left" }]);
    assert.deepEqual(plan.effects.first, [
      { name: "right", again: false },
      { name: "join", again: false },
    ]);
    const alone = skipPlan(position({ next: ["left"], tasks: [failedTask] }), "left", null);
    assert.deepEqual(alone.update?.checkpoint, { checkpoint_id: "head" });
    // What stood beside it and is done is no step any more that is to run, but what it returned still is to be kept.
    const done = { ...failedTask, id: "2", name: "right" };
    const last = skipPlan(position({ next: ["left"], tasks: [failedTask, done] }), "left", null);
    assert.equal(last.update?.checkpoint, undefined);
    const beside = skipPlan(position({ next: ["left", "join"] }), "left", null);
    assert.deepEqual(beside.effects.first, [{ name: "join", again: false }]);
    assert.deepEqual(
      skipPlan(position({ next: ["left"], graph: undefined }), "left", null).effects.first,
      [],
    );
  });

  it("is refused for one that the thread does not stand before", () => {
    const skip = (part: Part, node: string): string => refusal(() => skipPlan(position(part), node, null));
    assert.equal(
      skip({ next: ["left"] }, "join"),
      "The thread does not stand before the step “join” any more. It stands before left.",
    );
    assert.match(skip({ next: ["left"] }, "gone"), /^The graph has no step “gone” any more/);
    assert.match(skip({}, "left"), /^The thread is finished/);
    assert.match(skip({}, "gone"), /^The graph has no step “gone” any more/);
    assert.match(skip({ next: ["left"], graph: undefined }, "gone"), /It stands before left\.$/);
  });
});

describe("Running from an earlier state", () => {
  const fork = (part: Part, target: Part, asNode?: string) => {
    const from = stateAt("base", target);
    return forkPlan(position(part), from, { checkpointId: "base", values: null, asNode });
  };

  it("runs what comes behind it, again where something ran there", () => {
    const { head, update, run, effects } = fork({}, { next: ["left"] });
    assert.deepEqual([head, update], ["head", { checkpoint: { checkpoint_id: "base" }, values: null }]);
    assert.equal(run.assistant_id, "a");
    assert.deepEqual(effects.first, [{ name: "left", again: true }]);
    const fresh = forkPlan(position({ tasks: [failedTask] }), stateAt("head", { next: ["left"] }), {
      checkpointId: "head",
      values: null,
    });
    assert.deepEqual(fresh.effects.first, [{ name: "left", again: true }], "it was tried there");
    const untried = forkPlan(position({}), stateAt("head", { next: ["left"] }), {
      checkpointId: "head",
      values: null,
    });
    assert.deepEqual(untried.effects.first, [{ name: "left", again: false }]);
  });

  it("as a step of the graph runs what comes behind that step", () => {
    const { update, effects } = fork({}, { next: ["left"] }, "plan");
    assert.deepEqual(update, { checkpoint: { checkpoint_id: "base" }, values: null, as_node: "plan" });
    assert.deepEqual(
      effects.first.map(({ name }) => name),
      ["left", "right"],
    );
    assert.deepEqual(fork({}, {}, "plan").effects.first.length, 2);
    assert.deepEqual(
      fork({ graph: undefined }, { next: ["left"] }, "plan").effects.first.map(({ name }) => name),
      ["left"],
    );
  });

  it("is refused where nothing comes behind it, or the graph has that no more", () => {
    assert.match(
      refusal(() => fork({}, {})),
      /^The thread was finished there/,
    );
    assert.match(
      refusal(() => fork({}, { next: ["gone"] })),
      /no step “gone” any more/,
    );
    assert.match(
      refusal(() => fork({}, { next: ["left"] }, "gone")),
      /no step “gone” any more/,
    );
    assert.equal(
      refusal(() => fork({}, { next: ["gone"] }, "plan")),
      "not refused",
    );
  });
});

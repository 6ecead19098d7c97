import { strict as assert } from "node:assert";
import type { ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { nodesWritten } from "../../../../src/run/repair/clone.ts";
import { CourseRefusal } from "../../../../src/run/repair/threadPosition.ts";
import {
  asked,
  done,
  ended,
  hello,
  type Kept,
  left,
  plan,
  planned,
  start,
  state,
  whole,
  words,
} from "./clonedThread.ts";

describe("the plan of a clone", () => {
  it("has a step for each state that a node made, with what it returned and the ids of its messages", async () => {
    const { supersteps, states, length, leftOut, graphId, title } = await plan({
      states: [start, asked, left, planned, ended],
      row: { metadata: { graph_id: "chat", title: "Tides" } },
    });
    assert.deepEqual(supersteps, [
      { updates: [{ values: { messages: [hello], key: "k1" }, as_node: "__start__" }] },
      { updates: [{ values: { plan: [{ key: "k2", step: "look" }] }, as_node: "plan" }] },
      { updates: [{ values: { a: 1 }, as_node: "left" }] },
    ]);
    assert.deepEqual(
      states.map(({ values }) => values),
      [asked, planned, ended].map(({ values }) => values),
    );
    assert.equal(length, JSON.stringify(supersteps).length);
    assert.deepEqual(leftOut, ["Runs, their events and feedback stay where they are."]);
    assert.deepEqual([graphId, title], ["chat", "Tides"]);
  });

  it("names no graph and no title that the server does not tell", async () => {
    const { graphId, title } = await plan({ row: { metadata: { graph_id: 7 } } });
    assert.deepEqual([graphId, title], [undefined, undefined]);
  });

  it("masks the values of the chosen keys wherever they stand, in steps and in states", async () => {
    const { supersteps, states, leftOut } = await plan({}, ["key", "a"]);
    assert.ok(!/k1|k2|"a":1/.test(JSON.stringify([supersteps, states.map(({ values }) => values)])));
    assert.deepEqual(supersteps[1]?.updates[0]?.values, { plan: [{ key: "•••", step: "look" }] });
    assert.deepEqual(states.at(-1)?.values["a"], "•••");
    assert.deepEqual(leftOut.slice(1), ["Values of key, a."]);
  });

  it("writes nothing for a later input, which its first step brings", async () => {
    const second = state("4", "3", "input", ended.values, [done("__start__", { messages: [words] })]);
    const { supersteps } = await plan({ states: [...whole, second, state("5", "4", "loop", ended.values)] });
    assert.equal(supersteps.length, 4);
    assert.deepEqual(supersteps[3]?.updates, [{ values: { messages: [hello] }, as_node: "__start__" }]);
  });

  for (const source of ["update", "fork"])
    it(`writes what a person changed as the node that it took the place of (${source})`, async () => {
      const open = {
        ...planned,
        next: ["left", "right"],
        tasks: [done("left", { a: 9 }), done("right", {})],
      };
      const written = { ...state("3", "2", source, { ...planned.values, a: 5 }), next: ["left"] };
      const { supersteps } = await plan({ states: [start, asked, open, written] });
      assert.deepEqual(supersteps[2], { updates: [{ values: { a: 5 }, as_node: "right" }] });
    });

  it("writes what was changed before an open step as that step, and at the end as an input", async () => {
    const before = { ...state("3", "2", "update", { ...planned.values, a: 5 }), next: ["left", "right"] };
    assert.equal(
      (await plan({ states: [start, asked, planned, before] })).supersteps[2]?.updates[0]?.as_node,
      "left",
    );
    const behind = state("4", "3", "update", { ...ended.values, messages: [hello, { ...hello, id: "m2" }] });
    const { supersteps } = await plan({ states: [...whole, behind] });
    assert.deepEqual(supersteps[3], {
      updates: [{ values: { messages: [{ ...hello, id: "m2" }] }, as_node: "__start__" }],
    });
  });

  it("keeps the ids that messages have, and those without a likeness in the state as they are", async () => {
    const messages = [{ ...words, id: "own" }, { role: "user", content: "Gone" }, words];
    const twice = [hello, { ...hello, id: "m2" }];
    const first = { ...start, tasks: [done("__start__", { messages })] };
    const next = { ...asked, values: { messages: twice } };
    const { supersteps } = await plan({ states: [first, next] });
    assert.deepEqual(supersteps[0]?.updates[0]?.values, { messages: [messages[0], messages[1], twice[1]] });
    const bare = { ...asked, values: { key: "k1" } };
    const asWritten = (await plan({ states: [start, bare] })).supersteps[0]?.updates[0]?.values;
    assert.deepEqual(asWritten, { messages: words, key: "k1" });
  });

  const running = { run_id: "r", status: "running" };
  const question = { id: "q", value: "Go on?" };
  const asking = { ...planned, tasks: [{ ...done("left", null), interrupts: [question] }] } as ThreadState;
  const nested = {
    ...planned,
    tasks: [{ ...done("left", { a: 1 }), checkpoint: { checkpoint_ns: "left:1" } }],
  };
  const lacks: Readonly<Record<string, readonly [Kept, string | undefined]>> = {
    "a busy thread": [
      { row: { status: "busy" } },
      "A run goes on: what it does from now on is not in the clone.",
    ],
    "a run that goes on": [
      { runs: [running] },
      "A run goes on: what it does from now on is not in the clone.",
    ],
    "a run that is over": [{ runs: [{ run_id: "r", status: "success" }] }, undefined],
    "a question": [
      { states: [start, asked, asking] },
      "The question that waits is asked anew when the clone goes on.",
    ],
    subgraphs: [{ states: [start, asked, nested, ended] }, "States within subgraphs."],
  };
  for (const [what, [kept, said]] of Object.entries(lacks))
    it(`says what is left out for ${what}`, async () => {
      const { leftOut } = await plan(kept);
      assert.deepEqual(leftOut.slice(1), said === undefined ? [] : [said]);
    });

  const refusals: Readonly<Record<string, readonly [Kept, RegExp]>> = {
    "a thread without steps": [{ states: [start] }, /has no steps yet/],
    "a thread without a checkpoint": [{ states: [{ ...start, checkpoint: null }] }, /has no steps yet/],
    "a history that ends too early": [{ states: [asked, planned, ended] }, /The beginning of this thread/],
    "a server without a history": [{ history: undefined }, /does not tell its earlier states/],
  };
  for (const [what, [kept, message]] of Object.entries(refusals))
    it(`is refused for ${what}`, async () => {
      await assert.rejects(
        plan(kept),
        (error) => error instanceof CourseRefusal && message.test(error.message),
      );
    });

  it("tells each node that it writes as once, but for the input", async () => {
    const again = state("4", "3", "loop", ended.values);
    const twice = { ...ended, tasks: [done("plan", {}), done("end", {})], next: ["plan", "end"] };
    assert.deepEqual(nodesWritten(await plan({ states: [start, asked, planned, twice, again] })), [
      "plan",
      "left",
      "end",
    ]);
  });
});

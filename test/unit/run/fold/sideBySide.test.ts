/** Steps and subgraphs beside and after each other, which events alone can't tell apart. */

import { deepEqual, equal } from "node:assert/strict";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import type { StepEntry, ToolEntry } from "../../../../src/run/panel/transcript.ts";
import { stateOf } from "../session/scriptedServer.ts";
import { FollowedThread } from "./followedThread.ts";
import { kept, step } from "./keptFacts.ts";

const says = (type: "human" | "ai", text: string) => ({ type, id: `id ${text}`, content: text });
const asked = { id: "q", value: "Sure?" };
const interrupt = { __interrupt__: [asked] };

function stepsOf({ entries }: FollowedThread): readonly StepEntry[] {
  return entries.filter((entry) => entry.kind === "step");
}

describe("steps of one node side by side", () => {
  const steps = [step("1", "work", "interrupted"), step("2", "work", "done"), step("3", "work", "done")];
  const lanes = ["work:1", "work:2", "work:3"].map((lane): readonly [string, Json] => [
    `messages|${lane}`,
    [{ ...says("ai", lane), type: "AIMessageChunk" }, { langgraph_checkpoint_ns: `${lane}|say:9` }],
  ]);
  const report = (task: number): readonly [string, Json] => [
    "updates",
    { work: { found: task, messages: [says("ai", `work:${task}`)] } },
  ];

  it("have each what it wrote itself, and one that asks has nothing, whatever is read first", () => {
    const told = kept(
      steps.map((one) => ({
        ...one,
        wrote: { keys: ["found", "messages"], text: undefined },
        wroteTogether: true,
      })),
    );
    for (const order of ["events first", "kept first"]) {
      const thread = new FollowedThread();
      if (order === "kept first") thread.keep(told);
      thread.stream(...lanes, report(3), report(2));
      thread.keep(told);
      deepEqual(
        stepsOf(thread)
          .filter(({ lane }) => lane === "")
          .map(({ status, keys, wrote }) => [status, keys, wrote]),
        [
          ["interrupted", [], undefined],
          ["done", ["found", "messages"], '{"found":2}'],
          ["done", ["found", "messages"], '{"found":3}'],
        ],
        order,
      );
    }
  });

  it("that say nothing report as those that were done", () => {
    const thread = new FollowedThread();
    thread.keep(kept(steps.slice(0, 2)));
    thread.stream(["updates", { work: { found: 2 } }]);
    deepEqual(
      stepsOf(thread).map(({ wrote }) => wrote),
      [undefined, '{"found":2}'],
    );
  });

  it("say that what they wrote is kept only together, and what is kept of one itself stands", () => {
    const thread = new FollowedThread();
    const [, beside, own] = steps;
    thread.keep(
      kept([
        { ...beside!, wrote: { keys: ["found"], text: undefined }, wroteTogether: true },
        { ...own!, node: "sum", wrote: { keys: ["total"], text: '{"total":1}' } },
      ]),
    );
    thread.stream(["updates", { sum: { total: 1, files: {} } }]);
    deepEqual(
      stepsOf(thread).map(({ keys, wrote, unkept }) => [
        keys,
        wrote,
        unkept?.replace(/^The server keeps /, ""),
      ]),
      [
        [["found"], undefined, "what this step wrote only together with what ran beside it."],
        [["total"], '{"total":1}', undefined],
      ],
    );
  });
});

describe("a subgraph that is given the whole conversation", () => {
  const [one, uno, two, due] = [
    says("human", "One"),
    says("ai", "Uno"),
    says("human", "Two"),
    says("ai", "Due"),
  ];
  const input = (message: Json): Json => ({ messages: [message] });

  it("leaves what was said before where it was said", () => {
    for (const order of ["events first", "kept first", "never streamed"]) {
      const thread = new FollowedThread(input(one));
      thread.keep(kept([step("1", "talk", "done", { messages: [uno] })], { input: [one] }));
      thread.open("s", input(two));
      const keep = () =>
        thread.keep(kept([step("2", "web", "done", { messages: [due] })], { runId: "s", input: [two] }), {
          "web:2": kept([step("3", "model", "done", { messages: [due] })], {
            runId: "s",
            input: [one, uno, two],
          }),
        });
      if (order !== "events first") keep();
      const given: Json = { messages: [one, uno, two] };
      if (order !== "never streamed")
        thread.streamOf(
          "s",
          ["values", given],
          ["values|web:2", given],
          ["values|web:2", { messages: [one, uno, two, due] }],
        );
      keep();
      equal(
        thread.shown,
        "run success\nhuman: One\nstep talk done\nai: Uno\n" +
          "run success\nhuman: Two\nstep web done\nlane web done\n  step model done\n  ai: Due\n",
        order,
      );
    }
  });
});

describe("a question that waits on while another one is answered", () => {
  const given = { messages: [says("ai", "Before")] };

  it("begins no lane in the run of that answer, now and when it is replayed", () => {
    for (const order of ["now", "replayed"]) {
      const thread = new FollowedThread();
      thread.stream(["updates", { begin: given }], ["updates|work:1", interrupt]);
      thread.open("s", undefined, { ["0".repeat(32)]: "yes" });
      if (order === "replayed") thread.open("t", { again: true });
      thread.streamOf("s", ["values|work:1", given], ["values|work:1", interrupt], ["updates", interrupt]);
      thread.streamOf("s", ["updates|work:1", interrupt]);
      deepEqual(
        thread.entries.flatMap((entry) => (entry.kind === "lane" ? [entry.runId] : [])),
        ["r"],
        order,
      );
    }
  });

  it("begins none where a run comes to it again and is told what was said in it before", () => {
    const thread = new FollowedThread();
    thread.stream(["values|work:1", {}], ["values|work:1", given], ["values|work:1", interrupt]);
    thread.open("s", null);
    thread.streamOf("s", ["values|work:1", given], ["values|work:1", interrupt]);
    deepEqual(
      thread.entries.flatMap((entry) => (entry.kind === "lane" ? [entry.runId] : [])),
      ["r"],
    );
  });

  it("begins one where something happens in it first, or where the question is a new one", () => {
    const thread = new FollowedThread();
    thread.stream(["values|work:1", { job: 1 }], ["values|work:1", { job: 2 }]);
    thread.stream(["updates|other:2", interrupt]);
    deepEqual(
      thread.entries.flatMap((entry) => (entry.kind === "lane" ? [entry.name] : [])),
      ["work", "other"],
    );
  });
});

describe("a question of a graph that a node calls by itself", () => {
  it("stands at the end of the subgraph that asks, which waits with it", () => {
    const root = kept([step("1", "tools", "interrupted", { questions: [asked] })]);
    const lanes = { "tools:1": kept([step("2", "model", "done", { messages: [says("ai", "Hm")] })]) };
    for (const event of ["values|tools:1", "updates", undefined]) {
      const thread = new FollowedThread();
      if (event !== undefined) thread.stream([event, interrupt]);
      thread.keep(root, lanes);
      equal(
        thread.shown,
        "run success\nstep tools interrupted\nlane tools interrupted\n" +
          '  step model done\n  ai: Hm\n  interrupt open: "Sure?"\n',
        event,
      );
      thread.keep(root, lanes);
      equal(stepsOf(thread).length, 2);
    }
  });
});

describe("a call that waited for a person", () => {
  const call = (text: string): Json => ({
    ...says("ai", "I send."),
    tool_calls: [{ id: "c", name: "send", args: { text } }],
  });
  const tool = ({ entries }: FollowedThread): ToolEntry | undefined =>
    entries.find((entry): entry is ToolEntry => entry.kind === "tool");

  it("never ran when nothing asks any more and nothing answered it", () => {
    const thread = new FollowedThread();
    thread.stream(["updates", { model: { messages: [call("Hi")] } }], ["updates", interrupt]);
    thread.fold.settle("r", "success");
    equal(tool(thread)?.status, "pending");
    thread.fold.open({ runId: "s", assistantId: "a", status: "running" }, undefined, { resume: { q: "no" } });
    thread.open("t");
    thread.fold.settle("t", "success");
    equal(tool(thread)?.status, "pending", "another run may answer it");
    thread.fold.settle("s", "success");
    equal(tool(thread)?.status, "stopped");
  });

  it("has the arguments that the thread's state tells, whatever is replayed later", () => {
    const thread = new FollowedThread();
    const answer = { type: "tool", id: "t", tool_call_id: "c", content: "Sent" };
    thread.fold.reconcile(stateOf({ messages: [call("Edited"), answer] }));
    thread.stream(["updates", { model: { messages: [call("Hi")] } }]);
    equal(tool(thread)?.args, '{"text":"Edited"}');
  });
});

describe("calls of several runs with one id", () => {
  const call = (message: string, query: string) => ({
    ...{ type: "ai", id: message, content: "" },
    tool_calls: [{ id: "call_search", name: "search", args: { query } }],
  });
  const answer = (id: string, content: string) => ({
    type: "tool",
    id,
    tool_call_id: "call_search",
    content,
  });
  const first = [call("m1", "tea"), answer("t1", "green")];
  const second = [call("m2", "coffee"), answer("t2", "black")];
  const expected = [
    ["r", '{"query":"tea"}', "green"],
    ["s", '{"query":"coffee"}', "black"],
  ];
  const tools = ({ entries }: FollowedThread) =>
    entries.flatMap((entry) => (entry.kind === "tool" ? [[entry.runId, entry.args, entry.result]] : []));
  const keep = (thread: FollowedThread, runId: string, messages: readonly Json[]): void => {
    const model = step(`${runId}1`, "model", "done", { messages: messages.slice(0, 1) });
    const ran = step(`${runId}2`, "tools", "done", { messages: messages.slice(1) });
    thread.keep(kept([model, ran], { runId }));
  };
  const updates = ([asked, answered]: readonly Json[]): readonly (readonly [string, Json])[] => [
    ["updates", { model: { messages: [asked ?? null] } }],
    ["updates", { tools: { messages: [answered ?? null] } }],
  ];

  it("are a row each, in their own run and with their own answer, whatever is read first", () => {
    const steps = {
      state: (thread: FollowedThread) => thread.fold.reconcile(stateOf({ messages: [...first, ...second] })),
      "first run": (thread: FollowedThread) => keep(thread, "r", first),
      "second run": (thread: FollowedThread) => keep(thread, "s", second),
      streams: (thread: FollowedThread) => {
        thread.streamOf("r", ...updates(first), ["values", { messages: first }]);
        thread.streamOf("s", ...updates(second), ["values", { messages: [...first, ...second] }]);
      },
    };
    const orders: readonly (readonly (keyof typeof steps)[])[] = [
      ["streams", "state", "first run", "second run"],
      ["state", "second run", "first run"],
      ["state", "second run", "streams", "first run"],
      ["second run", "first run", "state"],
    ];
    for (const order of orders) {
      const thread = new FollowedThread();
      thread.open("s");
      for (const one of order) steps[one](thread);
      deepEqual(tools(thread), expected, order.join());
    }
  });

  it("are one where a later run brings its answer", () => {
    const thread = new FollowedThread();
    thread.open("s", undefined, "yes");
    thread.streamOf("r", ...updates(first).slice(0, 1));
    thread.streamOf("s", ...updates(first).slice(1));
    deepEqual(tools(thread), expected.slice(0, 1));
  });
});

import { deepEqual, equal } from "node:assert/strict";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import type { ProtocolEvent } from "../../../../src/api/threadProtocol/wire.ts";
import { ProtocolTranslator } from "../../../../src/run/protocol/translator.ts";

type Params = Partial<ProtocolEvent["params"]>;

function event(method: string, data: Json, params: Params = {}): ProtocolEvent {
  return { method, params: { namespace: [], data, ...params } };
}

/** What an event becomes, as names and data. */
function said(
  one: ProtocolEvent,
  translator = new ProtocolTranslator(),
): readonly (readonly [string, Json])[] {
  return translator.translate(one).map(({ event: name, data }) => [name, JSON.parse(data) as Json]);
}

const silent = ["checkpoints", null];
const question = { id: "i", value: "Sure?" };
const asked = ["updates", { __interrupt__: [question] }];

describe("An event of the streaming protocol becomes", () => {
  const cases: readonly (readonly [what: string, ProtocolEvent, readonly unknown[]])[] = [
    [
      "an update of the node that is named beside it",
      event("updates", { n: 1 }, { node: "a" }),
      ["updates", { a: { n: 1 } }],
    ],
    [
      "an update of the node that is named in it",
      event("updates", { node: "a", values: { n: 1 } }),
      ["updates", { a: { n: 1 } }],
    ],
    [
      "the same where both name it",
      event("updates", { node: "a", values: { n: 1 } }, { node: "b" }),
      ["updates", { b: { n: 1 } }],
    ],
    [
      "an update that happens to have a field of that name",
      event("updates", { values: 1 }, { node: "a" }),
      ["updates", { a: { values: 1 } }],
    ],
    ["an update of nobody", event("updates", { values: { n: 1 } }), ["updates", { n: 1 }]],
    ["nothing that is no value", event("updates", { node: "a", values: null }), ["updates", { a: null }]],
    ["a question in an update of nobody", event("updates", { values: { __interrupt__: [question] } }), asked],
    ["nothing for values", event("values", { messages: [] }), silent],
    ["nothing for values that are no object", event("values", 7), silent],
    ["nothing for a checkpoint", event("checkpoints", {}), silent],
    ["a task as it is", event("tasks", { id: "t" }), ["tasks", { id: "t" }]],
    ["what was sent as custom", event("custom", { payload: { n: 1 } }), ["custom", { n: 1 }]],
    ["the same where its name is null", event("custom", { name: null, payload: null }), ["custom", null]],
    [
      "all of it where it has a name",
      event("custom", { name: "x", payload: 1 }),
      ["custom", { name: "x", payload: 1 }],
    ],
    ["all of it where nothing is in it", event("custom", { n: 1 }), ["custom", { n: 1 }]],
    ["custom, too, under a name of its own", event("custom:x", [1]), ["custom", [1]]],
    ["a question, whatever name its id has", event("input", { interruptId: "i", value: "Sure?" }), asked],
    ["one without an id", event("input", { payload: 7 }), ["updates", { __interrupt__: [{ value: 7 }] }]],
    ["one that asks nothing", event("input", { id: 7 }), ["updates", { __interrupt__: [{ value: null }] }]],
    ["nothing for a question of another shape", event("input", [7]), silent],
    ["one question beside another event", event("tasks", 1, { interrupts: question as never }), ["tasks", 1]],
    [
      "a message event that nobody knows",
      event("messages", { event: "odd" }),
      ["messages/event", { event: "odd" }],
    ],
    ["a tool's data of any shape", event("tools", 7), ["tools", 7]],
    [
      "a tool that ended",
      event("tools", { event: "tool-finished", output: 1 }),
      ["tools", { event: "on_tool_end", output: 1 }],
    ],
    [
      "a tool that failed and does not say why",
      event("tools", { event: "tool-error" }),
      ["tools", { event: "on_tool_error", error: "failed" }],
    ],
    [
      "a tool that began without an input",
      event("tools", { event: "tool-started" }),
      ["tools", { event: "on_tool_start", input: {} }],
    ],
    [
      "a tool whose input is a list",
      event("tools", { event: "tool-started", input: [1] }),
      ["tools", { event: "on_tool_start", input: [1] }],
    ],
    ["the beginning of the run", event("lifecycle", { event: "running" }), ["metadata", {}]],
    [
      "nothing for a part of the run",
      event("lifecycle", { event: "running" }, { namespace: ["a:1"] }),
      ["checkpoints|a:1", null],
    ],
    ["nothing for a lifecycle of another shape", event("lifecycle", "running"), silent],
    [
      "a lifecycle that nobody knows",
      event("lifecycle", { event: "paused" }),
      ["lifecycle", { event: "paused" }],
    ],
    ["nothing for a failure before it began", event("lifecycle", { event: "failed" }), silent],
  ];
  for (const [what, one, first] of cases) it(what, () => deepEqual(said(one)[0], first));

  it("a question that stands beside any other event, too", () => {
    deepEqual(said(event("tasks", 1, { interrupts: question as never })), [["tasks", 1], asked]);
    equal(said(event("input", question, { interrupts: question as never })).length, 1);
  });
});

describe("The end of a run in the streaming protocol", () => {
  const ending = (...events: readonly ProtocolEvent[]): string | undefined => {
    const translator = new ProtocolTranslator();
    for (const one of events) translator.translate(one);
    return translator.ending;
  };
  const ended = (how: string): ProtocolEvent => event("lifecycle", { event: how });

  it("counts only behind its beginning, or anything that it did", () => {
    for (const how of ["completed", "interrupted", "failed"]) {
      equal(ending(ended(how)), undefined, how);
      equal(ending(event("checkpoints", {}), ended(how)), undefined, how);
    }
    for (const begun of [ended("started"), ended("running"), event("custom", 1), event("messages", {})])
      equal(ending(begun, ended("completed")), "success");
    equal(ending(ended("started"), ended("failed")), "error");
  });

  it("is a success where it waits for a person, and else an interruption", () => {
    equal(ending(ended("started"), ended("interrupted")), "interrupted");
    equal(ending(event("input", question), ended("interrupted")), "success");
    equal(ending(event("input", { payload: 7 }), ended("interrupted")), "interrupted");
  });

  it("knows once where each question is asked from", () => {
    const translator = new ProtocolTranslator();
    translator.translate(event("input", question, { namespace: ["a:1"] }));
    translator.translate(event("input", question, { namespace: ["b:2"] }));
    deepEqual([...translator.pending], [["i", ["a:1"]]]);
  });

  it("is told in the lane of the subagent that works on a call, by its name", () => {
    const translator = new ProtocolTranslator();
    const input = { subagent_type: "writer" };
    translator.translate(
      event("tools", { event: "tool-started", tool_call_id: "call-1", tool_name: "task", input }),
    );
    const [inner] = said(event("custom", 1, { namespace: ["tools:call-1", "x:2"] }), translator);
    deepEqual(inner, ["custom|writer:call-1|x:2", 1]);
    deepEqual(said(event("custom", 1, { namespace: ["tools:other"] }), translator)[0], [
      "custom|tools:other",
      1,
    ]);
  });
});

import { strict as assert } from "node:assert";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import type { ProtocolEvent } from "../../../../src/api/threadProtocol/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import { ProtocolTranslator } from "../../../../src/run/protocol/translator.ts";
import { transcriptText } from "../../../support/recordings.ts";

type Params = Partial<ProtocolEvent["params"]>;

const started: ProtocolEvent = event("lifecycle", { event: "started" });
const question = { id: "i-1", value: { question: "Really?" } };

function event(method: string, data: Json, params: Params = {}): ProtocolEvent {
  return { method, params: { namespace: [], data, ...params } };
}

function shown(...events: readonly ProtocolEvent[]): string {
  const [translator, fold] = [new ProtocolTranslator(), new TranscriptFold()];
  fold.open({ runId: "r", assistantId: "agent", status: "pending" });
  for (const [index, one] of [started, ...events].entries())
    fold.run("r").apply(translator.translate({ seq: index, ...one }), 1000);
  return transcriptText(fold.entries()).replace(/^run.*\n/, "");
}

describe("Events of the streaming protocol", () => {
  it("stand in the graph around the task that made them, unless that is not the one that their namespace names", () => {
    const lane = (method: string, namespace: readonly string[], node?: string): string => {
      const params = node === undefined ? { namespace } : { namespace, node };
      const [frame] = new ProtocolTranslator().translate(event(method, {}, params));
      return frame?.event.split("|").slice(1).join("|") ?? "none";
    };
    assert.equal(lane("messages", ["outer:1", "model:2"], "model"), "outer:1");
    assert.equal(lane("tools", ["outer:1", "tools:2"], "tools"), "outer:1");
    assert.equal(lane("messages", ["outer:1", "model:2"]), "outer:1");
    assert.equal(lane("messages", ["outer:1"], "model"), "outer:1");
    assert.equal(lane("custom", ["outer:1"], "outer"), "outer:1");
    assert.equal(lane("messages", []), "");
  });

  it("have the id by which a stream goes on: their number, or else the one that they name", () => {
    const ids = (named: Partial<ProtocolEvent>) =>
      new ProtocolTranslator().translate({ ...event("custom", 1), ...named }).map(({ id }) => id);
    assert.deepEqual(ids({ seq: 0, event_id: "e" }), ["0"]);
    assert.deepEqual(ids({ event_id: "e" }), ["e"]);
    assert.deepEqual(ids({}), [undefined]);
    assert.deepEqual(
      new ProtocolTranslator().translate({ ...started, seq: 7 }).map(({ id }) => id),
      ["7"],
    );
  });

  const variants: readonly (readonly [string, ProtocolEvent])[] = [
    ["input.requested", event("input.requested", { interrupt_id: "i-1", payload: question.value })],
    ["input in camel case", event("input", { interruptId: "i-1", payload: question.value })],
    ["an update of the node __interrupt__", event("updates", [question], { node: "__interrupt__" })],
    ["an update that names its node", event("updates", { node: "__interrupt__", values: [question] })],
    ["an update that holds it", event("updates", { __interrupt__: [question] })],
    ["values that hold it", event("values", { messages: [], __interrupt__: [question] })],
    ["beside another event", event("values", { messages: [] }, { interrupts: [question] })],
  ];
  for (const [name, told] of variants) {
    it(`show an interrupt that comes as ${name}, once`, () => {
      assert.equal(shown(told, told), 'interrupt open: {"question":"Really?"}\n');
    });
  }

  it("have a tool's input as an object or as its JSON, and as it is where it is neither", () => {
    const started = (input: Json): string =>
      shown(event("tools", { event: "tool-started", tool_call_id: "c", tool_name: "f", input }));
    assert.match(started({ x: 1 }), /tool f \{"x":1\}/);
    assert.match(started('{"x":1}'), /tool f \{"x":1\}/);
    assert.match(started("plain words"), /plain words/);
  });

  const asked = { id: "i-1", value: { actionRequests: [{ name: "send", args: {} }] } };
  const tool = (name: string, data: Record<string, Json>): ProtocolEvent =>
    event("tools", { event: name, tool_call_id: "c", ...data }, { namespace: ["tools:c"] });
  const task = tool("tool-started", { tool_name: "task", input: '{"subagent_type":"writer"}' });

  it("show what a subagent asks within its task as a question, not as the failure of the task", () => {
    const failed = tool("tool-error", { message: JSON.stringify([asked], null, 2) });
    const text = shown(task, failed, event("lifecycle", { event: "interrupted" }));
    assert.match(text, /^tool task .* running$/m);
    assert.match(text, /interrupt open: send/);
    assert.doesNotMatch(text, /error|actionRequests/);
  });

  it("name where a question is asked from as the server does, not as the failure of a tool", () => {
    const translator = new ProtocolTranslator();
    const requested = event(
      "input.requested",
      { interrupt_id: "i-1", payload: asked.value },
      { namespace: ["tools:c", "model:m"] },
    );
    for (const one of [task, tool("tool-error", { message: [asked] }), requested]) translator.translate(one);
    assert.deepEqual([...translator.pending], [["i-1", ["tools:c", "model:m"]]]);
  });

  for (const message of ["[not JSON", "[]", '["a"]', '[{"id":"x"}]', "timed out"]) {
    it(`show that a tool failed with ${message}`, () => {
      assert.match(shown(task, tool("tool-error", { message })), /tool task .* error: /);
    });
  }

  it("are reported when they are nested too deep to be shown, and those after them are shown", () => {
    const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) as Json;
    const failed = event("lifecycle", { event: "failed", error: deep });
    const told = [
      event("custom", deep),
      event("values", {}, { interrupts: deep }),
      event("custom", 1),
      failed,
    ];
    const [odd, ...others] = shown(...told)
      .trim()
      .split("\n");
    assert.match(odd ?? "", /Unknown event “unreadable” \(2 times\)/);
    assert.deepEqual(others, ["custom ×1 1", "error: The run failed; the backend does not say why."]);
  });

  it("show text in its pieces, in both spellings of a piece", () => {
    const block = { type: "text", text: "" };
    const text = shown(
      event("messages", { event: "message-start", role: "ai", id: "m" }),
      event("messages", { event: "content-block-start", index: 0, content: block }),
      event("messages", {
        event: "content-block-delta",
        index: 0,
        delta: { type: "text-delta", text: "Good " },
      }),
      event("messages", { event: "content-block-delta", index: 0, content: { type: "text", text: "day" } }),
      event("messages", {
        event: "content-block-finish",
        index: 0,
        content: { type: "text", text: "Good day" },
      }),
      event("messages", { event: "message-finish" }),
    );
    assert.equal(text, "ai: Good day …\n");
  });

  it("show a tool call with the arguments that it was finished with", () => {
    const fields = (args: string): Json => ({ fields: { type: "tool_call_chunk", args } });
    const call = { type: "tool_call", id: "c", name: "add", args: { a: 1 } };
    const text = shown(
      event("messages", { event: "message-start", id: "m" }),
      event("messages", {
        event: "content-block-start",
        index: 0,
        content: { type: "tool_call_chunk", id: "c" },
      }),
      event("messages", { event: "content-block-delta", index: 0, delta: fields('{"a"') }),
      event("messages", { event: "content-block-delta", index: 0, delta: fields('{"b":2}') }),
      event("messages", { event: "content-block-finish", index: 0, content: call }),
      event("tools", { event: "tool-finished", tool_call_id: "c", tool_name: "add", output: "3" }),
    );
    assert.equal(text, 'tool add {"a":1} done: 3\n');
  });

  it("name subagents by the call that began them: by id, by cause, and in the order of the calls", () => {
    const task = (id: string, kind: string): ProtocolEvent =>
      event("tools", {
        event: "tool-started",
        tool_call_id: id,
        tool_name: "task",
        input: JSON.stringify({ subagent_type: kind, description: "Do it" }),
      });
    const says = (namespace: string): ProtocolEvent =>
      event(
        "updates",
        { messages: [{ type: "ai", content: namespace }] },
        { namespace: [namespace], node: "model" },
      );
    const cause = { event: "started", cause: { type: "toolCall", tool_call_id: "c3" } };
    const text = shown(
      task("c1", "writer"),
      task("c2", "reader"),
      task("c3", "critic"),
      event("lifecycle", cause, { namespace: ["tools:run-3"] }),
      says("tools:c2"),
      says("tools:run-1"),
      says("tools:run-3"),
    );
    assert.deepEqual(
      text.split("\n").filter((line) => line.startsWith("lane")),
      ["lane reader running", "lane writer running", "lane critic running"],
    );
  });

  it("keep what nobody knows", () => {
    assert.match(shown(event("weather", { sunny: true })), /Unknown event “weather” {"sunny":true}/);
  });

  it("end a run by the end of its root alone, and not by that of an earlier run", () => {
    const translator = new ProtocolTranslator();
    translator.translate(event("lifecycle", { event: "completed" }));
    assert.equal(translator.ending, undefined);
    translator.translate(started);
    translator.translate(event("lifecycle", { event: "completed" }, { namespace: ["model:1"] }));
    assert.equal(translator.ending, undefined);
    translator.translate(event("lifecycle", { event: "completed" }));
    assert.equal(translator.ending, "success");
  });

  for (const [error, told] of [
    ['{"error":"Error","message":"the disk is full"}', "the disk is full"],
    ["the disk is full", "the disk is full"],
    [undefined, "The run failed; the backend does not say why."],
  ] as const) {
    it(`show why a run failed when the error is ${String(error)}`, () => {
      const data = { event: "failed", ...(error === undefined ? {} : { error }) };
      assert.match(shown(event("lifecycle", data)), new RegExp(`^error: ${told}`));
    });
  }

  it("show an update that names no node as one", () => {
    const translator = new ProtocolTranslator();
    const told = translator.translate({ seq: 0, ...event("updates", { messages: [] }) });
    assert.deepEqual(
      told.map(({ event: name, data }) => [name, JSON.parse(data) as unknown]),
      [["updates", { messages: [] }]],
    );
  });

  it("begin another run only where the thread's own one starts after some work", () => {
    const inner = { namespace: ["s:1"] };
    const translator = new ProtocolTranslator();
    const next = (...told: Parameters<typeof event>): boolean =>
      translator.isNextRun({ seq: 9, ...event(...told) });
    translator.translate({ seq: 0, ...started });
    assert.equal(next("lifecycle", { event: "running" }), false, "nothing was done yet");
    translator.translate({ seq: 1, ...event("values", { messages: [] }) });
    assert.equal(next("lifecycle", { event: "running" }), true);
    assert.equal(next("lifecycle", { event: "started" }), true);
    assert.equal(next("lifecycle", { event: "completed" }), false);
    assert.equal(next("lifecycle", { event: "started" }, inner), false);
    assert.equal(next("lifecycle", "started"), false);
    assert.equal(next("values", { event: "started" }), false);
  });
});

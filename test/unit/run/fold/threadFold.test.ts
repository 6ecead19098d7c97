import { deepEqual, equal, match } from "node:assert/strict";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import type { Entry } from "../../../../src/run/panel/transcript.ts";
import { transcriptText } from "../../../support/recordings.ts";
import { stateOf } from "../session/scriptedServer.ts";
import { kept, step } from "./keptFacts.ts";

describe("A thread's transcript, of its runs and its state", () => {
  let fold: TranscriptFold;

  beforeEach(() => {
    fold = new TranscriptFold();
    fold.open({ runId: "r", assistantId: "a", status: "running" });
  });

  const sent = (event: string, data: Json, runId = "r"): void =>
    fold.run(runId).apply([{ event, data: JSON.stringify(data) }], 1000);
  const text = (): string => transcriptText(fold.entries());
  const one = <K extends Entry["kind"]>(kind: K): Extract<Entry, { kind: K }> | undefined =>
    fold.entries().find((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);

  it("has what a person sent with each run, once, with names", () => {
    const ann = { role: "user", id: "h", name: "Ann", content: "Hi" };
    const nameless = { role: "user", content: "Hi" };
    fold.open({ runId: "s", assistantId: "a", status: "pending" }, { messages: [ann, nameless, nameless] });
    fold.open({ runId: "t", assistantId: "a", status: "pending" }, { messages: [ann, nameless] });
    equal(text(), "run running\nrun pending\nhuman Ann: Hi\nhuman: Hi\nhuman: Hi\nrun pending\nhuman: Hi\n");
  });

  it("says why a run failed whose events did not, and at last only that it did", () => {
    fold.noteFailure("r", { message: "no disk" });
    equal(fold.hasFailed("r"), true);
    match(text(), /error: no disk /);
    for (const odd of [7, null, "", [], true]) {
      fold = new TranscriptFold();
      fold.open({ runId: "r", assistantId: "a", status: "running" });
      fold.noteFailure("r", odd);
      match(text(), /error: The run failed\.\n$/);
    }
  });

  it("says anew why a step failed when that is known better", () => {
    const keep = (error: Json): void =>
      fold.keep({ root: kept([step("1", "send", "error", { error })]), lanes: new Map(), unkept: new Set() });
    keep("no mail");
    keep({ message: "no net", code: 7 });
    deepEqual([one("notice")?.text, one("notice")?.node, one("run")?.error], ["no net", "send", "no net"]);
    match(one("notice")?.detail ?? "", /"code":7/);
    equal(text().match(/^error/gm)?.length, 1);
  });

  it("has a call of an ended run wait when its state tells only later what is asked", () => {
    const call = { id: "m", type: "ai", content: "", tool_calls: [{ id: "c", name: "task", args: {} }] };
    sent("messages", [call, { langgraph_node: "model" }]);
    fold.settle("r", "success");
    equal(one("tool")?.status, "stopped");
    const tasks = [{ id: "t", name: "tools", interrupts: [{ id: "q", value: "Sure?" }] }];
    fold.reconcile(stateOf({ messages: [call] }, tasks));
    equal(one("tool")?.status, "pending");
  });

  it("stops calls that only its state tells and nobody answered, unless it waits", () => {
    const call = { id: "m", type: "ai", content: "", tool_calls: [{ id: "c", name: "find", args: {} }] };
    fold.reconcile(stateOf({ messages: [call] }));
    equal(one("tool")?.status, "stopped");
    fold = new TranscriptFold();
    fold.open({ runId: "r", assistantId: "a", status: "running" });
    const tasks = [{ id: "t", name: "ask", interrupts: [{ id: "q", value: "Sure?" }] }];
    fold.reconcile(stateOf({ messages: [call] }, tasks));
    equal(one("tool")?.status, "pending");
  });

  it("counts the messages that its state has and the stream had not, or had in other words", () => {
    const ai = (id: string, content: string, more = {}) => ({ id, type: "ai", content, ...more });
    sent("updates", { m: { messages: [ai("a", "A"), ai("b", "B")] } });
    const state = (...messages: readonly Json[]): number => fold.reconcile(stateOf({ messages }));
    equal(state(ai("a", "A"), ai("b", "B")), 0);
    equal(state(ai("a", "A"), ai("b", "other"), ai("c", "C")), 2);
    equal(state(ai("a", "A"), ai("b", "other"), ai("c", "C")), 0);
    const calls = [{ id: "t", name: "find", args: {} }];
    const answer = { id: "f", type: "tool", tool_call_id: "t", content: "found" };
    equal(state(ai("d", "", { tool_calls: calls }), answer), 2);
    equal(state(ai("d", "", { tool_calls: calls }), { ...answer, content: "more" }), 1);
    equal(state(ai("d", "", { tool_calls: calls }), { ...answer, content: "more" }), 0);
  });

  it("puts what only its state tells behind what comes before it there, and a person's behind the run", () => {
    sent("updates", { m: { messages: [{ id: "b", type: "ai", content: "B" }] } });
    sent("custom", 1);
    const said = (type: string, id: string): Json => ({ id, type, content: id.toUpperCase() });
    const messages = [said("ai", "a"), said("ai", "b"), said("ai", "c"), said("human", "d"), said("ai", "e")];
    fold.reconcile(stateOf({ messages }));
    equal(text(), "ai: A\nrun running\nai: B\nai: C\ncustom ×1 1\nhuman: D\nai: E\n");
  });

  it("moves a message from the thread into the run that says it, below no step where none runs", () => {
    fold.reconcile(stateOf({ messages: [{ id: "m", type: "ai", content: "Hi" }] }));
    equal(text(), "ai: Hi\nrun running\n");
    sent("messages/complete", [{ id: "m", type: "ai", content: "Hi" }]);
    equal(text(), "run running\nai: Hi\n");
  });

  it("counts tokens in the run that a message belongs to", () => {
    const usage_metadata = { input_tokens: 2, output_tokens: 1 };
    const message = { id: "m", type: "ai", content: "Hi", usage_metadata };
    fold.open({ runId: "s", assistantId: "a", status: "running" });
    const costs = (): readonly unknown[] =>
      fold.entries().flatMap((entry) => (entry.kind === "run" ? [entry.usage?.total] : []));
    const messages = step("1", "m", "done", { messages: [message] });
    fold.keep({ root: { ...kept([messages]), runId: "s" }, lanes: new Map(), unkept: new Set() });
    deepEqual(costs(), [undefined, 3]);
    sent("updates", { m: { messages: [message] } });
    deepEqual(costs(), [undefined, 3], "the server knows better where it was said");
    sent("updates|web:1", { m: { messages: [message] } });
    deepEqual(costs(), [3, undefined], "but not that a subgraph said it first");
  });

  it("begins another message without an id behind the end of a run", () => {
    const piece = (content: string): void => sent("messages", [{ type: "ai", content }, {}]);
    piece("One");
    fold.settle("r", "success");
    piece("Two");
    equal(text(), "run success\nai: One\nai: Two …\n");
  });

  it("takes a stopped message for whole when the run turns out to have ended well", () => {
    sent("messages", [{ id: "m", type: "ai", content: "One" }, {}]);
    fold.settle("r", "interrupted");
    equal(one("message")?.partial, true);
    fold.settle("r", "success");
    equal(one("message")?.partial, true, "what was cut stays cut until the state says more");
    fold.reconcile(stateOf({ messages: [{ id: "m", type: "ai", content: "One" }] }));
    equal(one("message")?.partial, true);
    fold.reconcile(stateOf({ messages: [{ id: "m", type: "ai", content: "One" }] }));
    sent("updates", { n: { messages: [{ id: "m", type: "ai", content: "One two" }] } });
    equal(one("message")?.partial, undefined);
  });

  it("stops a message that only pieces tell to go on, and none that came as a whole", () => {
    fold.reconcile(stateOf({ messages: [{ id: "m", type: "ai", content: "Hel" }] }));
    sent("messages", [{ id: "m", type: "ai", content: "lo" }, {}]);
    fold.settle("r", "interrupted");
    deepEqual([one("message")?.text, one("message")?.partial], ["Hel", true]);
  });

  it("says of those steps of a subgraph that they can't be compared of which nothing is kept", () => {
    sent("updates|web:1", { inner: { n: 1 } });
    sent("updates", { web: { n: 1 } });
    sent("updates", { other: { n: 1 } });
    const root = kept([step("1", "web", "done")]);
    fold.keep({ root, lanes: new Map(), unkept: new Set(["web:1"]) });
    deepEqual(
      fold.entries().flatMap((entry) => (entry.kind === "step" ? [[entry.name, entry.unkept]] : [])),
      [
        ["web", undefined],
        ["inner", "The server keeps no states of this step to compare."],
        ["other", undefined],
      ],
    );
  });

  it("lets a call run on that its stream tells, whatever its state says", () => {
    sent("updates", {
      m: { messages: [{ id: "m", type: "ai", content: "", tool_calls: [{ id: "c", name: "f", args: {} }] }] },
    });
    fold.reconcile(stateOf({ messages: [] }));
    equal(one("tool")?.status, "running");
    const artifact = (length: number): number | undefined => {
      const answer = { type: "tool", tool_call_id: "c", content: "", artifact: "x".repeat(length - 2) };
      sent("updates", { tools: { messages: [answer] } });
      return one("tool")?.artifact?.length;
    };
    deepEqual([artifact(200_000), artifact(200_002)], [200_000, 200_001]);
  });

  it("adds nothing to the arguments of a call once its message is whole", () => {
    const chunk = (args: string) => ({ index: 0, id: "c", name: "f", args });
    const piece = (args: string): void =>
      sent("messages", [
        { id: "m", type: "AIMessageChunk", content: "", tool_call_chunks: [chunk(args)] },
        {},
      ]);
    sent("messages/complete", [{ id: "m", type: "ai", content: "Hm" }]);
    piece('{"late":1}');
    deepEqual([one("tool")?.args, one("tool")?.status], ["", "pending"]);
  });
});

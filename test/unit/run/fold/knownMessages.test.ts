import { deepEqual } from "node:assert/strict";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import { stateOf } from "../session/scriptedServer.ts";
import { FollowedThread } from "./followedThread.ts";
import { kept, step } from "./keptFacts.ts";

const asked = { id: "q", value: "Sure?" };

describe("the same words that a person gave to several runs", () => {
  const given = (id: string): Json => ({ type: "human", id, content: "Go" });
  const words = { messages: [{ type: "human", content: "Go" }] };
  const runs = ["r", "second", "stopped", "last", "newest"];
  const told = (thread: FollowedThread): readonly unknown[] =>
    thread.entries.flatMap((entry) => (entry.kind === "message" ? [entry.runId] : []));

  it("stand in each of them once, also in one that was stopped before its input was kept", () => {
    const thread = new FollowedThread(words);
    for (const runId of runs.slice(1)) thread.open(runId, words);
    thread.fold.reconcile(stateOf({ messages: ["1", "2", "3", "4"].map(given) }));
    for (const [runId, id] of [
      ["r", "1"],
      ["second", "2"],
      ["last", "3"],
      ["newest", "4"],
    ] as const) {
      thread.keep(kept([], { runId, input: [given(id)] }));
      deepEqual(told(thread), runs, runId);
    }
  });

  it("stand in it once where the thread's state was read before the run was heard of", () => {
    const thread = new FollowedThread();
    thread.fold.reconcile(stateOf({ messages: [given("1")] }));
    thread.open("s", words);
    deepEqual(told(thread), [undefined, "s"]);
    thread.keep(kept([], { runId: "s", input: [given("1")] }));
    deepEqual(told(thread), ["s"]);
  });
});

describe("what a node said while it was looked for", () => {
  const says = (content: string, more: { readonly id?: string } = {}): Json => ({
    ...{ type: "AIMessageChunk", content, ...more },
  });
  const piece = (content: string, more?: { readonly id?: string }): readonly [string, Json] => [
    "messages",
    [says(content, more), { langgraph_checkpoint_ns: "look:1" }],
  ];
  const texts = ({ entries }: FollowedThread): readonly unknown[] =>
    entries.flatMap((entry) => (entry.kind === "message" ? [entry.text] : []));

  it("stands there once, by all of its words", () => {
    const thread = new FollowedThread();
    const told = (text: string): readonly [string, Json] => ["updates", { look: { messages: [says(text)] } }];
    thread.stream(piece("Hel"), told("Hi"), piece("lo"), told("Hello"));
    deepEqual(texts(thread), ["Hello", "Hi"]);
  });

  it("stands there once also where the server keeps it by another id", () => {
    const thread = new FollowedThread();
    const keep = (...messages: readonly Json[]): void => {
      thread.keep(kept([step("1", "look", "done", { messages })]));
    };
    const [id, other] = [{ id: "streamed" }, { id: "kept" }];
    for (const more of ["He", "l", "l", "o"]) {
      thread.stream(piece(more, id));
      keep(says("Hi", { id: "first" }));
    }
    keep(says("Hi", { id: "first" }), says("Hello", other));
    deepEqual(texts(thread), ["Hi", "Hello"]);
  });

  it("stands there once also where it was told anew, in other words", () => {
    const thread = new FollowedThread();
    const whole = (text: string): readonly [string, Json] => ["messages/partial", [says(text, { id: "m" })]];
    thread.stream(whole("Hel"));
    thread.keep(kept([step("1", "look", "done", { messages: [says("Hi", { id: "first" })] })]));
    thread.stream(whole("Good day"));
    thread.keep(kept([step("1", "look", "done", { messages: [says("Good day", { id: "kept" })] })]));
    deepEqual(texts(thread), ["Hi", "Good day"]);
  });
});

describe("what a node said without an id beside one that asks", () => {
  const words = { type: "ai", content: "Noted." };
  const given = { type: "human", id: "h", content: "Go" };
  const asks = step("1", "ask", "interrupted", { questions: [asked] });
  const pending = kept([asks, step("2", "note", "done", { messages: [words] })]);
  const applied = kept([asks, step("2", "note", "done", { messages: [{ ...words, id: "real" }] })]);
  /** Each time the state is asked for, the server makes up another id. */
  const state = (id: string, returned: Json = { ...words, id }) => {
    const result = { messages: [returned] };
    const tasks = [
      { id: "1", name: "ask", interrupts: [asked] },
      { id: "2", name: "note", result, interrupts: [] },
    ];
    return stateOf({ messages: [given, { ...words, id }] }, tasks);
  };
  const later = stateOf({ messages: [given, { ...words, id: "real" }] });
  const updates = ["updates", { note: { messages: [words] } }] as const;
  const again = ["updates", { note: { messages: [{ ...words, id: "made up" }] } }] as const;
  const values = ["values", { messages: [given, { ...words, id: "passing" }] }] as const;
  const said = ({ entries }: FollowedThread): readonly unknown[] =>
    entries.flatMap((entry) => (entry.kind === "message" && entry.role === "ai" ? [entry.runId] : []));

  it("stands there once while the question waits, however often the thread is read", () => {
    for (const event of [updates, again, values]) {
      const [live, reopened] = [
        new FollowedThread({ messages: [given] }),
        new FollowedThread({ messages: [given] }),
      ];
      live.stream(event);
      for (const thread of [live, reopened])
        for (const id of ["a", "b"]) {
          thread.fold.reconcile(state(id));
          thread.keep(pending);
          thread.keep(pending);
        }
      reopened.stream(event);
      reopened.keep(pending);
      deepEqual([said(live), said(reopened)], [["r"], ["r"]], event[0]);
    }
  });

  it("stands there once when it was answered, by the id that it has from then on", () => {
    for (const event of [updates, again, values]) {
      const [live, reopened] = [
        new FollowedThread({ messages: [given] }),
        new FollowedThread({ messages: [given] }),
      ];
      live.stream(event);
      live.fold.reconcile(state("a"));
      live.keep(pending);
      for (const thread of [live, reopened]) {
        thread.open("s", undefined, "yes");
        thread.fold.reconcile(later);
        thread.keep(applied);
      }
      reopened.stream(event);
      reopened.streamOf("s", ["updates", { __metadata__: { cached: true }, note: { messages: [words] } }]);
      for (const thread of [live, reopened]) {
        thread.streamOf("s", ["values", { messages: [given, { ...words, id: "real" }] }]);
        thread.keep(applied);
      }
      deepEqual([said(live), said(reopened)], [["r"], ["r"]], event[0]);
    }
  });

  it("stands there once where a later run that does not get on tells it again, by an id that is made up", () => {
    const told = (id: string): Json => ({
      __metadata__: { cached: true },
      note: { messages: [{ ...words, id }] },
    });
    for (const event of [updates, again, values]) {
      const thread = new FollowedThread({ messages: [given] });
      thread.stream(event);
      thread.fold.reconcile(state("a"));
      thread.keep(pending);
      thread.open("s", null);
      thread.streamOf("s", ["updates", told("b")]);
      thread.keep(pending);
      deepEqual(said(thread), ["r"], event[0]);
    }
    const reopened = new FollowedThread({ messages: [given] });
    reopened.open("s", null);
    reopened.keep(applied);
    reopened.streamOf("s", ["updates", told("b")]);
    deepEqual(said(reopened), ["r"], "read after the answer");
  });

  it("stands there once where whole states of later runs are replayed, by ids that were made up then", () => {
    const whole = (...ids: readonly string[]): readonly [string, Json] => [
      "values",
      { messages: [given, ...ids.map((id) => ({ ...words, id }))] },
    ];
    for (const isAnswered of [false, true]) {
      const thread = new FollowedThread({ messages: [given] });
      thread.open("s", null);
      thread.open("u", undefined, "yes");
      const keep = () => thread.keep(isAnswered ? applied : pending);
      keep();
      thread.stream(whole("a"), whole("b"));
      thread.streamOf("s", whole("c"));
      if (isAnswered) thread.streamOf("u", whole("d"), whole("real"));
      keep();
      deepEqual(said(thread), ["r"], String(isAnswered));
    }
  });

  it("stands there once where the state names it, and not what the node returned", () => {
    const thread = new FollowedThread({ messages: [given] });
    thread.stream(values);
    thread.keep(pending);
    for (const id of ["a", "b"]) thread.fold.reconcile(state(id, words));
    thread.keep(pending);
    deepEqual(said(thread), ["r"]);
  });

  it("stands there once when a later run tells it by its id, which was taken for another one with its words", () => {
    const thread = new FollowedThread({ messages: [given] });
    thread.stream(values);
    thread.keep(pending);
    thread.open("s", undefined, "yes");
    const both = ["older", "real"].map((id) => ({ ...words, id }));
    thread.streamOf("s", ["values", { messages: [given, ...both] }]);
    thread.keep(applied);
    deepEqual(said(thread), ["r"]);
  });

  it("stands in each run that said it, whichever of them a stream names", () => {
    const thread = new FollowedThread({ messages: [given] });
    const later = (message: Json) =>
      kept([step("3", "note", "done", { messages: [message] })], { runId: "s" });
    thread.open("s", {});
    thread.keep(pending);
    thread.keep(later(words));
    thread.open("t", undefined, "yes");
    for (const id of ["made up", "real"])
      thread.streamOf("t", ["values", { messages: [given, { ...words, id }] }]);
    for (const one of [pending, later({ ...words, id: "real" })]) thread.keep(one);
    deepEqual(said(thread), ["r", "s"]);
  });

  it("stands in the later run that is kept to have said it, where the first was stopped", () => {
    const thread = new FollowedThread({ messages: [given] });
    thread.stream(["updates", { note: { messages: [{ ...words, id: "real" }] } }]);
    thread.keep(applied);
    thread.open("s", undefined, "yes");
    const stopped = kept([asks, step("2", "note", "stopped")]);
    const later = kept([step("2", "note", "done", { messages: [{ ...words, id: "real" }] })], { runId: "s" });
    for (const one of [stopped, later]) thread.keep(one);
    deepEqual(said(thread), ["s"]);
  });

  it("stands in a run whose question nobody answered, with its own tokens, when a later run says the same", () => {
    const counted = (id: string, input: number): Json => ({
      ...{ ...words, id },
      usage_metadata: { input_tokens: input, output_tokens: 4, total_tokens: input + 4 },
    });
    const thread = new FollowedThread({ messages: [given] });
    const note = (message: Json) => step("2", "note", "done", { messages: [message], isInState: false });
    thread.keep(kept([asks, note(counted("left", 16))]));
    thread.open("s", null);
    thread.streamOf("s", ["values", { messages: [given, counted("new", 17)] }]);
    thread.keep(kept([note(counted("new", 17))], { runId: "s" }));
    deepEqual(said(thread), ["r", "s"]);
    deepEqual(
      thread.entries.flatMap((entry) => (entry.kind === "run" ? [entry.usage?.input] : [])),
      [16, 17],
    );
  });

  it("is as whole as it was while the question waited, also when it is read after the answer", () => {
    const [live, reopened] = [new TranscriptFold(), new TranscriptFold()];
    const facts = { runId: "r", assistantId: "a" };
    const chunk = { type: "AIMessageChunk", id: "m", content: "I look" };
    const events = [
      { event: "messages", data: JSON.stringify([chunk, { langgraph_checkpoint_ns: "look:1" }]) },
      { event: "updates", data: JSON.stringify({ __interrupt__: [asked] }) },
    ];
    live.open({ ...facts, status: "running" }, {});
    live.run("r").apply(events, 1000);
    live.settle("r", "interrupted");
    reopened.open({ ...facts, status: "interrupted" }, {});
    for (const fold of [live, reopened])
      fold.open({ ...facts, runId: "s", status: "success" }, undefined, { resume: { q: "yes" } });
    reopened.run("r").apply(events, 1000, true);
    reopened.settle("r", "interrupted");
    const partial = (fold: TranscriptFold) =>
      fold.entries().flatMap((entry) => (entry.kind === "message" ? [entry.partial] : []));
    deepEqual(partial(reopened), partial(live));
  });

  it("was cut where its own step was stopped, though the run had asked by then", () => {
    for (const status of ["done", "stopped"] as const) {
      const thread = new FollowedThread();
      const chunk = { type: "AIMessageChunk", id: "m", content: "I look" };
      thread.stream(["messages", [chunk, { langgraph_checkpoint_ns: "look:2" }]]);
      thread.stream(["updates", { __interrupt__: [asked] }]);
      thread.fold.settle("r", "interrupted");
      thread.keep(kept([asks, step("2", "look", status)]));
      const message = thread.entries.find((entry) => entry.kind === "message");
      deepEqual([message?.text, message?.partial === true], ["I look", status === "stopped"], status);
    }
  });
});

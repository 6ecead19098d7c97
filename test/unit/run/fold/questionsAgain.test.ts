import { deepEqual, equal } from "node:assert/strict";
import type { Interrupt, Json } from "../../../../src/api/agentServer/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import { type StateNow } from "../../../../src/run/fold/threadState.ts";
import type { InterruptEntry } from "../../../../src/run/panel/transcript.ts";
import { stateOf } from "../session/scriptedServer.ts";
import { kept, step } from "./keptFacts.ts";

const [a, b] = [
  { id: "a", value: "A?" },
  { id: "b", value: "B?" },
];

describe("the questions of a thread that are told again", () => {
  let fold: TranscriptFold;

  beforeEach(() => (fold = new TranscriptFold()));

  const open = (runId: string, input: Json | undefined, resume?: Json): void =>
    fold.open({ runId, assistantId: "agent", status: "pending" }, input, { resume });
  const asks = (runId: string, asked: readonly Interrupt[], lane = ""): void => {
    const data = JSON.stringify({ __interrupt__: asked });
    fold.run(runId).apply([{ event: lane === "" ? "updates" : `updates|${lane}`, data }], 1000);
  };
  const waits = (...interrupts: readonly Interrupt[]): number =>
    fold.reconcile(stateOf({}, [{ id: "t", name: "ask", interrupts }]));
  const shown = (): readonly InterruptEntry[] =>
    fold.entries().filter((entry): entry is InterruptEntry => entry.kind === "interrupt");
  const states = (): readonly string[] =>
    shown().map(({ value, state }) => `${typeof value === "string" ? value : ""} ${state}`);

  it("that were answered are asked anew by the state once the answer's run is over, where that is certain", () => {
    open("r", {});
    asks("r", [a, b]);
    open("s", undefined, { a: "yes" });
    open("t", undefined, { b: "no" });
    waits(a);
    deepEqual(states(), ["A? answered", "B? answered"], "the run goes on");
    fold.settle("s", "success");
    fold.settle("t", "success");
    waits(a, b);
    deepEqual(states(), ["A? answered", "B? answered"], "a state lists what was answered, too");
    waits(a);
    deepEqual(states(), ["A? answered", "B? answered", "A? open"]);
  });

  it("that a run answered by their ids wait no more where the state still lists both, and the others do", () => {
    const next = ["work"];
    const tasks = [a, b].map((one, at) => ({ id: `t${at}`, name: "work", interrupts: [one] }));
    const now = { ...stateOf({}, tasks), next, row: { status: "idle", interrupts: {} } };
    open("r", {});
    open("s", undefined, { a: "yes" });
    fold.settle("s", "success");
    fold.reconcile(now);
    deepEqual(states(), ["B? open"], "nothing was seen of either");
    fold = new TranscriptFold();
    open("r", {});
    asks("r", [a, b]);
    open("s", undefined, { a: "yes" });
    fold.reconcile({ ...now, row: { ...now.row, status: "busy" } });
    fold.settle("s", "success");
    fold.reconcile(now);
    deepEqual(states(), ["A? answered", "B? open"]);
  });

  it("that waited on in a run stand in the run that asked them, also where it is replayed later", () => {
    const asked = (runId: string) =>
      kept([step("1", "ask", runId === "r" ? "interrupted" : "stopped", { questions: [a] })], { runId });
    open("r", {});
    open("n", null);
    open("s", undefined, { a: "yes" });
    open("t", undefined, { a: "yes, again" });
    for (const runId of ["r", "s"]) fold.keep({ root: asked(runId), lanes: new Map(), unkept: new Set() });
    asks("n", [a]);
    deepEqual(
      shown().map(({ runId, answer }) => [runId, answer]),
      [
        ["r", "yes"],
        ["s", "yes, again"],
      ],
    );
  });

  it("that nobody was seen to answer were, or were left behind, once the run that did it is heard of", () => {
    open("r", {});
    asks("r", [a, b]);
    waits();
    deepEqual(states(), ["A? elsewhere", "B? elsewhere"]);
    open("s", undefined, { a: "yes" });
    deepEqual(states(), ["A? answered", "B? elsewhere"]);
    open("t", {});
    deepEqual(states(), ["A? answered", "B? dropped"]);
  });

  it("that only the state told stand in the run that tells them, whichever that is", () => {
    open("r", {});
    waits(a);
    open("s", undefined);
    fold.ledger.takePatch();
    asks("s", [a], "web:1");
    deepEqual(
      shown().map(({ lane, runId }) => [lane, runId]),
      [["web:1", "s"]],
    );
    equal(
      fold.ledger.takePatch()?.set.some(({ kind }) => kind === "interrupt"),
      true,
    );
  });

  it("that another window answered say so where they waited here, and not where they are read later", () => {
    const answer = { resume: "yes", giver: { kind: "otherWindow" } } as const;
    open("r", {});
    asks("r", [a]);
    fold.open({ runId: "s", assistantId: "agent", status: "success" }, undefined, answer);
    deepEqual([shown()[0]?.state, shown()[0]?.giver], ["answered", { kind: "otherWindow" }]);
    const later = new TranscriptFold();
    later.open({ runId: "r", assistantId: "agent", status: "success" }, {});
    later.open({ runId: "s", assistantId: "agent", status: "success" }, undefined, {
      ...answer,
      resume: { a: "yes" },
    });
    later.run("r").apply([{ event: "updates", data: JSON.stringify({ __interrupt__: [a] }) }], 1000);
    const [entry] = later.entries().filter(({ kind }) => kind === "interrupt") as readonly InterruptEntry[];
    deepEqual([entry?.state, entry?.answer, entry?.giver], ["answered", "yes", undefined]);
    const run = { kind: "run", assistantId: "curl" } as const;
    const byRun = new TranscriptFold();
    byRun.open({ runId: "r", assistantId: "agent", status: "success" }, {});
    byRun.open({ runId: "s", assistantId: "agent", status: "success" }, undefined, {
      resume: { a: "yes" },
      giver: run,
    });
    byRun.run("r").apply([{ event: "updates", data: JSON.stringify({ __interrupt__: [a] }) }], 1000);
    const [told] = byRun.entries().filter(({ kind }) => kind === "interrupt") as readonly InterruptEntry[];
    deepEqual(told?.giver, run);
  });

  it("whose answer could not be sent here are closed when a run with that answer asks again", () => {
    open("r", {});
    asks("r", [a]);
    open("s", undefined, { a: "yes" });
    fold.interrupts.set("interrupt:a", "failed", "busy");
    asks("s", [a]);
    deepEqual(states(), ["A? answered", "A? open"]);
    equal(shown()[0]?.answer, "yes");
  });

  it("stay one where a run repeats them that answers nothing", () => {
    open("r", {});
    asks("r", [a]);
    open("s", undefined);
    asks("s", [a]);
    deepEqual(states(), ["A? open"]);
    open("t", null);
    asks("t", [a]);
    deepEqual(states(), ["A? open"]);
  });

  it("stay one where a state did not list them, and wait again where the run that repeats them goes on", () => {
    for (const isRunning of [true, false]) {
      fold = new TranscriptFold();
      open("r", {});
      asks("r", [a, b]);
      fold.settle("r", "interrupted");
      waits();
      open("s", null);
      if (!isRunning) fold.settle("s", "success");
      asks("s", [a, b]);
      deepEqual(
        shown().map(({ runId, state }) => [runId, state]),
        isRunning
          ? [
              ["r", "open"],
              ["r", "open"],
            ]
          : [
              ["r", "elsewhere"],
              ["r", "elsewhere"],
            ],
      );
    }
  });

  it("are answered by an empty object as by any other value", () => {
    open("r", {});
    asks("r", [a]);
    open("s", undefined, {});
    deepEqual([states(), shown()[0]?.answer], [["A? answered"], "{}"]);
  });

  it("with actions have no text of their own", () => {
    open("r", {});
    const value = { action_requests: [{ name: "send", args: {} }], question: "Sure?" };
    asks("r", [
      { id: "x", value },
      { id: "y", value: 7 },
    ]);
    deepEqual(
      shown().map((entry) => [entry.requests.length, "question" in entry]),
      [
        [1, false],
        [0, false],
      ],
    );
  });

  it("at a breakpoint are closed when the thread stands elsewhere, as far as that is known", () => {
    const stops = (state: Partial<StateNow>): string | undefined => {
      fold = new TranscriptFold();
      open("r", {});
      fold.reconcile({ ...stateOf({}), next: ["send"], row: { status: "interrupted", interrupts: {} } });
      equal(shown()[0]?.state, "open");
      fold.reconcile({ ...stateOf({}), ...state });
      return shown()[0]?.state;
    };
    equal(stops({ next: ["send"] }), "open");
    equal(stops({ next: [] }), "elsewhere");
    equal(stops({ next: ["send"], row: { status: "idle" } }), "open");
    equal(stops({ next: [], row: { status: "idle" } }), "elsewhere");
    equal(stops({ next: ["send"], row: { status: "error" } }), "elsewhere");
    equal(stops({ next: ["send"], row: { status: "busy" } }), "open");
    const tasks = [{ id: "t", name: "ask", interrupts: [a] }];
    equal(stops({ next: ["ask"], tasks, row: { status: "interrupted", interrupts: {} } }), "elsewhere");
  });
});

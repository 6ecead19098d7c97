import { deepEqual } from "node:assert/strict";
import type { Interrupt, Json } from "../../../../src/api/agentServer/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import type { InterruptEntry } from "../../../../src/run/panel/transcript.ts";
import { stateOf } from "../session/scriptedServer.ts";
import type { KeptRun } from "../../../../src/run/history/keptRuns.ts";
import { kept, step } from "./keptFacts.ts";

const a = { id: "a", value: "A?" };

describe("the questions of a thread with a run that was stopped", () => {
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

  it("stand in the run that the server keeps as asking, whichever stream told them", () => {
    const none = kept([step("1", "ask", "stopped")]);
    const asked = kept([step("1", "ask", "interrupted", { questions: [a] })], { runId: "s" });
    for (const asking of ["r", "s", undefined]) {
      fold = new TranscriptFold();
      open("r", {});
      fold.settle("r", "interrupted");
      open("s", null);
      if (asking !== undefined) asks(asking, [a]);
      waits(a);
      for (const root of [none, asked, none, asked]) fold.keep({ root, lanes: new Map(), unkept: new Set() });
      deepEqual(
        shown().map(({ runId, state }) => [runId, state]),
        [["s", "open"]],
        asking,
      );
    }
  });

  it("wait on behind a run that was stopped before the thread had its input", () => {
    const [asked, vain] = [
      kept([step("1", "ask", "interrupted", { questions: [a] })]),
      kept([], { runId: "s", isVain: true }),
    ];
    const keep = (...roots: readonly KeptRun[]): void => {
      for (const root of roots) fold.keep({ root, lanes: new Map(), unkept: new Set() });
    };
    for (const order of ["live", "reopened"]) {
      fold = new TranscriptFold();
      open("r", {});
      if (order === "live") asks("r", [a]);
      open("s", {});
      if (order === "live") deepEqual(states(), ["A? dropped"]);
      fold.settle("s", "interrupted");
      if (order === "live") waits(a);
      if (order === "live") keep(vain);
      open("t", null);
      asks("t", [a]);
      if (order === "reopened") waits(a);
      keep(asked, vain);
      waits(a);
      deepEqual(
        shown().map(({ runId, state }) => [runId, state]),
        [["r", "open"]],
        order,
      );
      open("u", {});
      deepEqual(states(), ["A? dropped"], order);
      // Whatever is heard of late of a run that left nothing behind.
      keep(vain);
      deepEqual(states(), ["A? dropped"], order);
    }
  });

  it("that a run left behind wait no more, though it turns out that it never had its input, unless the state says so", () => {
    open("r", {});
    asks("r", [a]);
    open("s", {});
    fold.settle("s", "interrupted");
    fold.keep({ root: kept([], { runId: "s", isVain: true }), lanes: new Map(), unkept: new Set() });
    deepEqual(states(), ["A? elsewhere"]);
    waits(a);
    deepEqual(states(), ["A? open"]);
  });

  it("that a run asked when it was stopped, and that are not kept, stand behind all that it did", () => {
    for (const order of ["live", "reopened"]) {
      fold = new TranscriptFold();
      open("r", {});
      const work = kept([step("1", "work", "stopped")]);
      const lanes = new Map([["work:1", kept([step("2", "look", "done"), step("3", "ask", "stopped")])]]);
      const keep = (): void => fold.keep({ root: work, lanes, unkept: new Set() });
      if (order === "live") asks("r", [a], "work:1");
      fold.settle("r", "interrupted");
      keep();
      if (order === "reopened") asks("r", [a], "work:1");
      keep();
      deepEqual(
        fold.entries().map((entry) => (entry.kind === "step" ? entry.name : entry.kind)),
        ["run", "work", "lane", "look", "ask", "interrupt"],
        order,
      );
    }
  });

  describe("that brought an answer", () => {
    const asked = kept([step("1", "ask", "interrupted", { questions: [a] })]);
    const stopped = kept([step("1", "ask", "stopped", { questions: [a] })], { runId: "s" });
    const keep = (): void => {
      for (const root of [asked, stopped]) fold.keep({ root, lanes: new Map(), unkept: new Set() });
    };
    const told = () => shown().map(({ runId, state, answer }) => [runId, state, answer]);
    /** Whoever watched, and who opens the thread when `waits` is true of it. */
    const watched = (): void => {
      open("r", {});
      asks("r", [a]);
      open("s", undefined, { a: "yes" });
      fold.settle("s", "interrupted");
      waits(a);
      keep();
    };
    const opened = (
      ...later: readonly (readonly [runId: string, input: Json | undefined, resume?: Json])[]
    ): void => {
      open("r", {});
      open("s", undefined, { a: "yes" });
      fold.settle("s", "interrupted");
      for (const run of later) open(...run);
    };

    it("are asked again in it as long as the state says so, whichever is read first", () => {
      const again = [
        ["r", "answered", "yes"],
        ["s", "open", undefined],
      ];
      watched();
      deepEqual(told(), again);
      fold = new TranscriptFold();
      opened();
      for (let time = 0; time < 2; time++) {
        waits(a);
        keep();
        deepEqual(told(), again, "reopened");
      }
      fold.reconcile(stateOf({}));
      deepEqual(told(), [["r", "answered", "yes"]], "the state does not say so any more");
      keep();
      deepEqual(told(), [["r", "answered", "yes"]]);
    });

    it("were asked once where the thread went on without a second answer: the server keeps no more", () => {
      for (const input of [{}, null]) {
        fold = new TranscriptFold();
        watched();
        open("u", input);
        fold.reconcile(stateOf({}));
        keep();
        deepEqual(told(), [["r", "answered", "yes"]]);
        fold = new TranscriptFold();
        opened(["u", input]);
        fold.reconcile(stateOf({}));
        keep();
        deepEqual(told(), [["r", "answered", "yes"]], "reopened");
      }
    });

    it("were asked again where another run brought an answer, also while that run goes on", () => {
      const twice = [
        ["r", "answered", "yes"],
        ["s", "answered", "no"],
      ];
      watched();
      open("u", undefined, { a: "no" });
      deepEqual(told(), twice);
      for (const isRead of ["while it goes on", "afterwards"]) {
        fold = new TranscriptFold();
        opened(["u", undefined, { a: "no" }]);
        if (isRead === "while it goes on") waits(a);
        keep();
        fold.settle("u", "success");
        fold.reconcile(stateOf({}));
        keep();
        deepEqual(told(), twice, isRead);
      }
    });

    it("are asked once in each of two runs that were stopped with an answer", () => {
      watched();
      open("u", undefined, { a: "no" });
      fold.settle("u", "interrupted");
      waits(a);
      keep();
      deepEqual(told(), [
        ["r", "answered", "yes"],
        ["s", "answered", "no"],
        ["u", "open", undefined],
      ]);
    });

    it("are told twice, and not more often, where the thread is opened while the second answer's run goes on", () => {
      opened(["u", undefined, { a: "no" }]);
      for (let time = 0; time < 2; time++) {
        waits(a);
        keep();
      }
      deepEqual(states(), ["A? answered", "A? answered"]);
    });

    it("stand in the lane that asked, also where that is read later", () => {
      watched();
      open("u", undefined, { a: "no" });
      const ask = step("2", "ask", "stopped", { questions: [a] });
      const lanes = new Map([["ask:1", kept([ask], { runId: "s" })]]);
      fold.keep({ root: stopped, lanes, unkept: new Set() });
      deepEqual(
        shown().map(({ runId, lane }) => [runId, lane]),
        [
          ["r", ""],
          ["s", "ask:1"],
        ],
      );
    });

    it("wait again, and not those beside them that a run got on with", () => {
      const b = { id: "b", value: "B?" };
      const tasks = [a, b].map((one, at) => ({ id: `t${at}`, name: "work", interrupts: [one] }));
      const now = { ...stateOf({}, tasks), next: ["work"], row: { status: "idle" } };
      for (const [first, waitsStill] of [
        ["a", ["A? answered", "B? answered", "B? open"]],
        ["b", ["A? answered", "B? answered", "A? open"]],
        [undefined, ["A? answered", "B? open"]],
      ] as const) {
        fold = new TranscriptFold();
        open("r", {});
        asks("r", [a, b]);
        if (first !== undefined) open("s", undefined, { [first]: "yes" });
        if (first !== undefined) fold.settle("s", "success");
        open("u", undefined, { [first === "a" ? "b" : "a"]: "no" });
        fold.settle("u", "interrupted");
        fold.reconcile(now);
        deepEqual(states(), waitsStill);
      }
    });
  });

  it("that are answered by their id were not left behind by a run that was stopped before its input was kept", () => {
    open("r", {});
    asks("r", [a]);
    open("stopped", {});
    deepEqual(states(), ["A? dropped"]);
    waits(a);
    open("s", undefined, { a: "yes" });
    waits();
    deepEqual(states(), ["A? answered"]);
    fold = new TranscriptFold();
    for (const runId of ["r", "stopped"]) open(runId, {});
    open("s", undefined, { a: "yes" });
    waits();
    asks("r", [a]);
    deepEqual(states(), ["A? answered"], "reopened");
  });
});

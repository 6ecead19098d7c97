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

  it("that were answered by a run that was stopped are asked again in it, whichever is read first", () => {
    const asked = kept([step("1", "ask", "interrupted", { questions: [a] })]);
    for (const order of ["live", "reopened"]) {
      fold = new TranscriptFold();
      open("r", {});
      if (order === "live") asks("r", [a]);
      open("s", undefined, { a: "yes" });
      fold.settle("s", "interrupted");
      for (let time = 0; time < 2; time++) {
        waits(a);
        fold.keep({ root: asked, lanes: new Map(), unkept: new Set() });
      }
      deepEqual(
        shown().map(({ runId, state }) => [runId, state]),
        [
          ["r", "answered"],
          ["s", "open"],
        ],
        order,
      );
    }
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

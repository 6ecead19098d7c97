import { deepEqual, equal } from "node:assert/strict";

import {
  entryAt,
  failuresIn,
  lastFailure,
  overlappingRuns,
  runsIn,
  waitingEntries,
  waitingRuns,
} from "../../../../src/run/panel/landmarks.ts";
import type { Entry, InterruptEntry, RunEntry } from "../../../../src/run/panel/transcript.ts";

const run = (runId: string, status: RunEntry["status"]): RunEntry => {
  return { kind: "run", id: `run:${runId}`, runId, assistantId: "echo", status };
};
const question = (id: string, runId: string, state: InterruptEntry["state"] = "open"): InterruptEntry => {
  return { kind: "interrupt", id, runId, lane: "", requests: [], value: null, state };
};
const tool = (id: string, status: "done" | "error", lane = ""): Entry => {
  return { kind: "tool", id, runId: "a", lane, name: "search", args: "", status };
};
const said = (id: string, runId: string, role: string, text: string): Entry => {
  return { kind: "message", id, runId, lane: "", role, text, streaming: false };
};

describe("Runs that were started while another one went on", () => {
  const timed = (runId: string, startedAt: number, endedAt?: number): RunEntry => {
    const status = endedAt === undefined ? "running" : "success";
    return { ...run(runId, status), startedAt, ...(endedAt !== undefined && { endedAt }) };
  };

  it("are told by times, whether that one has ended since or not", () => {
    const told = (...entries: readonly Entry[]) => [...overlappingRuns(entries)];
    deepEqual(told(timed("a", 0, 10), timed("b", 10, 20), timed("c", 25, 30)), []);
    deepEqual(told(timed("a", 0, 10), timed("b", 9, 20)), ["b"]);
    deepEqual(told(timed("a", 0, 30), timed("b", 5, 10), timed("c", 20, 40)), ["b", "c"]);
    deepEqual(told(timed("a", 0), said("a1", "a", "human", "x"), timed("b", 100)), ["b"]);
    deepEqual(told(run("a", "success"), timed("b", 1, 2), run("c", "success")), []);
  });
});

describe("What a thread failed with last", () => {
  const notice = (id: string, runId: string): Entry => {
    return { kind: "notice", id, runId, lane: "", level: "error", text: "It broke" };
  };

  it("is the last failure of its newest run, where that ended so", () => {
    const last = (...entries: readonly Entry[]) => lastFailure(entries)?.id;
    equal(last(run("a", "error"), notice("a1", "a"), tool("a2", "error"), tool("a3", "done")), "a2");
    equal(last(run("a", "timeout"), said("a1", "a", "ai", "x")), "run:a");
    equal(last(run("a", "error"), notice("a1", "a"), run("b", "success"), notice("a2", "a")), undefined);
    equal(last(run("a", "success"), tool("a1", "error")), undefined);
    equal(last(), undefined);
  });

  it("is none where the thread went on from before it", () => {
    const left = (how: "whole" | "part"): RunEntry => ({ ...run("a", "error"), left: how });
    equal(lastFailure([left("whole"), notice("a1", "a")]), undefined);
    equal(lastFailure([left("part"), notice("a1", "a")])?.id, "a1");
  });
});

describe("Landmarks of a transcript", () => {
  const entries: readonly Entry[] = [
    run("a", "success"),
    { kind: "values", id: "a00", runId: "a", lane: "", of: "input", keys: ["n"], text: '{"n":2}' },
    said("a0", "a", "ai", "Before anybody asked"),
    said("a1", "a", "human", "First"),
    tool("a2", "error"),
    { kind: "lane", id: "a3", runId: "a", lane: "x", parent: "", name: "x", status: "done" },
    question("a4", "a", "answered"),
    run("b", "error"),
    { kind: "notice", id: "b1", runId: "b", lane: "", level: "error", text: "It broke" },
    tool("a5", "error", "x"),
    run("c", "timeout"),
    { kind: "values", id: "c0", runId: "c", lane: "", of: "result", keys: ["n"], text: '{"n":1}' },
    question("c1", "c"),
    run("d", "interrupted"),
    { kind: "values", id: "d1", runId: "d", lane: "", of: "input", keys: ["topic"], text: '{"topic":1}' },
    question("d2", "d", "failed"),
    said("d3", "d", "ai", "Last"),
  ];
  const ids = (landmark: Parameters<typeof entryAt>[0], from?: string, isPassed?: boolean) =>
    entryAt(landmark, entries, from, isPassed)?.id;

  it("count a failure once, where it is told", () => {
    deepEqual(
      failuresIn(entries).map(({ id }) => id),
      ["a2", "b1", "a5", "run:c"],
    );
    const inLane: Entry = {
      ...{ kind: "step", id: "s", runId: "a", lane: "x", name: "n" },
      status: "error",
      keys: [],
    };
    deepEqual(failuresIn([inLane, { ...inLane, lane: "" }]), [inLane]);
  });

  it("are found one after the other in the order of the page, and from the start again", () => {
    // The tool call in the lane stands with its lane, above the other runs.
    equal(ids("nextError"), "a2");
    equal(ids("nextError", "a2"), "a5");
    equal(ids("nextError", "a5"), "b1");
    equal(ids("nextError", "b1"), "run:c");
    equal(ids("nextError", "run:c"), "a2");
    equal(ids("nextQuestion", "run:a"), "c1");
    equal(ids("nextQuestion", "c1"), "d2");
    equal(ids("nextQuestion", "c1", false), "c1");
    equal(entryAt("nextQuestion", [tool("t", "done")]), undefined);
  });

  it("lead to the newest question, to what was said last, and to any entry", () => {
    equal(ids("waiting"), "d2");
    equal(ids("last"), "d3");
    equal(ids({ entry: "b1" }), "b1");
    equal(ids({ entry: "gone" }), undefined);
  });

  it("know which steps and lanes wait: those whose own question is open, not all of their run", () => {
    const step = (id: string, lane = ""): Entry => {
      return { kind: "step", id, runId: "a", lane, name: id, status: "interrupted", keys: [] };
    };
    const lane = (id: string, path: string, parent: string): Entry => {
      return { kind: "lane", id, runId: "a", lane: path, parent, name: id, status: "interrupted" };
    };
    const waiting = waitingEntries([
      run("a", "success"),
      step("finance"),
      question("q1", "a", "answered"),
      step("legal"),
      lane("team", "team:1", ""),
      step("draft", "team:1"),
      lane("review", "team:1|review:2", "team:1"),
      step("ask", "team:1|review:2"),
      { ...question("q2", "a"), lane: "team:1|review:2" },
      lane("other", "other:1", ""),
      run("b", "success"),
    ]);
    deepEqual([...waiting].sort(), ["ask", "draft", "legal", "review", "run:a", "team"]);
  });

  it("know which runs wait, and what each run was asked", () => {
    deepEqual([...waitingRuns(entries)], ["c", "d"]);
    deepEqual(
      runsIn(entries).map(({ run, asked }) => [run.runId, asked]),
      [
        ["a", "First"],
        ["b", undefined],
        ["c", undefined],
        ["d", '{"topic":1}'],
      ],
    );
  });
});

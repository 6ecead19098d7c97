/** When steps ran, what was waited for, and what it took, of a transcript. */

import { deepEqual, equal } from "node:assert/strict";
import type { Entry } from "../../../../src/run/panel/transcript.ts";
import { type Span, type Timeline, timelineOf } from "../../../../src/run/timeline/timeline.ts";
import { pricesIn } from "../../../../src/run/timeline/spent.ts";
import { lanesOf } from "../../../../src/run/timeline/tracks.ts";

const run = (runId: string, startedAt: number, endedAt?: number, status = "success"): Entry => ({
  ...{ kind: "run", id: `run:${runId}`, runId, assistantId: "agent", status, startedAt },
  ...(endedAt !== undefined && { endedAt }),
});

const step = (id: string, name: string, startedAt?: number, endedAt?: number, more: object = {}): Entry => ({
  ...{ kind: "step", id, runId: "r", lane: "", name, status: "done", keys: [] },
  ...(startedAt !== undefined && { startedAt }),
  ...(endedAt !== undefined && { endedAt }),
  ...more,
});

const said = (id: string, more: object = {}): Entry => ({
  ...{ kind: "message", id, runId: "r", lane: "", role: "ai", text: id, streaming: false },
  ...more,
});

const asks = (id: string, state: "open" | "answered", more: object = {}): Entry => ({
  ...{ kind: "interrupt", id, runId: "r", lane: "", requests: [], value: null, state },
  ...more,
});

const lane = (path: string, name: string, parent = ""): Entry => ({
  ...{ kind: "lane", id: `lane:${path}`, runId: "r", lane: path, parent, name, status: "done" },
});

const usage = (input: number, output: number) => ({ usage: { input, output, total: input + output } });

const brief = ({ kind, name, from, to }: Span) => [kind, name, from, to];

describe("a timeline", () => {
  const times: Readonly<Record<string, readonly [readonly Entry[], readonly (readonly unknown[])[]]>> = {
    "has the steps of a run, and the time before, between and behind them in which none ran": [
      [run("r", 1000, 5000), step("a", "plan", 1500, 2000), step("b", "act", 3000, 4990)],
      [
        ["step", "plan", 1500, 2000],
        ["step", "act", 3000, 4990],
        ["gap", "", 1000, 1500],
        ["gap", "", 2000, 3000],
      ],
    ],
    "has no gap where another step runs on, nor where nobody told of any step": [
      [run("r", 1000, 3000), step("a", "long", 1000, 3000), step("b", "short", 1100, 1200)],
      [
        ["step", "long", 1000, 3000],
        ["step", "short", 1100, 1200],
      ],
    ],
    "waits from the step that asked until the next run": [
      [
        run("r", 1000, 2000, "interrupted"),
        step("a", "ask", 1000, 2000, { status: "interrupted" }),
        asks("q", "answered"),
        asks("q2", "answered"),
        run("s", 9000, 9500),
        step("b", "ask", 9000, 9500, { runId: "s" }),
      ],
      [
        ["step", "ask", 1000, 2000],
        ["wait", "", 2000, 9000],
        ["step", "ask", 9000, 9500],
      ],
    ],
    "waits on where a question is open, and says before which nodes a person stopped": [
      [run("r", 1000, 2000), step("a", "plan", 1000, 2000), asks("q", "open", { next: ["send", "log"] })],
      [
        ["step", "plan", 1000, 2000],
        ["wait", "send, log", 2000, undefined],
      ],
    ],
    "knows no times that nobody told": [
      [run("r", 1000, 2000), step("a", "plan"), said("m")],
      [["step", "plan", undefined, undefined]],
    ],
  };
  for (const [statement, [entries, wanted]] of Object.entries(times))
    it(statement, () => deepEqual(timelineOf(entries).spans.map(brief), wanted));

  it("counts tokens at the step that said it, once, and sums them up by run and in all", () => {
    const entries = [
      run("r", 0, 900),
      said("input:r:0", usage(9, 9)),
      step("a", "model", 0, 100),
      said("m1", usage(10, 2)),
      step("b", "tools", 100, 800),
      lane("tools:1", "historian"),
      step("c", "model", 110, 700, { lane: "tools:1" }),
      said("m2", { lane: "tools:1", ...usage(100, 20) }),
      said("m3", { lane: "tools:1" }),
      said("h", { role: "human", ...usage(7, 7) }),
    ];
    const timeline = timelineOf(entries);
    const tokens = (name: string, at: number): unknown => {
      const { calls, reported, usage: sum } = timeline.spans.filter((span) => span.name === name)[at]!.spent;
      return [calls, reported, sum.input, sum.output];
    };
    deepEqual(tokens("model", 0), [1, 1, 10, 2]);
    deepEqual(tokens("tools", 0), [0, 0, 0, 0]);
    deepEqual(tokens("model", 1), [2, 1, 100, 20]);
    deepEqual(timeline.runs[0]!.spent.usage, { input: 110, output: 22, total: 132 });
    deepEqual(timeline.spent, timeline.runs[0]!.spent);
  });

  it("counts what a run said before any step is known, and calls nothing reported that was not", () => {
    const { spent, runs } = timelineOf([run("r", 0, 10), said("m")]);
    deepEqual([spent.calls, spent.reported, spent.usage.total], [1, 0, 0]);
    equal(runs[0]?.spent.calls, 1);
  });

  it("has prices by the model's whole name, else by the longest beginning of it", () => {
    const prices = {
      "big-1": { input: 1, output: 2 },
      "big*": { input: 100, output: 100 },
      "big-2*": { input: 10, output: 20 },
      constructor: { input: 1, output: 1 },
    };
    const cost = (model: string | undefined): unknown => {
      const entry = said("m", { ...usage(1_000_000, 500_000), ...(model !== undefined && { model }) });
      const { priced, cost: sum } = timelineOf([run("r", 0, 1), entry], prices).spent;
      return priced === 0 ? undefined : sum;
    };
    equal(cost("big-1"), 2);
    equal(cost("big-1-mini"), 150);
    equal(cost("big-2-2026"), 20);
    equal(cost("small"), undefined);
    equal(cost("toString"), undefined);
    equal(cost(undefined), undefined);
  });

  it("knows when a model gave its first token", () => {
    const { spans } = timelineOf([
      run("r", 0, 900),
      step("a", "model", 0, 100),
      said("m", { firstTokenMs: 40 }),
    ]);
    deepEqual(spans[0]?.firstTokens, [40]);
  });
});

describe("the lanes of a timeline", () => {
  const names = (timeline: Timeline, now = 0) =>
    lanesOf(timeline, now).map(({ key, depth, tracks }) => [
      key,
      depth,
      tracks.map((track) => track.map(({ span }) => span.id).join(" ")),
    ]);

  it("are those of all runs by their names, each below the one around it, with a track more for what ran beside", () => {
    const timeline = timelineOf([
      step("a", "model", 0, 10),
      step("t1", "tools", 10, 50),
      step("t2", "tools", 10, 60),
      lane("tools:2", "scientist"),
      step("d", "model", 12, 40, { lane: "tools:2" }),
      lane("tools:2|look:1", "look", "tools:2"),
      step("e", "read", 13, 20, { lane: "tools:2|look:1" }),
      lane("tools:1", "historian"),
      step("b", "model", 11, 30, { lane: "tools:1" }),
      lane("tools:3", "scientist"),
      step("c", "model", 11, 45, { lane: "tools:3" }),
      step("z", "end", 60, 70),
    ]);
    deepEqual(names(timeline), [
      ["", 0, ["a t2 z", "t1"]],
      ["scientist", 1, ["c", "d"]],
      ["scientist › look", 2, ["e"]],
      ["historian", 1, ["b"]],
    ]);
  });

  it("have tools below steps, and draw what goes on until now", () => {
    const tool: Entry = {
      ...{ kind: "tool", id: "call", runId: "r", lane: "", name: "search", args: "", status: "running" },
      startedAt: 5,
    };
    const timeline = timelineOf([step("a", "model", 0, undefined, { status: "running" }), tool]);
    deepEqual(names(timeline, 40), [["", 0, ["a", "call"]]]);
    deepEqual(
      lanesOf(timeline, 40)[0]?.tracks.map(([one]) => [one?.from, one?.to]),
      [
        [0, 40],
        [5, 40],
      ],
    );
  });
});

describe("the prices in the settings", () => {
  it("are those that are numbers", () => {
    const written = {
      a: { input: 1, output: 0 },
      b: { input: "1", output: 2 },
      c: { input: -1, output: 2 },
      d: null,
      e: { input: NaN, output: 1 },
    };
    deepEqual(pricesIn(written), { a: { input: 1, output: 0 } });
    deepEqual(pricesIn("a"), {});
  });
});

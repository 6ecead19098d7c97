/** Two runs beside each other: which steps belong together, and where they went different ways. */

import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { align, mostAligned, type Pair } from "../../../../src/run/compare/align.ts";
import { compare, type Comparison } from "../../../../src/run/compare/comparison.ts";
import { sideOf } from "../../../../src/run/compare/steps.ts";
import type { Entry } from "../../../../src/run/panel/transcript.ts";
import { Random } from "../../../support/random.ts";

const run = (runId: string, status = "success"): Entry => ({
  ...{ kind: "run", id: `run:${runId}`, runId, assistantId: "agent", status, startedAt: 0 },
  ...(status !== "running" && { endedAt: 900 }),
});

const step = (id: string, name: string, more: object = {}): Entry => ({
  ...{ kind: "step", id, runId: "r", lane: "", name, status: "done", keys: [] },
  ...more,
});

const said = (id: string, text: string, more: object = {}): Entry => ({
  ...{ kind: "message", id, runId: "r", lane: "", role: "ai", text, streaming: false },
  ...more,
});

const human = (text: string): Entry => said(`m ${text}`, text, { role: "human" });

/** Of no run that is known. */
const nobodys = (entry: Entry): Entry => JSON.parse(JSON.stringify({ ...entry, runId: undefined })) as Entry;

const notice: Entry = { kind: "notice", id: "notice", lane: "", level: "error", text: "It is gone." };

const tool = (id: string, args: string, result: string): Entry => ({
  ...{ kind: "tool", id, runId: "r", lane: "", name: "search", args, result, status: "done" },
});

const lane = (path: string, name: string): Entry => ({
  ...{ kind: "lane", id: `lane:${path}`, runId: "r", lane: path, parent: "", name, status: "done" },
});

const compared = (left: readonly Entry[], right: readonly Entry[]): Comparison =>
  compare(sideOf(left, undefined), sideOf(right, undefined));

/** "=" where both are the same, "<" and ">" where one is alone, else in what they differ. */
const drawn = ({ rows, first }: Comparison): readonly string[] =>
  rows.map(({ kind, name, lane: path, left, right, differs, isDifferent }, at) => {
    const sign = left === undefined ? ">" : right === undefined ? "<" : differs.join(",") || "=";
    const marks = `${isDifferent ? "!" : ""}${at === first ? "*" : ""}`;
    return [sign, marks, [...path, name === "" ? kind : name].join("/")]
      .filter((text) => text !== "")
      .join(" ");
  });

describe("a comparison", () => {
  const cases: Readonly<
    Record<string, readonly [left: readonly Entry[], right: readonly Entry[], drawn: readonly string[]]>
  > = {
    "finds nothing where both did the same under other ids and at other times": [
      [run("r"), human("Hi"), step("a", "model", { startedAt: 1, endedAt: 5 }), said("m1", "Hello")],
      [run("r"), human("Hi"), step("b", "model", { startedAt: 7, endedAt: 9 }), said("m2", "Hello")],
      ["= input", "= model"],
    ],
    "marks the first step that differs, and says in what": [
      [
        ...[run("r"), step("a", "plan"), step("b", "act", { keys: ["x"], wrote: '{"x":1}' })],
        ...[tool("t1", "{}", "1"), step("c", "say"), said("m", "One")],
      ],
      [
        ...[run("r"), step("a", "plan"), step("b", "act", { keys: ["x"], wrote: '{"x":2}' })],
        ...[tool("t2", "{}", "2"), step("c", "say"), said("m", "Two")],
      ],
      ["= input", "= plan", "tools,state !* act", "messages ! say"],
    ],
    "lets a step without a partner stand alone, and goes on behind it": [
      [run("r"), step("a", "plan"), step("b", "check"), step("c", "act")],
      [run("r"), step("a", "plan"), step("c", "act"), step("d", "retry")],
      ["= input", "= plan", "< !* check", "= act", "> ! retry"],
    ],
    "differs in what it was given": [
      [run("r"), human("Monday"), step("a", "plan")],
      [run("r"), human("Tuesday"), step("a", "plan")],
      ["input !* input", "= plan"],
    ],
    "differs in how a step ended": [
      [run("r"), step("a", "act")],
      [run("r", "error"), step("a", "act", { status: "error" })],
      ["= input", "status !* act"],
    ],
    "takes steps that ran beside each other in whatever order they came": [
      [
        ...[run("r"), step("a", "left", { checkpoints: { before: "1" } })],
        step("b", "right", { checkpoints: { before: "1" } }),
      ],
      [
        ...[run("r"), step("b", "right", { checkpoints: { before: "9" } })],
        step("a", "left", { checkpoints: { before: "9" } }),
      ],
      ["= input", "= left", "= right"],
    ],
    "aligns each lane alone, below the step behind which it stands": [
      [
        ...[run("r"), step("t", "tools"), lane("tools:1", "historian"), lane("tools:2", "scientist")],
        ...[step("h1", "model", { lane: "tools:1" }), step("s1", "model", { lane: "tools:2" })],
        ...[step("h2", "tools", { lane: "tools:1" }), step("e", "end")],
      ],
      [
        ...[run("r"), step("t", "tools"), lane("tools:8", "scientist"), lane("tools:9", "historian")],
        ...[step("s1", "model", { lane: "tools:8" }), step("h1", "model", { lane: "tools:9" })],
        ...[step("h2", "tools", { lane: "tools:9", status: "error" }), step("e", "end")],
      ],
      ["= input", "= tools", "= historian/model", "status !* historian/tools", "= scientist/model", "= end"],
    ],
    "compares what came of it where a server tells no steps": [
      [run("r"), human("Hi"), said("m", "Hello")],
      [run("r"), human("Hi"), said("n", "Go away")],
      ["= input", "messages !* answer"],
    ],
    "compares what was said where a server tells not even runs": [
      [nobodys(human("Hi")), nobodys(said("m", "Hello")), notice],
      [nobodys(human("Hi")), nobodys(said("n", "Go away"))],
      ["= input", "messages !* answer"],
    ],
    "waits for the rest of a run that goes on": [
      [run("r"), step("a", "plan"), step("b", "act"), step("c", "say")],
      [run("r", "running"), step("a", "plan"), step("b", "act", { status: "running" })],
      ["= input", "= plan", "= act", "< say"],
    ],
    "compares the runs of whole threads, one behind the other": [
      [run("r"), step("a", "say"), { ...run("s"), startedAt: 1 } as Entry, step("b", "say", { runId: "s" })],
      [run("r"), step("a", "say")],
      ["= input", "= say", "< !* input", "< ! say"],
    ],
  };
  for (const [statement, [left, right, wanted]] of Object.entries(cases))
    it(statement, () => deepEqual(drawn(compared(left, right)), wanted));

  it("takes one run of a thread, and knows of none that is not there", () => {
    const entries = [run("r"), step("a", "one"), run("s"), step("b", "two", { runId: "s" })];
    deepEqual(
      sideOf(entries, "s").steps.map(({ name }) => name),
      ["", "two"],
    );
    equal(sideOf(entries, "t").status, undefined);
  });

  it("says that nothing of two graphs belongs together", () => {
    const other = compared([run("r"), step("a", "plan")], [run("r"), step("b", "crawl")]);
    equal(other.isForeign, true);
    equal(compared([run("r"), step("a", "plan")], [run("r")]).isForeign, false);
  });

  it("has the time and tokens of each step and in sum, and makes no zero of what was not told", () => {
    const usage = { input: 10, output: 2, total: 12 };
    const { rows, left, right } = compared(
      [run("r"), step("a", "model", { startedAt: 100, endedAt: 350 }), said("m", "Hi", { usage })],
      [run("r"), step("a", "model"), said("m", "Hi")],
    );
    const [, model] = rows;
    deepEqual([model?.left?.tookMs, model?.right?.tookMs], [250, undefined]);
    deepEqual([model?.left?.spent.reported, model?.right?.spent.reported], [1, 0]);
    deepEqual([left.tookMs, left.spent.usage.total, left.steps], [900, 12, 1]);
    deepEqual([right.spent.calls, right.spent.reported], [1, 0]);
    equal(compared([run("r", "running")], []).left.tookMs, undefined);
  });

  it("shows of long texts the place where they differ", () => {
    const text = (end: string): string => `${"same ".repeat(200)}${end}`;
    const [, row] = compared(
      [run("r"), step("a", "say"), said("m", text("yes"))],
      [run("r"), step("a", "say"), said("m", text("no"))],
    ).rows;
    equal(row?.left?.excerpt, "…same same same same same yes".replace("same ", "ame "));
    ok(row.right?.excerpt?.endsWith(" no"));
  });

  it("compares the first steps of very long threads, and says so", () => {
    const long = (count: number): readonly Entry[] => [
      run("r"),
      ...Array.from({ length: count }, (_, at) => step(`s${at}`, at % 2 === 0 ? "model" : "tools")),
    ];
    const { rows, isCut } = compared(long(mostAligned + 10), long(mostAligned + 3));
    deepEqual([rows.length, isCut], [mostAligned, true]);
    equal(compared(long(20), long(20)).isCut, false);
  });
});

describe("an alignment", () => {
  /** The longest common subsequence, the slow and plain way. */
  const longest = (left: readonly string[], right: readonly string[]): number => {
    if (left.length === 0 || right.length === 0) return 0;
    const [a, b] = [left.slice(1), right.slice(1)];
    if (left[0] === right[0]) return 1 + longest(a, b);
    return Math.max(longest(a, right), longest(left, b));
  };

  it("pairs as many as can be, each once and in the order of both lists", () => {
    const random = new Random(7);
    const list = (): readonly string[] =>
      Array.from({ length: random.below(9) }, () => random.pick(["a", "b", "c"]));
    for (let round = 0; round < 2000; round++) {
      const [left, right] = [list(), list()];
      const pairs = align(left, right);
      const told = `${left.join("")} ${right.join("")}`;
      const places = (side: keyof Pair) => pairs.flatMap((pair) => pair[side] ?? []);
      deepEqual(places("left"), [...left.keys()], told);
      deepEqual(places("right"), [...right.keys()], told);
      const paired = pairs.filter((pair) => pair.left !== undefined && pair.right !== undefined);
      for (const pair of paired) equal(left[pair.left ?? -1], right[pair.right ?? -1], told);
      equal(paired.length, longest(left, right), told);
    }
  });

  it("takes lists of up to so many that have nothing in common, and no longer ones", () => {
    const list = (prefix: string, length: number) => Array.from({ length }, (_, at) => `${prefix}${at}`);
    equal(align(list("a", mostAligned), list("b", mostAligned)).length, 2 * mostAligned);
    throws(() => align(list("a", mostAligned + 1), []), RangeError);
  });
});

import type { Entry } from "../../src/run/panel/transcript.ts";

const start = Date.UTC(2026, 4, 4, 9, 30, 0);
const first = { runId: "a", lane: "" } as const;
const second = { runId: "b", lane: "" } as const;
const historian = { runId: "a", lane: "tools:1" } as const;
const scientist = { runId: "a", lane: "tools:2" } as const;
const usage = (input: number, output: number) => ({ usage: { input, output, total: input + output } });
const model = "claude-opus";

const step = (
  id: string,
  at: { readonly runId: string; readonly lane: string },
  name: string,
  from: number,
  to: number,
  status: "done" | "error" | "interrupted" = "done",
): Entry => ({
  ...{ kind: "step", id, ...at, name, status, keys: ["messages"] },
  ...{ startedAt: start + from, endedAt: start + to },
});

const said = (
  id: string,
  at: { readonly runId: string; readonly lane: string },
  text: string,
  more: object,
): Entry => ({
  ...{ kind: "message", id, ...at, role: "ai", text, streaming: false },
  ...more,
});

/** Two subagents beside each other, a question that waited for an hour, and a run that failed. */
export function timelineThread(): readonly Entry[] {
  return [
    {
      ...{ kind: "run", id: "run:a", runId: "a", assistantId: "researcher", status: "interrupted" },
      ...{ startedAt: start, endedAt: start + 14_000 },
    },
    { ...said("m0", first, "Why did checkout latency rise?", {}), role: "human" } as Entry,
    step("plan", first, "model", 300, 2600),
    said("m1", first, "Two questions, two subagents.", { ...usage(812, 64), model, firstTokenMs: 900 }),
    step("t1", first, "tools", 2600, 9200),
    {
      ...{ kind: "lane", id: "l1", runId: "a", lane: "tools:1", parent: "", name: "historian" },
      ...{ task: "Find out when it began", status: "done" },
    },
    step("h1", historian, "model", 2650, 4800),
    said("m2", historian, "Search the deploys.", { ...usage(420, 31), model, firstTokenMs: 1200 }),
    step("h2", historian, "tools", 4800, 6900),
    {
      ...{ kind: "tool", id: "call-1", ...historian, name: "search_deploys", args: '{"day":"Monday"}' },
      ...{ status: "done", result: "r-204", startedAt: start + 4800, endedAt: start + 6900 },
    },
    step("h3", historian, "model", 6900, 9150),
    said("m3", historian, "It began with r-204.", usage(610, 12)),
    step("t2", first, "tools", 2600, 11_400),
    {
      ...{ kind: "lane", id: "l2", runId: "a", lane: "tools:2", parent: "", name: "scientist" },
      ...{ task: "Measure it", status: "done" },
    },
    step("s1", scientist, "model", 2700, 5200),
    said("m4", scientist, "Measured.", {}),
    step("s2", scientist, "tools", 5200, 11_300, "error"),
    step("ask", first, "approve", 11_400, 13_900, "interrupted"),
    {
      ...{ kind: "interrupt", id: "question", ...first, requests: [], value: "Roll back?" },
      ...{ state: "answered", answer: "yes" },
    },
    {
      ...{ kind: "run", id: "run:b", runId: "b", assistantId: "researcher", status: "error" },
      ...{ startedAt: start + 3_614_000, endedAt: start + 3_619_000 },
    },
    step("ask2", second, "approve", 3_614_050, 3_615_000),
    step("roll", second, "roll_back", 3_615_000, 3_618_900, "error"),
    { kind: "notice", id: "n", ...second, level: "error", text: "The registry is closed", node: "roll_back" },
  ];
}

/** A run of so many steps one behind the other, each of which called a model. */
export function manySteps(count: number): readonly Entry[] {
  const steps = Array.from({ length: count }, (_, index): readonly Entry[] => [
    step(
      `s${index}`,
      first,
      `step ${index}`,
      index * 100,
      index * 100 + 90,
      index % 500 === 7 ? "error" : "done",
    ),
    said(`m${index}`, first, `Said ${index}`, { ...usage(100, 10), model, firstTokenMs: 20 }),
  ]);
  return [
    {
      ...{ kind: "run", id: "run:a", runId: "a", assistantId: "researcher", status: "success" },
      ...{ startedAt: start, endedAt: start + count * 100 },
    },
    ...steps.flat(),
  ];
}

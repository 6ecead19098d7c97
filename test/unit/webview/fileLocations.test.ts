import { deepEqual, equal } from "node:assert/strict";

import { locationsIn } from "../../../src/webview/kit/fileLocations.ts";

const said = (text: string) =>
  locationsIn(text).map(({ path, line, column }) => [path, line, ...(column === undefined ? [] : [column])]);

describe("Locations in files that a text names", () => {
  for (const [text, ...locations] of [
    ["It fails in src/graph.mts:12:3.", ["src/graph.mts", 12, 3]],
    ["./graph.mts:7 and ../lib/a-b.ts:8", ["./graph.mts", 7], ["../lib/a-b.ts", 8]],
    ['  File "src/agent/graph.py", line 9, in plan', ["src/agent/graph.py", 9]],
    ['  File "/home/me/my agent/graph.py", line 9', ["/home/me/my agent/graph.py", 9]],
    ["    at plan (file:///w/my%20graph.mts:12:3)", ["file:///w/my%20graph.mts", 12, 3]],
    ["    at file:///w/graph.mts:12:3", ["file:///w/graph.mts", 12, 3]],
    ["    at async plan (/w/a b/graph.mts:12:3)", ["/w/a b/graph.mts", 12, 3]],
    ["(see src/graph.mts:12)", ["src/graph.mts", 12]],
    ["graph.ts(12,3): error TS2304", ["graph.ts", 12, 3]],
    [String.raw`C:\w\graph.ts:12:3`, [String.raw`C:\w\graph.ts`, 12, 3]],
    [String.raw`at plan (C:\my agent\graph.ts:12:3)`, [String.raw`C:\my agent\graph.ts`, 12, 3]],
    ["file:///C:/w/graph.ts:12:3", ["file:///C:/w/graph.ts", 12, 3]],
    ["error:src/graph.ts:4", ["src/graph.ts", 4]],
    [
      String.raw`{"error":"Error: x\n    at plan (/w/graph.mts:1:2)\n  File \"g.py\", line 3"}`,
      ["/w/graph.mts", 1, 2],
      ["g.py", 3],
    ],
    ["größe/日本.py:3", ["größe/日本.py", 3]],
  ] as const)
    it(text, () => deepEqual(said(text), locations));

  for (const text of [
    "at 12:30:45, 10:4",
    '{"a":1,"b.c":2}',
    "https://example.com/src/graph.mts:3",
    "node:internal/process/task_queues:105:5",
    "//share/folder/graph.ts:3",
    String.raw`\\share\folder\graph.ts:3`,
    "webpack:///./src/graph.ts:3",
    "graph.mts:0",
    "graph.mts",
    'line 9 of "graph.py"',
    '"graph.py\n", line 9',
    `${"a".repeat(500)}/graph.`,
  ])
    it(`not in ${JSON.stringify(text).slice(0, 60)}`, () => deepEqual(said(text), []));

  it("are told where they stand, and at most 200 of them", () => {
    const [location] = locationsIn("in src/a.ts:3:4, too");
    deepEqual([location?.from, location?.to], [3, "in src/a.ts:3:4".length]);
    equal(locationsIn("a.ts:1 ".repeat(100_000)).length, 200);
  });

  it("cost a time that grows with the text alone", () => {
    const size = 5_000_000;
    for (const part of [
      "a",
      "a.",
      "/",
      "a.ts",
      "x:1 ",
      "(",
      "a.b:",
      '", line 1',
      "\\",
      ".ts:1a",
      "(/a b.ts:",
      "//x.ts:1 ",
      "(//x.ts:1",
    ]) {
      const text = part.repeat(size / part.length);
      const start = process.cpuUsage().user;
      locationsIn(text);
      const ms = (process.cpuUsage().user - start) / 1000;
      equal(ms < 2_000, true, `${part}: ${String(Math.round(ms))} ms`);
    }
  });
});

import { deepEqual } from "node:assert/strict";
import { rangesIn } from "../../../../src/run/schema/textRanges.ts";

const text = `{
  "topic": "tides",
  "days": [1,
    { "from": "x" }]
}`;

describe("the ranges of a value's parts in its text", () => {
  it("are those of each part, counted from line and column 1", () => {
    deepEqual(marked([], ["topic"], ["days", "0"], ["days", "1", "from"]), [
      `1:1 ${text}`,
      '2:12 "tides"',
      "3:12 1",
      '4:15 "x"',
    ]);
  });

  it("are, for a part that is missing, that of what it is missing in", () => {
    deepEqual(marked(["source"], ["days", "7"], ["days", "1", "to"], ["topic", "length"]), [
      `1:1 ${text}`,
      '3:11 [1,\n    { "from": "x" }]',
      '4:5 { "from": "x" }',
      '2:12 "tides"',
    ]);
  });

  it("are the beginning of a text without any value", () => {
    deepEqual(rangesIn("", [["topic"]]), [{ line: 1, column: 1, from: 0, to: 0 }]);
    deepEqual(rangesIn("\n\n  7", [[]]), [{ line: 3, column: 3, from: 4, to: 5 }]);
  });
});

/** Each range as line and column with what is written there. */
function marked(...paths: readonly (readonly string[])[]): readonly string[] {
  return rangesIn(text, paths).map(
    ({ line, column, from, to }) => `${line}:${column} ${text.slice(from, to)}`,
  );
}

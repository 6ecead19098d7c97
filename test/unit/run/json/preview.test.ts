import { equal } from "node:assert/strict";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import { preview, sizeOf } from "../../../../src/run/json/preview.ts";

describe("JSON of bounded length", () => {
  const cases: readonly (readonly [value: Json, longest: number, shown: string])[] = [
    [{ a: 1, b: [true, null, "x"] }, 100, '{"a":1,"b":[true,null,"x"]}'],
    ["abcdef", 6, '"abcdef"'],
    ["abcdef", 5, '"abcde…"'],
    [["ab", "cd"], 5, '["ab","c…"]'],
    [["ab", "cd", "ef"], 4, '["ab","…"]'],
    [["ab", "cd", "ef"], 8, '["ab","cd","…"]'],
    [{ a: 1, b: 2 }, 6, '{"a":1,"b":"…"}'],
    [{ a: 1, b: 2 }, 5, '{"a":1,"…":"…"}'],
    [{ a: 1, b: 2 }, 4, '{"a":"…","…":"…"}'],
    [{ a: undefined, b: 2 }, 100, '{"b":2}'],
    [[], 100, "[]"],
    [{}, 100, "{}"],
    ["any", 0, '"…"'],
    [12345, 1, "12345"],
  ];
  for (const [value, longest, shown] of cases)
    it(`shows ${JSON.stringify(value)} in ${longest} as ${shown}`, () =>
      equal(preview(value, longest), shown));

  it("shows twelve levels, and 4,000 characters unless told otherwise", () => {
    const nested = (levels: number): Json => (levels === 0 ? 1 : [nested(levels - 1)]);
    equal(preview(nested(12)), `${"[".repeat(12)}1${"]".repeat(12)}`);
    equal(preview(nested(13)), `${"[".repeat(12)}"…"${"]".repeat(12)}`);
    equal(preview("x".repeat(4000)), `"${"x".repeat(4000)}"`);
    equal(preview("x".repeat(4001)), `"${"x".repeat(4000)}…"`);
  });

  it("shows twelve levels", () => {
    const nested = (levels: number): Json =>
      JSON.parse("[".repeat(levels) + "1" + "]".repeat(levels)) as Json;
    equal(preview(nested(12)), JSON.stringify(nested(12)));
    equal(preview(nested(13)), `${"[".repeat(12)}"…"${"]".repeat(12)}`);
  });

  it("never ends in an unreadable place", () => {
    const value = { a: ["x", { b: "y".repeat(50) }], c: 'quoted "text"', d: null };
    for (let longest = 0; longest < 120; longest += 1) JSON.parse(preview(value, longest));
  });
});

describe("The length of a value as JSON", () => {
  it("is about that of its text", () => {
    for (const value of ["abc", 12345, null, [], {}, { abc: ["x", true] }, [[1, 2], { a: "b" }]]) {
      const [size, length] = [sizeOf(value, 10), JSON.stringify(value).length];
      equal(
        size >= length && size <= 3 * length + 12,
        true,
        `${size} of ${length}: ${JSON.stringify(value)}`,
      );
    }
    equal(sizeOf("abc", 0), 5);
    equal(sizeOf({ ab: "c" }, 1), 2 + 2 + 4 + 3);
    equal(sizeOf([1, [2]], 2), 2 + (1 + 4 + 5) + (1 + 4 + 2 + 1 + 4 + 5));
  });

  it("is endless where it is nested deeper than that", () => {
    equal(sizeOf([1], 1), 12);
    equal(sizeOf([[1]], 1), Infinity);
    equal(sizeOf([], 0), Infinity);
    equal(sizeOf(7, 0), 5);
  });
});

import { deepEqual, equal } from "node:assert/strict";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import {
  endOfString,
  isNestedTooDeep,
  mostNested,
  parseJson,
  sameJson,
  textOf,
  tooDeepAt,
} from "../../../../src/run/json/json.ts";

const nested = (levels: number, inner = ""): string => "[".repeat(levels) + inner + "]".repeat(levels);

describe("The end of a text in JSON", () => {
  const texts = ["", "a", '"', '""', "\\", "\\\\", '\\"', '"\\', "a\\\\b", 'a\\"b"', "\n\\n"];
  for (const text of texts) {
    it(`is found behind ${JSON.stringify(text)}, whatever comes next`, () => {
      const written = JSON.stringify(text);
      for (const behind of ["", '"', '\\"', ' , "more"']) {
        equal(endOfString(written + behind, 0), written.length - 1);
        equal(endOfString(`[ ${written}${behind}`, 2), written.length + 1);
      }
    });
  }
});

describe("JSON that is nested", () => {
  it("is too deep from one level more than may be, where that level begins", () => {
    const filler = `"${"x".repeat(2 * mostNested)}"`;
    equal(tooDeepAt(nested(mostNested, filler)), undefined);
    equal(tooDeepAt(nested(mostNested + 1, filler)), mostNested);
    for (const pair of ["{}", "[]"]) {
      const beside = `[${`${pair},`.repeat(3 * mostNested)}`;
      equal(tooDeepAt(`${beside}1]`), undefined);
      equal(tooDeepAt(`${beside}${nested(mostNested - 1)}]`), undefined);
      equal(tooDeepAt(`${beside}${nested(mostNested)}]`), beside.length + mostNested - 1);
    }
  });

  it("is not looked for in a text that is too short to be", () => {
    equal(tooDeepAt("[".repeat(2 * mostNested)), undefined);
    equal(tooDeepAt("[".repeat(2 * mostNested + 1)), mostNested);
  });

  it("is as deep as its values say, not its texts", () => {
    equal(tooDeepAt(JSON.stringify(nested(3 * mostNested))), undefined);
    equal(isNestedTooDeep(JSON.parse(nested(mostNested))), false);
    equal(isNestedTooDeep(JSON.parse(nested(mostNested + 1))), true);
    for (const flat of [null, "text", 7, undefined]) equal(isNestedTooDeep(flat, 0), false);
  });

  it("is no value where it is too deep or broken", () => {
    deepEqual(parseJson('{"a":[1]}'), { a: [1] });
    equal(parseJson('{"a":'), undefined);
    equal(parseJson(nested(20 * mostNested)), undefined);
  });
});

describe("Two values of JSON", () => {
  const same: readonly (readonly [Json | undefined, Json | undefined])[] = [
    [1, 1],
    [null, null],
    [undefined, undefined],
    [
      [1, [2]],
      [1, [2]],
    ],
    [
      { a: 1, b: { c: [] } },
      { b: { c: [] }, a: 1 },
    ],
  ];
  for (const [one, other] of same)
    it(`say the same: ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () =>
      equal(sameJson(one, other), true));
  const different: readonly (readonly [Json | undefined, Json | undefined])[] = [
    [1, "1"],
    [null, undefined],
    [null, {}],
    [[], {}],
    [[], 0],
    [[1], [1, 2]],
    [[1], [2]],
    [[1], { 0: 1, length: 1 }],
    [{}, { a: 1 }],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [
      { a: 1, b: 2 },
      { a: 1, b: 3 },
    ],
  ];
  for (const [one, other] of different)
    it(`don't: ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      equal(sameJson(one, other), false);
      equal(sameJson(other, one), false);
    });
});

it("A text is one of at least a character", () => {
  deepEqual(["a", "", 7, null, undefined].map(textOf), ["a", undefined, undefined, undefined, undefined]);
});

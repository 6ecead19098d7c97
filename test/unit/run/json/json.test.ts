import { deepEqual, equal } from "node:assert/strict";
import {
  endOfString,
  isNestedTooDeep,
  mostNested,
  parseJson,
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
    const beside = `[${Array<string>(3 * mostNested)
      .fill("{}")
      .join()}]`;
    equal(tooDeepAt(beside), undefined);
  });

  it("is as deep as its values say, not its texts", () => {
    equal(tooDeepAt(JSON.stringify(nested(3 * mostNested))), undefined);
    equal(isNestedTooDeep(JSON.parse(nested(mostNested))), false);
    equal(isNestedTooDeep(JSON.parse(nested(mostNested + 2))), true);
  });

  it("is no value where it is too deep or broken", () => {
    deepEqual(parseJson('{"a":[1]}'), { a: [1] });
    equal(parseJson('{"a":'), undefined);
    equal(parseJson(nested(20 * mostNested)), undefined);
  });
});

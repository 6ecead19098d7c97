import { strict as assert } from "node:assert";
import { parseInput, runInput } from "../../../src/run/input.ts";

const wrong: Readonly<Record<string, string>> = {
  "": "Line 1, column 1: a value expected.",
  hello: "Line 1, column 1: a value expected.",
  '{"a": 1,\n  b: 2}': "Line 2, column 3: a name in double quotes expected.",
  '{"a" 1}': "Line 1, column 6: “:” expected.",
  '{"a": 1 "b": 2}': "Line 1, column 9: “,” or “}” expected.",
  "[1, 2": "Line 1, column 6: “,” or “]” expected.",
  '{"a": [1,\n\n]}': "Line 3, column 1: a value expected.",
  '"abc': "Line 1, column 5: the closing quote expected.",
  '"a\nb"': "Line 1, column 3: the closing quote expected.",
  '"a\\x"': "Line 1, column 3: a known escape expected.",
  "{} {}": "Line 1, column 4: the end of the input expected.",
  "01": "Line 1, column 2: the end of the input expected.",
  "{'a': 1}": "Line 1, column 2: a name in double quotes expected.",
};

const right: readonly unknown[] = [
  null,
  true,
  -1.5e3,
  'ü\u007f\n"',
  [],
  {},
  [[], { a: [{ b: null }] }],
  { "": "" },
];

describe("the composer's input", () => {
  it("is a chat message of the user when it is text, and stays as it is when it is JSON", () => {
    assert.deepEqual(runInput({ text: "Hi" }), { messages: [{ role: "user", content: "Hi" }] });
    assert.equal(runInput({ json: null }), null);
  });

  it("is refused at the line and column where it stops being JSON", () => {
    for (const [text, message] of Object.entries(wrong)) {
      const parsed = parseInput(text);
      assert.equal(parsed.ok ? "accepted" : parsed.message, message, text);
      assert.throws(() => JSON.parse(text) as unknown);
    }
  });

  it("is taken when it is JSON, however it is spaced", () => {
    for (const value of right) {
      for (const space of [undefined, 1, "\t"]) {
        assert.deepEqual(parseInput(` ${JSON.stringify(value, null, space)}\r\n`), { ok: true, json: value });
      }
    }
  });
});

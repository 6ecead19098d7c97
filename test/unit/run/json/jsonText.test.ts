import { strict as assert } from "node:assert";
import { pretty, problemText, readJson, readJsonObject } from "../../../../src/run/json/jsonText.ts";

const wrong: Readonly<Record<string, string>> = {
  "": "Line 1, column 1: expected a value",
  hello: "Line 1, column 1: expected a value",
  '{"a": 1,\n  b: 2}': "Line 2, column 3: expected a name in double quotes",
  '{"a" 1}': "Line 1, column 6: expected “:”",
  '{"a": 1 "b": 2}': "Line 1, column 9: expected “,”",
  "[1, 2": "Line 1, column 6: expected “,” or “]”",
  '{"a": [1,\n\n]}': "Line 3, column 1: expected a value",
  '"abc': "Line 1, column 5: expected the closing quote",
  '"a\nb"': "Line 1, column 3: expected the closing quote",
  '"a\\x"': "Line 1, column 1: expected only known escapes in this text",
  '["a\tb"]': "Line 1, column 2: expected no bare control characters in this text",
  "[1, // one\n 2]": "Line 1, column 5: expected JSON without comments",
  "[1 one]": "Line 1, column 4: expected JSON, with names and texts in double quotes",
  "-": "Line 1, column 1: expected a value",
  "[1.]": "Line 1, column 2: expected a digit",
  "[1,]": "Line 1, column 4: expected a value",
  "{} {}": "Line 1, column 4: expected the end of the input",
  "01": "Line 1, column 2: expected the end of the input",
  "{'a': 1}": "Line 1, column 2: expected a name in double quotes",
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

describe("JSON that a person types", () => {
  it("is refused at the line and column where it stops being JSON", () => {
    for (const [text, message] of Object.entries(wrong)) {
      const reading = readJson(text);
      assert.equal("problem" in reading ? problemText(reading.problem) : "accepted", message, text);
      assert.throws(() => JSON.parse(text) as unknown);
    }
  });

  it("is refused where it gets too deep, and read however long it is", () => {
    const deep = readJson("[".repeat(10_000) + "]".repeat(10_000));
    assert.equal("problem" in deep && deep.problem.message, "expected nothing deeper than 500 levels");
    const long = readJson(`{"a": "${"x".repeat(20_000_000)}" b}`);
    assert.equal("problem" in long && long.problem.column, 20_000_010);
    assert.ok("value" in readJson("[".repeat(500) + "]".repeat(500)));
  });

  it("is refused at once however deep or wrong it is", () => {
    const hostile = [
      '{"a":'.repeat(100_000),
      "[".repeat(1000),
      "b ".repeat(1_000_000),
      "]".repeat(1_000_000),
    ];
    for (const text of hostile) {
      assert.ok("problem" in readJson(text));
      assert.equal(pretty(text), text);
    }
  });

  it("is taken when it is JSON, however it is spaced", () => {
    for (const value of right) {
      for (const space of [undefined, 1, "\t"]) {
        assert.deepEqual(readJson(` ${JSON.stringify(value, null, space)}\r\n`), { value });
      }
    }
  });

  it("is refused where a number would be sent as another one", () => {
    const lost = "this number has more digits than can be sent, or is too large: write it in quotes";
    const numbers = ["9007199254740993", "-12345678901234567890", `1${"0".repeat(29)}`];
    for (const number of [...numbers, "1e400", "-1.5E+309"]) {
      assert.deepEqual(readJson(`{"a":\n [1, ${number}]}`), {
        problem: { message: lost, line: 2, column: 6 },
      });
      assert.ok("problem" in readJsonObject(`{"a": ${number}}`));
    }
    const kept = {
      "0.1234567890123456789": 0.12345678901234568,
      "9007199254740992": 9007199254740992,
      "-12345678901234567000": -12345678901234567000,
      "1e30": 1e30,
      "1e-400": 0,
      '"12345678901234567890"': "12345678901234567890",
      '{"12345678901234567890": 1}': { "12345678901234567890": 1 },
    };
    for (const [text, value] of Object.entries(kept)) assert.deepEqual(readJson(text), { value });
  });

  it("may have to be an object, or nothing at all", () => {
    assert.deepEqual(readJsonObject(" "), { value: undefined });
    assert.deepEqual(readJsonObject('{"a": 1}'), { value: { a: 1 } });
    const message = 'expected an object, such as {"key": "value"}';
    for (const text of ["[]", "null", "7"])
      assert.deepEqual(readJsonObject(text), { problem: { message, line: 1, column: 1 } });
    assert.ok("problem" in readJsonObject("{"));
  });
});

describe("JSON that a person reads", () => {
  it("is indented as usual, however it came", () => {
    for (const value of [...right, { a: [1, { b: [] }], "c d": {}, e: "[{,:}]", f: '\\"', g: "\u4f60" }]) {
      const usual = JSON.stringify(value, null, 2);
      for (const space of [undefined, 1, "\t\n"]) {
        assert.equal(pretty(` ${JSON.stringify(value, null, space)} `), usual);
      }
    }
    assert.equal(pretty('"\\u4f60"'), '"\u4f60"');
  });

  it("keeps each digit of a number, and each of two members of the same name", () => {
    const text = '{"id": 12345678901234567890, "cost": 1.10, "id": 1e400}';
    assert.equal(pretty(text), '{\n  "id": 12345678901234567890,\n  "cost": 1.10,\n  "id": 1e400\n}');
  });

  it("stays of a size that can be shown, however deep it is", () => {
    const deep = `[${`${"[".repeat(499)}${"]".repeat(499)},`.repeat(20)}0]`;
    const shown = pretty(deep);
    assert.equal(shown.replace(/\s/g, ""), deep);
    assert.ok(shown.length < 100 * deep.length, `${shown.length} characters of ${deep.length}`);
  });

  it("stays as it is when it is none", () => {
    for (const text of ["", "plain", "{'a': 1}", '{"a": 1'] as const) assert.equal(pretty(text), text);
  });
});

import { deepEqual, equal } from "node:assert/strict";
import { fieldsOf, fieldsText, isLine, lineOf } from "../../../../src/run/json/fieldsText.ts";

describe("Fields as text", () => {
  it("stand one to a line, and what is longer stands below its name", () => {
    const value = { to: "a@b.test", count: 2, body: "Dear Ann,\nit rains.", nested: { deep: { list: [1] } } };
    const text =
      "to: a@b.test\ncount: 2\nbody:\n  Dear Ann,\n  it rains.\nnested:\n  deep:\n    list:\n      [1]";
    equal(fieldsText(value), text);
  });

  it("keep the quotes of a text that could be taken for another value", () => {
    equal(fieldsText({ amount: "20", empty: "", space: " a" }), 'amount: "20"\nempty: ""\nspace: " a"');
  });

  it("are JSON where there are none, too many or too deep", () => {
    equal(fieldsText([1, { a: 2 }]), '[1,{"a":2}]');
    const many = Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`k${String(at)}`, at]));
    equal(fieldsText(many), JSON.stringify(many));
    equal(fieldsText({ a: { b: { c: { d: 1 } } } }), 'a:\n  b:\n    c:\n      {"d":1}');
  });

  it("are forty at most, in three levels", () => {
    const some = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
    equal(fieldsOf(some(40))?.length, 40);
    equal(fieldsOf(some(41)), undefined);
    equal(fieldsOf(some(1), 2)?.length, 1);
    equal(fieldsOf(some(1), 3), undefined);
    for (const none of [{}, { a: undefined }, [], [1], null, "text", 7]) equal(fieldsOf(none), undefined);
    deepEqual(fieldsOf({ a: undefined, b: null }), [["b", null]]);
  });

  it("stand on one line up to a hundred characters, without a line's end", () => {
    equal(isLine("x".repeat(100)), true);
    for (const text of ["x".repeat(101), "a\nb", "a\rb"]) equal(isLine(text), false);
    for (const value of [7, null, true, [], {}]) equal(isLine(value), true);
    for (const value of [[0], { a: 1 }]) equal(isLine(value), false);
    equal(fieldsText("x".repeat(101)), "x".repeat(101));
    equal(fieldsText("plain"), "plain");
    equal(fieldsText("20"), '"20"');
    equal(fieldsText({ note: "a\nb" }), "note:\n  a\n  b");
    equal(lineOf("12345678901234567890"), '"12345678901234567890"');
    deepEqual(["a b", "", " a", "a ", "true", "{}", "[1"].map(lineOf), [
      "a b",
      '""',
      '" a"',
      '"a "',
      '"true"',
      '"{}"',
      "[1",
    ]);
  });
});

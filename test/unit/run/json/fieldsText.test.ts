import { equal } from "node:assert/strict";
import { fieldsText } from "../../../../src/run/json/fieldsText.ts";

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
});

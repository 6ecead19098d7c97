import { deepEqual, equal } from "node:assert/strict";
import type { Json } from "../../../../src/run/panel/messages.ts";
import { SchemaCheck } from "../../../../src/run/schema/check.ts";
import { type Field, fieldOf, takesMessages } from "../../../../src/run/schema/fields.ts";
import { problemLine } from "../../../../src/run/schema/problems.ts";
import { startingValue } from "../../../../src/run/schema/startingValue.ts";
import { SchemaDocument } from "../../../../src/run/schema/schemaDocument.ts";

/** What a schema says of a value, a line for each problem. */
function said(schema: Json, value: Json): readonly string[] {
  const found = new SchemaCheck(schema).check(value);
  return "unchecked" in found
    ? [found.unchecked]
    : found.problems.map((problem) => problemLine(problem, "the input"));
}

const field = (schema: Json): Field => fieldOf(new SchemaDocument(schema), schema);
const draft4 = { $schema: "http://json-schema.org/draft-04/schema#" };

describe("A schema that nothing can be checked against", () => {
  const cases: readonly (readonly [string, Json, string])[] = [
    ["is no schema", 7, "it is no schema"],
    ["is nothing", null, "it is no schema"],
    ["refers to itself without end", { $ref: "#" }, "it refers to itself without end"],
    ["refers to what is elsewhere", { $ref: "https://x.example/y" }, 'Unresolved $ref "https://x.example/y"'],
  ];
  for (const [what, schema, why] of cases)
    it(`says so: it ${what}`, () =>
      deepEqual(said(schema, {}), [`The agent's schema can't be checked against: ${why}.`]));

  it("is told in few words, however many the checker has", () => {
    const [line = ""] = said({ $ref: `#/${"x".repeat(500)}` }, {});
    equal(line.length < 300, true);
  });
});

describe("What a schema refuses", () => {
  const cases: readonly (readonly [string, Json, Json, readonly string[]])[] = [
    ["everything", false, 1, ["the input is not allowed here"]],
    ["nothing", true, 1, []],
    [
      "what has not the type of the only form",
      { anyOf: [{ type: "string" }] },
      1,
      ["the input must be text"],
    ],
    [
      "what has none of several types",
      { anyOf: [{ type: "string" }, { type: ["number", "null"] }] },
      [],
      ["the input must be text or a number or null"],
    ],
    [
      "what lacks one field of the form that was meant",
      {
        oneOf: [
          { properties: { a: { type: "string" } }, required: ["a", "c"] },
          { properties: { b: { type: "string" } }, required: ["b", "d", "e"] },
        ],
      },
      { a: "x" },
      ["c is missing"],
    ],
    [
      "what fits no form better than another",
      { anyOf: [{ const: 1 }, { const: 2 }] },
      3,
      ["the input matches none of the forms that “anyOf” allows"],
    ],
    [
      "what fits no form, of which only some ask for a type",
      { anyOf: [{ const: 1 }, { const: 2 }, { type: "string" }] },
      3,
      ["the input matches none of the forms that “anyOf” allows"],
    ],
    [
      "what fits two forms of which one must",
      { oneOf: [{ type: "number" }, { type: "integer" }] },
      3,
      ["the input matches more than one of the forms that exclude each other"],
    ],
    [
      "none of many values, of which some are named, and long ones cut",
      { enum: ["a".repeat(100), 1, 2, 3, 4, 5, 6, 7, 8, 9] },
      0,
      [`the input must be one of "${"a".repeat(79)}…, 1, 2, 3, 4, 5, 6, 7 and 2 more`],
    ],
    [
      "a name that it does not have",
      { additionalProperties: false },
      { x: 1 },
      ["x is not a field of this schema"],
    ],
    [
      "a name beside those that it has",
      { properties: { a: {}, b: {} }, additionalProperties: false },
      { x: 1 },
      ["x is not a field of this schema; known are “a”, “b”"],
    ],
    ["a field that is forbidden", { properties: { a: false } }, { a: 1 }, ["a is not allowed here"]],
    [
      "a field without the one that it needs",
      { dependentRequired: { a: ["b"] } },
      { a: 1 },
      ["b is missing; “a” needs it"],
    ],
    [
      "a bound itself",
      { ...draft4, minimum: 3, exclusiveMinimum: true },
      3,
      ["the input must be more than 3"],
    ],
    [
      "an upper bound itself",
      { ...draft4, maximum: 3, exclusiveMaximum: true },
      3,
      ["the input must be less than 3"],
    ],
    ["what is above a bound", { ...draft4, maximum: 3 }, 4, ["the input must be at most 3"]],
    ["too few", { minItems: 2 }, [], ["the input must have at least 2 items"]],
    ["none", { minProperties: 1 }, {}, ["the input must have at least 1 field"]],
    [
      "what fits the one of two patterns that can be read here",
      { patternProperties: { "(?P<x>a)": { type: "string" }, "^b": { type: "string" } } },
      { ab: 1, b: 1 },
      ["b must be text"],
    ],
    [
      "a field that is called like a keyword",
      { properties: { pattern: { type: "string" } } },
      { pattern: 1 },
      ["pattern must be text"],
    ],
    ["no value that looks like a schema", { enum: [{ pattern: "(?P<a>" }] }, { pattern: "(?P<a>" }, []],
    [
      "the messages of nobody: servers take them in more ways than schemas tell",
      {
        properties: {
          messages: { type: "array", items: { type: "object", required: ["id"] } },
          n: { type: "number" },
        },
      },
      { messages: ["Hi"], n: "x" },
      ["n must be a number"],
    ],
  ];
  for (const [what, schema, value, lines] of cases)
    it(`is told in words: ${what}`, () => deepEqual(said(schema, value), lines));

  it("is told of a hundred places at most", () => {
    const many = Array.from({ length: 300 }, (_, index) => index);
    equal(said({ items: { type: "string" } }, many).length, 100);
    equal(said({ items: { type: "string" } }, many.slice(0, 100)).length, 100);
    equal(said({ items: { type: "string" } }, many.slice(0, 99)).length, 99);
  });
});

it("What a schema refuses in more places than can be told is told of the first of them", () => {
  const many = Array.from({ length: 200_000 }, (_, index) => index);
  deepEqual(said({ properties: { a: { items: { type: "string" } } } }, { a: many }), ["a.0 must be text"]);
});

it("What is called messages is a conversation only where it may be a list", () => {
  const takes = (messages: Json): unknown => takesMessages(new SchemaDocument({ properties: { messages } }));
  equal(takes({ type: "array" }), true);
  equal(takes({ items: { type: "object" } }), true);
  equal(takes({ anyOf: [{ type: "string" }, { type: "array" }] }), true);
  for (const other of [
    { type: "string" },
    { type: "string", anyOf: [{ minLength: 1 }] },
    { type: "array", items: { type: "string" } },
    { anyOf: [{ type: "string" }, { type: "number" }] },
  ])
    equal(takes(other), false, JSON.stringify(other));
});

describe("A part of a schema", () => {
  const text = { type: "string" } as const;
  const definitions = {
    $defs: {
      x: { $anchor: "thing", ...text },
      y: { $id: "other", type: "number" },
      "a/b c": { type: "boolean" },
    },
  };
  const kinds: readonly (readonly [string, Json, Field["control"]["kind"], boolean])[] = [
    ["with one form is that form", { anyOf: [text] }, "text", false],
    ["with one form of two, the other null, may be null", { oneOf: [text, { type: "null" }] }, "text", true],
    [
      "may be null by a form within a form",
      { anyOf: [{ anyOf: [{ type: "null" }, text] }, { type: "null" }] },
      "text",
      true,
    ],
    ["may be null by a form that may be null", { anyOf: [{ type: ["string", "null"] }] }, "text", true],
    ["may be null by one of its values", { enum: [1, null] }, "choice", true],
    ["of two kinds of numbers is a number", { type: ["integer", "number"] }, "number", false],
    ["of two other types is JSON", { type: ["string", "number"] }, "json", false],
    ["that says only what it holds is an object", { properties: { a: text } }, "object", false],
    ["that says only what its items are is a list", { items: text }, "list", false],
    ["with items each of its own kind is JSON", { items: text, prefixItems: [text] }, "json", false],
    ["that is named is found", { $ref: "#thing", ...definitions }, "text", false],
    ["that has an address is found", { $ref: "other", ...definitions }, "number", false],
    ["with signs in its name is found", { $ref: "#/$defs/a~1b%20c", ...definitions }, "flag", false],
    ["that is missing may be anything", { $ref: "#gone", ...definitions }, "json", false],
    [
      "of few values is a choice",
      { enum: Array.from({ length: 200 }, (_, index) => index) },
      "choice",
      false,
    ],
    ["of too many values is JSON", { enum: Array.from({ length: 201 }, (_, index) => index) }, "json", false],
    ["of nothing but null is JSON", { const: null }, "json", false],
  ];
  for (const [what, schema, kind, nullable] of kinds)
    it(what, () => {
      const { control, nullable: mayBeNull } = field(schema);
      deepEqual([control.kind, mayBeNull], [kind, nullable]);
    });

  it("that is a list has as many items as it may have, or any number", () => {
    const most = (more: object): unknown => {
      const { control } = field({ type: "array", items: text, ...more });
      return control.kind === "list" ? control.most : control.kind;
    };
    deepEqual([most({}), most({ maxItems: 3 }), most({ maxItems: "3" })], [Infinity, 3, Infinity]);
  });

  it("is put together of all that it is built on, and what is nearest wins", () => {
    const schema = {
      description: "Mine",
      allOf: [
        { description: "Theirs", properties: { a: text, b: {} }, required: ["a"] },
        { properties: { a: { minLength: 2 } }, required: ["a", "b"] },
      ],
      properties: { c: text },
    };
    const { root } = new SchemaDocument(schema);
    equal(root["description"], "Mine");
    deepEqual(Object.keys(root["properties"] as object), ["a", "b", "c"]);
    deepEqual(root["required"], ["a", "b"]);
    deepEqual(said(schema, { a: "x", b: 1 }), ["a must have at least 2 characters"]);
    equal(field(schema).description, "Mine");
    equal(field({ anyOf: [{ ...text, description: "Inner" }, { type: "null" }] }).description, "Inner");
  });

  it("is put together of sixty others at most", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [
        `p${at}`,
        { $ref: `#/$defs/p${at + 1}`, properties: { [`f${at}`]: text } },
      ]),
    );
    const { root } = new SchemaDocument({ $ref: "#/$defs/p0", $defs: chain });
    equal(Object.keys(root["properties"] as object).length, 59);
  });

  it("is JSON where its only other form is itself, and no conversation where all of its forms are no list", () => {
    const itself = { anyOf: [{ $ref: "#/$defs/t" }, { type: "null" }] };
    const schema = { properties: { a: { $ref: "#/$defs/t" } }, required: ["a"], $defs: { t: itself } };
    const document = new SchemaDocument(schema);
    deepEqual(fieldOf(document, itself), { control: { kind: "json" }, nullable: true });
    deepEqual(startingValue(document), { a: null });
    for (const [form, takes] of [
      [text, false],
      [{ type: "array", items: { type: "object" } }, true],
    ] as const) {
      const m = { anyOf: [{ $ref: "#/$defs/m" }, { oneOf: [{ $ref: "#/$defs/m" }, form] }] };
      const messages = { properties: { messages: { $ref: "#/$defs/m" } }, $defs: { m } };
      equal(takesMessages(new SchemaDocument(messages)), takes);
    }
  });
});

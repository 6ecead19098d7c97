/**
 * JSON Schemas of all kinds, in the spellings of the libraries that make them: which keywords there are is a fact of
 * the drafts 4, 7, 2019-09 and 2020-12.
 */

import type { Json, JsonObject } from "../../../../src/run/panel/messages.ts";

/** A schema, and what is to come of it. */
export interface Sample {
  readonly name: string;
  readonly schema: Json;
  /** Each field of the form, as `name: kind`, with "?" where it may be null; one word for a value that is no object. */
  readonly form: string;
  readonly start: Json | undefined;
  readonly takes: readonly Json[];
  /** Values that are refused, with what is said of each. */
  readonly refuses: readonly (readonly [value: Json, ...lines: readonly string[]])[];
  /** What is offered in an empty object. */
  readonly offers?: string;
  /** Undefined where that is left open; false unless said otherwise. */
  readonly messages?: boolean | undefined;
}

const text = { type: "string" } as const;

/** An object of one property, which is required. */
function one(name: string, schema: Json): JsonObject {
  return { type: "object", properties: { [name]: schema }, required: [name] };
}

/** The samples. */
export const samples: readonly Sample[] = [
  {
    name: "text with bounds",
    schema: one("topic", { type: "string", minLength: 3, maxLength: 5 }),
    form: "topic: text",
    start: { topic: "" },
    takes: [{ topic: "Tides" }],
    refuses: [
      [{ topic: "ab" }, "topic must have at least 3 characters"],
      [{ topic: "abcdef" }, "topic must have at most 5 characters"],
      [{ topic: 7 }, "topic must be text"],
      [{}, "topic is missing"],
      ["Tides", "the input must be an object"],
    ],
    offers: "topic",
  },
  {
    name: "text with a pattern",
    schema: one("ticket", { type: "string", pattern: "^OPS-[0-9]+$" }),
    form: "ticket: text",
    start: { ticket: "" },
    takes: [{ ticket: "OPS-12" }],
    refuses: [[{ ticket: "12" }, "ticket must match the pattern ^OPS-[0-9]+$"]],
  },
  {
    name: "a pattern that only another language reads",
    schema: one("name", { type: "string", pattern: "(?P<first>\\w+)\\Z", minLength: 2 }),
    form: "name: text",
    start: { name: "" },
    takes: [{ name: "anything" }],
    refuses: [[{ name: "a" }, "name must have at least 2 characters"]],
  },
  {
    name: "formats",
    schema: {
      type: "object",
      properties: { at: { type: "string", format: "date-time" }, mail: { type: "string", format: "email" } },
    },
    form: "at: text, mail: text",
    start: { at: "", mail: "" },
    takes: [{}, { at: "2026-01-02T03:04:05Z", mail: "a@example.com" }],
    refuses: [[{ at: "soon", mail: "nobody" }, "at is not a valid date-time", "mail is not a valid email"]],
  },
  {
    name: "whole numbers in a range",
    schema: one("rounds", { type: "integer", minimum: 1, maximum: 5, default: 2 }),
    form: "rounds: number",
    start: { rounds: 2 },
    takes: [{ rounds: 5 }],
    refuses: [
      [{ rounds: 0 }, "rounds must be at least 1"],
      [{ rounds: 6 }, "rounds must be at most 5"],
      [{ rounds: 1.5 }, "rounds must be a whole number"],
      [{ rounds: null }, "rounds must be a whole number"],
    ],
  },
  {
    name: "numbers beyond a bound",
    schema: one("share", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.25 }),
    form: "share: number",
    start: { share: null },
    takes: [{ share: 0.5 }],
    refuses: [
      [{ share: 0 }, "share must be more than 0"],
      [{ share: 1 }, "share must be less than 1"],
      [{ share: 0.3 }, "share must be a multiple of 0.25"],
    ],
  },
  {
    name: "the bounds of draft 4",
    schema: {
      $schema: "http://json-schema.org/draft-04/schema#",
      ...one("age", { type: "number", minimum: 0, exclusiveMinimum: true }),
    },
    form: "age: number",
    start: { age: null },
    takes: [{ age: 1 }],
    refuses: [[{ age: 0 }, "age must be more than 0"]],
  },
  {
    name: "yes or no",
    schema: one("dry", { type: "boolean" }),
    form: "dry: flag",
    start: { dry: false },
    takes: [{ dry: true }],
    refuses: [[{ dry: "yes" }, "dry must be true or false"]],
  },
  {
    name: "an enum",
    schema: one("audience", { type: "string", enum: ["children", "engineers"] }),
    form: "audience: choice children|engineers",
    start: { audience: null },
    takes: [{ audience: "children" }],
    refuses: [[{ audience: "x" }, 'audience must be one of "children", "engineers"']],
  },
  {
    name: "an enum of several types",
    schema: one("level", { enum: [1, "high", true, null] }),
    form: "level: choice 1|high|true?",
    start: { level: null },
    takes: [{ level: 1 }, { level: null }],
    refuses: [[{ level: 2 }, 'level must be one of 1, "high", true, null']],
  },
  {
    name: "a constant",
    schema: one("version", { const: 3 }),
    form: "version: choice 3",
    start: { version: 3 },
    takes: [{ version: 3 }],
    refuses: [[{ version: 4 }, "version must be 3"]],
  },
  {
    name: "named constants",
    schema: one("size", {
      oneOf: [
        { const: "s", title: "Small" },
        { const: "l", title: "Large" },
      ],
    }),
    form: "size: choice Small|Large",
    start: { size: null },
    takes: [{ size: "s" }],
    refuses: [[{ size: "m" }, "size matches none of the forms that “oneOf” allows"]],
  },
  {
    name: "text or null, as pydantic writes it",
    schema: {
      type: "object",
      properties: { note: { anyOf: [text, { type: "null" }], default: null, title: "Note" } },
    },
    form: "note: text?",
    start: { note: null },
    takes: [{ note: null }, { note: "x" }],
    refuses: [[{ note: 1 }, "note must be text or null"]],
  },
  {
    name: "text or null, by a list of types",
    schema: one("note", { type: ["string", "null"] }),
    form: "note: text?",
    start: { note: null },
    takes: [{ note: null }],
    refuses: [[{ note: 1 }, "note must be text or null"]],
  },
  {
    name: "text or null, as OpenAPI wrote it",
    schema: one("note", { type: "string", nullable: true }),
    form: "note: text",
    start: { note: "" },
    takes: [{ note: "x" }],
    refuses: [[{ note: null }, "note must be text"]],
  },
  {
    name: "text or a number",
    schema: one("id", { anyOf: [text, { type: "integer" }] }),
    form: "id: json",
    start: { id: null },
    takes: [{ id: 1 }, { id: "a" }],
    refuses: [[{ id: true }, "id must be text or a whole number"]],
  },
  {
    name: "a list of text",
    schema: one("tags", { type: "array", items: text, minItems: 1, maxItems: 2, uniqueItems: true }),
    form: "tags: list of text",
    start: { tags: [] },
    takes: [{ tags: ["a"] }],
    refuses: [
      [{ tags: [] }, "tags must have at least 1 item"],
      [{ tags: ["a", "b", "c"] }, "tags must have at most 2 items"],
      [{ tags: ["a", "a"] }, "tags must not have the same item twice"],
      [{ tags: ["a", 2] }, "tags.1 must be text"],
    ],
  },
  {
    name: "a list of objects",
    schema: one("orders", { type: "array", items: one("id", { type: "integer" }) }),
    form: "orders: list of object",
    start: { orders: [] },
    takes: [{ orders: [{ id: 1 }] }],
    refuses: [[{ orders: [{}] }, "orders.0.id is missing"]],
  },
  {
    name: "a tuple of the newest draft",
    schema: one("range", { type: "array", prefixItems: [{ type: "number" }, text], items: false }),
    form: "range: json",
    start: { range: [] },
    takes: [{ range: [1, "a"] }],
    refuses: [
      [{ range: ["a"] }, "range.0 must be a number"],
      [{ range: [1, "a", 2] }, "range.2 is not allowed here"],
    ],
  },
  {
    name: "a tuple of draft 7",
    schema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      ...one("pair", { type: "array", items: [text, text], additionalItems: false }),
    },
    form: "pair: json",
    start: { pair: [] },
    takes: [{ pair: ["a", "b"] }],
    refuses: [[{ pair: ["a", 1] }, "pair.1 must be text"]],
  },
  {
    name: "what must be among the items",
    schema: one("marks", { type: "array", contains: { const: "ok" }, minContains: 1, maxContains: 2 }),
    form: "marks: json",
    start: { marks: [] },
    takes: [{ marks: ["ok"] }],
    refuses: [
      [{ marks: ["ok", "ok", "ok"] }, "marks must have at most 2 items of the kind that the schema counts"],
    ],
  },
  {
    name: "objects in objects",
    schema: one("tone", {
      type: "object",
      description: "How it sounds",
      properties: { formal: { type: "boolean", default: true }, mood: { type: "number" } },
      required: ["formal", "mood"],
    }),
    form: "tone: object",
    start: { tone: { formal: true, mood: null } },
    takes: [{ tone: { formal: false, mood: 1 } }],
    refuses: [[{ tone: { formal: 1, mood: 1 } }, "tone.formal must be true or false"]],
    offers: "tone (required · How it sounds)",
  },
  {
    name: "no other names",
    schema: { ...one("topic", text), additionalProperties: false },
    form: "topic: text",
    start: { topic: "" },
    takes: [{ topic: "x" }],
    refuses: [[{ topc: "x", topic: "" }, "topc is not a field of this schema; known are “topic”"]],
  },
  {
    name: "any names of one kind",
    schema: one("scores", {
      type: "object",
      additionalProperties: { type: "number" },
      minProperties: 1,
      maxProperties: 2,
    }),
    form: "scores: json",
    start: { scores: {} },
    takes: [{ scores: { a: 1 } }],
    refuses: [
      [{ scores: { a: "x" } }, "scores.a must be a number"],
      [{ scores: {} }, "scores must have at least 1 field"],
      [{ scores: { a: 1, b: 2, c: 3 } }, "scores must have at most 2 fields"],
    ],
  },
  {
    name: "names by a pattern",
    schema: {
      type: "object",
      properties: { plain: text },
      patternProperties: { "^x-": { type: "number" } },
      propertyNames: { maxLength: 6 },
    },
    form: "plain: text",
    start: { plain: "" },
    takes: [{ "x-a": 1 }],
    refuses: [
      [{ "x-a": "1" }, "x-a must be a number"],
      [{ lengthy: 1 }, "lengthy must have at most 6 characters"],
    ],
  },
  {
    name: "fields that need each other",
    schema: {
      type: "object",
      properties: { card: text, address: text },
      dependentRequired: { card: ["address"] },
    },
    form: "card: text, address: text",
    start: { card: "", address: "" },
    takes: [{ address: "x" }],
    refuses: [[{ card: "1" }, "address is missing; “card” needs it"]],
    offers: "card, address",
  },
  {
    name: "fields that need each other, in draft 7",
    schema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { card: text, address: text },
      dependencies: { card: ["address"] },
    },
    form: "card: text, address: text",
    start: { card: "", address: "" },
    takes: [{}],
    refuses: [[{ card: "1" }, "address is missing; “card” needs it"]],
  },
  {
    name: "more fields with one",
    schema: {
      type: "object",
      properties: { kind: text },
      dependentSchemas: { kind: { required: ["amount"] } },
    },
    form: "kind: text",
    start: { kind: "" },
    takes: [{}],
    refuses: [[{ kind: "a" }, "amount is missing"]],
  },
  {
    name: "definitions, as zod and pydantic write them",
    schema: {
      $defs: { Tone: { type: "string", enum: ["warm", "dry"] } },
      type: "object",
      properties: { tone: { $ref: "#/$defs/Tone", default: "dry", description: "Voice" } },
    },
    form: "tone: choice warm|dry",
    start: { tone: "dry" },
    takes: [{ tone: "warm" }],
    refuses: [[{ tone: "x" }, 'tone must be one of "warm", "dry"']],
    offers: "tone (Voice)",
  },
  {
    name: "a root that is a definition, as in draft 7",
    schema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      $ref: "#/definitions/Input",
      definitions: { Input: one("topic", text) },
    },
    form: "topic: text",
    start: { topic: "" },
    takes: [{ topic: "x" }],
    refuses: [[{}, "topic is missing"]],
    offers: "topic",
  },
  {
    name: "a definition by its anchor",
    schema: {
      $defs: { Name: { $anchor: "name", type: "string", minLength: 1 } },
      ...one("name", { $ref: "#name" }),
    },
    form: "name: text",
    start: { name: "" },
    takes: [{ name: "x" }],
    refuses: [[{ name: "" }, "name must have at least 1 character"]],
  },
  {
    name: "a tree, which refers to itself",
    schema: {
      $defs: {
        Node: {
          type: "object",
          properties: { label: text, children: { type: "array", items: { $ref: "#/$defs/Node" } } },
          required: ["label"],
        },
      },
      $ref: "#/$defs/Node",
    },
    form: "label: text, children: list of object",
    start: { label: "" },
    takes: [{ label: "a", children: [{ label: "b", children: [] }] }],
    refuses: [
      [{ label: "a", children: [{ label: "b", children: [{}] }] }, "children.0.children.0.label is missing"],
    ],
  },
  {
    name: "an object that needs itself",
    schema: { $defs: { Me: one("me", { $ref: "#/$defs/Me" }) }, $ref: "#/$defs/Me" },
    form: "me: object",
    start: { me: { me: { me: { me: { me: { me: {} } } } } } },
    takes: [],
    refuses: [[{ me: {} }, "me.me is missing"]],
  },
  {
    name: "parts that all hold",
    schema: {
      allOf: [one("a", text), { ...one("b", { type: "number" }), description: "b" }],
      properties: { a: { minLength: 2 } },
    },
    form: "a: text, b: number",
    start: { a: "", b: null },
    takes: [{ a: "xy", b: 1 }],
    refuses: [[{ a: "x", b: "y" }, "b must be a number", "a must have at least 2 characters"]],
    offers: "a, b",
  },
  {
    name: "kinds that are told apart by a field",
    schema: one("step", {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "wait" }, seconds: { type: "number" } },
          required: ["kind", "seconds"],
        },
        { type: "object", properties: { kind: { const: "call" }, tool: text }, required: ["kind", "tool"] },
      ],
    }),
    form: "step: json",
    start: { step: null },
    takes: [{ step: { kind: "call", tool: "x" } }],
    refuses: [
      [{ step: { kind: "wait", seconds: "1" } }, "step.seconds must be a number"],
      [{ step: 3 }, "step must be an object"],
    ],
  },
  {
    name: "forms that exclude each other",
    schema: one("n", {
      oneOf: [
        { type: "number", minimum: 1 },
        { type: "number", maximum: 5 },
      ],
    }),
    form: "n: json",
    start: { n: null },
    takes: [{ n: 9 }],
    refuses: [[{ n: 3 }, "n matches more than one of the forms that exclude each other"]],
  },
  {
    name: "a condition",
    schema: {
      type: "object",
      properties: { mode: { enum: ["fast", "safe"] }, limit: { type: "integer" } },
      if: { properties: { mode: { const: "fast" } }, required: ["mode"] },
      then: { required: ["limit"] },
      else: { properties: { limit: false } },
    },
    form: "mode: choice fast|safe, limit: number",
    start: {},
    takes: [{ mode: "safe" }, { mode: "fast", limit: 1 }],
    refuses: [
      [{ mode: "fast" }, "limit is missing"],
      [{ mode: "safe", limit: 1 }, "limit is not allowed here"],
    ],
  },
  {
    name: "what is excluded",
    schema: one("name", { type: "string", not: { const: "root" } }),
    form: "name: text",
    start: { name: "" },
    takes: [{ name: "x" }],
    refuses: [[{ name: "root" }, "name is what the schema excludes"]],
  },
  {
    name: "fields that no part knows",
    schema: { allOf: [one("a", text)], properties: { b: text }, unevaluatedProperties: false },
    form: "a: text, b: text",
    start: { a: "" },
    takes: [{ a: "x", b: "y" }],
    refuses: [[{ a: "x", c: 1 }, "c is not a field of this schema; known are “a”, “b”"]],
  },
  {
    name: "names that objects have of themselves",
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["__proto__"]}',
    ) as Json,
    form: "__proto__: text, constructor: number",
    start: JSON.parse('{"__proto__": ""}') as Json,
    takes: [JSON.parse('{"__proto__": "x"}') as Json],
    refuses: [
      [{ constructor: "x", ...(JSON.parse('{"__proto__": "x"}') as object) }, "constructor must be a number"],
    ],
  },
  {
    name: "a value that is no object",
    schema: { type: "array", items: text },
    form: "list of text",
    start: [],
    takes: [["a"]],
    refuses: [[{ a: 1 }, "the input must be a list"]],
  },
  {
    name: "messages, as pydantic writes them",
    schema: {
      $defs: {
        Human: {
          type: "object",
          properties: { content: text, type: { const: "human" } },
          required: ["content"],
        },
      },
      type: "object",
      properties: {
        messages: {
          type: "array",
          items: { oneOf: [{ $ref: "#/$defs/Human" }, { type: "object", required: ["tool_call_id"] }] },
        },
      },
      required: ["messages"],
    },
    form: "messages: list of json",
    start: { messages: [{ role: "user", content: "" }] },
    takes: [{ messages: [{ content: "x", type: "human" }] }],
    refuses: [[{}, "messages is missing"]],
    messages: true,
  },
  {
    name: "messages as text or a list",
    schema: { type: "object", properties: { messages: { anyOf: [text, { type: "array", items: {} }] } } },
    form: "messages: json",
    start: { messages: [{ role: "user", content: "" }] },
    takes: [{ messages: "x" }, { messages: [{ role: "user", content: "x" }] }, {}],
    refuses: [],
    messages: true,
  },
  {
    name: "messages that are counted",
    schema: one("messages", { type: "integer" }),
    form: "messages: number",
    start: { messages: null },
    takes: [{ messages: 3 }],
    refuses: [],
  },
  {
    name: "anything at all",
    schema: true,
    form: "json",
    start: undefined,
    takes: [1, null, {}],
    refuses: [],
    messages: undefined,
  },
  {
    name: "an object of anything",
    schema: { type: "object" },
    form: "json",
    start: undefined,
    takes: [{ a: 1 }],
    refuses: [[3, "the input must be an object"]],
    messages: undefined,
  },
  {
    name: "nothing at all",
    schema: false,
    form: "json",
    start: undefined,
    takes: [],
    refuses: [[{}, "the input is not allowed here"]],
    messages: undefined,
  },
];

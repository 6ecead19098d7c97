import type { Json } from "../../../../src/run/panel/messages.ts";
import { one, type Sample, text } from "./sample.ts";

/** Parts that are combined, values that are no object, and messages. */
export const ruleSamples: readonly Sample[] = [
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

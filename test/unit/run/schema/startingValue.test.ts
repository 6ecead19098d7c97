import { deepEqual, equal } from "node:assert/strict";
import type { Json, JsonObject } from "../../../../src/run/panel/messages.ts";
import { SchemaDocument } from "../../../../src/run/schema/schemaDocument.ts";
import { startingPart, startingValue } from "../../../../src/run/schema/startingValue.ts";

const start = (schema: Json): Json | undefined => startingValue(new SchemaDocument(schema));
const texts = (count: number): JsonObject => {
  const names = Array.from({ length: count }, (_, number) => `k${number}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { type: "object", properties, required: names };
};

describe("What an input is before anybody fills it in", () => {
  it("has three hundred values at most", () => {
    const schema = { type: "object", properties: { a: texts(200), b: texts(200) }, required: ["a", "b"] };
    const made = start(schema) as { readonly a: object; readonly b: object };
    // The whole is a value, and so are both of its parts.
    deepEqual([Object.keys(made.a).length, Object.keys(made.b).length], [200, 300 - 3 - 200]);
  });

  it("has six levels at most", () => {
    const nested = (levels: number): JsonObject =>
      levels === 0 ? texts(1) : { type: "object", properties: { a: nested(levels - 1) }, required: ["a"] };
    const depth = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
    deepEqual(
      [4, 5, 6, 7].map((levels) => depth(start(nested(levels)))),
      [5, 6, 7, 7],
    );
  });

  it("has what is required or has a default, by its kind", () => {
    const document = new SchemaDocument({});
    const cases: readonly (readonly [Json, Json])[] = [
      [{ default: 7, type: "string" }, 7],
      [{ default: null }, null],
      [{ const: "x" }, "x"],
      [{ type: "string" }, ""],
      [{ type: ["string", "null"] }, null],
      [{ type: "boolean" }, false],
      [{ type: "number" }, null],
      [{ type: "array", items: { type: "string" } }, []],
      [{ type: "array" }, []],
      [{ type: "object" }, {}],
      [{ properties: {} }, {}],
      [{ type: ["array", "object"] }, {}],
      [{ type: ["array", "string"] }, []],
      [{}, null],
      [{ enum: ["a"] }, "a"],
      [{ enum: ["a", "b"] }, null],
    ];
    for (const [schema, value] of cases)
      deepEqual(startingPart(document, schema), value, JSON.stringify(schema));
    const properties = { a: { type: "string" }, b: { default: 1 }, c: { type: "string" } };
    deepEqual(start({ type: "object", properties, required: ["a"] }), { a: "", b: 1 });
    deepEqual(start({ type: "object", properties }), { a: "", c: "", b: 1 }, "nothing is asked for by name");
    equal(start({ default: "x" }), "x");
  });
});

import { deepEqual, equal, ok } from "node:assert/strict";
import { mock } from "node:test";
import type { Json } from "../../../../src/run/panel/messages.ts";
import { type Completion, completionsAt } from "../../../../src/run/schema/completion.ts";
import { SchemaDocument } from "../../../../src/run/schema/schemaDocument.ts";

const schema: Json = {
  type: "object",
  required: ["topic"],
  properties: {
    depth: { type: "integer", default: 2 },
    topic: { type: "string", description: "What it is about" },
    tone: { enum: ["plain", "formal", "informal"] },
    draft: { type: "boolean" },
    owner: { type: ["string", "null"] },
    tags: { type: "array", items: { enum: ["new", "old"] } },
    pair: { type: "array", prefixItems: [{ const: "first" }], items: { const: "more" } },
    source: { type: "object", properties: { path: { type: "string" }, line: { type: "integer" } } },
    limits: { type: "object", additionalProperties: { enum: ["low", "high"] } },
    step: { anyOf: [{ const: "start" }, { anyOf: [{ const: "stop" }, { type: "boolean" }] }] },
    nested: { $ref: "#/$defs/node" },
  },
  $defs: {
    node: {
      type: "object",
      properties: { kind: { enum: ["leaf", "branch"] }, next: { $ref: "#/$defs/node" } },
    },
  },
};

describe("completing JSON by its schema", () => {
  it("offers a field's values, each once, its usual one first", () => {
    deepEqual(labels('{ "tone": | }'), ["plain", "formal", "informal"]);
    deepEqual(labels('{ "draft": | }'), ["true", "false"]);
    deepEqual(labels('{ "owner": | }'), ["null"]);
    deepEqual(labels('{ "depth": | }'), ["2"]);
    deepEqual(labels("|", { default: "b", enum: ["a", "b"] }), ["b", "a"]);
    deepEqual(labels("|", { enum: ["", "a"] }), ['""', "a"]);
  });

  it("looks into lists, into objects and into every form of a value", () => {
    deepEqual(labels('{ "tags": ["new", |] }'), ["new", "old"]);
    deepEqual(labels('{ "pair": [|] }'), ["first"]);
    deepEqual(labels('{ "pair": ["first", |] }'), ["more"]);
    deepEqual(labels('{ "source": { | } }'), ["path", "line"]);
    deepEqual(labels('{ "limits": { "any name": | } }'), ["low", "high"]);
    deepEqual(labels('{ "step": | }'), ["start", "stop", "true", "false"]);
    deepEqual(labels('{ "nested": { "next": { "next": { "kind": | } } } }'), ["leaf", "branch"]);
    const forms = {
      anyOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { items: { const: 2 } } } }],
    };
    deepEqual(labels("{ | }", forms), ["a", "b"]);
    deepEqual(labels('{ "a": | }', forms), ["1"]);
    deepEqual(labels('{ "b": [|] }', forms), ["2"]);
  });

  it("looks through forms within forms, but not without end", () => {
    const within = (form: Json, levels: number): Json =>
      levels === 0 ? form : { anyOf: [{ type: "string" }, within(form, levels - 1)] };
    deepEqual(labels("|", within({ const: "deep" }, 4)), ["deep"]);
    deepEqual(labels("|", within({ const: "deep" }, 6)), []);
    deepEqual(labels('{ "a": | }', within({ properties: { a: { const: "deep" } } }, 4)), ["deep"]);
    deepEqual(labels('{ "a": | }', within({ properties: { a: { const: "deep" } } }, 6)), []);
  });

  it("ends where a schema refers to itself without end", () => {
    const endless = { $ref: "#", anyOf: [{ $ref: "#" }, { const: "end" }] };
    ok(labels("|", endless).includes("end"));
    ok(completionsAt(new SchemaDocument(endless), '{"a":{"a":{"a":[ ]}}}', 16).length <= 50);
  });

  it("offers no field twice, and keeps the one under the caret", () => {
    const some = labels('{ "topic": "x", "tone": "plain", | }');
    equal(some.includes("topic"), false);
    equal(some.includes("tone"), false);
    ok(some.includes("depth"));
    deepEqual(labels('{ "source": { "path": "x", | } }'), ["line"]);
    deepEqual(labels('{ "to|pic": "x", "depth": 1 }'), ["topic", "tone"]);
  });

  it("puts required fields first, then those that begin with what was typed", () => {
    equal(labels("{ | }")[0], "topic");
    deepEqual(labels('{ "tone": "formal|" }'), ["formal", "informal"]);
    deepEqual(labels('{ "tone": "FORM|" }'), ["formal", "informal"]);
    deepEqual(labels('{ "tone": form| }'), ["formal", "informal"]);
    deepEqual(labels('{ "tone": "zzz|" }'), []);
    deepEqual(labels('"form|"', { enum: ["informal", "formal"] }), ["formal", "informal"]);
    const [first] = offered("{ | }");
    equal(first?.detail, "required · What it is about");
    equal(offered("{ | }").find(({ label }) => label === "depth")?.detail, undefined);
  });

  it("offers at most fifty at once", () => {
    const many = Array.from({ length: 60 }, (_, number) => `v${number}`);
    equal(labels("|", { enum: many }).length, 50);
  });

  it("replaces what it was begun with, closed or not, and puts the caret where one goes on", () => {
    equal(taken('{ "tone": "for|mal" }', "plain"), undefined);
    equal(taken('{ "tone": "f|" }', "formal"), '{ "tone": "formal"| }');
    equal(taken('{ "tone": "f|\n}', "formal"), '{ "tone": "formal"|\n}');
    equal(taken('{ "tone": "|" }', "formal"), '{ "tone": "formal"| }');
    equal(taken('{ "tone": |"" }', "formal"), '{ "tone": "formal"| }');
    equal(taken('{ "tone": "| }', "formal"), '{ "tone": "formal"| }');
    equal(taken('{ "draft": t| }', "true"), '{ "draft": true| }');
    equal(taken("{|}", "topic"), '{"topic": "|"}');
    equal(taken("{|}", "depth"), '{"depth": 2|}');
    equal(taken("{|}", "tags"), '{"tags": [|]}');
    equal(taken("{|}", "tone"), '{"tone": |}');
    equal(taken('{ to| "depth": 1 }', "tone"), '{ "tone": |, "depth": 1 }');
    equal(taken("{|}", "owner"), '{"owner": null|}');
    equal(taken("{|}", "mood", { properties: { mood: { enum: ["good", null] } } }), '{"mood": null|}');
    equal(taken('{ to| "depth": 1 }', "topic"), '{ "topic": "|", "depth": 1 }');
    equal(taken('{ "to|": "x" }', "topic"), '{ "topic"|: "x" }');
  });

  it("indents what it writes like the line that it is written in", () => {
    const of = { type: "object", properties: { at: { ...one("x"), required: ["x"] } } };
    equal(taken("{\n  |\n}", "at", of), '{\n  "at": {\n    "x": ""\n  }|\n}');
    equal(taken("{|}", "at", of), '{"at": {\n  "x": ""\n}|}');
    equal(taken('{\n  "of": 1,\n|\n}', "at", of), '{\n  "of": 1,\n"at": {\n  "x": ""\n}|\n}');
  });

  it("offers nothing behind a whole value, nor where the schema knows nothing", () => {
    deepEqual(labels('{ "tone": "plain" | }'), []);
    deepEqual(labels('{ "source": {} | }'), []);
    deepEqual(labels('{ "unknown": | }'), []);
    deepEqual(labels('{ "topic": [|] }'), []);
    deepEqual(labels("{ | }", true), []);
  });

  it("looks at a few thousand parts of a schema whose forms are itself, and at all of one that is long", () => {
    const forms = Array.from({ length: 30 }, () => ({ $ref: "#/properties/a" }));
    for (const text of ['{"a": ', '{"a": {"b": {"c": ']) {
      const document = new SchemaDocument({ properties: { a: { anyOf: forms } } });
      const resolve = mock.method(document, "resolve");
      deepEqual(completionsAt(document, text, text.length), []);
      ok(resolve.mock.callCount() < 20_000, String(resolve.mock.callCount()));
    }
    const many = { anyOf: Array.from({ length: 1000 }, (_, at) => ({ const: `value ${at}` })) };
    deepEqual(labels('"value 999|', many), ["value 999"]);
  });
});

function one(name: string): { readonly type: "object"; readonly properties: Record<string, Json> } {
  return { type: "object", properties: { [name]: { type: "string" } } };
}

/** What is offered at the mark "|" of the text. */
function offered(marked: string, of: Json = schema): readonly Completion[] {
  return completionsAt(new SchemaDocument(of), marked.replace("|", ""), marked.indexOf("|"));
}

function labels(marked: string, of: Json = schema): readonly string[] {
  return offered(marked, of).map(({ label }) => label);
}

/** The text once an offer was taken, with "|" where the caret is; undefined where there is no such offer. */
function taken(marked: string, label: string, of: Json = schema): string | undefined {
  const found = offered(marked, of).find((one) => one.label === label);
  if (found === undefined) return undefined;
  const text = marked.replace("|", "");
  const { from, to, caret } = found;
  const written = found.text.slice(0, caret) + "|" + found.text.slice(caret);
  return text.slice(0, from) + written + text.slice(to);
}

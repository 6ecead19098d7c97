import { deepEqual, equal, ok } from "node:assert/strict";
import type { Json } from "../../../../src/run/panel/messages.ts";
import { SchemaCheck } from "../../../../src/run/schema/check.ts";
import { type Completion, completionsAt } from "../../../../src/run/schema/completion.ts";
import { type Control, fieldOf, takesMessages } from "../../../../src/run/schema/fields.ts";
import { problemLine } from "../../../../src/run/schema/problems.ts";
import { SchemaDocument } from "../../../../src/run/schema/schemaDocument.ts";
import { startingValue } from "../../../../src/run/schema/startingValue.ts";
import { ruleSamples } from "./ruleSamples.ts";
import type { Sample } from "./sample.ts";
import { structureSamples } from "./structureSamples.ts";
import { valueSamples } from "./valueSamples.ts";

const samples = [...valueSamples, ...structureSamples, ...ruleSamples];

describe("JSON Schemas of all kinds", () => {
  it("are many", () => ok(samples.length >= 40));

  for (const sample of samples) {
    const document = new SchemaDocument(sample.schema);
    const check = new SchemaCheck(sample.schema);

    describe(sample.name, () => {
      it("is a form", () => equal(formOf(document, sample.schema), sample.form));

      it("says whether messages are taken, and what there is before anybody writes", () => {
        equal(takesMessages(document), "messages" in sample ? sample.messages : false);
        deepEqual(startingValue(document), sample.start);
      });

      it("takes what it should, and says of the rest what is wrong with it", () => {
        for (const value of sample.takes) deepEqual(linesOf(check, value), []);
        for (const [value, ...lines] of sample.refuses) deepEqual(linesOf(check, value), lines);
      });

      it("completes an empty object with all that it may have", () => {
        const offered = completionsAt(document, "{}", 1);
        equal(new Set(offered.map(({ label }) => label)).size, offered.length);
        deepEqual(offered.map(({ label }) => label).toSorted(), namesOf(sample).toSorted());
        if (sample.offers !== undefined)
          equal(offered.map(({ label, detail }) => named(label, detail)).join(", "), sample.offers);
        for (const way of offered) {
          const written = taken("{}", way);
          // Where it is to be chosen among values, each of them goes on.
          const values = way.text.endsWith(": ")
            ? completionsAt(document, written, way.from + way.caret).map((value) => taken(written, value))
            : [written];
          ok(values.length > 0, written);
          for (const text of values) ok(JSON.parse(text), text);
        }
      });
    });
  }
});

function taken(text: string, { text: written, from, to }: Completion): string {
  return text.slice(0, from) + written + text.slice(to);
}

function linesOf(check: SchemaCheck, value: Json): readonly string[] {
  const found = check.check(value);
  return "unchecked" in found
    ? [found.unchecked]
    : found.problems.map((problem) => problemLine(problem, "the input"));
}

function formOf(document: SchemaDocument, schema: Json): string {
  const { control } = fieldOf(document, schema);
  if (control.kind !== "object") return wordOf(document, control);
  return control.properties
    .map(({ name, schema: part }) => {
      const field = fieldOf(document, part);
      return `${name}: ${wordOf(document, field.control)}${field.nullable ? "?" : ""}`;
    })
    .join(", ");
}

function wordOf(document: SchemaDocument, control: Control): string {
  if (control.kind === "choice") return `choice ${control.choices.map(({ label }) => label).join("|")}`;
  return control.kind === "list" ? `list of ${fieldOf(document, control.items).control.kind}` : control.kind;
}

function namesOf({ form }: Sample): readonly string[] {
  return form.includes(": ") ? form.split(", ").map((field) => field.split(": ", 1).join("")) : [];
}

/** A detail that only says that a field is required stands at every required one. */
function named(label: string, detail: string | undefined): string {
  return detail === undefined || detail === "required" ? label : `${label} (${detail})`;
}

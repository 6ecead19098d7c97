/** What an input is before anybody fills it in. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { isObject } from "../json/json.ts";
import { fieldOf, type Property, takesMessages } from "./fields.ts";
import { type SchemaDocument, typesOf } from "./schemaDocument.ts";

const deepest = 6;
const mostValues = 300;

/**
 * All that the schema has a default for, and a place for what it asks for: empty text, an empty list, null for a number
 * or a choice, which nobody sends by mistake. Undefined where a schema does not say what it takes.
 */
export function startingValue(document: SchemaDocument): Json | undefined {
  if (takesMessages(document) === undefined) return document.root["default"];
  const value = valueOf(document, document.schema, 0, { left: mostValues });
  if (!isObject(value)) return value;
  return takesMessages(document) === true
    ? { ...value, messages: blankMessages }
    : { ...textsOf(document), ...value };
}

/** Of a schema that asks for nothing by name, as one that was made from a program may, all texts get a place. */
function textsOf(document: SchemaDocument): JsonObject {
  const { control } = fieldOf(document, document.schema);
  if (control.kind !== "object") return {};
  if (control.properties.some(({ required }) => required)) return {};
  const texts = control.properties.filter(({ schema }) => {
    const field = fieldOf(document, schema);
    return field.control.kind === "text" && !field.nullable;
  });
  return Object.fromEntries(texts.map(({ name }) => [name, ""]));
}

/** The same of one part, such as the next item of a list. */
export function startingPart(document: SchemaDocument, schema: Json): Json {
  return valueOf(document, schema, 0, { left: mostValues });
}

/** How many more values are made. */
interface Budget {
  left: number;
}

function valueOf(document: SchemaDocument, schema: Json, depth: number, budget: Budget): Json {
  budget.left -= 1;
  const whole = document.resolve(schema);
  if (whole["default"] !== undefined) return whole["default"];
  if (whole["const"] !== undefined) return whole["const"];
  const { control, nullable } = fieldOf(document, schema);
  if (nullable) return null;
  switch (control.kind) {
    case "text":
      return "";
    case "flag":
      return false;
    case "list":
      return [];
    case "choice":
      return control.choices.length === 1 ? (control.choices[0]?.value ?? null) : null;
    case "object":
      return objectOf(document, control.properties, depth, budget);
    default:
      return emptyOf(whole);
  }
}

function objectOf(
  document: SchemaDocument,
  properties: readonly Property[],
  depth: number,
  budget: Budget,
): Json {
  if (depth >= deepest) return {};
  const made = properties.flatMap(({ name, schema, required }): readonly (readonly [string, Json])[] => {
    const wanted = required || document.resolve(schema)["default"] !== undefined;
    if (!wanted || budget.left <= 0) return [];
    return [[name, valueOf(document, schema, depth + 1, budget)]];
  });
  return Object.fromEntries(made);
}

const blankMessages: Json = [{ role: "user", content: "" }];

/** A value of a kind that has no control of its own. */
function emptyOf(schema: JsonObject): Json {
  const types = typesOf(schema);
  if (types.includes("object") || schema["properties"] !== undefined) return {};
  return types.includes("array") ? [] : null;
}

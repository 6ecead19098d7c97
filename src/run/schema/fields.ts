/** What a form shows for each part of a schema. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { isList, isObject, textOf } from "../json/json.ts";
import { formsOf, propertiesOf, requiredOf, type SchemaDocument, typesOf } from "./schemaDocument.ts";

/** One of a few values that can be chosen. */
export interface Choice {
  readonly label: string;
  readonly value: Json;
}

/** A named part of an object. */
export interface Property {
  readonly name: string;
  readonly schema: Json;
  readonly required: boolean;
}

/** The control for a value; "json" where no other one fits. */
export type Control =
  | { readonly kind: "text" | "number" | "flag" | "json" }
  | { readonly kind: "choice"; readonly choices: readonly Choice[] }
  | { readonly kind: "list"; readonly items: Json; readonly most: number }
  | { readonly kind: "object"; readonly properties: readonly Property[] };

/** A control, and what is said beside it. */
export interface Field {
  readonly control: Control;
  readonly description?: string;
  /** Whether the value may be null instead. */
  readonly nullable: boolean;
}

const mostChoices = 200;
const mostProperties = 200;

/** How deep the only form beside null is looked into: it may be itself. */
const deepest = 6;

/** The field for a part of a document. */
export function fieldOf(document: SchemaDocument, schema: Json, depth = 0): Field {
  const whole = document.resolve(schema);
  const forms = formsOf(whole).map((form) => document.resolve(form));
  const others = forms.filter((form) => !isNull(form));
  const types = typesOf(whole);
  const values = isList(whole["enum"]) ? whole["enum"] : [];
  const only = others.length === 1 && depth < deepest ? others[0] : undefined;
  const inner = only === undefined ? undefined : fieldOf(document, only, depth + 1);
  const description = textOf(whole["description"]) ?? inner?.description;
  const mayBeNull = others.length < forms.length || types.includes("null") || values.includes(null);
  return {
    control: inner?.control ?? controlOf(whole, others),
    nullable: mayBeNull || inner?.nullable === true,
    ...(description !== undefined && { description }),
  };
}

/** Whether a graph is talked to in messages; undefined where the schema leaves that open. */
export function takesMessages(document: SchemaDocument): boolean | undefined {
  const { root } = document;
  const forms = [root, ...formsOf(root).map((form) => document.resolve(form))];
  const objects = forms.flatMap(propertiesOf);
  const messages = objects.filter(([name]) => name === "messages");
  if (messages.some(([, schema]) => isConversation(document, schema))) return true;
  const isOpen = objects.length === 0 && root["additionalProperties"] !== false;
  const types = typesOf(root);
  return isOpen && (types.length === 0 || types.includes("object")) ? undefined : false;
}

/** Whether a schema is one of messages: a list of objects, in whatever way that is written; a text or a list of numbers is something else. */
export function isConversation(document: SchemaDocument, schema: Json): boolean {
  // Grows while it is gone through; each form is looked at once, since it may be a form of itself.
  const schemas = new Set([schema]);
  for (const one of schemas) {
    const whole = document.resolve(one);
    const forms = formsOf(whole);
    for (const form of forms) schemas.add(form);
    if (forms.length === 0 && mayListObjects(document, whole)) return true;
  }
  return false;
}

function mayListObjects(document: SchemaDocument, schema: JsonObject): boolean {
  const types = typesOf(schema);
  if (types.length > 0 && !types.includes("array") && !types.includes("object")) return false;
  const items = typesOf(document.resolve(isList(schema["items"]) ? undefined : schema["items"]));
  return items.length === 0 || items.includes("object");
}

function controlOf(schema: JsonObject, forms: readonly JsonObject[]): Control {
  const values = schema["enum"] ?? (schema["const"] === undefined ? undefined : [schema["const"]]);
  if (isList(values)) return choiceOf(values.map((value) => ({ label: labelOf(value), value })));
  if (forms.length > 0) {
    const choices = forms.flatMap(choicesIn);
    return forms.every((form) => choicesIn(form).length > 0) ? choiceOf(choices) : json;
  }
  const types = typesOf(schema).filter((type) => type !== "null");
  switch (types.length === 1 ? types[0] : impliedType(schema, types)) {
    case "string":
      return { kind: "text" };
    case "integer":
    case "number":
      return { kind: "number" };
    case "boolean":
      return { kind: "flag" };
    case "array":
      return listOf(schema);
    case "object":
      return objectOf(schema);
    default:
      return json;
  }
}

const json: Control = { kind: "json" };

function choiceOf(choices: readonly Choice[]): Control {
  const set = choices.filter(({ value }) => value !== null);
  return set.length === 0 || set.length > mostChoices ? json : { kind: "choice", choices: set };
}

/** The values of a form that allows just a few, with the name that it gives them. */
function choicesIn({ const: only, enum: values, title }: JsonObject): readonly Choice[] {
  if (only !== undefined) return [{ label: textOf(title) ?? labelOf(only), value: only }];
  return isList(values) ? values.map((value) => ({ label: labelOf(value), value })) : [];
}

function listOf({ items, prefixItems, maxItems }: JsonObject): Control {
  if (!isObject(items) || prefixItems !== undefined) return json;
  return { kind: "list", items, most: typeof maxItems === "number" ? maxItems : Infinity };
}

/** An object of any names is written as JSON, and so is one that is too large for a form. */
function objectOf(schema: JsonObject): Control {
  const required = requiredOf(schema);
  const named = propertiesOf(schema);
  if (named.length === 0 || named.length > mostProperties) return json;
  const properties = named.map(([name, part]) => ({ name, schema: part, required: required.includes(name) }));
  return { kind: "object", properties };
}

/** The type that a schema means without one name for it. */
function impliedType(schema: JsonObject, types: readonly string[]): string | undefined {
  if (types.length === 2 && types.includes("integer") && types.includes("number")) return "number";
  if (types.length > 0) return undefined;
  if (schema["properties"] !== undefined) return "object";
  return schema["items"] === undefined ? undefined : "array";
}

function isNull(schema: JsonObject): boolean {
  return schema["type"] === "null" || schema["const"] === null;
}

function labelOf(value: Json): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}

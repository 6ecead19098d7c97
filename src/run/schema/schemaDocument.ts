/** A JSON Schema of a server, looked into within bounds: it may be large, and refer to itself. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { isList, isObject } from "../json/json.ts";

/** Of how many others one schema is put together at most. */
const mostParts = 60;

/** One schema with all that it refers to. */
export class SchemaDocument {
  /** As the server gave it. */
  readonly schema: Json;

  constructor(schema: Json) {
    this.schema = schema;
  }

  /** The whole schema, put together. */
  get root(): JsonObject {
    return this.resolve(this.schema);
  }

  /**
   * A part of the document, put together of what it refers to and what must hold all at once; what is nearest wins. A
   * schema that says nothing is empty, also where what it refers to is missing or is the schema itself.
   */
  resolve(schema: Json | undefined): JsonObject {
    if (schema === false) return { not: {} };
    const parts: JsonObject[] = [];
    this.#collect(schema, parts, new Set());
    const [nearest = {}, ...others] = parts;
    return others.length === 0 ? nearest : joined([nearest, ...others]);
  }

  /** What stands at a place such as "#/properties/topic/$ref/minLength", where "$ref" is followed. */
  at(location: string): Json | undefined {
    const [, ...steps] = location.split("/");
    return steps.reduce<Json | undefined>(
      (here, step) =>
        step === "$ref" ? this.#target(member(here, "$ref")) : member(here, decoded(unescaped(step))),
      this.schema,
    );
  }

  #collect(schema: Json | undefined, parts: JsonObject[], seen: Set<Json>): void {
    if (!isObject(schema) || seen.has(schema) || parts.length >= mostParts) return;
    seen.add(schema);
    parts.push(schema);
    const { $ref, allOf, anyOf, oneOf } = schema;
    this.#collect(this.#target($ref), parts, seen);
    if (isList(allOf)) for (const part of allOf) this.#collect(part, parts, seen);
    for (const choice of [anyOf, oneOf])
      if (isList(choice) && choice.length === 1) this.#collect(choice[0], parts, seen);
  }

  /** What a reference names: a place in this document, or a definition by its own name. */
  #target(reference: Json | undefined): Json | undefined {
    if (typeof reference !== "string") return undefined;
    if (reference === "#") return this.schema;
    if (reference.startsWith("#/")) {
      const steps = reference
        .slice(2)
        .split("/")
        .map((step) => decoded(unescaped(step)));
      return steps.reduce<Json | undefined>(member, this.schema);
    }
    const definitions = ["$defs", "definitions"].flatMap((name) => {
      const named = member(this.schema, name);
      return isObject(named) ? Object.values(named) : [];
    });
    const [document, anchor = ""] = reference.split("#");
    return definitions.find((definition) =>
      document === "" ? member(definition, "$anchor") === anchor : member(definition, "$id") === document,
    );
  }
}

/** The properties that an object has by a schema that was put together. */
export function propertiesOf({ properties }: JsonObject): readonly (readonly [name: string, schema: Json])[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema === undefined ? [] : [[name, schema] as const],
  );
}

/** The names of the properties that an object must have. */
export function requiredOf({ required }: JsonObject): readonly string[] {
  return isList(required) ? required.filter((name) => typeof name === "string") : [];
}

/** What a keyword of several forms allows: each form is a schema. */
export function formsOf({ anyOf, oneOf }: JsonObject): readonly Json[] {
  const forms = anyOf ?? oneOf;
  return isList(forms) && forms.length > 1 ? forms : [];
}

/** The types that a schema names, none where it allows all. */
export function typesOf({ type }: JsonObject): readonly string[] {
  if (typeof type === "string") return [type];
  return isList(type) ? type.filter((name) => typeof name === "string") : [];
}

/**
 * One schema of several that all hold, the nearest first: what it says counts, and what others say of the same property
 * counts, too. Fields of what it is built on come before its own.
 */
function joined(parts: readonly JsonObject[]): JsonObject {
  const schemas = new Map<string, Json[]>();
  for (const part of [...parts.slice(1), ...parts.slice(0, 1)])
    for (const [name, schema] of propertiesOf(part))
      schemas.set(name, [schema, ...(schemas.get(name) ?? [])]);
  const properties = [...schemas].map(
    ([name, all]) => [name, all.length === 1 ? (all[0] ?? true) : { allOf: all }] as const,
  );
  const required = [...new Set(parts.flatMap(requiredOf))];
  const keywords = parts.toReversed().flatMap((part) => Object.entries(part));
  return {
    ...Object.fromEntries(keywords.filter(([keyword]) => keyword !== "$ref" && keyword !== "allOf")),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
  };
}

function member(value: Json | undefined, name: string): Json | undefined {
  if (isList(value)) return value[Number(name)];
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function decoded(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

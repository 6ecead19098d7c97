/** Looking into JSON of unknown shape. */

import type { Json, JsonObject } from "../api/agentServer/wire.ts";

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Whether the value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}

/** Whether the value is a JSON array. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value if it is a string that isn't empty. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The first of the named fields that is there: for fields that servers spell in several ways. */
export function fieldOf(object: JsonObject, ...names: readonly string[]): Json | undefined {
  for (const name of names) if (object[name] !== undefined) return object[name];
  return undefined;
}

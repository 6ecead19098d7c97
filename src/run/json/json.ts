/** Looking into JSON of unknown shape. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";

/** Deeper values can't be written as text again, or sent to the page: both take a step of the stack for each level. */
export const mostNested = 500;

/** The value of a JSON text; undefined when it is none, or is nested too deep. */
export function parseJson(text: string): Json | undefined {
  if (tooDeepAt(text) !== undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Whether the number that a JSON reader makes of this text has all its digits. */
export function keepsDigits(text: string): boolean {
  const digits = text.replace(/e.*$/, "").replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.length <= 15 || String(Number(text)) === text;
}

/** Whether the text is a number that a JSON reader has as another one: a long whole one, or one that is too large. */
export function isOtherAsNumber(text: string): boolean {
  if (/^-?\d+$/.test(text)) return !keepsDigits(text);
  return /^-?\d/.test(text) && Math.abs(Number(text)) === Infinity;
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

/** Whether two values say the same, whatever the order of members: servers that keep JSON in a database reorder them. */
export function sameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (isList(one)) {
    return isList(other) && one.length === other.length && one.every((item, at) => sameJson(item, other[at]));
  }
  if (!isObject(one)) return one === other;
  const names = Object.keys(one);
  return (
    isObject(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]))
  );
}

/** Whether a value that was parsed elsewhere is nested too deep. */
export function isNestedTooDeep(value: unknown, levels = mostNested): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isNestedTooDeep(item, levels - 1));
}

/** Where a text is nested too deep, by its brackets, which open and close nothing within a string. */
export function tooDeepAt(text: string): number | undefined {
  if (text.length <= 2 * mostNested) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth > mostNested) return at;
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
        break;
    }
  }
  return undefined;
}

/** The index of the quote that ends the string which begins at `start`. */
export function endOfString(text: string, start: number): number {
  for (let close = text.indexOf('"', start + 1); close >= 0; close = text.indexOf('"', close + 1)) {
    let slashes = 0;
    while (text[close - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return close;
  }
  return text.length;
}

/** JSON as people type and read it. */

import type { Json, JsonObject } from "../run/messages.ts";
import { jsonProblem } from "../run/jsonProblem.ts";

/** What is wrong with a text and where; lines and columns count from 1. */
export interface TextProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** Either the value or the problem. */
export type JsonReading = { readonly value: Json } | { readonly problem: TextProblem };

/** Reads JSON text, or says in which line and column it stops being JSON. */
export function readJson(text: string): JsonReading {
  const problem = jsonProblem(text);
  if (problem === undefined) return { value: JSON.parse(text) as Json };
  const before = text.slice(0, problem.at).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { problem: { message: `expected ${problem.expected}`, line: before.length, column } };
}

/** Reads a JSON object; anything else is a problem too. Blank text is no object and no problem. */
export function readJsonObject(
  text: string,
): { readonly value: JsonObject | undefined } | { readonly problem: TextProblem } {
  if (text.trim() === "") return { value: undefined };
  const reading = readJson(text);
  if ("problem" in reading) return reading;
  const { value } = reading;
  if (isObject(value)) return { value };
  return { problem: { message: 'expected an object, such as {"key": "value"}', line: 1, column: 1 } };
}

/** "Line 2, column 5: …". */
export function problemText(problem: TextProblem): string {
  return `Line ${problem.line}, column ${problem.column}: ${problem.message}`;
}

/** Indented JSON; text that is no JSON comes back as it is. */
export function pretty(text: string): string {
  const reading = readJson(text);
  return "value" in reading ? JSON.stringify(reading.value, undefined, 2) : text;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

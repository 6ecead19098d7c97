/** JSON as people type and read it. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { endOfString, isObject, parseJson } from "./json.ts";
import { jsonProblem } from "./jsonProblem.ts";

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
  const value = parseJson(text);
  if (value !== undefined) return { value };
  const { at, expected } = jsonProblem(text) ?? { at: 0, expected: "JSON" };
  const before = text.slice(0, at).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { problem: { message: `expected ${expected}`, line: before.length, column } };
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

/** Indented JSON, its numbers digit by digit as they came; text that is no JSON comes back as it is. */
export function pretty(text: string): string {
  return parseJson(text) === undefined ? text : indented(text);
}

/** Deeper lines begin there, too: else a short text of many brackets would become hundreds of megabytes of space. */
const deepestIndent = 40;

/** A number of more digits than a program's own numbers have would be another one once it is parsed. */
function indented(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  const line = (): string => `\n${"  ".repeat(Math.min(depth, deepestIndent))}`;
  for (let at = 0; at < text.length;) {
    const token = tokenAt(text, at);
    at += token.length;
    if (token === "{" || token === "[") {
      const rest = spaceAt(text, at);
      const close = text[at + rest] === (token === "{" ? "}" : "]");
      if (close) at += rest + 1;
      else depth += 1;
      parts.push(token, close ? (token === "{" ? "}" : "]") : line());
    } else if (token === "}" || token === "]") {
      depth -= 1;
      parts.push(line(), token);
    } else if (token === ",") parts.push(token, line());
    else if (token === ":") parts.push(": ");
    else if (token.includes("\\")) parts.push(JSON.stringify(JSON.parse(token)));
    else parts.push(token.trim());
  }
  return parts.join("");
}

/** The sign, the string or the word that begins there, or the space. */
function tokenAt(text: string, at: number): string {
  if (text[at] === '"') return text.slice(at, endOfString(text, at) + 1);
  word.lastIndex = at;
  return word.exec(text)?.[0] ?? text.slice(at, at + 1);
}

const word = /[^\s{}[\],:"]+|\s+/y;
const space = /\s*/y;

function spaceAt(text: string, at: number): number {
  space.lastIndex = at;
  return space.exec(text)?.[0].length ?? 0;
}

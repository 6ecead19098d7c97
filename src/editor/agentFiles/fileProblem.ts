/** What is wrong with a file of an agent, and where: found before anything is sent. */

import { jsonProblem } from "../../run/jsonProblem.ts";
import { jsonRanges, pathKey } from "./jsonRanges.ts";
import type { TextRange } from "./jsonRanges.ts";

export interface FileProblem extends TextRange {
  readonly message: string;
}

/** A problem of a value, by the value's path in the JSON text. */
export interface ValueProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

/** A JSON object's problems by their places; a text that is no JSON has just that one. */
export function problemsOf(
  text: string,
  check: (root: JsonRecord) => readonly ValueProblem[],
): readonly FileProblem[] {
  const broken = jsonProblem(text);
  if (broken !== undefined) {
    const { at, expected } = broken;
    return [{ start: at, end: at + 1, message: `This is not JSON: expected ${expected} here.` }];
  }
  const root: unknown = JSON.parse(text);
  if (!isRecord(root)) return [{ start: 0, end: text.length, message: "This must be a JSON object." }];
  const ranges = jsonRanges(text);
  return check(root).map(({ path, message }) => ({ ...nearest(ranges, path), message }));
}

/** The JSON object that a text is; undefined when it is none. */
export function readRecord(text: string): JsonRecord | undefined {
  if (jsonProblem(text) !== undefined) return undefined;
  const root: unknown = JSON.parse(text);
  return isRecord(root) ? root : undefined;
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value's own place, or that of what it is missing from. */
function nearest(ranges: ReadonlyMap<string, TextRange>, path: ValueProblem["path"]): TextRange {
  for (let length = path.length; length >= 0; length -= 1) {
    const range = ranges.get(pathKey(path.slice(0, length)));
    if (range === undefined) continue;
    return length === path.length ? range : { start: range.start, end: range.start + 1 };
  }
  return { start: 0, end: 1 };
}

/** What is wrong with a file of an agent, and where: found before anything is sent. */

import { isObject } from "../../../api/shape.ts";
import { type DraftPath, parseDraft, spanOf } from "../../deployments/drafts/parsedDraft.ts";

/** In characters, half-open. */
export interface FileProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** A problem of a value, by the value's path in the JSON text. */
export interface ValueProblem {
  readonly path: DraftPath;
  readonly message: string;
}

/** A JSON object of any shape. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** A JSON object's problems by their paths; a text that is no JSON has just that one. */
export function problemsOf(
  text: string,
  check: (root: JsonRecord) => readonly ValueProblem[],
): readonly FileProblem[] {
  const parsed = parseDraft(text);
  if (parsed.kind === "problem") {
    const { offset, length } = parsed.span;
    return [{ start: offset, end: offset + length, message: parsed.message }];
  }
  const { root } = parsed;
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) return [{ start: 0, end: text.length, message: "This must be a JSON object." }];
  return check(value).map(({ path, message }) => {
    const { span, found } = spanOf(root, path);
    // What is missing is marked where it is missing from, at the opening brace.
    const length = found.length === path.length ? span.length : 1;
    return { start: span.offset, end: span.offset + length, message };
  });
}

/** The JSON object that a text is; undefined when it is none. */
export function readRecord(text: string): JsonRecord | undefined {
  const value: unknown = parseDraft(text).kind === "json" ? JSON.parse(text) : undefined;
  return isObject(value) ? value : undefined;
}

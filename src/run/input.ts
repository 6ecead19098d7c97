/** What a person wrote in the composer as the input of a run. */

import type { Json } from "../api/agentServer/wire.ts";
import { jsonProblem } from "./jsonProblem.ts";
import type { RunRequest } from "./messages.ts";

/** The value that was typed, or where it stops being JSON. */
export type ParsedInput =
  | { readonly ok: true; readonly json: Json }
  /** The message names the line and column, from 1. */
  | { readonly ok: false; readonly message: string; readonly line: number; readonly column: number };

/** The run's input: text becomes a chat message of the user, JSON stays as it is. */
export function runInput(input: RunRequest["input"]): Json {
  return "text" in input ? { messages: [{ role: "user", content: input.text }] } : input.json;
}

/** Reads JSON that a person typed. */
export function parseInput(text: string): ParsedInput {
  const problem = jsonProblem(text);
  if (problem === undefined) return { ok: true, json: JSON.parse(text) as Json };
  const lines = text.slice(0, problem.at).split("\n");
  const line = lines.length;
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return {
    ok: false,
    message: `Line ${line}, column ${column}: ${problem.expected} expected.`,
    line,
    column,
  };
}

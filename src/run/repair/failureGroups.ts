/** Why threads failed, and which of them for the same reason: by the step, and by what an error says without what varies. */

import type { ThreadState } from "../../api/agentServer/wire.ts";
import { failureText } from "../fold/notices.ts";
import { parseJson } from "../json/json.ts";

/** Where a thread failed, and what was said. */
export interface ThreadFailure {
  /** The steps that failed, else those before which it stands; empty where none is told. */
  readonly nodes: readonly string[];
  /** "" where no error is told. */
  readonly error: string;
}

/** What a thread's newest state says of its failure. */
export function failureIn({ tasks, next }: ThreadState): ThreadFailure {
  const failed = tasks.filter(({ error }) => error !== undefined && error !== null);
  const names = failed.length === 0 ? next : failed.map(({ name }) => name);
  const error = failed[0]?.error ?? "";
  const text = failureText((typeof error === "string" ? parseJson(error) : undefined) ?? error).text;
  return { nodes: [...new Set(names)], error: failed.length === 0 ? "" : text };
}

/** What failed with the same error in the same steps. */
export function failureKey({ nodes, error }: ThreadFailure): string {
  return JSON.stringify([[...nodes].toSorted(), normalisedError(error)]);
}

/** Things with the same key together, the largest group first. */
export function groupedBy<T>(things: readonly T[], keyOf: (thing: T) => string): readonly (readonly T[])[] {
  return [...Map.groupBy(things, keyOf).values()].toSorted((one, other) => other.length - one.length);
}

/** Longer ones are compared by their beginning. */
const longest = 2000;

/** What of an error is told apart each time: the longer kinds first, since they hold the shorter ones. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/[a-z][a-z\d+.-]*:\/\/[^\s"'`<>)\]]+/gi, "<address>"],
  [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, "<address>"],
  [/"(\\.|[^"\\])*"|“[^”]*”|`[^`]*`|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu, "<text>"],
  [/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/gi, "<id>"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g, "<time>"],
  [/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, "<address>"],
  [/\b0x[\da-f]+\b/gi, "<id>"],
  // A name with digits in it is an id: order_4711, req-8f3a.
  [/\b(?=[\w-]*\d)(?=[\w-]*[a-z_-])[\w-]{6,}\b/gi, "<id>"],
  [/\d+([.,:]\d+)*/g, "<number>"],
];

/** An error without its numbers, ids, times, addresses and quoted texts: the same for what failed for the same reason. */
export function normalisedError(error: string): string {
  const start = error.slice(0, longest);
  return varying
    .reduce((text, [pattern, name]) => text.replace(pattern, name), start)
    .replace(/\s+/g, " ")
    .trim();
}

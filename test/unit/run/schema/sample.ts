/**
 * JSON Schemas of all kinds, in the spellings of the libraries that make them: which keywords there are is a fact of
 * the drafts 4, 7, 2019-09 and 2020-12.
 */

import type { Json, JsonObject } from "../../../../src/run/panel/messages.ts";

/** A schema, and what is to come of it. */
export interface Sample {
  readonly name: string;
  readonly schema: Json;
  /** Each field of the form, as `name: kind`, with "?" where it may be null; one word for a value that is no object. */
  readonly form: string;
  readonly start: Json | undefined;
  readonly takes: readonly Json[];
  /** Values that are refused, with what is said of each. */
  readonly refuses: readonly (readonly [value: Json, ...lines: readonly string[]])[];
  /** What is offered in an empty object. */
  readonly offers?: string;
  /** Undefined where that is left open; false unless said otherwise. */
  readonly messages?: boolean | undefined;
}

/** Text of any length. */
export const text = { type: "string" } as const;

/** An object of one property, which is required. */
export function one(name: string, schema: Json): JsonObject {
  return { type: "object", properties: { [name]: schema }, required: [name] };
}

/** A value of a Parquet file as text; credentials in it are masked, as in a transcript. */

import { redact } from "../run/json/redact.ts";
import type { Cell, CellKind, Column } from "./messages.ts";

/** What a cell of the table shows at most, in characters. */
const PREVIEW = 300;

/** The beginning of a value, on one line when it is a preview; `length` counts all characters of it. */
export function cellOf(
  value: unknown,
  column: TimeColumn,
  limit = PREVIEW,
): { readonly cell: Cell; readonly length: number } {
  const { kind, text } = whole(value, column);
  // More than is shown is looked at, so that a credential at the cut is seen whole.
  const masked = kind === "text" || kind === "json" ? redact(text.slice(0, 4 * limit)) : text;
  const cut = text.length > 4 * limit || masked.length > limit;
  const shown = masked.slice(0, limit);
  const line = limit === PREVIEW ? shown.replace(/[\r\n\t]+/g, " ") : shown;
  return { cell: cut ? { kind, text: line, cut } : { kind, text: line }, length: text.length };
}

/** A column, and whether its times are in UTC. */
export interface TimeColumn extends Column {
  readonly utc: boolean;
}

function whole(
  value: unknown,
  { kind, utc }: TimeColumn,
): { readonly kind: CellKind; readonly text: string } {
  if (value === null || value === undefined) return { kind: "null", text: "" };
  switch (typeof value) {
    case "string":
      if (kind === "time") return { kind, text: utc ? `${value}Z` : value };
      return { kind: looksLikeJson(value) ? "json" : "text", text: value };
    case "number":
    case "bigint":
      return { kind: "number", text: String(value) };
    case "boolean":
      return { kind: "boolean", text: String(value) };
    default:
      if (value instanceof Uint8Array) return { kind: "binary", text: hex(value) };
      return { kind: "json", text: JSON.stringify(value, plain) };
  }
}

/** Only the ends are looked at: reading every text as JSON would cost more than drawing it. */
function looksLikeJson(text: string): boolean {
  const first = text.charAt(0);
  const last = text.charAt(text.length - 1);
  return (first === "{" && last === "}") || (first === "[" && last === "]");
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  return value instanceof Uint8Array ? hex(value) : value;
}

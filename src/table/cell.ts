/** A value of a Parquet file as a cell; credentials in it are masked, as in a transcript. */

import { redact } from "../run/json/redact.ts";
import type { Shown } from "./format.ts";
import type { Cell } from "./messages.ts";

/** What a cell of the table shows at most, in characters. */
const preview = 300;

/** More than is shown is looked at, so that a credential at the cut is seen whole. */
export function looked(limit: number): number {
  return 4 * limit;
}

/** The beginning of a value on one line. */
export function previewOf(show: (most: number) => Shown | undefined): Cell {
  const cell = cellOf(show, preview);
  return { ...cell, text: cell.text.replace(/[\r\n\t]+/g, " ") };
}

/** A value up to `limit` characters. */
export function cellOf(show: (most: number) => Shown | undefined, limit: number): Cell {
  const shown = show(looked(limit));
  if (shown === undefined) return { kind: "null", text: "" };
  const { kind, text } = shown;
  const seen = text.slice(0, looked(limit));
  const masked = kind === "text" || kind === "json" ? redact(seen) : seen;
  const cut = text.length > looked(limit) || masked.length > limit || shown.length() > looked(limit);
  return cut ? { kind, text: masked.slice(0, limit), cut } : { kind, text: masked };
}

/** A range of a table's cells as text for other programs. */

import type { Cell, CopyForm } from "./messages.ts";
import { survivesJson } from "./numberText.ts";

/** A column's name and its cells, whole. */
export interface CopiedColumn {
  readonly name: string;
  readonly cells: readonly Cell[];
}

/** The cells as text; a null is an empty field, and in JSON null. */
export function copiedText(columns: readonly CopiedColumn[], rows: number, form: CopyForm): string {
  const indexes = Array.from({ length: rows }, (_, row) => row);
  if (form === "json") return `[\n${indexes.map((row) => objectOf(columns, row)).join(",\n")}\n]`;
  const [separator, end] = form === "csv" ? [",", "\r\n"] : ["\t", "\n"];
  const lines = indexes.map((row) => columns.map(({ cells }) => field(cells[row]?.text ?? "", separator)));
  const head = form === "csv" ? [columns.map(({ name }) => field(name, separator))] : [];
  return [...head, ...lines].map((fields) => fields.join(separator)).join(end);
}

/** How many texts a spreadsheet would take for formulas. They are copied as they are: what was changed would be wrong. */
export function formulas(columns: readonly CopiedColumn[]): number {
  const isFormula = ({ kind, text }: Cell): boolean => kind !== "number" && /^[=+@-]/.test(text);
  return columns.reduce((sum, { cells }) => sum + cells.filter(isFormula).length, 0);
}

/** Quoted as spreadsheets read and write it (RFC 4180). */
function field(text: string, separator: string): string {
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function objectOf(columns: readonly CopiedColumn[], row: number): string {
  const members = columns.map(({ name, cells }) => `${JSON.stringify(name)}: ${valueOf(cells[row])}`);
  return `  { ${members.join(", ")} }`;
}

/** A number that a reader of JSON would change stays a text. */
function valueOf(cell: Cell | undefined): string {
  if (cell === undefined || cell.kind === "null") return "null";
  const { kind, text } = cell;
  const isItself = kind === "boolean" || (kind === "number" && survivesJson(text)) || isJson(cell);
  return isItself ? text : JSON.stringify(text);
}

function isJson({ kind, text }: Cell): boolean {
  if (kind !== "json") return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

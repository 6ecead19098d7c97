/** JSON for reading before it is approved: each field by its name, text with its line breaks. */

import type { Json } from "../../api/agentServer/wire.ts";
import { parseJson } from "./json.ts";

const deepest = 3;
const mostFields = 40;
const longestLine = 100;

/** A field of an object. */
export type Field = readonly [name: string, value: Json];

/** The fields of an object that is not too large for a list; undefined for any other value. */
export function fieldsOf(value: Json, depth = 0): readonly Field[] | undefined {
  if (depth >= deepest || typeof value !== "object" || value === null || Array.isArray(value))
    return undefined;
  const fields = Object.entries(value).flatMap(([name, field]) =>
    field === undefined ? [] : [[name, field] as const],
  );
  return fields.length === 0 || fields.length > mostFields ? undefined : fields;
}

/** Whether it is read on one line. */
export function isLine(value: Json): boolean {
  if (typeof value === "string") return value.length <= longestLine && !/[\n\r]/.test(value);
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

/** A text that could be taken for another value, or begins or ends with space, keeps its quotes. */
export function lineOf(value: Json): string {
  const isPlain =
    typeof value === "string" && value !== "" && value === value.trim() && parseJson(value) === undefined;
  return isPlain ? value : JSON.stringify(value);
}

/** The same as plain text: "to: team@example.com", with what is longer than a line below its name. */
export function fieldsText(value: Json, depth = 0): string {
  const fields = fieldsOf(value, depth);
  if (fields !== undefined)
    return fields
      .map(([name, field]) =>
        isLine(field) ? `${name}: ${lineOf(field)}` : `${name}:\n${indented(fieldsText(field, depth + 1))}`,
      )
      .join("\n");
  if (isLine(value)) return lineOf(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ");
}

/** Values that each have a type of their own (VARIANT), as JSON text; the library knows how they are packed. */

import type { ParquetParsers } from "hyparquet";
import { decodeVariantColumn } from "hyparquet/src/variant.js";
import { escaped, spelled, uuidText } from "./bytesText.ts";
import { formatOf } from "./format.ts";
import { survivesJson } from "./numberText.ts";
import { below, isThere, type Part, split } from "./parts.ts";
import type { SchemaNode } from "./schemaNode.ts";
import { dateText, timestampText } from "./timeText.ts";

/** Whether a group of columns is one value of any type. */
export function isVariant({ element }: SchemaNode): boolean {
  return element.logical_type?.type === "VARIANT";
}

/** The value as JSON text. */
export function variantText(node: SchemaNode, parts: readonly Part[]): string {
  const value = decodeVariantColumn(plainContent(node, parts), parsers) as unknown;
  return JSON.stringify(value ?? null, asJson);
}

/** What the library takes: objects, arrays, and bytes where a value is packed. */
function plainContent(node: SchemaNode, parts: readonly Part[]): unknown {
  const [child] = node.children;
  if (child === undefined) return leafValue(node, parts);
  if (child.repeated && node.element.converted_type === "LIST") {
    const [item = child] = child.children;
    const items = isThere(child, parts) ? split(parts, child.repetition) : [];
    return items.map((its) => plainValue(item, its));
  }
  return Object.fromEntries(below(node, parts).map(([field, its]) => [field.name, plainValue(field, its)]));
}

function plainValue(node: SchemaNode, parts: readonly Part[]): unknown {
  return isThere(node, parts) ? plainContent(node, parts) : null;
}

function leafValue(node: SchemaNode, [part]: readonly Part[]): unknown {
  const value = part?.entries.values[part.from] ?? null;
  if (value === null || typeof value === "boolean") return value;
  const { type, show } = formatOf(node.element);
  if (type === "bytes") return value;
  const { kind, text } = show(value, Infinity);
  return kind === "number" && survivesJson(text) ? Number(text) : text;
}

const bytesText = (bytes: Uint8Array): string =>
  spelled(bytes, Infinity).text ?? escaped(bytes, Infinity).text;

const parsers: ParquetParsers = {
  timestampFromMilliseconds: (value) => timestampText(value, "MILLIS", false),
  timestampFromMicroseconds: (value) => timestampText(value, "MICROS", false),
  timestampFromNanoseconds: (value) => timestampText(value, "NANOS", false),
  dateFromDays: dateText,
  stringFromBytes: bytesText,
  jsonFromBytes: bytesText,
  geometryFromBytes: bytesText,
  geographyFromBytes: bytesText,
  uuidFromBytes: uuidText,
};

function asJson(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? bytesText(value) : value;
}

/**
 * Rows of lists, maps and structs, as JSON text with every digit that the file has.
 *
 * Source: apache/parquet-format, LogicalTypes.md, "Nested Types".
 */

import type { Entries } from "./columnChunk.ts";
import { type Format, formatOf } from "./format.ts";
import { survivesJson } from "./numberText.ts";
import { below, isThere, type Part, split } from "./parts.ts";
import { leavesOf, type SchemaNode } from "./schemaNode.ts";
import { isVariant, variantText } from "./variant.ts";

/** Each row of a column that has others below it; undefined where it is null. The entries are those of its leaves. */
export function nestedRows(node: SchemaNode, leaves: readonly Entries[]): readonly (string | undefined)[] {
  const formats = new Map(leavesOf(node).map((leaf) => [leaf, formatOf(leaf.element)]));
  const rows = split(
    leaves.map((entries) => ({ entries, from: 0, to: entries.values.length })),
    0,
  );
  return rows.map((parts) => {
    if (node.repeated) return new JsonWriter(formats).value(node, parts);
    return isThere(node, parts) ? new JsonWriter(formats).content(node, parts) : undefined;
  });
}

class JsonWriter {
  readonly #formats: ReadonlyMap<SchemaNode, Format>;

  constructor(formats: ReadonlyMap<SchemaNode, Format>) {
    this.#formats = formats;
  }

  /** A value, a null, or all items of a list. */
  value(node: SchemaNode, parts: readonly Part[]): string {
    if (node.repeated) return `[${this.#items(node, parts, (item) => this.content(node, item))}]`;
    return isThere(node, parts) ? this.content(node, parts) : "null";
  }

  /** A value that is there. */
  content(node: SchemaNode, parts: readonly Part[]): string {
    const [child] = node.children;
    if (child === undefined) return this.#leaf(node, parts);
    if (isVariant(node)) return variantText(node, parts);
    const annotation = node.element.logical_type?.type ?? node.element.converted_type;
    if (child.repeated && node.children.length === 1) {
      if (annotation === "LIST") return this.#list(node, child, parts);
      if (annotation === "MAP" && child.children.length === 2) return this.#map(child, parts);
    }
    const fields = below(node, parts).map(
      ([field, its]) => `${JSON.stringify(field.name)}:${this.value(field, its)}`,
    );
    return `{${fields.join(",")}}`;
  }

  /** The repeated group has the item in it, but in files of old writers it is the item. */
  #list(node: SchemaNode, repeated: SchemaNode, parts: readonly Part[]): string {
    const [item] = repeated.children;
    const isItem =
      item === undefined ||
      repeated.children.length > 1 ||
      repeated.name === "array" ||
      repeated.name === `${node.name}_tuple`;
    if (isItem) return this.value(repeated, parts);
    return `[${this.#items(repeated, parts, (its) => this.value(item, its))}]`;
  }

  #map(repeated: SchemaNode, parts: readonly Part[]): string {
    const entries = this.#items(repeated, parts, (its) => {
      const [key = "", value = ""] = below(repeated, its).map(([node, of]) => this.value(node, of));
      return `${key.startsWith('"') ? key : JSON.stringify(key)}:${value}`;
    });
    return `{${entries}}`;
  }

  /** In files of DuckDB a list of fixed size that is null has an item of a lower level, which is skipped. */
  #items(repeated: SchemaNode, parts: readonly Part[], write: (item: readonly Part[]) => string): string {
    return isThere(repeated, parts) ? split(parts, repeated.repetition).map(write).join(",") : "";
  }

  #leaf(node: SchemaNode, [part]: readonly Part[]): string {
    const value = part?.entries.values[part.from] ?? null;
    const format = this.#formats.get(node);
    if (value === null || format === undefined) return "null";
    const { kind, text } = format.show(value, Infinity);
    if (kind === "boolean" || (kind === "number" && survivesJson(text))) return text;
    return JSON.stringify(text);
  }
}

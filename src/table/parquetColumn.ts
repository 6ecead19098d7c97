/** A top-level column of a Parquet file: what it holds, and its rows as cells. */

import type { RowGroup, SchemaElement } from "hyparquet";
import { type OpenFile, readRows } from "./columnChunk.ts";
import { type Format, formatOf, type Shown } from "./format.ts";
import type { Column } from "./messages.ts";
import { nestedRows } from "./nested.ts";
import { leavesOf, type TopColumn } from "./schemaNode.ts";

/** A row's value. */
export interface RowValue {
  /** Of a long one only the first `most` characters are made. Undefined is null. */
  readonly show: (most: number) => Shown | undefined;
  /** What it is ordered by; one that has no number is ordered by its text. */
  readonly number: () => number | bigint | undefined;
}

/** One column; those with others below them are shown as JSON. */
export class ParquetColumn {
  readonly facts: Omit<Column, "bytes">;
  readonly #column: TopColumn;
  readonly #format: Format | undefined;

  constructor(column: TopColumn) {
    const { element, children, name, repeated } = column.node;
    this.#column = column;
    if (children.length === 0 && !repeated) {
      this.#format = formatOf(element);
      this.facts = { name, kind: this.#format.kind, type: this.#format.type };
    } else {
      this.facts = { name, kind: "json", type: repeated ? "list" : groupType(element) };
    }
  }

  /** The rows of a row group from `rowStart` up to `rowEnd`, counted in it. */
  async rows(
    file: OpenFile,
    group: RowGroup,
    rowStart: number,
    rowEnd: number,
  ): Promise<readonly RowValue[]> {
    const { node, firstLeaf } = this.#column;
    const entries = [];
    // One after the other, so that only one page at a time is unpacked.
    for (const [index, leaf] of leavesOf(node).entries()) {
      const chunk = group.columns[firstLeaf + index];
      entries.push(await readRows(file, chunk, leaf, { rowStart, rowEnd }));
    }
    const format = this.#format;
    if (format === undefined) {
      return nestedRows(node, entries).map((text) => ({
        show: () => (text === undefined ? undefined : { kind: "json", text, length: () => text.length }),
        number: () => undefined,
      }));
    }
    return (entries[0]?.values ?? []).map((value) => ({
      show: (most) => (value === null ? undefined : format.show(value, most)),
      number: () => (value === null ? undefined : format.number?.(value)),
    }));
  }

  /** The bytes of all rows of a row group: as they are stored, and unpacked. */
  bytesIn(group: RowGroup): { readonly packed: number; readonly unpacked: number } {
    const { node, firstLeaf } = this.#column;
    const chunks = group.columns.slice(firstLeaf, firstLeaf + node.leaves).map(({ meta_data }) => meta_data);
    const sum = (sizes: readonly (bigint | undefined)[]): number =>
      sizes.reduce((all, size) => all + Math.max(0, Number(size ?? 0)), 0);
    return {
      packed: sum(chunks.map((chunk) => chunk?.total_compressed_size)),
      unpacked: sum(chunks.map((chunk) => chunk?.total_uncompressed_size)),
    };
  }
}

function groupType({ logical_type: logical, converted_type: converted }: SchemaElement): string {
  const annotation = logical?.type ?? converted;
  return annotation === "MAP" || annotation === "LIST" || annotation === "VARIANT"
    ? annotation.toLowerCase()
    : "struct";
}

/** A top-level column of a Parquet file: what it holds, and its rows as cells. */

import type { RowGroup, SchemaElement } from "hyparquet";
import type { ByteSource } from "./bounds.ts";
import { readRows } from "./columnChunk.ts";
import { type Format, formatOf, type Shown } from "./format.ts";
import type { Column } from "./messages.ts";
import { nestedRows } from "./nested.ts";
import type { Decompressors } from "./page.ts";
import { leavesOf, type TopColumn } from "./schemaNode.ts";

/** Where the columns are. */
export interface OpenFile {
  readonly source: ByteSource;
  readonly decompressors: Decompressors;
}

/** A row's value; of a long one only the first `most` characters are made. Undefined is null. */
export type RowValue = (most: number) => Shown | undefined;

/** One column; those with others below them are shown as JSON. */
export class ParquetColumn {
  readonly facts: Column;
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
      entries.push(await readRows(file.source, chunk, leaf, file.decompressors, { rowStart, rowEnd }));
    }
    const format = this.#format;
    if (format === undefined) {
      return nestedRows(node, entries).map(
        (text) => () => (text === undefined ? undefined : { kind: "json", text, length: () => text.length }),
      );
    }
    return (entries[0]?.values ?? []).map(
      (value) => (most) => (value === null ? undefined : format.show(value, most)),
    );
  }
}

function groupType({ logical_type: logical, converted_type: converted }: SchemaElement): string {
  const annotation = logical?.type ?? converted;
  return annotation === "MAP" || annotation === "LIST" || annotation === "VARIANT"
    ? annotation.toLowerCase()
    : "struct";
}

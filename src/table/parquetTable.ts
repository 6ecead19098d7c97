/** A Parquet file as a table: of its bytes only the footer is read, and then what is looked at. */

import { type FileMetaData, parquetMetadataAsync, type ParquetParsers, type RowGroup } from "hyparquet";
import { markGeoColumns } from "hyparquet/src/geoparquet.js";
import { redact } from "../run/json/redact.ts";
import { bounded, boundedSource, type ByteSource, mostColumns } from "./bounds.ts";
import type { OpenFile } from "./columnChunk.ts";
import { KeptPages } from "./keptPages.ts";
import { type CopiedColumn, copiedText, formulas } from "./copied.ts";
import type { Cell, ColumnCells, CopiedRange, CopyForm, TableFacts, WantedRows } from "./messages.ts";
import { ParquetColumn, type RowValue } from "./parquetColumn.ts";
import { ParquetError } from "./parquetError.ts";
import type { Decompressors } from "./page.ts";
import { topColumns } from "./schemaNode.ts";

/** What a cell of the table shows at most, in characters. */
const preview = 300;

/** The characters of all cells that are copied. */
const mostCopied = 16 * 2 ** 20;

/** Who goes through all rows holds so many at once. */
const mostStepRows = 2 ** 17;
const fewestStepRows = 64;
const mostStepBytes = 32 * 2 ** 20;

/** Reads the footer; throws ParquetError when it is none. */
export async function openParquet(
  name: string,
  bytes: ByteSource,
  decompressors: Decompressors,
): Promise<ParquetTable> {
  if (bytes.byteLength < 12) {
    throw new ParquetError("The file is too short for a Parquet file.", "Export or download it again.");
  }
  try {
    const source = boundedSource(bytes);
    const metadata = await parquetMetadataAsync(source, { parsers, geoparquet: false });
    checkSchema(metadata);
    markGeoColumns(metadata.schema, metadata.key_value_metadata);
    return new ParquetTable(name, { source, decompressors, kept: new KeptPages() }, metadata);
  } catch (error) {
    throw new ParquetError(
      `The file can't be read as Parquet: ${messageOf(error)}.`,
      "It may be cut off, encrypted or of another kind: export or download it again.",
      { cause: error },
    );
  }
}

/** The rows of the file that a row group has. */
interface Group {
  readonly group: RowGroup;
  readonly start: number;
  readonly end: number;
}

/** The rows and columns of one file. */
export class ParquetTable {
  readonly facts: TableFacts;
  readonly #file: OpenFile;
  readonly #columns: readonly ParquetColumn[];
  readonly #groups: readonly Group[];

  constructor(name: string, file: OpenFile, metadata: FileMetaData) {
    this.#file = file;
    this.#groups = groupsOf(metadata);
    this.#columns = topColumns(metadata).map((column) => new ParquetColumn(column));
    this.facts = {
      file: name,
      bytes: file.source.byteLength,
      rows: this.#groups.at(-1)?.end ?? 0,
      columns: this.#columns.map((column) => ({ ...column.facts, bytes: this.#bytes(column) })),
      rowGroups: this.#groups.length,
      compression: codecsOf(metadata),
      createdBy: metadata.created_by ?? "",
    };
  }

  /** The beginnings of the cells of a column in the rows that are wanted, or why it can't be read. */
  async column(index: number, wanted: WantedRows): Promise<ColumnCells> {
    try {
      const rows: RowValue[] = [];
      for (const [start, end] of stretches(wanted)) rows.push(...(await this.values(index, start, end)));
      return { column: index, cells: rows.map(previewOf) };
    } catch (error) {
      return { column: index, problem: messageOf(error) };
    }
  }

  /** One value up to `limit` characters, and how many it has; throws ParquetError. */
  async value(
    row: number,
    index: number,
    limit: number,
  ): Promise<{ readonly cell: Cell; readonly length: number }> {
    try {
      const [value = nothing] = await this.values(index, row, row + 1);
      return { cell: cellOf(value, limit), length: value.show(limit)?.length() ?? 0 };
    } catch (error) {
      throw new ParquetError(`The cell can't be read: ${messageOf(error)}.`, "Look at another one.", {
        cause: error,
      });
    }
  }

  /** The whole cells of these columns as text, in the order of `indexes` among the wanted rows; throws ParquetError. */
  async copied(
    columns: readonly number[],
    wanted: WantedRows,
    indexes: readonly number[],
    form: CopyForm,
  ): Promise<CopiedRange> {
    const copied: CopiedColumn[] = [];
    let length = 0;
    for (const index of columns) {
      const values: RowValue[] = [];
      for (const [start, end] of stretches(wanted)) values.push(...(await this.values(index, start, end)));
      const cells = indexes.map((index) => cellOf(values[index] ?? nothing, mostCopied));
      length = cells.reduce((sum, { text }) => sum + text.length, length);
      if (length > mostCopied)
        throw new ParquetError("More than 16 MB are not copied at once.", "Select less.");
      copied.push({ name: this.facts.columns[index]?.name ?? "", cells });
    }
    return { text: copiedText(copied, indexes.length, form), formulas: formulas(copied) };
  }

  /** Where the next step ends of one who goes through all rows of these columns: few enough to be held at once. */
  stepEnd(start: number, columns: readonly number[]): number {
    const its = this.#groups.find(({ end }) => end > start);
    if (its === undefined) return start;
    const unpacked = columns.reduce((sum, index) => {
      return sum + (this.#columns[index]?.bytesIn(its.group).unpacked ?? 0);
    }, 0);
    const perRow = unpacked / (its.end - its.start);
    const rows = Math.floor(Math.min(mostStepRows, mostStepBytes / Math.max(1, perRow)));
    return Math.min(its.end, start + Math.max(fewestStepRows, rows));
  }

  /** The values of a column; a range may lie in several row groups, and each is read by itself. */
  async values(index: number, rowStart: number, rowEnd: number): Promise<readonly RowValue[]> {
    const column = this.#columns[index];
    if (column === undefined) throw new RangeError(`there is no column ${index}`);
    const rows: RowValue[] = [];
    for (const { group, start, end } of this.#groups) {
      if (start >= rowEnd || end <= rowStart) continue;
      const [from, to] = [Math.max(rowStart, start) - start, Math.min(rowEnd, end) - start];
      rows.push(...(await column.rows(this.#file, group, from, to)));
    }
    return rows;
  }

  #bytes(column: ParquetColumn): number {
    return this.#groups.reduce((sum, { group }) => sum + column.bytesIn(group).packed, 0);
  }
}

const nothing: RowValue = { show: () => undefined, number: () => undefined };

/** Rows in a row: `rows` come in the file's order. */
function stretches({
  rowStart,
  rowEnd,
  rows,
}: WantedRows): readonly (readonly [start: number, end: number])[] {
  if (rows === undefined) return [[rowStart, rowEnd]];
  const found: [number, number][] = [];
  for (const row of rows) {
    const last = found.at(-1);
    if (last?.[1] === row) last[1]++;
    else found.push([row, row + 1]);
  }
  return found;
}

/** Of the statistics nothing is shown: they stay as they are. */
const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value) => value,
  timestampFromMicroseconds: (value) => value,
  timestampFromNanoseconds: (value) => value,
  dateFromDays: (days) => days,
  stringFromBytes: (bytes) => bytes,
  uuidFromBytes: (bytes) => bytes,
};

/** Before anything goes through the schema: a negative number of children leads back to where one was. */
function checkSchema({ schema }: FileMetaData): void {
  const columns = bounded("the number of columns", schema.length, mostColumns);
  for (const { num_children: children = 0 } of schema) bounded("the number of columns", children, columns);
}

function groupsOf({ row_groups }: FileMetaData): readonly Group[] {
  let start = 0;
  return row_groups.map((group) => {
    const rows = bounded("the number of rows", group.num_rows, Number.MAX_SAFE_INTEGER);
    const end = bounded("the number of rows", start + rows, Number.MAX_SAFE_INTEGER);
    const its = { group, start, end };
    start = end;
    return its;
  });
}

function codecsOf({ row_groups: groups }: FileMetaData): string {
  const codecs = groups[0]?.columns.map(({ meta_data }) => meta_data?.codec ?? "UNCOMPRESSED") ?? [];
  return [...new Set(codecs)].join(", ");
}

/** The words of the engine for an offset outside of some bytes say nothing to a person. */
function messageOf(error: unknown): string {
  if (error instanceof RangeError) return `the file is damaged, it has a wrong length (${error.message})`;
  return (error instanceof Error ? error.message : String(error)).replace(/^parquet /, "").replace(/\.$/, "");
}

/** More than is shown is looked at, so that a credential at the cut is seen whole. */
function maskedLength(limit: number): number {
  return 4 * limit;
}

/** The beginning of a value on one line. */
function previewOf(value: RowValue): Cell {
  const cell = cellOf(value, preview);
  return { ...cell, text: cell.text.replace(/[\r\n\t]+/g, " ") };
}

/** A value up to `limit` characters; credentials in it are masked, as in a transcript. */
export function cellOf(value: RowValue, limit: number): Cell {
  const shown = value.show(maskedLength(limit));
  if (shown === undefined) return { kind: "null", text: "" };
  const { kind, text } = shown;
  const seen = text.slice(0, maskedLength(limit));
  const masked = kind === "text" || kind === "json" ? redact(seen) : seen;
  const cut =
    text.length > maskedLength(limit) || masked.length > limit || shown.length() > maskedLength(limit);
  return cut ? { kind, text: masked.slice(0, limit), cut } : { kind, text: masked };
}

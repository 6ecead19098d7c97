/** A Parquet file as a table: of its bytes only the footer is read, and then what is looked at. */

import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  type ParquetParsers,
  parquetScan,
  type ParquetScan,
  parquetSchema,
} from "hyparquet";
import { cellOf, type TimeColumn } from "./cell.ts";
import type { Cell, CellRange, ColumnCells, TableFacts } from "./messages.ts";
import { columnOf } from "./parquetColumn.ts";

/** Reads ranges of a file's bytes. */
export type ByteSource = AsyncBuffer;

/** How pages are unpacked, by codec; Snappy is known without. */
export type Decompressors = Compressors;

/** A file that is no Parquet file, or one that can't be read; `remedy` says what to do. */
export class ParquetError extends Error {
  override readonly name = "ParquetError";
  readonly remedy: string;

  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, { cause });
    this.remedy = remedy;
  }
}

/** Reads the footer; throws ParquetError when it is none. */
export async function openParquet(
  name: string,
  source: ByteSource,
  decompressors: Decompressors,
): Promise<ParquetTable> {
  if (source.byteLength < 12) {
    throw new ParquetError("The file is too short for a Parquet file.", "Export or download it again.");
  }
  try {
    const metadata = await parquetMetadataAsync(source, { parsers });
    const scan = await parquetScan({ file: source, metadata, compressors: decompressors, parsers });
    return new ParquetTable(name, source.byteLength, metadata, scan);
  } catch (error) {
    throw new ParquetError(
      `The file can't be read as Parquet: ${messageOf(error)}.`,
      "It may be cut off, encrypted or of another kind: export or download it again.",
      error,
    );
  }
}

/** The rows and columns of one file. */
export class ParquetTable {
  readonly facts: TableFacts;
  readonly #columns: readonly TimeColumn[];
  readonly #scan: ParquetScan;

  constructor(file: string, bytes: number, metadata: FileMetaData, scan: ParquetScan) {
    this.#columns = parquetSchema(metadata).children.map(columnOf);
    this.#scan = scan;
    this.facts = {
      file,
      bytes,
      rows: Number(metadata.num_rows),
      columns: this.#columns.map(({ name, kind, type }) => ({ name, kind, type })),
      rowGroups: metadata.row_groups.length,
      compression: codecsOf(metadata),
      createdBy: metadata.created_by ?? "",
    };
  }

  /** The beginnings of the cells of a range; a column that can't be read does not spoil the others. */
  async read({ rowStart, rowEnd, columns }: CellRange): Promise<readonly ColumnCells[]> {
    return Promise.all(
      columns.map(async (index): Promise<ColumnCells> => {
        try {
          const column = this.#column(index);
          const values = await this.#values(column.name, rowStart, rowEnd);
          return { column: index, cells: values.map((value) => cellOf(value, column).cell) };
        } catch (error) {
          return { column: index, problem: messageOf(error) };
        }
      }),
    );
  }

  /** One value up to `limit` characters; throws ParquetError. */
  async value(
    row: number,
    index: number,
    limit: number,
  ): Promise<{ readonly cell: Cell; readonly length: number }> {
    try {
      const column = this.#column(index);
      const [value] = await this.#values(column.name, row, row + 1);
      return cellOf(value, column, limit);
    } catch (error) {
      throw new ParquetError(`The cell can't be read: ${messageOf(error)}.`, "Look at another one.", error);
    }
  }

  #column(index: number): TimeColumn {
    const column = this.#columns[index];
    if (column === undefined) throw new RangeError(`there is no column ${String(index)}`);
    return column;
  }

  /** A range may lie in several row groups, and each is read by itself. */
  async #values(column: string, rowStart: number, rowEnd: number): Promise<unknown[]> {
    const parts = this.#scan.ranges
      .filter((group) => group.rowStart < rowEnd && group.rowEnd > rowStart)
      .map((group) =>
        this.#scan.readColumn({
          column,
          rowStart: Math.max(rowStart, group.rowStart),
          rowEnd: Math.min(rowEnd, group.rowEnd),
        }),
      );
    return (await Promise.all(parts)).flatMap((values) => Array.from<unknown>(values));
  }
}

/** Times keep every digit that the file has, which a Date would not; JSON stays the text that it is. */
const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value) => instant(value, 3),
  timestampFromMicroseconds: (value) => instant(value, 6),
  timestampFromNanoseconds: (value) => instant(value, 9),
  dateFromDays: (days) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  jsonFromBytes: (bytes) => utf8.decode(bytes),
};

const utf8 = new TextDecoder();

/** ISO 8601 without a zone; a time that no calendar has is shown as its number. */
function instant(value: bigint, digits: 3 | 6 | 9): string {
  const unit = 10n ** BigInt(digits);
  const fraction = ((value % unit) + unit) % unit;
  const date = new Date(Number((value - fraction) / unit) * 1000);
  if (Number.isNaN(date.getTime())) return String(value);
  return `${date.toISOString().slice(0, -5)}.${String(fraction).padStart(digits, "0")}`;
}

function codecsOf({ row_groups: groups }: FileMetaData): string {
  const codecs = groups[0]?.columns.map(({ meta_data }) => meta_data?.codec ?? "UNCOMPRESSED") ?? [];
  return [...new Set(codecs)].join(", ");
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/^parquet /, "").replace(/\.$/, "");
}

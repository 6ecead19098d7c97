/** The rows of one leaf in one row group: of its pages only those are unpacked in which wanted rows are. */

import type { ColumnChunk, PageHeader } from "hyparquet";
import { readOffsetIndex } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { bounded, type ByteSource, mostBytes, mostItems, mostValues } from "./bounds.ts";
import type { HeaderBytes, KeptPages } from "./keptPages.ts";
import { type Decompressors, type Page, readDictionary, readPage, type Stored, type Values } from "./page.ts";
import type { SchemaNode } from "./schemaNode.ts";

/** The values and nulls of a range of rows with their levels, in the file's order. */
export interface Entries {
  /** 0 begins a row. */
  readonly repetition: number[];
  readonly definition: number[];
  readonly values: (Stored | null)[];
}

/** Where the columns are. */
export interface OpenFile {
  readonly source: ByteSource;
  readonly decompressors: Decompressors;
  readonly kept: KeptPages;
}

/** Reads the rows from `rowStart` up to `rowEnd` of the row group. */
export async function readRows(
  { source, decompressors, kept }: OpenFile,
  chunk: ColumnChunk | undefined,
  leaf: SchemaNode,
  { rowStart, rowEnd }: { readonly rowStart: number; readonly rowEnd: number },
): Promise<Entries> {
  const metadata = chunk?.meta_data;
  if (chunk === undefined || metadata === undefined) throw new Error("the column is encrypted or missing");
  if (chunk.file_path !== undefined) throw new Error("the column is in another file");
  if (metadata.path_in_schema.at(-1) !== leaf.name)
    throw new Error("the row group has other columns than the file");
  const offsets = [metadata.data_page_offset, metadata.dictionary_page_offset].flatMap((offset) =>
    offset === undefined || offset === 0n
      ? []
      : [bounded("the offset of a column", offset, source.byteLength)],
  );
  const start = Math.min(...offsets);
  const length = bounded("the length of a column", metadata.total_compressed_size, source.byteLength);
  const pages = new ChunkBytes(source, start, Math.min(source.byteLength, start + length));
  const reading = { leaf, codec: metadata.codec, decompressors };
  const rows = new RowRange(leaf, rowStart, rowEnd);
  const first = await firstPage(source, chunk, rowStart, kept);
  let dictionary: Values | undefined;
  for (let at = start; at < pages.end && !rows.complete;) {
    const { header, length: headerLength } = await kept.headers.of(chunk, at, 1, () => pages.header(at));
    const body = at + headerLength;
    const size = bounded(
      "the length of a page",
      header.compressed_page_size,
      Math.min(mostBytes, pages.end - body),
    );
    if (header.type === "DICTIONARY_PAGE") {
      dictionary = await kept.dictionaries.of(chunk, at, size + header.uncompressed_page_size, async () =>
        readDictionary(await pages.read(body, size), header, reading),
      );
    } else if (header.type === "DATA_PAGE" || header.type === "DATA_PAGE_V2") {
      if (first !== undefined && first.offset > at && rows.seen === 0) {
        // It is told where the wanted rows begin; only a dictionary comes before.
        rows.seen = first.row;
        at = first.offset;
        continue;
      }
      if (!rows.skip(header)) {
        const page = await kept.pages.of(chunk, at, size + header.uncompressed_page_size, async () =>
          readPage(await pages.read(body, size), header, reading, dictionary),
        );
        rows.take(page, header.type === "DATA_PAGE_V2");
      }
    }
    at = body + size;
  }
  rows.finish();
  return rows.entries;
}

/** Where the page with a row begins, by the column's own index; undefined when it has none. */
async function firstPage(
  source: ByteSource,
  chunk: ColumnChunk,
  row: number,
  kept: KeptPages,
): Promise<{ readonly offset: number; readonly row: number } | undefined> {
  const { offset_index_offset: offset, offset_index_length: length } = chunk;
  if (offset === undefined || length === undefined || row === 0) return undefined;
  const start = bounded("the offset of an index", offset, source.byteLength);
  const pages = await kept.locations.of(chunk, start, Math.ceil(length / 8), async () => {
    const bytes = await source.slice(start, start + bounded("the length of an index", length, mostBytes));
    return readOffsetIndex({ view: new DataView(bytes), offset: 0 }).page_locations;
  });
  const page = pages.findLast(({ first_row_index }) => first_row_index <= row);
  if (page === undefined) return undefined;
  return {
    offset: bounded("the offset of a page", page.offset, source.byteLength),
    row: bounded("the first row of a page", page.first_row_index, row),
  };
}

/** Collects the wanted rows from the pages in which they are. */
class RowRange {
  readonly entries: Entries = { repetition: [], definition: [], values: [] };
  /** How many rows have begun. */
  seen = 0;
  readonly #leaf: SchemaNode;
  readonly #start: number;
  readonly #end: number;
  #complete = false;

  constructor(leaf: SchemaNode, start: number, end: number) {
    this.#leaf = leaf;
    this.#start = start;
    this.#end = end;
  }

  /** All wanted rows are there. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Passes over a page whose header tells that no wanted row is in it. */
  skip({ data_page_header: first, data_page_header_v2: second }: PageHeader): boolean {
    const rows = second?.num_rows ?? (this.#leaf.repetition === 0 ? first?.num_values : undefined);
    if (rows === undefined) return false;
    const after = this.seen + bounded("the number of values in a page", rows, mostValues);
    if (after > this.#start) return false;
    this.seen = after;
    return true;
  }

  /** `whole` when no row goes on in the next page. */
  take(page: Page, whole: boolean): void {
    const { repetition, definition } = page;
    const highest = this.#leaf.definition;
    const [from, to] = this.#wanted(page);
    const defined = (index: number): boolean => definition === undefined || definition[index] === highest;
    let before = 0;
    let wanted = 0;
    for (let index = 0; index < to; index++) {
      if (!defined(index)) continue;
      if (index < from) before++;
      else wanted++;
    }
    bounded("the number of values in these rows", this.entries.values.length + to - from, mostItems);
    const value = page.values(wanted === 0 ? 0 : before + wanted);
    for (let index = from; index < to; index++) {
      this.entries.repetition.push(repetition?.[index] ?? 0);
      this.entries.definition.push(definition?.[index] ?? highest);
      this.entries.values.push(defined(index) ? value(before++) : null);
    }
    // A row of lists may go on in the next page, until that begins with a new one.
    this.#complete =
      this.seen > this.#end || (this.seen === this.#end && (whole || repetition === undefined));
  }

  /** Throws when the column ended before the wanted rows did. */
  finish(): void {
    if (this.seen < this.#end)
      throw new Error(`the column ends after ${this.seen.toLocaleString("en")} rows`);
  }

  /** The entries of the page that belong to wanted rows; counts the rows that begin in it. */
  #wanted({ entries, repetition }: Page): readonly [from: number, to: number] {
    if (repetition === undefined) {
      const from = Math.max(0, this.#start - this.seen);
      const to = Math.min(entries, this.#end - this.seen);
      this.seen += to;
      return [Math.min(from, to), to];
    }
    let from = entries;
    let index = 0;
    for (; index < entries; index++) {
      if (repetition[index] === 0) this.seen++;
      if (this.seen > this.#end) break;
      if (this.seen === 0) throw new Error("a column begins inside a row");
      if (this.seen > this.#start && from === entries) from = index;
    }
    return [Math.min(from, index), index];
  }
}

/** The bytes of one column of a row group, read a little ahead, so that small pages come together. */
class ChunkBytes {
  readonly end: number;
  readonly #source: ByteSource;
  #start: number;
  #bytes = new Uint8Array();

  constructor(source: ByteSource, start: number, end: number) {
    this.#source = source;
    this.#start = start;
    this.end = end;
  }

  async read(start: number, length: number, ahead = length): Promise<Uint8Array> {
    const end = this.#start + this.#bytes.length;
    if (start < this.#start || start + length > end) {
      this.#start = start;
      this.#bytes = new Uint8Array(
        await this.#source.slice(start, Math.min(this.end, start + Math.max(length, ahead))),
      );
    }
    return this.#bytes.subarray(start - this.#start, start - this.#start + length);
  }

  /** A header tells its length only by its end; with long statistics it may be long. */
  async header(start: number): Promise<HeaderBytes> {
    for (let length = 1024; ; length *= 32) {
      const whole = Math.min(length, this.end - start);
      const bytes = await this.read(start, whole, 64 * 1024);
      const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
      try {
        return { header: parquetHeader(reader), length: reader.offset };
      } catch (error) {
        if (whole === this.end - start || whole > 2 ** 24) throw error;
      }
    }
  }
}

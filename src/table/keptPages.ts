/** What was unpacked last of a file's pages: rows from all over a file, as a sorted table shows them, share pages. */

import type { ColumnChunk, OffsetIndex, PageHeader } from "hyparquet";
import type { Page, Values } from "./page.ts";

/** A page's header, and how many bytes it takes. */
export interface HeaderBytes {
  readonly header: PageHeader;
  readonly length: number;
}

/** Parts of a file by their column and their place in it; when there are too many, they are all forgotten. */
class KeptParts<Part> {
  readonly #most: number;
  readonly #parts = new Map<string, Part>();
  readonly #chunks = new WeakMap<ColumnChunk, number>();
  #known = 0;
  #size = 0;

  /** `most` is the sum of all sizes. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The part that is kept, or `read` anew. */
  async of(chunk: ColumnChunk, at: number, size: number, read: () => Promise<Part>): Promise<Part> {
    const number = this.#chunks.get(chunk) ?? this.#known++;
    this.#chunks.set(chunk, number);
    const key = `${String(number)} ${String(at)}`;
    const kept = this.#parts.get(key);
    if (kept !== undefined) return kept;
    const part = await read();
    if (this.#size + size > this.#most) {
      this.#parts.clear();
      this.#size = 0;
    }
    this.#parts.set(key, part);
    this.#size += size;
    return part;
  }
}

const mostPageBytes = 64 * 2 ** 20;
const mostDictionaryBytes = 32 * 2 ** 20;
const mostHeaders = 50_000;
const mostLocations = 500_000;

/** What is kept of one open file. */
export class KeptPages {
  /** Each of size 1. */
  readonly headers = new KeptParts<HeaderBytes>(mostHeaders);
  /** By their number of pages. */
  readonly locations = new KeptParts<OffsetIndex["page_locations"]>(mostLocations);
  /** By their bytes. */
  readonly pages = new KeptParts<Page>(mostPageBytes);
  readonly dictionaries = new KeptParts<Values>(mostDictionaryBytes);
}

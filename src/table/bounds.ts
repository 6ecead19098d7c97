/** How much a file may make us hold at once. What it promises is its own word, and is checked before it is believed. */

import type { AsyncBuffer } from "hyparquet";

/** Reads ranges of a file's bytes. */
export type ByteSource = AsyncBuffer;

/** The bytes of a page, packed or unpacked, of a footer or an index: 192 times the usual page. */
export const mostBytes = 192 * 2 ** 20;

/** The values of a page; writers end a page after 20,000 rows or about 1 MB. */
export const mostValues = 2 ** 24;

/** The values and nulls of all rows of lists that are read at once: more than a whole value ever shows of one. */
export const mostItems = 2 ** 22;

/** The columns of a table with all that is below them. */
export const mostColumns = 100_000;

/** A number that a file gives, as one from 0 up to `most`; throws when it is none. */
export function bounded(what: string, value: unknown, most: number): number {
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0 && number <= most)
    return number;
  const limit = most < Number.MAX_SAFE_INTEGER ? `; at most ${most.toLocaleString("en")} are read` : "";
  throw new Error(`${what} is given as ${typeof number === "number" ? String(number) : "nothing"}${limit}`);
}

/** The same bytes, of which no range outside the file and none longer than `mostBytes` is read. */
export function boundedSource(source: ByteSource): ByteSource {
  const { byteLength } = source;
  return {
    byteLength,
    slice: async (start, end = byteLength) => {
      bounded("an offset in the file", start, byteLength);
      bounded("the length of a part", bounded("an offset in the file", end, byteLength) - start, mostBytes);
      return source.slice(start, end);
    },
  };
}

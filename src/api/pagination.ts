/**
 * Pages as one sequence: the next page is asked for when the items before it were consumed. A list that has no end is
 * given up: a server that is out of order, or means harm, must not be asked for ever.
 */

import { ApiError } from "./errors.ts";

/** What a list may have at most, and how many of its pages may be empty in a row. */
const mostPages = 2000;
const mostItems = 100_000;
const mostEmpty = 3;

/**
 * Pages by offset; the last page is the one that says so. `url` is where the list is. Throws an ApiError "malformed"
 * where there is no end.
 */
export async function* offsetPages<T>(
  url: string,
  page: (offset: number) => Promise<{ readonly items: readonly T[]; readonly hasMore: boolean }>,
): AsyncIterable<T> {
  const bounds = new Bounds(url);
  for (let offset = 0; ;) {
    const { items, hasMore } = await page(offset);
    yield* items;
    if (!hasMore || items.length === 0) return;
    bounds.count(items.length);
    offset += items.length;
  }
}

/**
 * Pages by opaque cursor, `next_cursor` null or absent on the last (docs/interface.md, "Agents page"). It ends with a
 * cursor that was there before: all that can be reached was read. `url` is where the list is. Throws an ApiError
 * "malformed" where there is no end.
 */
export async function* cursorPages<T>(
  url: string,
  page: (
    cursor: string | undefined,
  ) => Promise<{ readonly items: readonly T[]; readonly next_cursor?: string | null }>,
): AsyncIterable<T> {
  const bounds = new Bounds(url);
  const seen = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const { items, next_cursor } = await page(cursor);
    yield* items;
    if (next_cursor === null || next_cursor === undefined || seen.has(next_cursor)) return;
    bounds.count(items.length);
    seen.add(next_cursor);
    cursor = next_cursor;
  }
}

/**
 * Pages before the last item so far, which is named by its key. Ends with a page that has no new items, as a server
 * gives that ignores `before`, too.
 */
export async function* beforePages<T>(
  page: (before: string | undefined) => Promise<readonly T[]>,
  keyOf: (item: T) => string | undefined,
): AsyncIterable<T> {
  const seen = new Set<string | undefined>();
  for (let before: string | undefined; ;) {
    const items = (await page(before)).filter((item) => !seen.has(keyOf(item)));
    for (const item of items) seen.add(keyOf(item));
    yield* items;
    before = items.map(keyOf).at(-1);
    if (before === undefined || seen.size > mostItems) return;
  }
}

/** Counts what a list has while it goes on. */
class Bounds {
  readonly #url: string;
  #pages = 0;
  #items = 0;
  #empty = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws when there is too much. */
  count(items: number): void {
    this.#pages += 1;
    this.#items += items;
    this.#empty = items === 0 ? this.#empty + 1 : 0;
    if (this.#empty >= mostEmpty) throw this.#endless(`${mostEmpty} pages in a row have nothing`);
    if (this.#items > mostItems) throw this.#endless(`it has more than ${mostItems} entries`);
    if (this.#pages >= mostPages) throw this.#endless(`it has more than ${mostPages} pages`);
  }

  #endless(why: string): ApiError {
    return new ApiError("malformed", {
      method: "GET",
      url: this.#url,
      detail: `the list has no end: ${why}`,
    });
  }
}

/** Pages as one sequence: the next page is asked for when the items before it were consumed. */

/** Pages by offset; the last page is the one that says so. */
export async function* offsetPages<T>(
  page: (offset: number) => Promise<{ readonly items: readonly T[]; readonly hasMore: boolean }>,
): AsyncIterable<T> {
  for (let offset = 0; ;) {
    const { items, hasMore } = await page(offset);
    yield* items;
    if (!hasMore || items.length === 0) return;
    offset += items.length;
  }
}

/** Pages by opaque cursor, `next_cursor` null or absent on the last (spec "Agents page"). */
export async function* cursorPages<T>(
  page: (
    cursor: string | undefined,
  ) => Promise<{ readonly items: readonly T[]; readonly next_cursor?: string | null }>,
): AsyncIterable<T> {
  let cursor: string | undefined;
  do {
    const { items, next_cursor } = await page(cursor);
    yield* items;
    if (next_cursor === cursor) return;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

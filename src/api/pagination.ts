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

/** Pages by opaque cursor, `next_cursor` null or absent on the last (docs/interface.md, "Agents page"). */
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

/**
 * Pages that go on before the last item so far, named by its key. They end with a page that has nothing new, which is
 * also what a server gives that ignores where to go on.
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
    if (before === undefined) return;
  }
}

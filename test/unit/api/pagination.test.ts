import assert from "node:assert/strict";
import { beforePages, cursorPages, offsetPages } from "../../../src/api/pagination.ts";
import { all } from "../../support/all.ts";

const url = "https://agents.example.com/list";

describe("pages", () => {
  it("follow cursors until there is none", async () => {
    const pages: Record<string, { items: number[]; next_cursor: string | null }> = {
      first: { items: [1, 2], next_cursor: "b" },
      b: { items: [], next_cursor: "c" },
      c: { items: [3], next_cursor: null },
    };
    const asked: string[] = [];
    const numbers = cursorPages(url, (cursor = "first") => {
      asked.push(cursor);
      return Promise.resolve(pages[cursor]!);
    });
    assert.deepEqual(await all(numbers), [1, 2, 3]);
    assert.deepEqual(asked, ["first", "b", "c"]);
  });

  it("go on before the last item, and read no further than somebody goes", async () => {
    const asked: (string | undefined)[] = [];
    const pages: Record<string, string[]> = { c: ["b", "a"], a: [] };
    const letters = () =>
      beforePages(
        (before) => {
          asked.push(before);
          return Promise.resolve(before === undefined ? ["d", "c"] : pages[before]!);
        },
        (letter) => letter,
      );
    assert.deepEqual(await all(letters()), ["d", "c", "b", "a"]);
    assert.deepEqual(asked.splice(0), [undefined, "c", "a"]);
    for await (const letter of letters()) if (letter === "c") break;
    assert.deepEqual(asked, [undefined]);
  });

  it("end when a server ignores where to go on, or an item has no key to go on before", async () => {
    const same = beforePages(
      () => Promise.resolve(["b", "a"]),
      (letter) => letter,
    );
    assert.deepEqual(await all(same), ["b", "a"]);
    const keyless = beforePages(
      () => Promise.resolve(["b", "a"]),
      () => undefined,
    );
    assert.deepEqual(await all(keyless), ["b", "a"]);
  });

  it("end when a server repeats its cursor or sends no items for an offset", async () => {
    const same = cursorPages(url, () => Promise.resolve({ items: [1], next_cursor: "same" }));
    assert.deepEqual(await all(same), [1, 1]);
    const empty = offsetPages(url, () => Promise.resolve({ items: [], hasMore: true }));
    assert.deepEqual(await all(empty), []);
  });

  it("count offsets by the items that came", async () => {
    const offsets: number[] = [];
    const numbers = offsetPages(url, (offset) => {
      offsets.push(offset);
      return Promise.resolve({
        items: [offset, offset + 1, offset + 2].filter((n) => n < 7),
        hasMore: offset < 6,
      });
    });
    assert.deepEqual(await all(numbers), [0, 1, 2, 3, 4, 5, 6]);
    assert.deepEqual(offsets, [0, 3, 6]);
  });

  const endless = (why: string) => ({ kind: "malformed", detail: `the list has no end: ${why}` });
  /** Lists of so many pages, each of so many items; the last of them says that it is. */
  const lists = (pages: number, size: number): Readonly<Record<string, () => AsyncIterable<number>>> => {
    const items = Array<number>(size).fill(1);
    let read = 0;
    return {
      offsets: () => offsetPages(url, () => Promise.resolve({ items, hasMore: ++read < pages })),
      cursors: () =>
        cursorPages(url, () => Promise.resolve({ items, next_cursor: ++read < pages ? `c${read}` : null })),
    };
  };
  const count = async (items: AsyncIterable<number>): Promise<number> => {
    let counted = 0;
    for await (const item of items) counted += item;
    return counted;
  };

  for (const kind of ["offsets", "cursors"]) {
    const listOf = (pages: number, size: number): AsyncIterable<number> =>
      lists(pages, size)[kind]?.() ?? assert.fail();

    it(`by ${kind} are two thousand at most`, async () => {
      assert.equal(await count(listOf(2000, 1)), 2000);
      await assert.rejects(count(listOf(2001, 1)), endless("it has more than 2000 pages"));
    });

    it(`by ${kind} have a hundred thousand items at most before the last one`, async () => {
      assert.equal(await count(listOf(11, 10_000)), 110_000);
      await assert.rejects(count(listOf(12, 10_000)), endless("it has more than 100000 entries"));
    });
  }

  it("may be empty twice in a row, and not three times", async () => {
    const sizes = (...pages: readonly number[]): AsyncIterable<number> => {
      let read = 0;
      return cursorPages(url, () => {
        const items = Array<number>(pages[read] ?? 0).fill(1);
        return Promise.resolve({ items, next_cursor: ++read < pages.length ? `c${read}` : null });
      });
    };
    assert.equal(await count(sizes(1, 0, 0, 1, 0, 0, 1)), 3);
    await assert.rejects(count(sizes(1, 0, 0, 0, 1)), endless("3 pages in a row have nothing"));
  });

  it("that go on before the last item end where there is no end", async () => {
    let next = 0;
    const pages = beforePages(
      () => Promise.resolve(Array.from({ length: 10_000 }, () => `${next++}`)),
      (key) => key,
    );
    let read = 0;
    for await (const key of pages) read += Number(key !== "");
    assert.equal(read, 110_000);
  });
});

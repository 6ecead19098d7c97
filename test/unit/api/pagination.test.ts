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
});

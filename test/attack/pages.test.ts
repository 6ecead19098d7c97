import { ok } from "node:assert/strict";
import { beforePages, cursorPages, offsetPages } from "../../src/api/pagination.ts";
import { ApiError } from "../../src/api/errors.ts";
import { LogTail } from "../../src/editor/deployments/logs/logTail.ts";
import { all } from "../support/all.ts";

const url = "https://agents.example.com/list";
const items = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${index}`);

/** Lists without an end, and how many requests one may make; `page` counts them. */
const lists: Readonly<
  Record<string, readonly [most: number, list: (page: () => number) => AsyncIterable<unknown>]>
> = {
  "empty pages with ever new cursors": [
    4,
    (page) => cursorPages(url, () => Promise.resolve({ items: [], next_cursor: `c${page()}` })),
  ],
  "two cursors in turn": [
    4,
    (page) => cursorPages(url, () => Promise.resolve({ items: ["a"], next_cursor: `c${page() % 2}` })),
  ],
  "full pages with ever new cursors": [
    2001,
    (page) => cursorPages(url, () => Promise.resolve({ items: items(100), next_cursor: `c${page()}` })),
  ],
  "one item a page, with ever new cursors": [
    2001,
    (page) => cursorPages(url, () => Promise.resolve({ items: ["a"], next_cursor: `c${page()}` })),
  ],
  "every second page empty": [
    2001,
    (page) =>
      cursorPages(url, () => {
        const number = page();
        return Promise.resolve({ items: items(number % 2), next_cursor: `c${number}` });
      }),
  ],
  "offsets that go on for ever": [
    2001,
    (page) => offsetPages(url, () => Promise.resolve({ items: items(Math.min(page(), 10)), hasMore: true })),
  ],
  "ever new items before the last one": [
    10_001,
    (page) =>
      beforePages(
        () => {
          const number = page();
          return Promise.resolve(items(10).map((item) => `${number} ${item}`));
        },
        (item) => item,
      ),
  ],
  "a log whose pages lead to themselves": [3, (page) => log(() => (page(), "again"))],
  "a log that never ends": [501, (page) => log(() => String(page()))],
};

describe("A list without an end", () => {
  for (const [name, [most, list]] of Object.entries(lists)) {
    it(`is given up: ${name}`, async () => {
      let pages = 0;
      const count = (): number => {
        if (pages > 3 * most) throw new Error("nobody stops it");
        return (pages += 1);
      };
      await all(list(count)).catch((error: unknown) => {
        ok(error instanceof ApiError && error.kind === "malformed", String(error));
      });
      ok(pages <= most, `${pages} requests`);
    });
  }
});

async function* log(nextOffset: () => string): AsyncIterable<unknown> {
  const page = () =>
    Promise.resolve({ logs: [{ id: "1", message: "m", timestamp: 1 }], next_offset: nextOffset() });
  const tail = new LogTail(page, 1000);
  const { signal } = new AbortController();
  yield await tail.fetch(signal);
}

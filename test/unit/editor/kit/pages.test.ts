import { strict as assert } from "node:assert";
import { Pages } from "../../../../src/editor/kit/fetching/pages.ts";

describe("a list that is read page by page", () => {
  const signal = new AbortController().signal;
  const item = (id: string) => ({ id });
  let all: { id: string }[] = [];
  let asked: (string | undefined)[] = [];

  const pages = () =>
    new Pages((cursor) => {
      asked.push(cursor);
      const from = Number(cursor ?? 0);
      const next = from + 2 < all.length ? String(from + 2) : null;
      return Promise.resolve({ items: all.slice(from, from + 2), next_cursor: next });
    });
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id).join("");

  beforeEach(() => {
    all = ["a", "b", "c", "d", "e"].map(item);
    asked = [];
  });

  it("starts with one page, and adds the next only when that is wanted", async () => {
    const list = pages();
    assert.equal(ids(await list.load(signal)), "ab");
    assert.ok(list.hasMore);
    list.wantMore();
    assert.equal(ids(await list.load(signal)), "abcd");
    assert.deepEqual(asked, [undefined, "2"]);
  });

  it("reads again as much as was read, from the start", async () => {
    const list = pages();
    await list.load(signal);
    list.wantMore();
    await list.load(signal);
    all = all.toSpliced(0, 1);
    asked = [];
    assert.equal(ids(await list.load(signal)), "bcde");
    assert.deepEqual(asked, [undefined, "2"]);
    assert.ok(!list.hasMore);
  });

  it("shows once what moved from one page to the next", async () => {
    const list = pages();
    await list.load(signal);
    all = [item("new"), ...all];
    list.wantMore();
    assert.equal(ids(await list.load(signal)), "abc");
  });

  it("keeps the page that is just being added when it is read again meanwhile", async () => {
    const list = pages();
    await list.load(signal);
    list.wantMore();
    const [more, again] = await Promise.all([list.load(signal), list.load(signal)]);
    assert.deepEqual([ids(more), ids(again)], ["abcd", "abcd"]);
  });

  it("has nothing more to want at its end", async () => {
    all = [item("a")];
    const list = pages();
    await list.load(signal);
    list.wantMore();
    assert.equal(ids(await list.load(signal)), "a");
    assert.deepEqual(asked, [undefined, undefined]);
  });
});

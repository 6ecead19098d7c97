import { deepEqual, equal } from "node:assert/strict";
import type { Thread, ThreadSearch } from "../../../../src/api/agentServer/wire.ts";
import { queryOf } from "../../../../src/editor/threads/threadFilter.ts";
import { ServerThreads } from "../../../../src/editor/threads/serverThreads.ts";
import { ThreadList } from "../../../../src/editor/threads/threadList.ts";
import { factsOf } from "../../../../src/editor/threads/threadFacts.ts";

/** Threads in memory that answer as an agent server does, and the questions they were asked. */
class Shelf {
  threads: Thread[] = [];
  readonly asked: string[] = [];
  #clock = Date.parse("2026-01-01T00:00:00Z");

  add(count: number, status = "idle", title = "talk"): void {
    for (let n = 0; n < count; n++) {
      const id = `${String(this.threads.length).padStart(8, "0")}-0000-4000-8000-000000000000`;
      this.threads.push({
        ...this.#stamped(),
        thread_id: id,
        status,
        metadata: { title: `${title} ${String(n)}` },
      });
    }
  }

  change(index: number, change: Partial<Thread>): Thread {
    const changed = { ...this.threads[index]!, ...change, updated_at: this.#stamped().updated_at };
    this.threads[index] = changed;
    return changed;
  }

  search = ({ limit = 10, offset = 0, status, metadata, ids }: ThreadSearch = {}) => {
    this.asked.push(`search ${status ?? "all"} ${String(offset)}+${String(limit)}`);
    const found = this.threads
      .filter((thread) => status === undefined || thread.status === status)
      .filter((thread) => ids === undefined || ids.includes(thread.thread_id))
      .filter((thread) =>
        Object.entries(metadata ?? {}).every(([key, value]) => thread.metadata[key] === value),
      )
      .toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
    return Promise.resolve({
      threads: found.slice(offset, offset + limit),
      hasMore: found.length > offset + limit,
    });
  };

  count = ({ status }: Pick<ThreadSearch, "status" | "metadata"> = {}) => {
    this.asked.push(`count ${status ?? "all"}`);
    return Promise.resolve(
      this.threads.filter((thread) => status === undefined || thread.status === status).length,
    );
  };

  #stamped(): Pick<Thread, "created_at" | "updated_at"> {
    const now = new Date((this.#clock += 1000)).toISOString();
    return { created_at: now, updated_at: now };
  }
}

function threadCalled(title: string): Thread {
  const at = "2026-01-01T00:00:00Z";
  return { thread_id: title, created_at: at, updated_at: at, status: "idle", metadata: { title } };
}

const titles = (list: { readonly rows: readonly { readonly title: string }[] }) =>
  list.rows.map(({ title }) => title);

describe("a list of threads", () => {
  it("loads page by page, newest first, and says how many there are", async () => {
    const shelf = new Shelf();
    shelf.add(25);
    const list = new ThreadList(shelf, {}, 10);
    await list.load();
    deepEqual([list.rows.length, list.total, list.complete, titles(list)[0]], [10, 25, false, "talk 24"]);
    await list.loadMore();
    await list.loadMore();
    deepEqual([list.rows.length, list.total, list.complete, titles(list).at(-1)], [25, 25, true, "talk 0"]);
  });

  it("costs one request when everything fits on a page", async () => {
    const shelf = new Shelf();
    shelf.add(3);
    await new ThreadList(shelf, {}, 10).load();
    deepEqual(shelf.asked, ["search all 0+10"]);
  });

  it("polls only the newest threads and moves what changed to the top", async () => {
    const shelf = new Shelf();
    shelf.add(25);
    const list = new ThreadList(shelf, {}, 10);
    await list.load();
    await list.loadMore();
    shelf.asked.length = 0;
    equal(await list.poll(), false);
    deepEqual(shelf.asked, ["search all 0+10", "count all"]);
    shelf.change(8, { status: "busy" });
    equal(await list.poll(), true);
    deepEqual(
      [list.rows.length, list.rows[0]?.status, titles(list).slice(0, 3)],
      [20, "busy", ["talk 8", "talk 24", "talk 23"]],
    );
    deepEqual(new Set(titles(list)).size, 20);
  });

  it("drops threads that were deleted elsewhere, from the first page and from below it", async () => {
    const shelf = new Shelf();
    shelf.add(12);
    const list = new ThreadList(shelf, {}, 10);
    await list.load();
    await list.loadMore();
    shelf.threads.splice(11, 1);
    await list.poll();
    deepEqual([list.rows.length, list.total, titles(list)[0]], [11, 11, "talk 10"]);
    shelf.threads.splice(0, 1);
    await list.poll();
    deepEqual([list.rows.length, list.total, titles(list).at(-1)], [10, 10, "talk 1"]);
  });

  it("misses no thread where more than a page of them changed between two looks", async () => {
    const shelf = new Shelf();
    shelf.add(100);
    const list = new ThreadList(shelf, {}, 10);
    await list.load();
    shelf.change(95, { status: "error" });
    shelf.add(25, "idle", "new");
    equal(await list.poll(), true);
    deepEqual([list.rows.length, list.total, titles(list)[0]], [10, 125, "new 24"]);
    for (let page = 0; page < 3; page++) await list.loadMore();
    deepEqual([list.rows.length, titles(list)[25]], [40, "talk 95"]);
    equal(list.rows[25]?.status, "error");
    shelf.add(25, "idle", "newer");
    await list.poll();
    deepEqual([list.rows.length, list.total, titles(list)[25]], [40, 150, "new 24"]);
  });

  it("leaves out what does not answer its query any more, also below the first page", async () => {
    const shelf = new Shelf();
    shelf.add(30, "interrupted");
    const list = new ThreadList(shelf, { status: "interrupted" }, 10);
    await list.load();
    await list.loadMore();
    for (const index of [12, 13, 29]) shelf.change(index, { status: "idle" });
    equal(await list.poll(), true);
    deepEqual([list.rows.length, list.total], [20, 27]);
    deepEqual(titles(list).includes("talk 12"), false);
    // One leaves, and one comes: as many as before.
    shelf.change(15, { status: "idle" });
    shelf.add(1, "interrupted", "another");
    equal(await list.poll(), true);
    deepEqual([list.rows.length, list.total, titles(list)[0]], [20, 27, "another 0"]);
    deepEqual(titles(list).includes("talk 15"), false);
  });

  it("shows the first of 100,000 threads at once and holds no more than it shows", async () => {
    const page = Array.from({ length: 51 }, (_, n) => threadCalled(`talk ${String(n)}`));
    const asked: number[] = [];
    const source = {
      search: ({ limit = 10 }: ThreadSearch = {}) => {
        asked.push(limit);
        return Promise.resolve({ threads: page.slice(0, limit), hasMore: true });
      },
      count: () => Promise.resolve(100_000),
    };
    const threads = new ServerThreads(source, { filter: {}, grouped: false, pageSize: 50 });
    await threads.load();
    deepEqual(asked, [50]);
    deepEqual([threads.rows().length, threads.rest()], [50, { shown: 50, total: 100_000 }]);
  });

  it("compares titles while it reads on, and says how much was read", async () => {
    const shelf = new Shelf();
    shelf.add(2, "idle", "weather");
    shelf.add(7000);
    const list = new ThreadList(shelf, queryOf({ text: "WEATHER" }), 10);
    await list.load();
    deepEqual([list.rows.length, list.read, list.total, list.complete], [0, 5000, 7002, false]);
    await list.loadMore();
    deepEqual([titles(list), list.read, list.complete], [["weather 1", "weather 0"], 7002, true]);
  });

  it("asks the server for ids and metadata", () => {
    const id = "0123ABCD-0000-4000-8000-000000000000";
    deepEqual(queryOf({ text: id, status: "busy" }), { status: "busy", ids: [id.toLowerCase()] });
    deepEqual(queryOf({ text: "graph_id=echo" }), { metadata: { graph_id: "echo" } });
    deepEqual(queryOf({ text: "count=3" }), { metadata: { count: 3 } });
    deepEqual(queryOf({ text: 'count="3"' }), { metadata: { count: "3" } });
  });

  it("takes a thread in or out when its status changes", async () => {
    const shelf = new Shelf();
    shelf.add(3, "busy");
    const list = new ThreadList(shelf, { status: "busy" }, 10);
    await list.load();
    list.put(factsOf(shelf.change(1, { status: "idle" })));
    deepEqual([titles(list), list.total], [["talk 2", "talk 0"], 2]);
    list.put(factsOf(shelf.change(1, { status: "busy" })));
    deepEqual([titles(list), list.total], [["talk 1", "talk 2", "talk 0"], 3]);
  });
});

describe("the threads of a server", () => {
  const options = { filter: {}, grouped: true, pageSize: 10 };

  it("groups one page by status without further requests, unknown statuses as they are", async () => {
    const shelf = new Shelf();
    shelf.add(2);
    shelf.add(1, "interrupted");
    shelf.add(1, "dreaming");
    const threads = new ServerThreads(shelf, options);
    await threads.load();
    deepEqual(threads.groups, [
      { status: "interrupted", count: 1 },
      { status: "idle", count: 2 },
      { status: "dreaming", count: 1 },
    ]);
    deepEqual(shelf.asked, ["search all 0+10"]);
    equal(threads.needing, 1);
  });

  it("counts and lists status by status when there is more than a page", async () => {
    const shelf = new Shelf();
    shelf.add(2, "interrupted");
    shelf.add(1, "dreaming");
    shelf.add(30);
    const threads = new ServerThreads(shelf, options);
    await threads.load();
    deepEqual(threads.groups, [
      { status: "interrupted", count: 2 },
      { status: "idle", count: 30 },
      { status: "", count: 1 },
    ]);
    await threads.loadGroup("idle");
    await threads.loadGroup("");
    deepEqual(threads.rest("idle"), { shown: 10, total: 30 });
    deepEqual(
      threads.rows("").map(({ status }) => status),
      ["dreaming"],
    );
    equal(threads.needing, 2);
    threads.put(factsOf(shelf.change(32, { status: "interrupted" })));
    deepEqual(threads.groups.slice(0, 2), [
      { status: "interrupted", count: 3 },
      { status: "idle", count: 29 },
    ]);
  });

  it("shows a thread in the group that it went to alone, from wherever it came", async () => {
    const shelf = new Shelf();
    shelf.add(2, "busy");
    shelf.add(40);
    const threads = new ServerThreads(shelf, options);
    await threads.load();
    for (const group of ["idle", "busy"]) await threads.loadGroup(group);
    await threads.loadMore("idle");
    const { thread_id: id } = shelf.change(25, { status: "busy" });
    await threads.poll();
    const groups = ["idle", "busy"].filter((group) => threads.rows(group).some((row) => row.id === id));
    deepEqual([groups, threads.rows("idle").length], [["busy"], 20]);
  });

  it("keeps what was loaded when it is loaded again", async () => {
    const shelf = new Shelf();
    shelf.add(30);
    const threads = new ServerThreads(shelf, { ...options, grouped: false });
    await threads.load();
    await threads.loadMore();
    await threads.load();
    equal(threads.rows().length, 20);
  });

  it("says how many of all answer the filter", async () => {
    const shelf = new Shelf();
    shelf.add(4);
    shelf.add(2, "interrupted");
    const threads = new ServerThreads(shelf, { ...options, filter: { status: "interrupted" } });
    await threads.load();
    deepEqual([threads.grouped, threads.matching, threads.everything, threads.needing], [false, 2, 6, 2]);
  });
});

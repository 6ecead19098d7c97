import { deepEqual, equal } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import { InboxWorld, waiting } from "./inboxWorld.ts";

describe("A long list of threads that wait", () => {
  const { signal } = new AbortController();
  let world: InboxWorld;
  let threads: InboxWorld["threads"];
  let searched: InboxWorld["searched"];
  let countedOn: InboxWorld["countedOn"];

  beforeEach(() => {
    world = new InboxWorld();
    ({ threads, searched, countedOn } = world);
  });

  afterEach(() => world.inbox.dispose());

  it("is read page by page again only when something of it changed", async () => {
    const long = world.makeInbox({ most: 5000, pageSize: 100 });
    const many = Array.from({ length: 5000 }, (_, at) => waiting(`t${String(at)}`, at));
    const rest = many.slice(1);
    threads.set("one", many);
    await long.load(true);
    deepEqual([long.threads.length, searched.length], [5000, 50]);
    /** How many threads a poll finds, and by how many searches and counts. */
    const polled = async (): Promise<readonly number[]> => {
      const before = [searched.length, countedOn.length] as const;
      await long.poll(signal);
      return [long.threads.length, searched.length - before[0], countedOn.length - before[1]];
    };
    await polled();
    deepEqual(await polled(), [5000, 1, 1], "nothing changed");
    threads.set("one", rest);
    deepEqual(await polled(), [4999, 51, 1], "one was answered");
    deepEqual(await polled(), [4999, 1, 1]);
    threads.set("one", [...rest.slice(1), waiting("t1", 6000)]);
    deepEqual(await polled(), [4999, 51, 1], "one was answered, and asks something else");
    equal(long.threads.at(-1)?.since, new Date(6_000_000).toISOString());
    deepEqual(await polled(), [4999, 1, 1]);
    threads.set("one", [...rest.slice(1), waiting("t1", 6500)]);
    deepEqual(await polled(), [4999, 51, 1], "the newest changed");
    await long.load(true);
    deepEqual(await polled(), [4999, 1, 1]);
    threads.set("one", [waiting("last", 7000)]);
    deepEqual(await polled(), [1, 2, 1], "all but one were answered");
    deepEqual(await polled(), [1, 1, 0], "a short list is one request");
    world.uncounted = new ApiError("notFound", {
      method: "POST",
      url: "http://one/threads/count",
      status: 404,
    });
    threads.set("one", many);
    await polled();
    await polled();
    deepEqual(await polled(), [5000, 51, 2], "a server that does not count is read");
    long.dispose();
  });

  it("is read again when it was asked for, and as far as was wanted when the server was away", async () => {
    const long = world.makeInbox({ most: 200, pageSize: 100 });
    const many = Array.from({ length: 300 }, (_, at) => waiting(`t${String(at)}`, at));
    threads.set("one", many);
    await long.load(true);
    await long.poll(signal);
    const asked = searched.length;
    await long.load(true);
    equal(searched.length - asked, 3);
    threads.set("one", new Error("away"));
    await long.loadMore();
    threads.set("one", many);
    await long.poll(signal);
    equal(long.threads.length, 300);
    long.dispose();
  });
});

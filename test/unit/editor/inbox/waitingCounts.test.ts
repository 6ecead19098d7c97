import { deepEqual, equal } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import { InboxWorld, refOf, waiting } from "./inboxWorld.ts";

describe("How many threads wait", () => {
  const { signal } = new AbortController();
  let world: InboxWorld;
  let threads: InboxWorld["threads"];
  let searched: InboxWorld["searched"];
  let countedOn: InboxWorld["countedOn"];
  let settings: InboxWorld["settings"];
  let waitingThreads: InboxWorld["waitingThreads"];
  let inbox: InboxWorld["inbox"];

  beforeEach(() => {
    world = new InboxWorld();
    ({ threads, searched, countedOn, settings, waitingThreads, inbox } = world);
  });

  afterEach(() => inbox.dispose());

  it("counts what waits on the connections that there are", async () => {
    threads.set("one", [waiting("t", 1)]).set("two", [waiting("u", 1)]);
    await inbox.load(true);
    equal(waitingThreads.count(), 2);
    threads.delete("two");
    world.connectionsChanged();
    waitingThreads.set(refOf("two"), 3, []);
    equal(waitingThreads.count(), 1, "an answer that comes late counts nothing");
    await inbox.load(true);
    equal(waitingThreads.count(), 1);
  });

  it("is looked at for its counts, and not again within a minute", async () => {
    threads.set("one", [waiting("t", 1)]);
    await inbox.countAgain(signal);
    equal(waitingThreads.count(), 1);
    threads.set("one", []);
    await inbox.countAgain(signal);
    equal(waitingThreads.count(), 1);
    deepEqual([countedOn.length, searched.length], [1, 0]);
    world.now += 60_000;
    await inbox.countAgain(signal);
    equal(waitingThreads.count(), 0);
  });

  it("is counted at once when a person entered a key, also where the server had to wait", async () => {
    const slower = { method: "POST", url: "http://one", status: 429, retryAfterMs: 60_000 } as const;
    threads.set("one", new ApiError("rateLimited", slower));
    await inbox.countAgain(signal);
    equal(waitingThreads.count(), 0);
    threads.set("one", [waiting("t", 1)]);
    await inbox.countAgain(signal, true);
    equal(waitingThreads.count(), 1);
  });

  it("is counted anew when nobody saw the end of it", async () => {
    threads.set("one", [waiting("t", 1)]);
    const unseen = new AbortController();
    const counting = inbox.countAgain(unseen.signal);
    unseen.abort();
    await counting;
    equal(waitingThreads.count(), 0);
    await inbox.countAgain(signal);
    equal(waitingThreads.count(), 1);
  });

  it("is listed where a server can't count", async () => {
    const missing = { method: "POST", url: "http://one/threads/count", status: 404 } as const;
    world.uncounted = new ApiError("notFound", missing);
    threads.set("one", [waiting("t", 1), waiting("u", 2)]);
    await inbox.countAgain(signal);
    equal(waitingThreads.count(), 2);
  });

  it("has a thread once that two connections reach, by the one that is protected", async () => {
    const both = [waiting("t", 1), waiting("u", 2)];
    threads.set("one", both).set("two", both);
    settings.set("one", { url: "http://localhost:2024" });
    settings.set("two", { url: "http://127.0.0.1:2024/", protected: "word" });
    await inbox.load(true);
    deepEqual(
      inbox.threads.map(({ ref }) => `${ref.connectionId} ${ref.threadId}`),
      ["two t", "two u"],
    );
    equal(waitingThreads.count(), 2);
    deepEqual([waitingThreads.count("one"), waitingThreads.count("two")], [2, 2]);
    deepEqual(waitingThreads.shares(), [{ connectionId: "one", count: 2 }]);
  });

  it("counts what was answered by one of two connections to the same server for both", async () => {
    threads.set("one", [waiting("t", 1)]).set("two", [waiting("t", 1)]);
    for (const id of ["one", "two"]) settings.set(id, { url: "http://same" });
    await inbox.load(true);
    waitingThreads.update({ ...refOf("one"), threadId: "t" }, false);
    equal(waitingThreads.count(), 0);
    waitingThreads.update({ ...refOf("two"), threadId: "u" }, true);
    deepEqual([waitingThreads.count(), waitingThreads.count("one")], [1, 1]);
  });

  it("is 5,000 threads by one small request, and so many rows as were read", async () => {
    const many = Array.from({ length: 5000 }, (_, at) => waiting(`t${String(at)}`, at));
    threads.set("one", many);
    await inbox.countAgain(signal);
    equal(waitingThreads.count(), 5000);
    await inbox.load(true);
    deepEqual([ids().length, inbox.contents?.rest, waitingThreads.count()], [4, "more", 5000]);
  });

  function ids(): readonly string[] {
    return inbox.threads.map(({ ref }) => ref.threadId);
  }
});

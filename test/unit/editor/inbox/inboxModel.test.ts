import { deepEqual, equal } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import { InboxWorld, refOf, waiting } from "./inboxWorld.ts";

describe("What is known of threads that wait", () => {
  const { signal } = new AbortController();
  let world: InboxWorld;
  let threads: InboxWorld["threads"];
  let titles: InboxWorld["titles"];
  let searched: InboxWorld["searched"];
  let cut: InboxWorld["cut"];
  let hanging: InboxWorld["hanging"];
  let waitingThreads: InboxWorld["waitingThreads"];
  let inbox: InboxWorld["inbox"];

  beforeEach(() => {
    world = new InboxWorld();
    ({ threads, titles, searched, cut, hanging, waitingThreads, inbox } = world);
  });

  afterEach(() => inbox.dispose());

  it("is nothing before anything was asked, and then the oldest first", async () => {
    threads.set("one", [waiting("new", 2)]).set("two", [waiting("old", 1)]);
    equal(inbox.contents, undefined);
    deepEqual(inbox.threads, []);
    await inbox.load(true);
    deepEqual(ids(), ["old", "new"]);
    deepEqual(titles.toSorted(), ["new: Title of new", "old: Title of old"]);
    equal(inbox.find({ ...refOf("two"), threadId: "old" })?.title, "Title of old");
    equal(inbox.find({ ...refOf("one"), threadId: "old" }), undefined);
  });

  it("is what a later search found, though an earlier one ends after it", async () => {
    const late = Promise.withResolvers<undefined>();
    world.nextWaits = late.promise;
    const earlier = inbox.load(true);
    await new Promise(setImmediate);
    threads.set("one", [waiting("new", 1)]);
    await inbox.load(true);
    late.resolve(undefined);
    await earlier;
    equal(waitingThreads.count("one"), 1);
    threads.set("one", new Error("away"));
    await inbox.load(true);
    deepEqual(ids(), ["new"]);
  });

  it("gets titles for threads that nobody named, after it was shown", async () => {
    threads.set("one", [waiting("named", 1), { ...waiting("nameless", 2), metadata: {} }]);
    const shown: string[][] = [];
    inbox.onDidChange(() => shown.push(inbox.threads.map(({ title }) => title)));
    await inbox.load(true);
    await new Promise(setImmediate);
    deepEqual(shown, [
      ["Title of named", "Thread meless"],
      ["Title of named", "Began nameless"],
    ]);
  });

  it("asks for what is asked, and not for values", async () => {
    await inbox.load(true);
    const fields = ["thread_id", "status", "metadata", "created_at", "updated_at", "interrupts"];
    deepEqual(
      searched.map(({ select }) => select),
      [fields],
    );
  });

  it("is read page by page up to a bound, and on from there when that is wanted", async () => {
    threads.set(
      "one",
      [1, 2, 3, 4, 5].map((at) => waiting(`t${String(at)}`, at)),
    );
    await inbox.load(true);
    deepEqual([ids().length, inbox.contents?.rest], [4, "more"]);
    equal(waitingThreads.count("one"), 5, "the server counts what is not listed");
    await inbox.loadMore();
    deepEqual([ids().length, inbox.contents?.rest], [5, "none"]);
    equal(waitingThreads.count("one"), 5);
  });

  it("has the threads of one connection while another can't be asked", async () => {
    const down = new ApiError("server", {
      method: "POST",
      url: "http://two",
      status: 503,
      retryAfterMs: 7000,
    });
    threads.set("one", [waiting("t", 1)]).set("two", down);
    await inbox.load(true);
    deepEqual(ids(), ["t"]);
    deepEqual(inbox.contents?.failures, [{ connectionId: "two", server: "server", error: down }]);
  });

  it("leaves one server alone that asks for it, and looks at the others meanwhile", async () => {
    const limit = new ApiError("rateLimited", {
      ...{ method: "POST", url: "http://two", status: 429, retryAfterMs: 7000 },
    });
    threads.set("one", [waiting("t", 1)]).set("two", limit);
    await inbox.load(true);
    threads.set("one", [waiting("t", 1), waiting("u", 2)]).set("two", [waiting("v", 3)]);
    world.now += 6000;
    const { retryAfterMs } = await inbox.poll(signal);
    deepEqual([ids(), retryAfterMs], [["t", "u"], undefined]);
    deepEqual(
      inbox.contents?.failures.map(({ error }) => error),
      [limit],
    );
    world.now += 2000;
    await inbox.poll(signal);
    deepEqual([ids(), inbox.contents.failures], [["t", "u", "v"], []]);
    threads.set("two", limit);
    await inbox.poll(signal);
    threads.set("two", []);
    await inbox.load(true);
    deepEqual(ids(), ["t", "u"], "a person's own look asks all the same");
  });

  it("says whether a poll found something else, and whether anything waits", async () => {
    deepEqual(await inbox.poll(signal), { changed: false, busy: false });
    threads.set("one", [waiting("t", 1)]);
    deepEqual(await inbox.poll(signal), { changed: true, busy: true });
    deepEqual(await inbox.poll(signal), { changed: false, busy: true });
  });

  it("says where a platform has more deployments than were asked", async () => {
    threads.set("one", [waiting("t", 1)]).set("two", []);
    cut.set("two", 1000);
    await inbox.load(true);
    deepEqual([inbox.contents?.rest, inbox.contents?.cut], ["none", [{ connectionId: "two", at: 1000 }]]);
    deepEqual([waitingThreads.count("one"), waitingThreads.count("two")], [1, 0]);
  });

  it("keeps what was counted and listed before while a connection can't be asked", async () => {
    threads.set("one", [waiting("t", 1)]).set("two", [waiting("u", 2)]);
    await inbox.load(true);
    const readAt = world.now;
    const down = new ApiError("server", { method: "POST", url: "http://two", status: 503 });
    world.now += 60_000;
    threads.set("two", down);
    await inbox.load(true);
    deepEqual([ids(), waitingThreads.count()], [["t", "u"], 2]);
    const failing = () => inbox.contents?.failures.map(({ connectionId, asOf }) => [connectionId, asOf]);
    deepEqual(failing(), [["two", readAt]], "it is said how old the rows are");
    world.now += 120_000;
    await inbox.countAgain(signal);
    deepEqual(failing(), [["two", readAt]]);
    threads.set("one", down).set("three", down);
    await inbox.load(true);
    deepEqual(failing(), [
      ["one", readAt + 60_000],
      ["two", readAt],
      ["three", undefined],
    ]);
    world.unlisted.add("two");
    await inbox.load(true);
    deepEqual(failing()?.[1], ["two", readAt]);
    world.unlisted.clear();
    threads.delete("three");
    threads.set("one", [waiting("t", 1)]).set("two", []);
    await inbox.load(true);
    deepEqual([ids(), waitingThreads.count()], [["t"], 1]);
  });

  it("shows what came while a server of the same platform does not answer", async () => {
    threads.set("one", [waiting("t", 1)]);
    hanging.push("http://dead");
    const quick = world.makeInbox({ othersWithinMs: 0 });
    const shown = new Promise<void>((resolve) => {
      quick.onDidChange(() => {
        if (quick.threads.length > 0) resolve();
      });
    });
    void quick.load(true);
    await shown;
    deepEqual(
      quick.threads.map(({ ref }) => ref.threadId),
      ["t"],
    );
    equal(quick.contents?.asking, true);
    quick.dispose();
  });

  it("keeps what is shown, and by what it is grouped, over a reload", async () => {
    threads.set("one", [waiting("t", 1), waiting("u", 2)]);
    await inbox.load(true);
    await inbox.arrange({ group: "tool", text: "of u" });
    deepEqual(
      inbox.shown.threads.map(({ ref }) => ref.threadId),
      ["u"],
    );
    const reloaded = world.makeInbox({});
    deepEqual(reloaded.arrangement, { group: "tool", text: "of u" });
    reloaded.dispose();
  });

  it("keeps an answer that could not be sent as long as the thread waits", async () => {
    threads.set("one", [waiting("t", 1)]);
    await inbox.load(true);
    const thread = { ...refOf("one"), threadId: "t" };
    inbox.noteSent(thread, { reason: "Nothing listens there.", message: "not today" });
    await inbox.load(true);
    equal(inbox.unsent(thread)?.message, "not today");
    threads.set("one", []);
    await inbox.load(true);
    equal(inbox.unsent(thread), undefined);
  });

  it("has so many rows, and more when that is wanted, before it reads on", async () => {
    const many = Array.from({ length: 1300 }, (_, at) => waiting(`t${String(at)}`, at));
    threads.set("one", many);
    const whole = world.makeInbox({ most: 1300, pageSize: 1300 });
    await whole.load(true);
    const asked = searched.length;
    equal(whole.shown.rows, 500);
    await whole.loadMore();
    deepEqual([whole.shown.rows, searched.length], [1000, asked]);
    whole.dispose();
  });

  it("stays as it was when who asked has left", async () => {
    threads.set("one", [waiting("t", 1)]);
    await inbox.load(true);
    threads.set("one", []);
    await inbox.load(false, AbortSignal.abort());
    deepEqual(ids(), ["t"]);
  });

  function ids(): readonly string[] {
    return inbox.threads.map(({ ref }) => ref.threadId);
  }
});

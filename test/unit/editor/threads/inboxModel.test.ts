import { deepEqual, equal } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import type { Thread, ThreadSearch } from "../../../../src/api/agentServer/wire.ts";
import type { ThreadRef } from "../../../../src/editor/connections/connection.ts";
import "../fakeVscode.ts";

const { Inbox } = await import("../../../../src/editor/threads/inbox.ts");
const { WaitingThreads } = await import("../../../../src/editor/threads/waitingThreads.ts");

type Needs = ConstructorParameters<typeof Inbox>[0];

describe("What is known of threads that wait", () => {
  const { signal } = new AbortController();
  let threads: Map<string, readonly Thread[] | Error>;
  let titles: string[];
  let connectionsChanged: () => void;
  let waitingThreads: InstanceType<typeof WaitingThreads>;
  let inbox: InstanceType<typeof Inbox>;

  beforeEach(() => {
    threads = new Map([["one", []]]);
    titles = [];
    const connections = {
      list: () =>
        [...threads.keys()].map((id) => ({ id, name: id, kind: "agentServer" as const, url: urlOf(id) })),
      onDidChange: (listener: () => void) => {
        connectionsChanged = listener;
        return { dispose: () => undefined };
      },
    };
    waitingThreads = new WaitingThreads(connections);
    const services = {
      connections,
      agentServers: {
        list: (id: string) => Promise.resolve([{ ...refOf(id), name: "server", url: urlOf(id) }]),
        threads: ({ connectionId }: ThreadRef) =>
          Promise.resolve({ search: (query: ThreadSearch) => found(connectionId, query) }),
      },
      threads: { setTitle: ({ threadId }: ThreadRef, title: string) => titles.push(`${threadId}: ${title}`) },
      waitingThreads,
    };
    inbox = new Inbox(services as unknown as Needs, { most: 3, pageSize: 2 });
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

  it("is read page by page up to a bound, and on from there when that is wanted", async () => {
    threads.set(
      "one",
      [1, 2, 3, 4, 5].map((at) => waiting(`t${String(at)}`, at)),
    );
    await inbox.load(true);
    deepEqual([ids().length, inbox.contents?.rest], [4, "more"]);
    equal(waitingThreads.count("one"), 0);
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
    deepEqual(inbox.contents?.failures, [{ connectionId: "two", error: down }]);
    equal((await inbox.poll(signal)).retryAfterMs, 7000);
  });

  it("says whether a poll found something else, and whether anything waits", async () => {
    deepEqual(await inbox.poll(signal), { changed: false, busy: false });
    threads.set("one", [waiting("t", 1)]);
    deepEqual(await inbox.poll(signal), { changed: true, busy: true });
    deepEqual(await inbox.poll(signal), { changed: false, busy: true });
  });

  it("counts what waits on the connections that there are", async () => {
    threads.set("one", [waiting("t", 1)]).set("two", [waiting("u", 1)]);
    await inbox.load(true);
    equal(waitingThreads.count(), 2);
    threads.delete("two");
    connectionsChanged();
    await inbox.load(true);
    equal(waitingThreads.count(), 1);
  });

  it("stays as it was when who asked has left", async () => {
    threads.set("one", [waiting("t", 1)]);
    await inbox.load(true);
    threads.set("one", []);
    await inbox.load(false, AbortSignal.abort());
    deepEqual(ids(), ["t"]);
  });

  function found(id: string, { offset = 0, limit = 10 }: ThreadSearch) {
    const all = threads.get(id) ?? [];
    if (all instanceof Error) return Promise.reject(all);
    return Promise.resolve({ threads: all.slice(offset, offset + limit), hasMore: false });
  }

  function ids(): readonly string[] {
    return inbox.threads.map(({ ref }) => ref.threadId);
  }
});

function urlOf(id: string): string {
  return `http://${id}`;
}

function refOf(id: string) {
  return { connectionId: id, server: { kind: "agentServer", url: urlOf(id) } } as const;
}

function waiting(id: string, at: number): Thread {
  const time = new Date(at * 1000).toISOString();
  const metadata = { title: `Title of ${id}` };
  return { thread_id: id, status: "interrupted", created_at: time, updated_at: time, metadata };
}

import { deepEqual, equal, notEqual } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import type { Thread, ThreadSearch } from "../../../../src/api/agentServer/wire.ts";
import type { AgentServerRef, ThreadRef } from "../../../../src/editor/connections/connection.ts";
import type { ThreadChange } from "../../../../src/editor/threads/threads.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import "../fakeVscode.ts";
import { setImmediate } from "node:timers/promises";

const { EventEmitter } = await import("vscode");
const { ThreadListings } = await import("../../../../src/editor/threads/threadListings.ts");

type Needs = ConstructorParameters<typeof ThreadListings>[0];

describe("The lists of servers' threads", () => {
  const { signal } = new AbortController();
  const server = refOf("one");
  let workspaceState: TestMemento;
  let threads: Thread[];
  let failure: Error | undefined;
  let titles: string[];
  let known: Map<string, string>;
  let asked: string[];
  let confirmed: boolean;
  let counted: (readonly [count: number, threads: number])[];
  let listings: InstanceType<typeof ThreadListings>;
  let told: InstanceType<typeof EventEmitter<ThreadChange>>;
  let changes: number;

  beforeEach(() => {
    workspaceState = new TestMemento();
    threads = [thread("a", "idle"), thread("b", "interrupted")];
    [failure, titles, counted, changes] = [undefined, [], [], 0];
    [asked, confirmed] = [[], true];
    known = new Map();
    told = new EventEmitter();
    listings = opened();
    listings.onDidChange(() => (changes += 1));
  });

  afterEach(() => listings.dispose());

  it("are kept while a server is the same, and begun anew at another address or under another name", () => {
    const listing = listings.of(server);
    equal(listings.of({ ...server }), listing);
    const renamed = listings.of({ ...server, name: "Other" });
    notEqual(renamed, listing);
    deepEqual(listings.all, [renamed]);
    listings.leave(server);
    deepEqual([listings.find(server), listings.all], [undefined, []]);
  });

  it("are those of a connection as long as its servers are there, whatever servers others have", () => {
    const [one, two, elsewhere] = [server, refOf("two"), { ...server, connectionId: "d" }];
    const [kept, , other] = [one, two, elsewhere].map((ref) => listings.of(ref));
    deepEqual(
      listings.on("c").map(({ ref }) => ref.name),
      ["one", "two"],
    );
    listings.retain("c", [one]);
    deepEqual(listings.all, [kept, other]);
    listings.retain("d", []);
    deepEqual(listings.all, [kept]);
  });

  it("say what they read: rows, titles, and how many threads wait", async () => {
    const listing = listings.of(server);
    equal(listing.count, "");
    await listing.load();
    equal(listing.count, "2 threads");
    deepEqual(titles, ["b: Title of b", "a: Title of a"]);
    deepEqual(counted, [[1, 2]]);
    deepEqual(listings.statuses.toSorted(), ["idle", "interrupted"]);
    equal(changes, 1);
  });

  it("list other threads after another filter, which outlives the window", async () => {
    const listing = listings.of(server);
    await listing.load();
    await listings.setFilter({ status: "interrupted" });
    equal(listing.threads, undefined);
    await listing.load();
    deepEqual(rows(), ["b"]);
    deepEqual(opened().filter, { status: "interrupted" });
  });

  it("are grouped or not, which outlives the window as well", async () => {
    const listing = listings.of(server);
    await listing.load();
    equal(listing.threads?.grouped, true);
    await listings.toggleGrouping();
    await listing.load();
    equal(listing.threads.grouped, false);
    const again = opened().of(server);
    await again.load();
    equal(again.threads?.grouped, false);
  });

  it("find a rename with the next poll", async () => {
    const listing = listings.of(server);
    await listing.load();
    deepEqual(await listing.poll(signal), { changed: false, busy: false });
    threads[0] = { ...thread("a", "idle"), metadata: { title: "New" }, updated_at: time(9) };
    deepEqual(await listing.poll(signal), { changed: true, busy: false });
    equal(titles.at(-2), "a: New");
  });

  it("leave a server alone that refuses the key, until somebody loads them again", async () => {
    const listing = listings.of(server);
    failure = new ApiError("unauthorized", { method: "POST", url: server.url, status: 401 });
    await listing.load();
    equal(listing.failure?.error, failure);
    failure = undefined;
    deepEqual(await listing.poll(signal), { changed: false, busy: false });
    await listing.load();
    deepEqual([listing.failure, rows()], [undefined, ["b", "a"]]);
  });

  it("tell what a server that wants more is not given, since nobody confirmed where it is", async () => {
    const listing = listings.of(server);
    const refused = { method: "POST", url: server.url, status: 401 };
    failure = new ApiError("unauthorized", refused);
    confirmed = false;
    let told: unknown;
    listings.onDidChange(() => (told = listing.withheld));
    await listing.load();
    deepEqual(told, { origin: server.url, what: ["the API key", "the header X-Team"] });
    failure = new ApiError("server", { ...refused, status: 500 });
    await listing.load();
    equal(listing.withheld, undefined, "a server that is down wants nothing");
    failure = new ApiError("redirected", { ...refused, status: 302 });
    await listing.load();
    notEqual(listing.withheld, undefined, "a gateway leads to its sign-in page");
    [failure, confirmed] = [new ApiError("unauthorized", refused), true];
    await listing.load();
    equal(listing.withheld, undefined, "what was given is not withheld");
    [failure, confirmed] = [new ApiError("unauthorized", refused), false];
    await listing.load();
    failure = undefined;
    await listing.load();
    equal(listing.withheld, undefined, "a server that answers needs no more");
  });

  it("ask again by themselves after another failure, no sooner than the server wants", async () => {
    const listing = listings.of(server);
    failure = new ApiError("server", {
      method: "POST",
      url: server.url,
      status: 503,
      retryAfterMs: 7000,
    });
    await listing.load();
    equal((await listing.poll(signal)).retryAfterMs, 7000);
    failure = undefined;
    deepEqual(await listing.poll(signal), { changed: true, busy: false, retryAfterMs: undefined });
  });

  it("take one thread anew, or out when it is gone", async () => {
    const listing = listings.of(server);
    await listing.load();
    threads[0] = thread("a", "interrupted");
    await listing.refreshThread("a");
    deepEqual(
      listing.threads?.rows().map(({ status }) => status),
      ["interrupted", "interrupted"],
    );
    threads = [thread("b", "interrupted")];
    await listing.refreshThread("a");
    deepEqual(rows(), ["b"]);
  });

  it("follow what happens to threads, and runs only while somebody can see them", async () => {
    let isSeen = false;
    listings.shownWhile(() => isSeen);
    const listing = listings.of(server);
    await listing.load();
    const tell = async (kind: ThreadChange["kind"], threadId: string): Promise<void> => {
      const { connectionId, server: on } = server;
      told.fire({ kind, threads: [{ connectionId, server: on, threadId }] });
      await setImmediate();
    };
    const statuses = () => listing.threads?.rows().map(({ id, status }) => `${id} ${status}`);
    threads[0] = thread("a", "busy");
    await tell("run", "a");
    deepEqual(statuses(), ["b interrupted", "a idle"]);
    isSeen = true;
    await tell("run", "a");
    deepEqual(statuses(), ["b interrupted", "a busy"]);
    isSeen = false;
    threads[0] = thread("a", "error");
    await tell("continued", "a");
    deepEqual(statuses(), ["b interrupted", "a error"]);
    await tell("deleted", "b");
    deepEqual(statuses(), ["a error"]);
  });

  it("find titles for threads in sight that nobody named, and for no others", async () => {
    threads = [
      { ...thread("a", "idle"), metadata: {} },
      thread("b", "idle"),
      { ...thread("c", "idle"), metadata: {} },
    ];
    const listing = listings.of(server);
    await listing.load();
    const titlesShown = () =>
      Object.fromEntries(listing.threads?.rows().map(({ id, title }) => [id, title]) ?? []);
    deepEqual(titlesShown(), { a: "Thread a", b: "Title of b", c: "Thread c" });
    changes = 0;
    await listing.entitle(new Set(["a", "b"]));
    deepEqual([asked, changes], [["a"], 1]);
    deepEqual(titlesShown(), { a: "Began a", b: "Title of b", c: "Thread c" });
    await listing.entitle(new Set(["c"]));
    deepEqual([asked, changes], [["a", "c"], 1]);
    // A title that was found out stays through the next reading.
    known.set("a", "Began a");
    await listing.load();
    equal(titlesShown()["a"], "Began a");
  });

  it("compare words with titles that have to be asked for", async () => {
    threads = [
      { ...thread("a", "idle"), metadata: {} },
      { ...thread("c", "idle"), metadata: {} },
    ];
    await listings.setFilter({ text: "began" });
    await listings.of(server).load();
    deepEqual(rows(), ["a"]);
  });

  function opened(): InstanceType<typeof ThreadListings> {
    const found = ({ status }: ThreadSearch) =>
      threads
        .filter((one) => status === undefined || one.status === status)
        .toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
    const source = {
      search: (query: ThreadSearch) =>
        failure === undefined
          ? Promise.resolve({ threads: found(query), hasMore: false })
          : Promise.reject(failure),
      count: (query: ThreadSearch) => Promise.resolve(found(query).length),
      row: (id: string) => {
        const known = threads.find(({ thread_id }) => thread_id === id);
        const gone = new ApiError("notFound", { method: "GET", url: server.url, status: 404 });
        return known === undefined ? Promise.reject(gone) : Promise.resolve(known);
      },
    };
    const services = {
      apiKeys: {
        allows: () => Promise.resolve(confirmed),
        origins: () => Promise.resolve(["https://platform.test"]),
      },
      connections: { get: (id: string) => ({ id, kind: "platform", headers: { "X-Team": "a" } }) },
      agentServers: { now: () => 0, threads: () => Promise.resolve(source) },
      threadHosts: { of: () => ({ unsupported: new Map() }) },
      threads: {
        onDidChange: told.event,
        setTitle: ({ threadId }: ThreadRef, title: string) => titles.push(`${threadId}: ${title}`),
        knownTitle: ({ threadId }: ThreadRef) => known.get(threadId),
        askTitles: (_: unknown, rows: readonly { readonly id: string }[]) => {
          asked.push(...rows.map(({ id }) => id));
          return Promise.resolve(
            new Map(rows.flatMap(({ id }) => (id === "c" ? [] : [[id, `Began ${id}`]]))),
          );
        },
      },
      waitingThreads: {
        set: (_: unknown, count: number, { length }: readonly unknown[]) => counted.push([count, length]),
      },
      context: { workspaceState },
    };
    return new ThreadListings(services as unknown as Needs);
  }

  function rows(): readonly string[] | undefined {
    return listings
      .find(server)
      ?.threads?.rows()
      .map(({ id }) => id);
  }
});

function refOf(name: string): AgentServerRef {
  const url = `http://${name}`;
  return { connectionId: "c", server: { kind: "agentServer", url }, name, url };
}

function thread(id: string, status: string): Thread {
  const at = time(id === "a" ? 1 : 2);
  const metadata = { title: `Title of ${id}` };
  return { thread_id: id, status, created_at: at, updated_at: at, metadata };
}

function time(second: number): string {
  return new Date(second * 1000).toISOString();
}

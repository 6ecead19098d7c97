import assert from "node:assert/strict";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import type { AgentServers } from "../../src/editor/threads/servers/agentServers.ts";
import type { Platforms } from "../../src/editor/connections/platforms.ts";
import { ThreadHosts } from "../../src/editor/threads/servers/threadHosts.ts";
import { ServerThreads } from "../../src/editor/threads/serverThreads.ts";
import { ThreadBeginnings } from "../../src/editor/threads/threadBeginnings.ts";
import type { ThreadFacts } from "../../src/editor/threads/threadFacts.ts";
import { relayTo } from "../support/countingRelay.ts";
import type { CountingRelay } from "../support/countingRelay.ts";
import { agentServerPeer, say } from "./agentServerPeer.ts";
import { runToEnd } from "../support/runToEnd.ts";

const many = 12;
const large = 200_000;

describe("lists of threads on a real agent server", () => {
  const { signal } = new AbortController();
  let relay: CountingRelay;
  let api: AgentServer;
  let requests: string[];
  let mark: string;

  before(async () => {
    const { url } = await agentServerPeer();
    relay = await relayTo(url);
    mark = crypto.randomUUID();
    const onExchange = ({ method, url }: { method: string; url: string }) =>
      void requests.push(`${method} ${new URL(url).pathname}`);
    requests = [];
    api = new AgentServer(new Http({ baseUrl: relay.url, onExchange }));
    for (let number = 0; number < many; number += 1) {
      const { thread_id: id } = await api.threads.create({ metadata: { mark } });
      const input = say(`Talk ${String(number)}: ${"x".repeat(large)}`);
      await runToEnd(api, id, { assistant_id: "chat", input });
    }
  });

  beforeEach(() => {
    relay.reset();
    requests = [];
  });

  after(() => relay[Symbol.asyncDispose]());

  it("cost less than 1 kB a thread, however large their states are", async () => {
    const threads = listed();
    await threads.load();
    assert.equal(threads.rows().length, many);
    assert.ok(relay.received < 1000 * many, `${String(relay.received)} bytes`);
    assert.deepEqual(requests, ["POST /threads/search", "POST /threads/count", "POST /threads/count"]);
    relay.reset();
    await threads.poll();
    assert.ok(relay.received < 1000 * many, `${String(relay.received)} bytes`);
    // The same with whole threads, so that the bar means something.
    relay.reset();
    const select = ["thread_id", "values"] as const;
    await api.threads.search({ metadata: { mark }, limit: 50, select });
    assert.ok(relay.received > large * many, `${String(relay.received)} bytes`);
  });

  it("say how many things a thread asks, by the same requests", async () => {
    const { thread_id: id } = await api.threads.create({ metadata: { mark } });
    await runToEnd(api, id, { assistant_id: "par", input: say("Both") });
    const threads = listed();
    requests = [];
    await threads.load();
    assert.equal(threads.rows().find((row) => row.id === id)?.asks, 2);
    assert.equal(threads.rows().filter(({ asks }) => asks > 0).length, 1);
    assert.deepEqual(requests, ["POST /threads/search", "POST /threads/count", "POST /threads/count"]);
    await api.threads.delete(id);
  });

  it("read a single row without its state, and that a thread is gone", async () => {
    const [row] = await rows();
    relay.reset();
    assert.equal((await api.threads.row(row?.id ?? "")).status, "idle");
    assert.ok(relay.received < 2000, `${String(relay.received)} bytes`);
    relay.reset();
    // Whether it changed is asked again and again while somebody sees it.
    const { updatedAt } =
      (await hosts()
        .of(place)
        .version(row?.id ?? "", {})) ?? {};
    assert.equal(updatedAt, row?.updatedAt);
    assert.ok(relay.received < 2000, `${String(relay.received)} bytes`);
    await assert.rejects(api.threads.row(crypto.randomUUID()), { kind: "notFound" });
    // An id of another form is refused by the search of this server.
    await assert.rejects(api.threads.row("no-uuid"), { kind: "invalid" });
    // And that is no reason to ask for whole threads from then on.
    relay.reset();
    await rows();
    assert.ok(relay.received < 1000 * many, `${String(relay.received)} bytes`);
  });

  it("find out by small requests how threads began that nobody named, once per change", async () => {
    const { thread_id: empty } = await api.threads.create({ metadata: { mark } });
    const { thread_id: structured } = await api.threads.create({ metadata: { mark } });
    await runToEnd(api, structured, { assistant_id: "flood", input: { events: 1, topic: "Tides" } });
    const found = new Map<string, string>();
    const beginnings = new ThreadBeginnings(hosts(), ({ threadId }, title) => found.set(threadId, title));
    await beginnings.ask(place, await rows(), signal);
    const titles = [...found.values()].map((title) => title.slice(0, 8).trimEnd()).toSorted();
    const talks = Array.from({ length: many }, (_, number) =>
      `Talk ${String(number)}:`.slice(0, 8),
    ).toSorted();
    assert.deepEqual(titles, [...talks, "flood: T"].toSorted());
    assert.equal(found.get(structured), "flood: Tides");
    assert.equal(found.has(empty), false);
    requests = [];
    await beginnings.ask(place, await rows(), signal);
    assert.deepEqual(
      requests.filter((request) => request.includes("/runs")),
      [],
    );
    // A second run changes the row, not how the thread began.
    await runToEnd(api, empty, { assistant_id: "chat", input: say("Late start") });
    await beginnings.ask(place, await rows(), signal);
    assert.equal(found.get(empty), "Late start");
  });

  const place = { connectionId: "c", server: { kind: "agentServer", url: "http://server" } } as const;

  function listed(): ServerThreads {
    const filter = { text: `mark=${JSON.stringify(mark)}` };
    return new ServerThreads(api.threads, { filter, grouped: true, pageSize: 50 });
  }

  async function rows(): Promise<readonly ThreadFacts[]> {
    const threads = listed();
    await threads.load();
    return threads.rows();
  }

  function hosts(): ThreadHosts {
    const servers = { client: () => api } as unknown as AgentServers;
    return new ThreadHosts(servers, {} as unknown as Platforms);
  }
});

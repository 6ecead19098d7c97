import { strict as assert } from "node:assert";
import { Capabilities } from "../../../../src/api/capabilities.ts";
import { Http } from "../../../../src/api/http.ts";
import { ThreadProtocol } from "../../../../src/api/threadProtocol/index.ts";
import type { ChatMemory } from "../../../../src/editor/threads/servers/chatMemory.ts";
import { chatMemory } from "../../../support/chatMemory.ts";
import { ChatThreads } from "../../../../src/editor/threads/servers/chatThreads.ts";
import { CreatedThreads } from "../../../../src/editor/threads/servers/createdThreads.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import { serve } from "../../../support/testServer.ts";
import type { TestServer } from "../../../support/testServer.ts";

const at = "2026-05-04T09:30:00Z";
const listed = [
  { id: "c", title: "Newest", updatedAt: at },
  { id: "b", title: null, updatedAt: null },
  { id: "a" },
];

function clientOf({ url }: TestServer, { capabilities }: ChatMemory): ThreadProtocol {
  return new ThreadProtocol(new Http({ baseUrl: url, capabilities }));
}

/** Works with the threads of a backend that answers its list with the next of these. */
async function listing<T>(
  answers: readonly (readonly object[] | undefined)[],
  memory: ChatMemory,
  work: (threads: ChatThreads) => Promise<T>,
): Promise<{ readonly result: T; readonly asked: number }> {
  await using backend = await serve((_, index) => {
    const answer = answers[index];
    return answer === undefined ? { status: 405 } : { body: JSON.stringify(answer) };
  });
  const client = clientOf(backend, memory);
  return { result: await work(new ChatThreads(client, memory)), asked: backend.asked.length };
}

describe("The threads of a chat backend", () => {
  const ids = async (threads: ChatThreads, query = {}): Promise<string> =>
    (await threads.search(query)).threads.map(({ thread_id }) => thread_id).join();

  it("are read from the backend each time: a restart that cleared them shows", async () => {
    const { result } = await listing([listed, []], chatMemory(), async (threads) => [
      await ids(threads),
      await ids(threads),
    ]);
    assert.deepEqual(result, ["c,b,a", ""]);
  });

  it("have the title and the age that the backend gives, and none where it gives none", async () => {
    const { result } = await listing([listed], chatMemory(), (threads) => threads.search());
    assert.deepEqual(
      result.threads.map(({ metadata, updated_at }) => [metadata["title"], updated_at]),
      [
        ["Newest", at],
        [undefined, ""],
        [undefined, ""],
      ],
    );
  });

  it("are cut into pages, counted and found here, since the backend can only list them all", async () => {
    const all = Array.from({ length: 8 }, () => listed);
    const { result } = await listing(all, chatMemory(), async (threads) => [
      await ids(threads, { limit: 2 }),
      (await threads.search({ limit: 2 })).hasMore,
      await ids(threads, { limit: 2, offset: 2 }),
      (await threads.search({ limit: 2, offset: 2 })).hasMore,
      await ids(threads, { ids: ["a"] }),
      await ids(threads, { metadata: { title: "Newest" } }),
      await threads.count(),
      await threads.count({ status: "busy" }),
    ]);
    assert.deepEqual(result, ["c,b", true, "a", false, "a", "c", 3, 0]);
  });

  it("have the status that this window saw", async () => {
    const memory = chatMemory();
    const run = memory.thread("b").begin("r");
    const statuses = async (): Promise<string> =>
      (await listing([listed], memory, (threads) => threads.search())).result.threads
        .map(({ status }) => status)
        .join();
    assert.equal(await statuses(), "idle,busy,idle");
    run.status = "error";
    assert.equal(await statuses(), "idle,error,idle");
    run.status = "success";
    assert.equal(await statuses(), "idle,idle,idle");
  });

  it("are those that were made here where there is no list, which is asked for once", async () => {
    const memory = chatMemory();
    for (const id of ["first", "second"]) memory.add(id);
    const { result, asked } = await listing([undefined], memory, async (threads) => [
      await ids(threads),
      await ids(threads),
    ]);
    assert.deepEqual(result, ["second,first", "second,first"]);
    assert.equal(asked, 1);
    assert(memory.unsupported.has("list"));
    memory.forget("second");
    assert.equal(await listing([], memory, ids).then((one) => one.result), "first");
  });

  describe("that were made here, after the window was reloaded", () => {
    const conversation = {
      values: { messages: [{ type: "human", content: "Good morning" }] },
      next: [],
      tasks: [],
    };
    const asking = {
      ...conversation,
      tasks: [{ id: "t", name: "ask", interrupts: [{ id: "i", value: "?" }] }],
    };
    let created: CreatedThreads;

    beforeEach(() => {
      created = new CreatedThreads(new TestMemento(), "c", "http://127.0.0.1");
      const before = chatMemory({ created });
      for (const id of ["cleared", "broken", "asks", "talked"]) before.add(id);
    });

    /** What a backend without a list answers to whoever asks for the state of one. */
    const backend = (): Promise<TestServer> =>
      serve(({ url }) => {
        const [, id = ""] = /threads\/(.*)\/state$/.exec(url) ?? [];
        if (id === "broken") return { status: 400, body: "{}" };
        const states: Readonly<Record<string, object>> = { asks: asking, talked: conversation };
        const state = states[id];
        return state === undefined ? { status: 404, body: "{}" } : { body: JSON.stringify(state) };
      });

    it("are listed with what their states say, each read once, and the others are forgotten", async () => {
      let learned = 0;
      const learn = (): void => {
        learned += 1;
      };
      const capabilities = new Capabilities(learn);
      const memory = chatMemory({ capabilities, onLost: learn, created });
      await using server = await backend();
      const threads = new ChatThreads(clientOf(server, memory), memory);
      const rows = async () =>
        (await threads.search()).threads.map((thread) => [
          thread.thread_id,
          thread.metadata["title"],
          thread.status,
        ]);
      const expected = [
        ["talked", "Good morning", "idle"],
        ["asks", "Good morning", "interrupted"],
        ["broken", undefined, "idle"],
      ];
      assert.deepEqual(await rows(), expected);
      assert.deepEqual([memory.created.lost, learned], [1, 2]);
      const asked = server.asked.length;
      assert.deepEqual(await rows(), expected);
      assert.equal(server.asked.length, asked);
      assert.deepEqual(
        created.list.map(({ id }) => id),
        ["talked", "asks", "broken"],
      );
    });

    it("have their titles after a backend that failed for a moment is back, and are left alone till then", async () => {
      let now = 0;
      let isBack = false;
      const memory = chatMemory({ created, now: () => now });
      memory.capabilities.setUnsupported("list");
      await using server = await serve(() =>
        isBack
          ? { body: JSON.stringify(conversation) }
          : { status: 503, headers: { "retry-after": "0" }, body: "{}" },
      );
      const threads = new ChatThreads(clientOf(server, memory), memory);
      const titles = async () => (await threads.search()).threads.map(({ metadata }) => metadata["title"]);
      assert.deepEqual(await titles(), [undefined, undefined, undefined, undefined]);
      const asked = server.asked.length;
      assert.deepEqual(await titles(), [undefined, undefined, undefined, undefined]);
      assert.equal(server.asked.length, asked);
      [now, isBack] = [60_000, true];
      assert.deepEqual(await titles(), ["Good morning", "Good morning", "Good morning", "Good morning"]);
    });

    it("are not all asked about where the backend fails", async () => {
      const memory = chatMemory({ created });
      for (let count = 1; count <= 50; count += 1) memory.created.add(`t-${String(count)}`);
      memory.capabilities.setUnsupported("list");
      await using server = await serve(() => ({ status: 503, headers: { "retry-after": "0" }, body: "{}" }));
      const client = clientOf(server, memory);
      assert.equal(await new ChatThreads(client, memory).count(), 54);
      assert.equal(new Set(server.asked.map(({ url }) => url)).size, 8);
    });

    it("cost no more than one state for who asks for one of them", async () => {
      await using server = await backend();
      const memory = chatMemory({ created });
      await new ChatThreads(clientOf(server, memory), memory).row("talked");
      assert.deepEqual(
        server.asked.map(({ url }) => url),
        ["/api/threads", "/api/threads/talked/state"],
      );
    });

    it("are not listed as gone when the backend is not there", async () => {
      const memory = chatMemory({ created });
      const away = await backend();
      const client = clientOf(away, memory);
      await away[Symbol.asyncDispose]();
      memory.capabilities.setUnsupported("list");
      await assert.rejects(new ChatThreads(client, memory).search(), { kind: "refused" });
      assert.equal(created.list.length, 4);
    });

    it("are needed no more once the backend has a list", async () => {
      await listing([listed], chatMemory({ created }), (threads) => threads.search());
      assert.deepEqual(created.list, []);
    });

    it("are at most the 200 newest of all backends, of each backend its own, and nothing but ids and times", () => {
      const memory = new TestMemento();
      const [one, other] = ["http://one", "http://other"].map((url) =>
        chatMemory({ created: new CreatedThreads(memory, "c", url) }),
      );
      other?.add("other");
      for (let count = 1; count <= 250; count += 1) one?.add(`t-${String(count)}`);
      const kept = memory.get("chatThreads.created") as readonly object[];
      assert.equal(kept.length, 200);
      assert.deepEqual(Object.keys(kept[0] ?? {}), ["connectionId", "url", "id", "at"]);
      assert.equal(one?.created.list[0]?.id, "t-250");
      assert.deepEqual(other?.created.list, []);
    });
  });
});

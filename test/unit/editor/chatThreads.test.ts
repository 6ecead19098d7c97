import { strict as assert } from "node:assert";
import { Http } from "../../../src/api/http.ts";
import { ThreadProtocol } from "../../../src/api/threadProtocol/index.ts";
import { ChatMemory } from "../../../src/editor/chatBackends/chatMemory.ts";
import { ChatThreads } from "../../../src/editor/chatBackends/chatThreads.ts";
import { serve } from "../api/testServer.ts";

const at = "2026-05-04T09:30:00Z";
const listed = [
  { id: "c", title: "Newest", updatedAt: at },
  { id: "b", title: null, updatedAt: null },
  { id: "a" },
];

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
  const client = new ThreadProtocol(new Http({ baseUrl: backend.url }));
  return { result: await work(new ChatThreads(client, memory)), asked: backend.asked.length };
}

describe("The threads of a chat backend", () => {
  const ids = async (threads: ChatThreads, query = {}): Promise<string> =>
    (await threads.search(query)).threads.map(({ thread_id }) => thread_id).join();

  it("are read from the backend each time: a restart that cleared them shows", async () => {
    const { result } = await listing([listed, []], new ChatMemory(), async (threads) => [
      await ids(threads),
      await ids(threads),
    ]);
    assert.deepEqual(result, ["c,b,a", ""]);
  });

  it("have the title and the age that the backend tells, and none where it tells none", async () => {
    const { result } = await listing([listed], new ChatMemory(), (threads) => threads.search());
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
    const { result } = await listing(all, new ChatMemory(), async (threads) => [
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
    const memory = new ChatMemory();
    const run = memory.of("b").begin("r");
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
    const memory = new ChatMemory();
    for (const id of ["first", "second"]) memory.made(id);
    const { result, asked } = await listing([undefined], memory, async (threads) => [
      await ids(threads),
      await ids(threads),
    ]);
    assert.deepEqual(result, ["second,first", "second,first"]);
    assert.equal(asked, 1);
    assert(memory.lacks.has("list"));
    memory.forget("second");
    assert.equal(await listing([], memory, ids).then((one) => one.result), "first");
  });
});

import assert from "node:assert/strict";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { ManagedAgents } from "../../../src/api/managedAgents/index.ts";
import { all } from "../../support/all.ts";
import { serve } from "../../support/testServer.ts";
import { play, readExchange } from "./wireExchange.ts";

const agentId = "5b0a7a2e-6c1d-4f55-9c6e-0f6b0f3d9a01";
const threadId = "9d8f0c3a-1b7e-4a53-8f0a-6f1f4c2b7e10";
const runId = "1f0c5a52-0c9b-6d3e-8a51-2b7f4c1d9e33";
const hi = { messages: [{ role: "user", content: "hi" }] };

function recorded<T>(name: string, call: (api: ManagedAgents) => Promise<T>): Promise<T> {
  return play(readExchange("managedAgents", name), (http) => call(new ManagedAgents(http)));
}

describe("the threads of managed agents", () => {
  it("are listed by what is asked for, under the key `threads`", async () => {
    const query = { agent_id: agentId, page_size: 20, is_pinned: true, test_run: false } as const;
    const page = await recorded("threads-list", (api) =>
      api.threads.page({ ...query, requires_attention: true }),
    );
    assert.equal(page.next_cursor, null);
    assert.equal(page.items[0]?.title, "Refund 4711");
    assert.equal(page.items[0].thread_id, threadId);
  });

  it("have both names of their id, whichever the server uses", async () => {
    const made = await recorded("threads-create", (api) =>
      api.threads.create({
        agent_id: agentId,
        metadata: { ticket: "4711" },
        options: { test_run: true },
      }),
    );
    const read = await recorded("threads-get", (api) => api.threads.get(threadId));
    for (const { id, thread_id } of [made, read]) assert.deepEqual([id, thread_id], [threadId, threadId]);
    assert.equal(read.interrupts?.["t1"]?.[0]?.id, "i1");
  });

  it("are found by metadata and status, as a bare array", async () => {
    const search = { metadata: { agent_id: agentId }, status: "interrupted", limit: 50 };
    const found = await recorded("threads-search", (api) => api.threads.search(search));
    assert.equal(found[0]?.id, threadId);
  });

  it("are counted while somebody should look, also by an earlier version's bare number", async () => {
    assert.equal(await recorded("threads-count", (api) => api.threads.attentionCount(agentId)), 3);
    await using server = await serve(() => ({ body: "2" }));
    const api = new ManagedAgents(new Http({ baseUrl: server.url }));
    assert.equal(await api.threads.attentionCount(), 2);
    await using other = await serve(() => ({ body: '"many"' }));
    await assert.rejects(
      new ManagedAgents(new Http({ baseUrl: other.url })).threads.attentionCount(),
      ApiError,
    );
  });

  it("are not taken from an answer without an id", async () => {
    for (const body of ["{}", "[]", "null", '{"id":7}', '{"other":"x"}']) {
      await using server = await serve(() => ({ body }));
      const { threads } = new ManagedAgents(new Http({ baseUrl: server.url }));
      await assert.rejects(threads.get(threadId), (error: ApiError) => error.kind === "malformed", body);
    }
  });

  it("are listed in every form of a page, whose empty cursor is the end", async () => {
    const forms = ["items", "threads", "agents", "results"].map((name) => ({ [name]: [{ id: "t" }] }));
    for (const [form, cursor] of [
      ...forms.map((one) => [one, null] as const),
      [[{ id: "t" }], null],
      [{ items: [{ id: "t" }], next_cursor: "" }, null],
      [{ items: [{ id: "t" }], next_cursor: "c" }, "c"],
    ] as const) {
      await using server = await serve(() => ({ body: JSON.stringify(form) }));
      const page = await new ManagedAgents(new Http({ baseUrl: server.url })).threads.page({
        agent_id: agentId,
      });
      assert.deepEqual([page.items.map(({ id }) => id), page.next_cursor], [["t"], cursor]);
    }
  });

  it("are renamed and pinned, and deleted", async () => {
    const change = { title: "Refund", is_pinned: true };
    const changed = await recorded("threads-update", (api) => api.threads.update(threadId, change));
    assert.equal(changed.is_pinned, true);
    await recorded("threads-delete", (api) => api.threads.delete(threadId));
  });

  it("are changed together, each with its own result", async () => {
    const results = await recorded("threads-bulk-modify", (api) =>
      all(api.threads.bulkModify([threadId, runId], { is_pinned: true })),
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ["success", "failure"],
    );
    assert.equal(results[1]?.message, "no such thread");
  });

  it("are changed 50 to a request, and a failure leaves the results before it", async () => {
    await using server = await serve(({ body }, index) => {
      if (index === 2) return { status: 502 };
      const { thread_ids } = JSON.parse(body) as { thread_ids: string[] };
      return { body: JSON.stringify({ results: thread_ids.map((id) => ({ id, status: "success" })) }) };
    });
    const { threads } = new ManagedAgents(new Http({ baseUrl: server.url }));
    const ids = Array.from({ length: 120 }, (_, index) => `t${String(index)}`);
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const { id } of threads.bulkModify(ids, { title: "x" })) seen.push(id);
    }, ApiError);
    assert.deepEqual(seen, ids.slice(0, 100));
    assert.equal(server.asked.length, 3);
  });

  it("are changed by as few requests as they need", async () => {
    await using server = await serve(() => ({ body: '{"results":[]}' }));
    const { threads } = new ManagedAgents(new Http({ baseUrl: server.url }));
    for (const [count, requests] of [
      [0, 0],
      [50, 1],
      [51, 2],
    ] as const) {
      const before = server.asked.length;
      await all(threads.bulkModify(Array<string>(count).fill("t"), { title: "x" }));
      assert.equal(server.asked.length - before, requests);
    }
  });

  it("are not said to be changed by an answer that lists no results", async () => {
    for (const body of ["{}", '{"results":{}}', '{"results":[1]}', "[]", "null"]) {
      await using server = await serve(() => ({ body }));
      const { threads } = new ManagedAgents(new Http({ baseUrl: server.url }));
      await assert.rejects(all(threads.bulkModify(["t"], { title: "x" })), ApiError, body);
    }
  });

  it("are let go without a body", async () => {
    await recorded("threads-resolve-interrupt", (api) => api.threads.resolveInterrupt(threadId));
  });
});

describe("the runs of managed agents", () => {
  it("can make their thread, as a test", async () => {
    const run = await recorded("runs-create-with-thread", (api) =>
      api.runs.createWithThread({
        agent_id: agentId,
        thread: { options: { test_run: true } },
        input: hi,
      }),
    );
    assert.deepEqual([run.run_id, run.thread_id], [runId, threadId]);
  });

  it("start in the background", async () => {
    const run = await recorded("runs-create", (api) =>
      api.runs.create(threadId, { agent_id: agentId, input: hi }),
    );
    assert.equal(run.run_id, runId);
  });

  it("stream every event under its name", async () => {
    const events = await recorded("runs-stream", async ({ runs }) => {
      const stream = await runs.stream(threadId, {
        agent_id: agentId,
        input: hi,
        stream_mode: ["values", "updates", "messages-tuple"],
        stream_subgraphs: true,
      });
      return (await all(stream.events)).flat();
    });
    assert.deepEqual(
      events.map(({ event }) => event),
      ["metadata", "messages", "values|tools:1", "values"],
    );
  });

  it("go on with an answer, and with a message that says nothing", async () => {
    const events = await recorded("runs-resume", async ({ runs }) => {
      const resume = { decisions: [{ type: "approve" }] };
      const stream = await runs.resume(threadId, { agent_id: agentId, stream_subgraphs: true, resume });
      return (await all(stream.events)).flat();
    });
    assert.equal(events.length, 4);
  });

  it("are never started twice", async () => {
    await using server = await serve(() => ({ status: 503, headers: { "retry-after": "0" } }));
    const { runs } = new ManagedAgents(new Http({ baseUrl: server.url }));
    const body = { agent_id: agentId, input: hi };
    await assert.rejects(runs.create(threadId, body), ApiError);
    await assert.rejects(runs.createWithThread(body), ApiError);
    await assert.rejects(runs.stream(threadId, body), ApiError);
    assert.equal(server.asked.length, 3);
  });
});

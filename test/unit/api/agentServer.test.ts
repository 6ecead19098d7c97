import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentServer } from "../../../src/api/agentServer/index.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { serve } from "../../support/testServer.ts";
import type { TestServer } from "../../support/testServer.ts";
import { all } from "../../support/all.ts";

const client = (server: TestServer) => new AgentServer(new Http({ baseUrl: server.url }));
const kind = (expected: string) => (error: unknown) => error instanceof ApiError && error.kind === expected;
const threads = (count: number) => Array.from({ length: count }, (_, index) => ({ thread_id: `t${index}` }));

describe("AgentServer", () => {
  it("finds out whether there are more threads by asking for one more", async () => {
    await using server = await serve(({ body }) => {
      const { limit, offset = 0 } = JSON.parse(body) as { limit: number; offset?: number };
      return { body: JSON.stringify(threads(5).slice(offset, offset + limit)) };
    });
    const api = client(server);
    assert.deepEqual(await api.threads.search({ limit: 2 }), { threads: threads(2), hasMore: true });
    assert.deepEqual(await api.threads.search({ limit: 5 }), { threads: threads(5), hasMore: false });
    const found = await all(api.threads.list({ limit: 2 }));
    assert.deepEqual(found, threads(5));
    assert.equal(server.asked.length, 5);
  });

  it("asks for the next page only when the items before it were taken", async () => {
    await using server = await serve(() => ({ body: JSON.stringify(threads(3)) }));
    for await (const thread of client(server).threads.list({ limit: 2 })) {
      if (thread.thread_id === "t1") break;
    }
    assert.equal(server.asked.length, 1);
  });

  it("does not believe that a thread is busy which does not exist", async () => {
    const busy = "Thread is already running a task.";
    await using server = await serve(({ method, url }) => {
      if (method === "POST") return { status: 422, body: busy };
      return url === "/threads/gone"
        ? { status: 404, body: "Thread not found" }
        : { body: '{"thread_id":"here"}' };
    });
    const { runs } = client(server);
    await assert.rejects(runs.create("gone", { assistant_id: "a" }), kind("notFound"));
    await assert.rejects(runs.stream("here", { assistant_id: "a" }), kind("conflict"));
  });

  it("makes runs resumable unless asked otherwise", async () => {
    await using server = await serve(() => ({ body: '{"run_id":"r"}' }));
    const { runs } = client(server);
    await runs.create("t", { assistant_id: "a" });
    await runs.create("t", { assistant_id: "a", stream_resumable: false });
    const sent = server.asked.map(
      ({ body }) => (JSON.parse(body) as { stream_resumable: boolean }).stream_resumable,
    );
    assert.deepEqual(sent, [true, false]);
  });

  it("turns a failed wait, answered with 200, into an error with the innermost message", async () => {
    const body = await readFile(join(import.meta.dirname, "../../fixtures/wire/faulty-wait.json"), "utf8");
    await using server = await serve(() => ({
      headers: { "content-type": "text/plain" },
      body: `\n\n${body}`,
    }));
    await assert.rejects(client(server).runs.wait("t", { assistant_id: "a" }), (error) => {
      assert.ok(kind("runFailed")(error));
      return error instanceof ApiError && error.detail === "the disk is full";
    });
  });

  it("sends `wait` to cancel only when it is true", async () => {
    await using server = await serve(() => ({ status: 202 }));
    const { runs } = client(server);
    await runs.cancel("t", "r");
    await runs.cancel("t", "r", { wait: false, action: "rollback" });
    await runs.cancel("t", "r", { wait: true });
    const path = "/threads/t/runs/r/cancel";
    assert.deepEqual(
      server.asked.map(({ url }) => url),
      [path, `${path}?action=rollback`, `${path}?wait=true`],
    );
  });

  it("never repeats the start of a run", async () => {
    await using server = await serve(() => ({ status: 503, headers: { "retry-after": "0" } }));
    const { runs } = client(server);
    await assert.rejects(runs.create("t", { assistant_id: "a" }), kind("server"));
    await assert.rejects(runs.stream("t", { assistant_id: "a" }), kind("server"));
    await assert.rejects(runs.wait("t", { assistant_id: "a" }), kind("server"));
    await assert.rejects(runs.cancel("t", "r"), kind("server"));
    assert.equal(server.asked.length, 4);
  });

  it("repeats searching, counting and reading history", async () => {
    const bodies = ["[]", "7", "[]"];
    await using server = await serve((_, index) =>
      index % 2 === 0
        ? { status: 503, headers: { "retry-after": "0" } }
        : { body: bodies[(index - 1) / 2] ?? "" },
    );
    const api = client(server);
    await api.threads.search();
    assert.equal(await api.threads.count(), 7);
    await api.threads.history("t");
    assert.equal(server.asked.length, 6);
  });

  it("says when a server is none", async () => {
    await using server = await serve(() => ({ body: '{"hello":"world"}' }));
    const api = client(server);
    await assert.rejects(api.ok(), kind("malformed"));
    await assert.rejects(api.threads.create(), kind("malformed"));
    await assert.rejects(api.threads.search(), kind("malformed"));
  });
});

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
const threads = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ thread_id: `t${index}`, metadata: {} }));

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

  it("lists assistants page by page, until a page is not full", async () => {
    await using server = await serve(({ body }) => {
      const { limit, offset } = JSON.parse(body) as { limit: number; offset: number };
      const all = Array.from({ length: 5 }, (_, index) => ({ assistant_id: `a${index}` }));
      return { body: JSON.stringify(all.slice(offset, offset + limit)) };
    });
    const { assistants } = client(server);
    const found = await all(assistants.list({ limit: 2, graph_id: "chat" }));
    assert.deepEqual(
      found.map(({ assistant_id: id }) => id),
      ["a0", "a1", "a2", "a3", "a4"],
    );
    assert.deepEqual(
      server.asked.map(({ method, url, body }) => [method, url, JSON.parse(body) as unknown]),
      [0, 2, 4].map((offset) => ["POST", "/assistants/search", { limit: 2, graph_id: "chat", offset }]),
    );
  });

  it("asks again for assistants, which changes nothing, and takes no answer that is no list", async () => {
    await using server = await serve((_, index) =>
      index === 0 ? { status: 503, headers: { "retry-after": "0" } } : { body: "{}" },
    );
    await assert.rejects(client(server).assistants.search(), kind("malformed"));
    assert.equal(server.asked.length, 2);
  });

  it("takes a full page of the most that servers give for one of several", async () => {
    await using server = await serve(({ body }) => {
      const { limit } = JSON.parse(body) as { limit: number };
      return { body: JSON.stringify(threads(Math.min(limit, 1000))) };
    });
    const api = client(server);
    const pages = await Promise.all([999, 1000, 2000].map((limit) => api.threads.search({ limit })));
    assert.deepEqual(
      pages.map((page) => [page.threads.length, page.hasMore]),
      [
        [999, true],
        [1000, true],
        [1000, true],
      ],
    );
    assert.deepEqual(
      server.asked.map(({ body }) => (JSON.parse(body) as { limit: number }).limit),
      [1000, 1000, 1000],
    );
  });

  it("asks for rows without values, and for other fields where they are named", async () => {
    await using server = await serve(() => ({ body: "[]" }));
    const { threads } = client(server);
    await threads.search({ status: "idle" });
    await threads.search({ select: ["thread_id", "interrupts"] });
    const rows = ["thread_id", "status", "metadata", "created_at", "updated_at"];
    assert.deepEqual(selected(server), [rows, ["thread_id", "interrupts"]]);
  });

  it("does without a selection on a server that refuses it, and asks for none again", async () => {
    await using server = await serve(({ body }) =>
      body.includes("select")
        ? { status: 422, body: '{"detail":"extra"}' }
        : { body: JSON.stringify(threads(1)) },
    );
    const api = client(server);
    assert.deepEqual((await api.threads.search()).threads, threads(1));
    assert.deepEqual((await api.threads.search()).threads, threads(1));
    assert.deepEqual(
      selected(server).map((fields) => fields !== undefined),
      [true, false, false],
    );
  });

  it("does not blame the selection for a query that is refused without it, too", async () => {
    let refuses = true;
    await using server = await serve(() => (refuses ? { status: 400, body: "bad" } : { body: "[]" }));
    const api = client(server);
    await assert.rejects(api.threads.search(), kind("invalid"));
    refuses = false;
    await api.threads.search();
    assert.deepEqual(
      selected(server).map((fields) => fields !== undefined),
      [true, false, true],
    );
  });

  it("reads a row by a search, and by the thread's address where the search has another answer", async () => {
    const answers = [
      '[{"thread_id":"here"}]',
      '[{"thread_id":"another"}]',
      '{"thread_id":"here","values":{}}',
      "[]",
    ];
    await using server = await serve((_, index) =>
      index < 4 ? { body: answers[index] ?? "" } : { status: 404, body: "Thread not found" },
    );
    const api = client(server);
    assert.deepEqual(await api.threads.row("here"), { thread_id: "here", metadata: {} });
    assert.deepEqual(await api.threads.row("here"), { thread_id: "here", values: {}, metadata: {} });
    await assert.rejects(api.threads.row("gone"), kind("notFound"));
    assert.deepEqual(
      server.asked.map(({ method, url }) => `${method} ${url}`),
      [
        "POST /threads/search",
        "POST /threads/search",
        "GET /threads/here",
        "POST /threads/search",
        "GET /threads/gone",
      ],
    );
  });

  it("gives every thread metadata, also where a server says that one has none", async () => {
    const listed = [null, { title: "Nightly" }, [], undefined].map((metadata) => ({ metadata }));
    await using server = await serve(({ method }) => ({
      body: JSON.stringify(method === "GET" ? { thread_id: "t", metadata: null } : listed),
    }));
    const { threads } = client(server);
    const found = (await threads.search()).threads.map(({ metadata }) => metadata);
    assert.deepEqual(found, [{}, { title: "Nightly" }, {}, {}]);
    assert.deepEqual((await threads.get("t")).metadata, {});
  });

  it("reads a state, an earlier one, and that of a subgraph, which changes nothing and is asked for again", async () => {
    await using server = await serve((_, index) =>
      index === 2 ? { status: 503, headers: { "retry-after": "0" } } : { body: "{}" },
    );
    const { threads } = client(server);
    await threads.state("t");
    await threads.state("t", { checkpointId: "c", subgraphs: true });
    await threads.state("t", { checkpointId: "c", checkpointNs: "sub:1", subgraphs: true });
    const asked = server.asked.map(({ method, url, body }) => `${method} ${url} ${body}`.trim());
    const subgraph =
      'POST /threads/t/state/checkpoint {"checkpoint":{"checkpoint_ns":"sub:1","checkpoint_id":"c"},"subgraphs":true}';
    assert.deepEqual(asked, [
      "GET /threads/t/state",
      "GET /threads/t/state/c?subgraphs=true",
      subgraph,
      subgraph,
    ]);
  });

  it("takes no state and no history that has another shape, and asks for ten states unless told otherwise", async () => {
    const bodies = ["[]", "{}"];
    await using server = await serve((_, index) => ({ body: bodies[index] ?? "[]" }));
    const { threads } = client(server);
    await assert.rejects(threads.state("t"), kind("malformed"));
    await assert.rejects(threads.history("t"), kind("malformed"));
    await threads.history("t", { limit: 3, before: "c", checkpoint: { checkpoint_ns: "sub:1" } });
    assert.deepEqual(
      server.asked.slice(1).map(({ body }) => JSON.parse(body) as unknown),
      [{ limit: 10 }, { limit: 3, before: "c", checkpoint: { checkpoint_ns: "sub:1" } }],
    );
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

  it("turns a failed run that was joined, answered with 200, into an error with the innermost message", async () => {
    const body = await readFile(join(import.meta.dirname, "../../fixtures/wire/faulty-wait.json"), "utf8");
    await using server = await serve(() => ({
      headers: { "content-type": "text/plain" },
      body: `\n\n${body}`,
    }));
    await assert.rejects(client(server).runs.join("t", "r"), (error) => {
      assert.ok(kind("runFailed")(error));
      return error instanceof ApiError && error.detail === "the disk is full" && error.status === 200;
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
    await assert.rejects(runs.cancel("t", "r"), kind("server"));
    assert.equal(server.asked.length, 3);
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

/** The fields that each request asked for. */
function selected({ asked }: TestServer): readonly unknown[] {
  return asked.map(({ body }) => (JSON.parse(body) as { select?: unknown }).select);
}

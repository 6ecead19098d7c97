import assert from "node:assert/strict";
import { is, list, LocalPlatform, say, text } from "../../../support/localPlatform.ts";

describe("threads of the Local Platform", () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());

  it("are created with and without a body, an id and metadata", async () => {
    const plain = await platform.send("POST", "/threads");
    assert.equal(plain.status, 200);
    assert.equal(plain.body.status, "idle");
    assert.deepEqual(plain.body.metadata, {});
    const id = crypto.randomUUID();
    const named = await platform.send("POST", "/threads", { thread_id: id, metadata: { title: "Mine" } });
    assert.equal(named.body.thread_id, id);
    assert.deepEqual(named.body.metadata, { title: "Mine" });
  });

  it("refuse a second one with the same id unless told to do nothing", async () => {
    const thread_id = await platform.thread({ title: "First" });
    assert.equal((await platform.send("POST", "/threads", { thread_id })).status, 409);
    const same = await platform.send("POST", "/threads", {
      thread_id,
      if_exists: "do_nothing",
      metadata: { a: 1 },
    });
    assert.equal(same.status, 200);
    assert.deepEqual(same.body.metadata, { title: "First" });
  });

  it("merge metadata when patched", async () => {
    const id = await platform.thread({ title: "Old", kept: true });
    const patched = await platform.send("PATCH", `/threads/${id}`, { metadata: { title: "New" } });
    assert.deepEqual(patched.body.metadata, { title: "New", kept: true });
    assert.deepEqual((await platform.send("GET", `/threads/${id}`)).body.metadata, {
      title: "New",
      kept: true,
    });
  });

  it("tell the graph that ran on them last, but for a run that has to wait", async () => {
    const id = await platform.thread({ title: "Mine" });
    const graph = async () => (await platform.send("GET", `/threads/${id}`)).body.metadata?.graph_id;
    await platform.stream(id, { assistant_id: "echo", input: say("x") });
    assert.equal(await graph(), "echo");
    const slow = await platform.run(id, { assistant_id: "slow", input: { seconds: 60 } });
    assert.equal(await graph(), "slow");
    const last = await platform.run(id, { assistant_id: "echo", input: say("y") });
    assert.equal(await graph(), "slow");
    await platform.send("POST", `/threads/${id}/runs/${slow}/cancel`);
    await platform.join(id, last);
    await platform.stream(id, { assistant_id: "echo", input: say("z") });
    const { metadata } = (await platform.send("GET", `/threads/${id}`)).body;
    const [echo] = list((await platform.send("POST", "/assistants/search", { graph_id: "echo" })).body);
    const expected = { title: "Mine", graph_id: "echo", assistant_id: echo?.assistant_id };
    assert.deepEqual(metadata, expected);
  });

  it("keep the metadata of the run that made them", async () => {
    const id = crypto.randomUUID();
    const order = { assistant_id: "echo", input: say("x"), metadata: { team: "mine" } };
    await platform.join(id, await platform.run(id, { ...order, if_not_exists: "create" }));
    const { metadata } = (await platform.send("GET", `/threads/${id}`)).body;
    assert.deepEqual([metadata?.team, metadata?.graph_id], ["mine", "echo"]);
    const alone = (await platform.send("POST", "/runs", { ...order, on_completion: "keep" })).body;
    assert.equal(
      (await platform.send("GET", `/threads/${text(alone.thread_id)}`)).body.metadata?.team,
      "mine",
    );
  });

  it("are gone after a delete, together with their runs and states", async () => {
    const id = await platform.thread();
    const run = await platform.run(id, { assistant_id: "echo", input: say("x") });
    await platform.join(id, run);
    assert.equal((await platform.send("DELETE", `/threads/${id}`)).status, 204);
    for (const path of [`/threads/${id}`, `/threads/${id}/state`, `/threads/${id}/runs/${run}`]) {
      assert.equal((await platform.send("GET", path)).status, 404, path);
    }
    assert.equal((await platform.send("DELETE", `/threads/${id}`)).status, 404);
  });

  it("can be deleted while a run is in progress", async () => {
    const id = await platform.thread();
    await platform.run(id, { assistant_id: "slow", input: { seconds: 60 } });
    assert.equal((await platform.send("DELETE", `/threads/${id}`)).status, 204);
    assert.equal((await platform.send("GET", `/threads/${id}`)).status, 404);
  });

  it("are listed by page with totals that are right at every offset", async () => {
    const metadata = { suite: "paging" };
    for (let i = 0; i < 5; i++) await platform.thread({ ...metadata, i });
    const seen: unknown[] = [];
    let offset: string | null = "0";
    while (offset !== null) {
      const page = await platform.send("POST", "/threads/search", {
        metadata,
        limit: 2,
        offset: Number(offset),
        sort_by: "created_at",
        sort_order: "asc",
      });
      assert.equal(page.headers.get("x-pagination-total"), "5");
      seen.push(...list(page.body).map((thread) => thread.metadata?.i));
      offset = page.headers.get("x-pagination-next");
    }
    assert.deepEqual(seen, [0, 1, 2, 3, 4]);
    assert.equal((await platform.send("POST", "/threads/count", { metadata })).body, 5);
  });

  it("are the same pages from whichever end they are read", async () => {
    const metadata = { suite: "ends" };
    for (let i = 0; i < 5; i++) await platform.thread({ ...metadata, i });
    for (const sort_order of ["asc", "desc"]) {
      const all = sort_order === "asc" ? [0, 1, 2, 3, 4] : [4, 3, 2, 1, 0];
      for (const limit of [1, 3, 10])
        for (let offset = 0; offset < 7; offset++) {
          const search = { metadata, limit, offset, sort_by: "created_at", sort_order };
          const page = list((await platform.send("POST", "/threads/search", search)).body);
          const expected = all.slice(offset, offset + limit);
          assert.deepEqual(
            page.map((thread) => thread.metadata?.i),
            expected,
            JSON.stringify(search),
          );
        }
    }
  });

  it("are found by status, metadata, values and ids, with the fields asked for", async () => {
    const id = await platform.thread({ suite: "search", nested: { tags: ["a", "b"], n: 1 } });
    await platform.stream(id, { assistant_id: "approval", input: say("ask me") });
    const find = async (filter: Record<string, unknown>) => {
      const found = await platform.send("POST", "/threads/search", { limit: 1000, ...filter });
      return list(found.body).some((thread) => is(thread.thread_id, id));
    };
    const cases: [Record<string, unknown>, boolean][] = [
      [{ status: "interrupted" }, true],
      [{ status: "idle" }, false],
      [{ metadata: { nested: { tags: ["b"] } } }, true],
      [{ metadata: { nested: { tags: ["c"] } } }, false],
      [{ metadata: { nested: { n: 2 } } }, false],
      [{ metadata: { graph_id: "approval" } }, true],
      [{ ids: [id] }, true],
      [{ ids: [crypto.randomUUID()] }, false],
      [{ values: { messages: [{ type: "human", content: "ask me" }] } }, true],
      [{ values: { messages: [{ content: "never said" }] } }, false],
    ];
    for (const [filter, expected] of cases)
      assert.equal(await find(filter), expected, JSON.stringify(filter));
    const selected = await platform.send("POST", "/threads/search", {
      ids: [id],
      select: ["thread_id", "status"],
    });
    assert.deepEqual(selected.body, [{ thread_id: id, status: "interrupted" }]);
    assert.equal(
      (await platform.send("POST", "/threads/count", { ids: [id], status: "interrupted" })).body,
      1,
    );
  });

  it("sort by any of their times, the latest made first unless told otherwise", async () => {
    const metadata = { suite: "sorting" };
    const first = await platform.thread(metadata);
    const second = await platform.thread(metadata);
    await platform.send("PATCH", `/threads/${first}`, { metadata: { touched: true } });
    const ids = async (order: Record<string, unknown>) => {
      const found = await platform.send("POST", "/threads/search", { metadata, ...order });
      return list(found.body).map((thread) => thread.thread_id);
    };
    assert.deepEqual(await ids({}), [second, first]);
    assert.deepEqual(await ids({ sort_by: "updated_at" }), [first, second]);
    assert.deepEqual(await ids({ sort_by: "thread_id", sort_order: "asc" }), [first, second]);
  });

  it("are copied with their state and history, idle whatever waits there", async () => {
    const id = await platform.thread({ title: "Original" });
    await platform.stream(id, { assistant_id: "approval", input: say("ask me") });
    const copy = (await platform.send("POST", `/threads/${id}/copy`)).body;
    assert.notEqual(copy.thread_id, id);
    assert.deepEqual([copy.status, copy.interrupts, copy.values], ["idle", {}, null]);
    const copyId = text(copy.thread_id);
    const [original, copied] = await Promise.all([platform.state(id), platform.state(copyId)]);
    assert.deepEqual(copied.values, original.values);
    assert.deepEqual([copied.next, copied.interrupts], [["review"], original.interrupts]);
    assert.equal(copied.checkpoint?.thread_id, copyId);
    const resumed = await platform.stream(copyId, {
      assistant_id: "approval",
      command: { resume: { decisions: [{ type: "approve" }] } },
    });
    assert.ok(resumed.some(({ event }) => event === "values"));
    assert.deepEqual((await platform.state(id)).next, ["review"]);
  });

  it("begin with three samples, one of which waits for a person", async () => {
    const fresh = await LocalPlatform.start();
    try {
      const { body } = await fresh.send("POST", "/threads/search", {
        sort_by: "created_at",
        sort_order: "asc",
      });
      const threads = list(body);
      for (const thread of threads) await waitUntilQuiet(fresh, text(thread.thread_id));
      const after = list(
        (await fresh.send("POST", "/threads/search", { sort_by: "created_at", sort_order: "asc" })).body,
      );
      assert.deepEqual(
        after.map((thread) => [thread.metadata?.graph_id, thread.status]),
        [
          ["approval", "interrupted"],
          ["researcher", "idle"],
          ["echo", "idle"],
        ],
      );
      assert.ok(after.every((thread) => typeof thread.metadata?.title === "string"));
      await fresh.stop();
      const again = await LocalPlatform.start(fresh.directory);
      assert.equal((await again.send("POST", "/threads/count", {})).body, 3);
      await again.stop();
    } finally {
      await fresh.remove();
    }
  });
});

async function waitUntilQuiet(platform: LocalPlatform, threadId: string): Promise<void> {
  const runs = list((await platform.send("GET", `/threads/${threadId}/runs`)).body);
  for (const run of runs) await platform.join(threadId, text(run.run_id));
}

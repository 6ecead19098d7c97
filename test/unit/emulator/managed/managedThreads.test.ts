import assert from "node:assert/strict";
import { is, list, LocalPlatform, text } from "../../../support/localPlatform.ts";
import { ManagedClient } from "../../../support/managedClient.ts";

const hello = { messages: [{ role: "user", content: "Hello there" }] };

describe("threads of managed agents", () => {
  let platform: LocalPlatform;
  let client: ManagedClient;
  let agent: string;

  before(async () => {
    platform = await LocalPlatform.start();
    client = new ManagedClient(platform);
  });
  after(() => platform.remove());
  beforeEach(async () => {
    agent = await client.agentId();
  });

  const listed = async (query = ""): Promise<string[]> =>
    list((await client.get(`/threads?agent_id=${agent}${query}`)).threads).map(({ id }) => text(id));
  const attention = async (query = `?agent_id=${agent}`): Promise<unknown> =>
    (await client.get(`/threads/count${query}`)).attention_count;
  const run = (thread: string, more: Record<string, unknown> = {}) =>
    client.stream(thread, { agent_id: agent, input: hello, ...more });

  it("are made idle, with the metadata and the id that was asked for", async () => {
    const thread_id = crypto.randomUUID();
    const { status, body } = await client.send("POST", "/threads", {
      agent_id: agent,
      thread_id: thread_id.toUpperCase(),
      metadata: { a: 1 },
    });
    assert.equal(status, 201);
    assert.equal(body.id, thread_id);
    assert.equal(body.thread_id, thread_id);
    assert.equal(body.agent_id, agent);
    assert.equal(body.status, "idle");
    assert.deepEqual(body.metadata, { a: 1 });
    assert.equal(body.created_at, body.updated_at);
    assert.deepEqual(await client.get(`/threads/${thread_id}`), body);
  });

  it("are taken as they are, or a conflict, when the id exists", async () => {
    const thread_id = await client.thread(agent, { metadata: { a: 1 } });
    const again = (body: Record<string, unknown>) => client.send("POST", "/threads", { thread_id, ...body });
    const taken = await again({ agent_id: agent, if_exists: "do_nothing", metadata: { b: 2 } });
    assert.equal(taken.status, 201);
    assert.deepEqual(taken.body.metadata, { a: 1 });
    for (const if_exists of ["raise", undefined]) {
      const refused = await again({ agent_id: agent, if_exists });
      assert.equal(refused.status, 409);
      assert.equal(refused.body.status, 409);
    }
    const other = await client.agentId();
    assert.equal((await again({ agent_id: other, if_exists: "do_nothing" })).status, 409);
  });

  it("need an agent that exists", async () => {
    const answer = await client.send("POST", "/threads", { agent_id: crypto.randomUUID() });
    assert.equal(answer.status, 404);
    assert.equal(answer.body.code, "agent_not_found");
    assert.equal((await client.send("POST", "/threads", {})).body.code, "missing_required_field");
  });

  it("are apart from the threads of deployments, in both directions", async () => {
    const mine = await client.thread(agent);
    const theirs = await platform.thread();
    assert.equal((await platform.send("GET", `/threads/${mine}`)).status, 404);
    assert.equal((await platform.send("DELETE", `/threads/${mine}`)).status, 404);
    const searched = await platform.send("POST", "/threads/search", { limit: 1000 });
    assert.ok(!list(searched.body).some(({ thread_id }) => is(thread_id, mine)));
    assert.equal((await client.send("GET", `/threads/${theirs}`)).status, 404);
    assert.equal((await client.send("DELETE", `/threads/${theirs}`)).status, 204);
    assert.equal((await platform.send("GET", `/threads/${theirs}`)).status, 200);
    const found = await client.send("POST", "/threads/search", { limit: 1000 });
    assert.ok(!list(found.body).some(({ thread_id }) => is(thread_id, theirs)));
    const taken = await platform.send("POST", "/threads", { thread_id: mine, if_exists: "do_nothing" });
    assert.equal(taken.status, 409);
    const back = await client.send("POST", "/threads", { agent_id: agent, thread_id: theirs });
    assert.equal(back.status, 409);
  });

  it("are listed for one agent, newest activity first, without their state", async () => {
    const ids = [await client.thread(agent), await client.thread(agent), await client.thread(agent)];
    await client.thread(await client.agentId());
    assert.deepEqual(await listed(), ids.toReversed());
    await run(ids[0]!);
    assert.deepEqual(await listed(), [ids[0], ids[2], ids[1]]);
    const [first] = list((await client.get(`/threads?agent_id=${agent}`)).threads);
    assert.equal(first?.title, "Hello there");
    assert.equal(first.has_interrupts, false);
    assert.equal(typeof first.state_updated_at, "string");
    assert.ok(!("values" in first));
  });

  it("come 20 to a page at most, each once, while runs move them to the front", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 25; i++) ids.push(await client.thread(agent));
    const first = await client.get(`/threads?agent_id=${agent}`);
    assert.equal(list(first.threads).length, 20);
    const pages = await client.pages(`/threads?agent_id=${agent}&page_size=10`, "threads", async () => {
      await run(ids[0]!);
      await run(ids[24]!);
      await run(ids[10]!);
      await client.thread(agent);
    });
    assert.deepEqual(pages.flat(), ids.toReversed());
    assert.deepEqual(
      pages.map(({ length }) => length),
      [10, 10, 5],
    );
  });

  it("can be filtered by status, pin, test runs and whether they need attention", async () => {
    const idle = await client.thread(agent);
    const done = await client.thread(agent);
    const pinned = await client.thread(agent);
    const test = await client.thread(agent, { options: { test_run: true } });
    await client.send("PATCH", `/threads/${pinned}`, { is_pinned: true });
    await run(done);
    assert.deepEqual(await listed(), [done, pinned, idle]);
    assert.deepEqual(await listed("&is_pinned=true"), [pinned]);
    assert.deepEqual(await listed("&is_pinned=false"), [done, idle]);
    assert.deepEqual(await listed("&test_run=true"), [test]);
    assert.deepEqual(await listed("&status=idle"), [done, pinned, idle]);
    assert.deepEqual(await listed("&status=busy"), []);
    assert.deepEqual(await listed("&requires_attention=true"), [done]);
    assert.deepEqual(await listed("&requires_attention=false"), [pinned, idle]);
    const both = await client.send("GET", `/threads?agent_id=${agent}&status=idle&requires_attention=true`);
    assert.equal(both.status, 400);
    assert.equal((await client.send("GET", "/threads")).body.code, "missing_required_field");
    assert.equal((await client.send("GET", `/threads?agent_id=${agent}&page_size=21`)).status, 400);
  });

  it("are counted while somebody should look: unread, waiting or failed, but not test runs", async () => {
    assert.equal(await attention(), 0);
    const thread = await client.thread(agent);
    assert.equal(await attention(), 0);
    await run(thread);
    assert.equal(await attention(), 1);
    await client.send("PATCH", `/threads/${thread}`, { is_read: true });
    assert.equal(await attention(), 0);
    await run(thread, { stream_mode: ["updates"] });
    assert.equal(await attention(), 1);
    await run(await client.thread(agent, { options: { test_run: true } }));
    assert.equal(await attention(), 1);
    assert.ok(Number(await attention("")) >= 1);
  });

  it("can be renamed, and keep members that this platform does not know", async () => {
    const id = await client.thread(agent, { metadata: { a: 1, b: 1 } });
    const answer = await client.send("PATCH", `/threads/${id}`, {
      title: "Mine",
      metadata: { b: 2 },
      color: "red",
      status: "error",
      agent_id: "someone",
    });
    assert.equal(answer.status, 200);
    const { title, metadata, color, status, agent_id } = answer.body;
    assert.deepEqual(
      { title, metadata, color, status, agent_id },
      { title: "Mine", metadata: { a: 1, b: 2 }, color: "red", status: "idle", agent_id: agent },
    );
    assert.deepEqual(await client.get(`/threads/${id}`), answer.body);
    assert.equal((await client.send("PATCH", `/threads/${crypto.randomUUID()}`, {})).status, 404);
  });

  it("stay where they are in the list when they are only pinned or read", async () => {
    const [old, recent] = [await client.thread(agent), await client.thread(agent)];
    await client.send("PATCH", `/threads/${old}`, { is_pinned: true, is_read: true });
    assert.deepEqual(await listed(), [recent, old]);
    await client.send("PATCH", `/threads/${old}`, { title: "x" });
    assert.deepEqual(await listed(), [old, recent]);
  });

  it("are searched as on an agent server, by agent, metadata, status, ids and values", async () => {
    const a = await client.thread(agent, { metadata: { topic: "x" } });
    const b = await client.thread(agent, { metadata: { topic: "y" } });
    await run(b);
    const search = async (body: unknown): Promise<string[]> => {
      const answer = await client.send("POST", "/threads/search", body);
      assert.equal(answer.status, 200, answer.text);
      return list(answer.body).map(({ thread_id }) => text(thread_id));
    };
    assert.deepEqual(await search({ agent_id: agent }), [b, a]);
    assert.deepEqual(await search({ metadata: { agent_id: agent } }), [b, a]);
    assert.deepEqual(await search({ metadata: { agent_id: agent, topic: "x" } }), [a]);
    assert.deepEqual(await search({ ids: [a, b], sort_by: "created_at", sort_order: "asc" }), [a, b]);
    assert.deepEqual(await search({ agent_id: agent, limit: 1, offset: 1 }), [a]);
    assert.deepEqual(await search({ agent_id: agent, values: { messages: [{ type: "human" }] } }), [b]);
    assert.deepEqual(await search({ agent_id: crypto.randomUUID() }), []);
    const answer = await client.send("POST", "/threads/search", { agent_id: agent, select: ["thread_id"] });
    assert.deepEqual(answer.body, [{ thread_id: b }, { thread_id: a }]);
    assert.equal(answer.headers.get("x-pagination-total"), "2");
  });

  it("are changed many at a time, each with its own result, in the order asked", async () => {
    const [a, b, gone] = [await client.thread(agent), await client.thread(agent), crypto.randomUUID()];
    const { status, body } = await client.send("POST", "/threads/bulk-modify", {
      thread_ids: [b, gone, "no id", a],
      data: { title: "Same" },
    });
    assert.equal(status, 200);
    assert.deepEqual(body.results, [
      { id: b, status: "success" },
      { id: gone, status: "failure", error_code: "thread_not_found", message: `Thread ${gone} not found` },
      { id: "no id", status: "failure", error_code: "thread_not_found", message: "Thread no id not found" },
      { id: a, status: "success" },
    ]);
    assert.equal((await client.get(`/threads/${a}`)).title, "Same");
    for (const thread_ids of [[], Array(51).fill(a), "all"]) {
      const refused = await client.send("POST", "/threads/bulk-modify", { thread_ids, data: {} });
      assert.equal(refused.status, 400);
    }
    assert.equal((await client.send("POST", "/threads/bulk-modify", { thread_ids: [a] })).status, 400);
  });

  it("are gone with their runs once deleted, as often as one likes", async () => {
    const id = await client.thread(agent);
    await run(id);
    assert.equal((await client.send("DELETE", `/threads/${id}`)).status, 204);
    assert.equal((await client.send("DELETE", `/threads/${id}`)).status, 204);
    const answer = await client.send("GET", `/threads/${id}`);
    assert.equal(answer.status, 404);
    assert.equal(answer.body.code, "thread_not_found");
    assert.deepEqual(await listed(), []);
    assert.equal(await attention(), 0);
  });

  it("outlive their agent, but run no more", async () => {
    const id = await client.thread(agent);
    await run(id);
    await client.send("DELETE", `/agents/${agent}`);
    assert.deepEqual(await listed(), [id]);
    assert.equal((await client.get(`/threads/${id}`)).status, "idle");
    for (const path of ["runs", "runs/stream"]) {
      const answer = await client.send("POST", `/threads/${id}/${path}`, { agent_id: agent, input: hello });
      assert.equal(answer.status, 502);
      assert.equal(answer.body.code, "upstream_auth_failed");
    }
    assert.equal((await client.send("POST", "/threads", { agent_id: agent })).status, 404);
  });
});

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { RunCreate, ThreadState } from "../../src/api/agentServer/wire.ts";
import { SchemaCheck } from "../../src/run/schema/check.ts";
import { takesMessages } from "../../src/run/schema/fields.ts";
import { SchemaDocument } from "../../src/run/schema/schemaDocument.ts";
import { startingValue } from "../../src/run/schema/startingValue.ts";
import { agentServerPeer, nowhere, rejection, say } from "./agentServerPeer.ts";
import { runToEnd } from "../support/runToEnd.ts";

describe("our client and a real agent server", () => {
  let api: AgentServer;

  before(async () => {
    ({ api } = await agentServerPeer());
  });

  const newThread = async () => (await api.threads.create()).thread_id;

  it("is up and says what it is", async () => {
    await api.ok();
    const { version, context } = await api.info();
    assert.match(version ?? "", /^\d+\./);
    assert.equal(context, "js");
  });

  it("lists its assistants", async () => {
    const assistants = await api.assistants.search();
    const graphs = assistants.map(({ graph_id }) => graph_id).sort();
    const configuration = await readFile(join(import.meta.dirname, "langgraph", "langgraph.json"), "utf8");
    const configured = (JSON.parse(configuration) as { readonly graphs: object }).graphs;
    assert.deepEqual(graphs, Object.keys(configured).sort());
    const [chat] = await api.assistants.search({ graph_id: "chat" });
    assert.equal(chat?.graph_id, "chat");
  });

  it("tells what its agents take, and what it tells fits what they are given", async () => {
    const schemasOf = async (id: string) => (await api.assistants.schemas(id)).input_schema ?? null;
    for (const graph of ["chat", "react", "pipeline", "slow"]) {
      const schema = await schemasOf(graph);
      assert.equal(takesMessages(new SchemaDocument(schema)), true, graph);
      assert.deepEqual(new SchemaCheck(schema).check(say("Hello")), { problems: [] }, graph);
    }
    const pipeline = new SchemaCheck(await schemasOf("pipeline")).check(say("Hello", { fail_times: "2" }));
    assert.deepEqual(pipeline, { problems: [{ path: ["fail_times"], message: "must be a number" }] });
    const drafts = new SchemaDocument(await schemasOf("drafts"));
    assert.equal(takesMessages(drafts), false);
    assert.deepEqual(startingValue(drafts), { topic: "", audience: "everyone", rounds: 2, tags: [] });
    const check = new SchemaCheck(drafts.schema);
    assert.deepEqual(check.check({ topic: "Tides", tone: { formal: true, mood: 1 } }), { problems: [] });
    const refused = check.check({ topc: "Tides" });
    assert.match(JSON.stringify(refused), /is not a field of this schema; known are “topic”/);
    const { context_schema: context } = await api.assistants.schemas("drafts");
    assert.deepEqual(startingValue(new SchemaDocument(context ?? null)), {
      model: "small",
      temperature: 0.2,
    });
    assert.equal((await rejection(api.assistants.schemas(nowhere))).kind, "notFound");
  });

  it("creates, reads, changes, searches, counts and deletes threads", async () => {
    const mark = crypto.randomUUID();
    const first = await api.threads.create({ metadata: { mark } });
    await api.threads.create({ metadata: { mark } });
    await api.threads.create({ metadata: { mark } });
    assert.equal((await api.threads.get(first.thread_id)).status, "idle");
    const renamed = await api.threads.patch(first.thread_id, { metadata: { title: "Renamed" } });
    assert.deepEqual(renamed.metadata, { mark, title: "Renamed" });
    const query = { metadata: { mark } };
    const page = await api.threads.search({ ...query, limit: 2 });
    assert.equal(page.threads.length, 2);
    assert.equal(page.hasMore, true);
    assert.equal((await api.threads.search({ ...query, limit: 3 })).hasMore, false);
    assert.equal(await api.threads.count(query), 3);
    const seen = new Set<string>();
    for await (const { thread_id } of api.threads.list({ ...query, limit: 1 })) seen.add(thread_id);
    assert.equal(seen.size, 3);
    await api.threads.delete(first.thread_id);
    assert.equal((await rejection(api.threads.get(first.thread_id))).kind, "notFound");
    assert.equal((await rejection(api.threads.delete(first.thread_id))).kind, "notFound");
  });

  it("pages through a thread's history and reads its states", async () => {
    const threadId = await newThread();
    await runToEnd(api, threadId, { assistant_id: "chat", input: say("One") });
    await runToEnd(api, threadId, { assistant_id: "chat", input: say("Two") });
    const whole = await api.threads.history(threadId, { limit: 50 });
    const newest = await api.threads.history(threadId, { limit: 2 });
    assert.deepEqual(newest, whole.slice(0, 2));
    const before = newest.at(-1)?.checkpoint?.checkpoint_id ?? "";
    assert.deepEqual(await api.threads.history(threadId, { limit: 50, before }), whole.slice(2));

    const old = whole.find((state) => state.next[0] === "model") as ThreadState;
    const at = await api.threads.state(threadId, { checkpointId: old.checkpoint?.checkpoint_id });
    assert.deepEqual(at.values, old.values);
  });

  it("says what is wrong with a request", async () => {
    const threadId = await newThread();
    const wrong = [
      [() => api.threads.get("no-uuid"), "invalid", undefined],
      [() => api.runs.create(threadId, {} as RunCreate), "invalid", [["assistant_id"]]],
      [() => api.runs.create(threadId, { assistant_id: "nobody" }), "notFound", undefined],
      [() => api.runs.create(nowhere, { assistant_id: "chat", input: say("Hi") }), "notFound", undefined],
      [() => api.threads.state(nowhere), "notFound", undefined],
    ] as const;
    for (const [call, kind, fields] of wrong) {
      const error = await rejection(call());
      assert.equal(error.kind, kind, error.message);
      if (fields !== undefined)
        assert.deepEqual(
          error.fields?.map(({ loc }) => loc),
          fields,
        );
    }
  });
});

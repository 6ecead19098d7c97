import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../src/emulator/server.ts";
import type { RunningServer } from "../../src/emulator/server.ts";
import { sdkClient } from "./sdk/client.ts";
import type { Json, SdkClient, SdkEvent } from "./sdk/client.ts";

describe("the platform's own client and the Local Platform", () => {
  let directory: string;
  let server: RunningServer;
  let client: SdkClient;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "sdk-peer-"));
    server = await startServer({ port: 0, directory });
    client = await sdkClient(server.ready.deploymentUrl, server.ready.apiKey);
  });
  after(async () => {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  });

  const say = (content: string) => ({ messages: [{ role: "user", content }] });
  const delay = (milliseconds: number) => ({ configurable: { token_delay_ms: milliseconds } });
  const newThread = async (): Promise<string> => string((await client.threads.create()).thread_id);

  it("creates, reads, finds, counts, copies, renames and deletes threads", async () => {
    const metadata = { suite: "crud" };
    const id = string((await client.threads.create({ metadata })).thread_id);
    await client.threads.create({ threadId: id, ifExists: "do_nothing" });
    await assert.rejects(client.threads.create({ threadId: id }), /409/);
    await client.threads.update(id, { metadata: { title: "Named" } });
    assert.deepEqual((await client.threads.get(id)).metadata, { suite: "crud", title: "Named" });
    const copy = string((await client.threads.copy(id)).thread_id);
    assert.equal(await client.threads.count({ metadata }), 2);
    const found = await client.threads.search({ metadata, sortBy: "created_at", sortOrder: "asc", limit: 1 });
    assert.deepEqual(
      found.map(({ thread_id }) => thread_id),
      [id],
    );
    await client.threads.delete(copy);
    await assert.rejects(client.threads.get(copy), /404/);
    assert.equal(await client.threads.count({ metadata, status: "idle" }), 1);
  });

  it("knows the assistants, their graphs and their schemas", async () => {
    assert.equal(await client.assistants.count(), 8);
    const [researcher] = await client.assistants.search({ graphId: "researcher" });
    const id = string(researcher?.assistant_id);
    assert.deepEqual(await client.assistants.get(id), researcher);
    const graph = await client.assistants.getGraph(id, { xray: true });
    assert.ok(list(graph.nodes).length > 6);
    assert.equal((await client.assistants.getSchemas(id)).graph_id, "researcher");
  });

  it("streams a run with its subgraphs", async () => {
    const thread = await newThread();
    let created: Json | undefined;
    const seen = await collect(
      client.runs.stream(thread, "researcher", {
        input: say("peers"),
        config: delay(0),
        streamMode: ["values", "updates", "messages-tuple", "custom"],
        streamSubgraphs: true,
        onRunCreated: (run: Json) => (created = run),
      }),
    );
    assert.equal(seen[0]?.event, "metadata");
    assert.deepEqual(created, { run_id: seen[0].data.run_id, thread_id: thread });
    const lanes = new Set(
      seen.filter(({ event }) => event.includes("|")).map(({ event }) => event.split(/[|:]/)[1]),
    );
    assert.deepEqual(lanes, new Set(["web_researcher", "fact_checker"]));
    const last = seen.findLast(({ event }) => event === "values");
    assert.deepEqual(last?.data, (await client.threads.getState(thread)).values);
  });

  it("waits for a run, on a thread and without one, and gets its failures", async () => {
    const thread = await newThread();
    const values = await client.runs.wait(thread, "echo", { input: say("x"), config: delay(0) });
    assert.equal(list(values.messages).length, 2);
    const alone = await client.runs.wait(null, "echo", { input: say("x"), config: delay(0) });
    assert.equal(list(alone.messages).length, 2);
    const failing = client.runs.wait(thread, "faulty", { input: say("x"), config: delay(0) });
    await assert.rejects(failing, /ModelOverloadedError: The model is overloaded/);
  });

  it("creates, lists, reads, joins and deletes runs", async () => {
    const thread = await newThread();
    const run = await client.runs.create(thread, "echo", { input: say("x"), config: delay(0) });
    const id = string(run.run_id);
    assert.equal(list((await client.runs.join(thread, id)).messages).length, 2);
    assert.equal((await client.runs.get(thread, id)).status, "success");
    assert.equal((await client.runs.list(thread, { status: "success" })).length, 1);
    await client.runs.delete(thread, id);
    await assert.rejects(client.runs.get(thread, id), /404/);
  });

  it("re-joins a stream where it left it", async () => {
    const thread = await newThread();
    const run = await client.runs.create(thread, "echo", {
      input: say("join me"),
      config: delay(2),
      streamMode: ["messages-tuple", "values"],
      streamResumable: true,
    });
    const id = string(run.run_id);
    const begun: SdkEvent[] = [];
    for await (const event of client.runs.joinStream(thread, id, { lastEventId: "-1" })) {
      begun.push(event);
      if (begun.length === 10) break;
    }
    const rest = await collect(client.runs.joinStream(thread, id, { lastEventId: string(begun.at(-1)?.id) }));
    const whole = await collect(client.runs.joinStream(thread, id, { lastEventId: "-1" }));
    assert.deepEqual([...begun, ...rest], whole);
    const values = await collect(
      client.runs.joinStream(thread, id, { lastEventId: "-1", streamMode: ["values"] }),
    );
    assert.deepEqual(new Set(values.map(({ event }) => event)), new Set(["metadata", "values"]));
  });

  it("goes on by itself when a resumable stream is cut", async () => {
    const { localUrl, apiKey } = server.ready;
    const rule = { match: { method: "POST", path: "/runs/stream$" }, drop_after_events: 8 };
    const headers = { "x-api-key": apiKey };
    await fetch(`${localUrl}/faults`, { method: "POST", headers, body: JSON.stringify(rule) });
    const thread = await newThread();
    const seen = await collect(
      client.runs.stream(thread, "echo", {
        input: say("cut me"),
        config: delay(2),
        streamMode: "messages-tuple",
        streamResumable: true,
      }),
    );
    assert.deepEqual(
      seen.map(({ id }) => Number(id)),
      seen.map((_, index) => index),
    );
    const said = seen.filter(({ event }) => event === "messages").map(({ data }) => string(data[0]?.content));
    const state = await client.threads.getState(thread);
    assert.equal(said.join(""), list(state.values?.messages).at(-1)?.content);
  });

  it("interrupts an earlier run, which is kept with what it had said", async () => {
    const thread = await newThread();
    const first = await client.runs.create(thread, "echo", {
      input: say("one"),
      config: delay(10),
      streamMode: ["messages-tuple"],
    });
    for await (const { event } of client.runs.joinStream(thread, string(first.run_id)))
      if (event === "messages") break;
    const values = await client.runs.wait(thread, "echo", {
      input: say("two"),
      config: delay(0),
      multitaskStrategy: "interrupt",
    });
    assert.equal((await client.runs.get(thread, string(first.run_id))).status, "interrupted");
    assert.deepEqual(
      list(values.messages).map(({ type }) => type),
      ["human", "ai", "human", "ai"],
    );
  });

  it("queues, refuses and rolls back as the strategies say", async () => {
    const thread = await newThread();
    const slow = { input: { ...say("long"), seconds: 60 } };
    const first = string((await client.runs.create(thread, "slow", slow)).run_id);
    const refused = client.runs.create(thread, "echo", { input: say("x"), multitaskStrategy: "reject" });
    await assert.rejects(refused, /409/);
    const queued = await client.runs.create(thread, "echo", { input: say("queued"), config: delay(0) });
    assert.equal((await client.runs.get(thread, string(queued.run_id))).status, "pending");
    const last = { input: say("last"), config: delay(0), multitaskStrategy: "rollback" };
    const values = await client.runs.wait(thread, "echo", last);
    await assert.rejects(client.runs.get(thread, first), /404/);
    assert.equal(list(values.messages).length, 2);
  });

  it("is asked, and resumes with decisions", async () => {
    const thread = await newThread();
    const asked = await collect(
      client.runs.stream(thread, "approval", {
        input: say("two things"),
        config: delay(0),
        streamMode: "updates",
      }),
    );
    const [question] = list(asked.at(-1)?.data.__interrupt__);
    const state = await client.threads.getState(thread);
    assert.deepEqual(list(list(state.tasks)[0]?.interrupts)[0], question);
    assert.equal((await client.threads.get(thread)).status, "interrupted");
    const decisions = [{ type: "approve" }, { type: "reject", message: "keep it" }];
    const values = await client.runs.wait(thread, "approval", {
      command: { resume: { decisions } },
      config: delay(0),
    });
    const results = list(values.messages).filter(({ tool_call_id }) => tool_call_id !== undefined);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["success", "error"],
    );
  });

  it("reads states and histories, updates and forks", async () => {
    const thread = await newThread();
    for (const content of ["one", "two"])
      await client.runs.wait(thread, "echo", { input: say(content), config: delay(0) });
    const states = await client.threads.getHistory(thread, { limit: 10 });
    assert.equal(states.length, 6);
    const before = { configurable: states[1]?.checkpoint };
    assert.deepEqual(await client.threads.getHistory(thread, { before }), states.slice(2));
    const checkpoint = states[2]?.checkpoint;
    assert.deepEqual(await client.threads.getState(thread, checkpoint), states[2]);
    assert.deepEqual(await client.threads.getState(thread, string(checkpoint?.checkpoint_id)), states[2]);
    await client.threads.updateState(thread, { values: say("forked"), checkpoint, asNode: "__start__" });
    const values = await client.runs.wait(thread, "echo", { input: null, config: delay(0) });
    const said = list(values.messages).map(({ content }) => content);
    assert.equal(said.length, 4);
    assert.equal(said[2], "forked");
  });

  it("cancels a run, waiting for it or not", async () => {
    for (const wait of [true, false]) {
      const thread = await newThread();
      const run = await client.runs.create(thread, "slow", { input: { seconds: 60 } });
      const id = string(run.run_id);
      await client.runs.cancel(thread, id, wait);
      await client.runs.join(thread, id);
      assert.equal((await client.runs.get(thread, id)).status, "interrupted");
    }
    const thread = await newThread();
    const run = await client.runs.create(thread, "slow", { input: { seconds: 60 } });
    await client.runs.cancel(thread, string(run.run_id), true, "rollback");
    await assert.rejects(client.runs.get(thread, string(run.run_id)), /404/);
  });

  it("gets feedback addresses at the end of a stream", async () => {
    const thread = await newThread();
    const seen = await collect(
      client.runs.stream(thread, "echo", { input: say("x"), config: delay(0), feedbackKeys: ["liked"] }),
    );
    assert.equal(seen.at(-1)?.event, "feedback");
    const answer = await fetch(string(seen.at(-1)?.data.liked), { method: "POST", body: '{"score":1}' });
    assert.equal(answer.status, 200);
  });
});

async function collect(stream: AsyncIterable<SdkEvent>): Promise<SdkEvent[]> {
  const seen: SdkEvent[] = [];
  for await (const event of stream) seen.push(event);
  return seen;
}

function string(value: unknown): string {
  return typeof value === "string" ? value : assert.fail(`Expected a string, not ${JSON.stringify(value)}`);
}

function list(value: unknown): Json[] {
  return Array.isArray(value)
    ? (value as Json[])
    : assert.fail(`Expected a list, not ${JSON.stringify(value)}`);
}

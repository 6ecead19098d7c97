import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import type { RunStream } from "../../src/api/agentServer/index.ts";
import type { JsonObject, RunCreate, StreamMode, ThreadState } from "../../src/api/agentServer/wire.ts";
import { ApiError } from "../../src/api/errors.ts";
import { submitFeedback } from "../../src/api/feedback.ts";
import { Http } from "../../src/api/http.ts";
import type { Exchange } from "../../src/api/http.ts";
import type { SseEvent } from "../../src/api/sse.ts";
import { startFeedbackService } from "./feedbackService.ts";
import type { FeedbackService } from "./feedbackService.ts";
import { startAgentServer } from "./server.ts";
import type { PeerServer } from "./server.ts";

const say = (content: string, rest: JsonObject = {}) => ({ messages: [{ role: "user", content }], ...rest });
const nowhere = "00000000-0000-7000-8000-000000000000";
const modes: readonly StreamMode[] = ["messages-tuple", "updates", "values", "custom"];
const slowly = (seconds: number): RunCreate => ({
  assistant_id: "slow",
  input: say("Talk", { seconds }),
  stream_mode: modes,
});

async function rejection(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => assert.fail("did not fail"),
    (error: unknown) => (error instanceof ApiError ? error : assert.fail(String(error))),
  );
}

async function read({ events }: RunStream): Promise<readonly SseEvent[]> {
  const seen: SseEvent[] = [];
  for await (const batch of events) seen.push(...batch);
  return seen;
}

/** Texts of the messages in a thread's state. */
function texts({ values }: ThreadState): readonly unknown[] {
  return (values["messages"] as readonly { readonly content: unknown }[]).map(({ content }) => content);
}

describe("our client and a real agent server", () => {
  let service: FeedbackService;
  let server: PeerServer;
  let api: AgentServer;
  const exchanges: Exchange[] = [];

  before(async function () {
    this.timeout(90_000);
    service = await startFeedbackService();
    server = await startAgentServer({ LANGSMITH_ENDPOINT: service.url, LANGSMITH_API_KEY: "unused" });
    api = new AgentServer(
      new Http({ baseUrl: server.url, onExchange: (exchange) => exchanges.push(exchange) }),
    );
  });

  after(async () => {
    await server.stop();
    await service.stop();
  });

  const newThread = async () => (await api.threads.create()).thread_id;

  it("is up and says what it is", async () => {
    await api.ok();
    const { version, context } = await api.info();
    assert.match(version ?? "", /^\d+\./);
    assert.equal(context, "js");
  });

  it("lists its assistants and draws their graphs", async () => {
    const assistants = await api.assistants.search();
    const graphs = assistants.map(({ graph_id }) => graph_id).sort();
    assert.deepEqual(graphs, ["approval", "chat", "faulty", "flood", "researcher", "slow"]);
    const [chat] = await api.assistants.search({ graph_id: "chat" });
    assert.equal((await api.assistants.get(chat?.assistant_id ?? "")).graph_id, "chat");
    const { nodes, edges } = await api.assistants.graph("researcher", { xray: true });
    assert.ok(nodes.some(({ id }) => id === "historian"));
    assert.ok(edges.length > 0);
    assert.equal((await rejection(api.assistants.get(nowhere))).kind, "notFound");
  });

  it("creates, reads, changes, searches, counts, copies and deletes threads", async () => {
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
    const copy = await api.threads.copy(first.thread_id);
    assert.notEqual(copy.thread_id, first.thread_id);
    await api.threads.delete(first.thread_id);
    assert.equal((await rejection(api.threads.get(first.thread_id))).kind, "notFound");
    assert.equal((await rejection(api.threads.delete(first.thread_id))).kind, "notFound");
  });

  it("streams a run and keeps it", async () => {
    const threadId = await newThread();
    const stream = await api.runs.stream(threadId, {
      assistant_id: "chat",
      input: say("Hi"),
      stream_mode: modes,
    });
    const events = await read(stream);
    assert.equal(events[0]?.event, "metadata");
    assert.deepEqual(JSON.parse(events[0].data), { run_id: stream.runId, attempt: 1 });
    assert.ok(events.filter(({ event }) => event === "messages").length > 5);
    const run = await api.runs.get(threadId, stream.runId ?? "");
    assert.equal(run.status, "success");
    const state = await api.threads.state(threadId);
    assert.deepEqual(texts(state), ["Hi", "You said **Hi**. That makes 1 message — grüße & 你好."]);
    assert.deepEqual((await api.runs.list(threadId, { status: "success" })).length, 1);
    assert.deepEqual(await api.runs.list(threadId, { status: "error" }), []);
  });

  it("streams tools and subagents in namespaces", async () => {
    const body: RunCreate = {
      assistant_id: "researcher",
      input: say("tea"),
      stream_mode: modes,
      stream_subgraphs: true,
    };
    const events = await read(await api.runs.stream(await newThread(), body));
    const names = new Set(events.map(({ event }) => event.replace(/:[0-9a-f-]{36}/g, "")));
    for (const name of [
      "messages|historian|model",
      "messages|scientist|model",
      "values|historian",
      "custom",
    ]) {
      assert.ok(names.has(name), `${name} is missing in ${[...names].join(", ")}`);
    }
  });

  it("re-joins a cut stream after the last event it saw, without loss or doubling", async () => {
    const threadId = await newThread();
    const stream = await api.runs.stream(threadId, slowly(1));
    const seen: SseEvent[] = [];
    for await (const batch of stream.events) {
      seen.push(...batch);
      if (seen.length >= 5) break;
    }
    const lastEventId = seen.at(-1)?.id ?? "";
    seen.push(...(await read(await api.runs.rejoin(threadId, stream.runId ?? "", { lastEventId }))));
    assert.deepEqual(
      seen.map(({ id }) => id),
      seen.map((_, index) => String(index)),
    );
    const whole = await read(await api.runs.rejoin(threadId, stream.runId ?? "", { lastEventId: "-1" }));
    assert.deepEqual(seen, whole);
  });

  it("reports a run that is unknown to re-join as an event", async () => {
    const [event] = await read(await api.runs.rejoin(await newThread(), nowhere, { lastEventId: "-1" }));
    assert.equal(event?.event, "error");
  });

  it("starts a run without watching it, joins it and reads its result", async () => {
    const threadId = await newThread();
    const run = await api.runs.create(threadId, { assistant_id: "chat", input: say("Hi") });
    assert.match(run.status, /pending|running/);
    const values = (await api.runs.join(threadId, run.run_id)) as JsonObject;
    assert.equal((values["messages"] as unknown[]).length, 2);
    assert.equal((await rejection(api.runs.join(threadId, nowhere))).kind, "notFound");
    await api.runs.delete(threadId, run.run_id);
    assert.equal((await rejection(api.runs.get(threadId, run.run_id))).kind, "notFound");
  });

  it("waits for a run, also for one that fails", async () => {
    const values = (await api.runs.wait(await newThread(), {
      assistant_id: "chat",
      input: say("Hi"),
    })) as JsonObject;
    assert.ok(values["messages"]);
    const error = await rejection(
      api.runs.wait(await newThread(), { assistant_id: "faulty", input: say("Hi") }),
    );
    assert.equal(error.kind, "runFailed");
    assert.equal(error.detail, "the disk is full");
  });

  it("shows a run that fails in the middle of its stream", async () => {
    const threadId = await newThread();
    const stream = await api.runs.stream(threadId, {
      assistant_id: "faulty",
      input: say("Hi"),
      stream_mode: modes,
    });
    const last = (await read(stream)).at(-1);
    assert.equal(last?.event, "error");
    assert.deepEqual(JSON.parse(last.data), { error: "Error", message: "the disk is full" });
    assert.equal((await api.runs.get(threadId, stream.runId ?? "")).status, "error");
    assert.equal((await api.threads.get(threadId)).status, "error");
  });

  it("cancels a run", async () => {
    const threadId = await newThread();
    const stream = await api.runs.stream(threadId, slowly(20));
    const reading = read(stream);
    await delay(800);
    await api.runs.cancel(threadId, stream.runId ?? "", { wait: true });
    await reading;
    assert.equal((await api.runs.get(threadId, stream.runId ?? "")).status, "interrupted");
    const unknown = await rejection(api.runs.cancel(threadId, nowhere));
    assert.equal(unknown.kind, "notFound");
  });

  it("leaves a run alone when only its stream is left", async () => {
    const threadId = await newThread();
    const stream = await api.runs.stream(threadId, slowly(1));
    for await (const batch of stream.events) if (batch.length > 0) break;
    await api.runs.join(threadId, stream.runId ?? "");
    assert.equal((await api.runs.get(threadId, stream.runId ?? "")).status, "success");
  });

  it("interrupts the first run of a thread with a second one", async () => {
    const threadId = await newThread();
    const first = await api.runs.stream(threadId, slowly(20));
    const reading = read(first);
    await delay(800);
    assert.equal((await rejection(api.runs.create(threadId, slowly(1)))).kind, "conflict");
    const second = await api.runs.create(threadId, {
      assistant_id: "chat",
      input: say("Stop"),
      multitask_strategy: "interrupt",
    });
    await api.runs.join(threadId, second.run_id);
    await reading;
    assert.equal((await api.runs.get(threadId, first.runId ?? "")).status, "interrupted");
    const state = await api.threads.state(threadId);
    assert.deepEqual(texts(state).slice(0, 2), ["Talk", "Stop"]);
  });

  it("answers an interrupt", async () => {
    const threadId = await newThread();
    await read(
      await api.runs.stream(threadId, { assistant_id: "approval", input: say("Report"), stream_mode: modes }),
    );
    assert.equal((await api.threads.get(threadId)).status, "interrupted");
    const waiting = await api.threads.search({ ids: [threadId], status: "interrupted" });
    assert.equal(waiting.threads.length, 1);
    const { tasks } = await api.threads.state(threadId, { subgraphs: true });
    const value = tasks[0]?.interrupts[0]?.value as {
      readonly action_requests: readonly { readonly name: string }[];
    };
    assert.deepEqual(
      value.action_requests.map(({ name }) => name),
      ["send_mail", "delete_file"],
    );
    const resume = { decisions: [{ type: "approve" }, { type: "reject", message: "keep it" }] };
    await read(
      await api.runs.stream(threadId, { assistant_id: "approval", command: { resume }, stream_mode: modes }),
    );
    const said = texts(await api.threads.state(threadId));
    assert.match(String(said.at(-1)), /^Outcome: send_mail approve .* and keep it\.$/);
  });

  it("pages through a thread's history and forks from it", async () => {
    const threadId = await newThread();
    await api.runs.wait(threadId, { assistant_id: "chat", input: say("One") });
    await api.runs.wait(threadId, { assistant_id: "chat", input: say("Two") });
    const whole = await api.threads.history(threadId, { limit: 50 });
    const newest = await api.threads.history(threadId, { limit: 2 });
    assert.deepEqual(newest, whole.slice(0, 2));
    const before = newest.at(-1)?.checkpoint?.checkpoint_id ?? "";
    assert.deepEqual(await api.threads.history(threadId, { limit: 50, before }), whole.slice(2));

    const old = whole.find((state) => state.next[0] === "model") as ThreadState;
    const at = await api.threads.state(threadId, { checkpointId: old.checkpoint?.checkpoint_id });
    assert.deepEqual(at.values, old.values);
    const { checkpoint } = await api.threads.updateState(threadId, {
      checkpoint: { checkpoint_id: old.checkpoint?.checkpoint_id ?? "" },
      values: { messages: [{ type: "human", content: "Instead" }] },
      as_node: "__start__",
    });
    const forked = await api.threads.state(threadId);
    assert.equal(forked.checkpoint?.checkpoint_id, checkpoint.checkpoint_id);
    assert.equal(texts(forked).at(-1), "Instead");
  });

  it("gives feedback by the URLs that the stream's last event brings", async () => {
    const feedback_keys = ["user_score", "correct"];
    const body: RunCreate = {
      assistant_id: "chat",
      input: say("Rate me"),
      stream_mode: "updates",
      feedback_keys,
    };
    const last = (await read(await api.runs.stream(await newThread(), body))).at(-1);
    assert.equal(last?.event, "feedback");
    const urls = JSON.parse(last.data) as Record<string, string>;
    assert.deepEqual(Object.keys(urls), feedback_keys);
    await submitFeedback(urls["user_score"] ?? "", { score: 1, comment: "good" });
    const [received] = service.received;
    assert.equal(received?.method, "POST");
    assert.deepEqual(JSON.parse(received.body), { score: 1, comment: "good" });
    assert.equal(received.headers["x-api-key"], undefined);
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

  it("was asked nothing twice", () => {
    const repeated = exchanges.filter(
      ({ status, error }) => status === undefined || status >= 500 || error === "cut",
    );
    assert.deepEqual(repeated, []);
  });
});

import assert from "node:assert/strict";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { JsonObject, RunCreate } from "../../src/api/agentServer/wire.ts";
import { submitFeedback } from "../../src/api/agentServer/feedback.ts";
import type { SseEvent } from "../../src/api/exchange.ts";
import { agentServerPeer, modes, nowhere, read, reading, rejection, say, texts } from "./agentServerPeer.ts";
import type { FeedbackService } from "../support/feedbackService.ts";

const slowly = (seconds: number): RunCreate => ({
  assistant_id: "slow",
  input: say("Talk", { seconds }),
  stream_mode: modes,
});

describe("our client and the runs of a real agent server", () => {
  let api: AgentServer;
  let service: FeedbackService;

  before(async () => {
    ({ api, service } = await agentServerPeer());
  });

  const newThread = async () => (await api.threads.create()).thread_id;

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
    assert.equal((await api.runs.get(threadId, run.run_id)).status, "success");
    assert.equal((await rejection(api.runs.get(threadId, nowhere))).kind, "notFound");
  });

  it("joins a run that fails", async () => {
    const threadId = await newThread();
    const run = await api.runs.create(threadId, { assistant_id: "faulty", input: say("Hi") });
    const error = await rejection(api.runs.join(threadId, run.run_id));
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
    const { working, ended } = reading(stream);
    await working;
    await api.runs.cancel(threadId, stream.runId ?? "", { wait: true });
    await ended;
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
    const { working, ended } = reading(first);
    await working;
    assert.equal((await rejection(api.runs.create(threadId, slowly(1)))).kind, "conflict");
    const second = await api.runs.create(threadId, {
      assistant_id: "chat",
      input: say("Stop"),
      multitask_strategy: "interrupt",
    });
    await api.runs.join(threadId, second.run_id);
    await ended;
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

  it("ask the server nothing twice", async () => {
    const { exchanges } = await agentServerPeer();
    const repeated = exchanges.filter(
      // Who leaves a stream before it began asks for nothing again.
      ({ status, error }) =>
        error !== "aborted" && (status === undefined || status >= 500 || error === "cut"),
    );
    assert.deepEqual(repeated, []);
  });
});

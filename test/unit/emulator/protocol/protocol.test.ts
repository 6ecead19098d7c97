import assert from "node:assert/strict";
import { eventText, headOf } from "../../../../src/emulator/protocol/protocolEvent.ts";
import { wants } from "../../../../src/emulator/protocol/subscription.ts";
import { is, list, LocalPlatform, say, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import type { Shape } from "../../../support/localPlatform.ts";
import { ProtocolClient } from "./protocolClient.ts";
import type { ProtocolFrame } from "./protocolClient.ts";

describe("the streaming protocol", () => {
  let platform: LocalPlatform;
  let client: ProtocolClient;

  before(async () => {
    platform = await LocalPlatform.start();
  });
  beforeEach(() => {
    client = new ProtocolClient(platform);
  });
  after(() => platform.remove());

  const statuses = (frames: readonly ProtocolFrame[]) =>
    frames.filter(({ method }) => method === "lifecycle").map(({ data }) => text(data.event));

  it("answers run.start with the run's id and where the thread's events are", async () => {
    const answer = await client.command("run.start", { assistant_id: "echo", input: say("hi") });
    assert.deepEqual(Object.keys(answer), ["type", "id", "result", "meta"]);
    assert.deepEqual([answer.type, answer.id], ["success", 1]);
    assert.equal(answer.meta?.thread_id, client.threadId);
    const run = await platform.send("GET", `/threads/${client.threadId}/runs/${text(answer.result?.run_id)}`);
    assert.equal(run.body.thread_id, client.threadId);
  });

  it("streams a run as lifecycle, checkpoints, values, tasks, message blocks and updates", async () => {
    await client.start("echo", "hi");
    const seen = await client.untilEnd();
    assert.deepEqual(
      seen.map(({ seq }) => seq),
      seen.map((_, index) => index + 1),
    );
    const parts = seen.map(({ method, data }) =>
      `${method} ${typeof data.event === "string" ? data.event : ""}`.trim(),
    );
    const condensed = parts.filter((part, index) => part !== parts[index - 1]);
    assert.deepEqual(condensed, [
      "lifecycle started",
      "checkpoints",
      "values",
      "tasks",
      "lifecycle started",
      "messages message-start",
      "messages content-block-start",
      "messages content-block-delta",
      "messages content-block-finish",
      "messages message-finish",
      "updates",
      "tasks",
      "lifecycle completed",
      "checkpoints",
      "values",
      "lifecycle completed",
    ]);
    const state = (await client.send("GET", "/state")).body;
    assert.deepEqual(seen.findLast(({ method }) => method === "values")?.data, state.values);
  });

  it("frames events as chat backends do below /api, and as agent servers do below /threads", async () => {
    await client.start("echo", "hi");
    const chat = await client.untilEnd();
    const server = await new ProtocolClient(platform, "/threads", client.threadId).untilEnd();
    assert.deepEqual(new Set(chat.map(({ name }) => name)), new Set(["message"]));
    assert.deepEqual(
      server.map(({ name }) => name),
      server.map(({ method }) => method),
    );
    assert.deepEqual(
      server.map(({ id }) => id),
      server.map(({ event }) => event.event_id),
    );
    assert.equal(server[0]?.data.event, "running");
    assert.equal(chat[0]?.data.event, "started");
    const update = (frames: ProtocolFrame[]) => frames.find(({ method }) => method === "updates")!;
    assert.deepEqual(update(chat).data, { node: "model", values: update(server).data });
    assert.equal(update(server).event.params?.node, "model");
  });

  it("shows the parts of messages one after the other, with the calls' arguments whole in the end", async () => {
    await client.start("researcher", "bees");
    const seen = await client.untilEnd({ channels: ["messages", "lifecycle"] });
    const plan = seen.filter(({ method, namespace }) => {
      return method === "messages" && /^plan:/.test(namespace[0] ?? "");
    });
    const open = new Set<unknown>();
    for (const { data } of plan) {
      if (is(data.event, "content-block-start")) open.add(data.index);
      if (is(data.event, "content-block-finish")) open.delete(data.index);
      assert.ok(open.size <= 1);
    }
    const finished = plan.filter(({ data }) => is(data.event, "content-block-finish"));
    const calls = finished.map(({ data }) => data.content).filter((block) => is(block?.type, "tool_call"));
    const state = (await client.send("GET", "/state")).body;
    assert.deepEqual(
      calls.map((call) => call?.args),
      list(list(state.values?.messages)[1]?.tool_calls).map(({ args }) => args),
    );
    const chunks = plan.flatMap(({ data }) => (is(data.delta?.type, "block-delta") ? [data.delta] : []));
    assert.deepEqual(JSON.parse(text(chunks.at(-1)?.fields?.args)), calls.at(-1)?.args);
  });

  it("puts what a task tool call runs into the namespace of that call, and tells why it began", async () => {
    await client.start("researcher", "bees");
    const seen = await client.untilEnd();
    const started = seen.filter(({ data }) => is(data.tool_name as unknown, "task"));
    assert.deepEqual(
      started.map(({ namespace, data }) => [namespace, data.event]),
      started.map(({ data }) => [[`tools:${text(data.tool_call_id)}`], "tool-started"]),
    );
    assert.equal(started.length, 2);
    for (const { namespace, data } of started) {
      const own = seen.filter((frame) => frame.namespace[0] === namespace[0]);
      const lifecycle = own.filter((frame) => frame.method === "lifecycle" && frame.namespace.length === 1);
      assert.deepEqual(lifecycle[0]?.data.cause, { type: "toolCall", tool_call_id: data.tool_call_id });
      assert.deepEqual(statuses(lifecycle), ["started", "completed"]);
      const values = own.filter(({ method }) => method === "values");
      const task = JSON.parse(text(data.input)) as Shape;
      assert.equal(list(values[0]?.data.messages)[0]?.content, task.description);
    }
  });

  it("replays what happened, then goes on live over several runs, in one sequence", async () => {
    await client.start("echo", "first");
    await client.untilEnd();
    const following = client.untilEnd({}, 2);
    await client.start("echo", "second", { config: { configurable: { token_delay_ms: 2 } } });
    const seen = await following;
    assert.deepEqual(
      seen.map(({ seq }) => seq),
      seen.map((_, index) => index + 1),
    );
    const last = seen.findLast(({ method }) => method === "values");
    assert.equal(list(last?.data.messages).length, 4);
    const middle = seen[Math.floor(seen.length / 2)]!.seq;
    const rest = await client.untilEnd({ since: middle });
    assert.deepEqual(rest.slice(0, 5), seen.slice(middle, middle + 5));
  });

  it("sends only the channels, namespaces and depths that were asked for", async () => {
    await client.start("researcher", "bees");
    const whole = await client.untilEnd();
    const only = async (filter: Record<string, unknown>): Promise<ProtocolFrame[]> => {
      const wanted = whole.filter((frame) => wants({ channels: [], ...filter }, headOf(frameOf(frame))!));
      const seen: ProtocolFrame[] = [];
      for await (const frame of client.follow(filter)) {
        seen.push(frame);
        if (seen.length === wanted.length) break;
      }
      return seen;
    };
    const tools = await only({ channels: ["tools"] });
    assert.deepEqual(new Set(tools.map(({ method }) => method)), new Set(["tools"]));
    const root = await only({ channels: ["values", "messages"], namespaces: [[]], depth: 0 });
    assert.ok(root.every(({ namespace }) => namespace.length === 0));
    const below = await only({ channels: ["values"], namespaces: [["tools"]] });
    assert.ok(below.length > 0 && below.every(({ namespace }) => namespace[0]?.startsWith("tools:")));
    const flat = await only({ channels: ["lifecycle"], namespaces: [["tools"]], depth: 0 });
    assert.ok(flat.length > 0 && flat.every(({ namespace }) => namespace.length === 1));
    const one = await only({ channels: ["messages"], namespaces: [["tools:call_fact_checker_1"]] });
    assert.deepEqual(
      new Set(one.map(({ namespace }) => namespace[0])),
      new Set(["tools:call_fact_checker_1"]),
    );
    const ignored = await only({ channels: ["values"], depth: 0 });
    assert.ok(ignored.some(({ namespace }) => namespace.length > 0));
  });

  it("tells named custom events from others, and finds its way in hostile names", () => {
    const name = 'odd","timestamp":"]}\\';
    const event = { method: "custom", namespace: ['a]"', "b:1"], data: { name, payload: 1 } } as const;
    const head = headOf(`id: 7\nevent: custom\ndata: ${eventText(7, event)}\n\n`)!;
    assert.deepEqual(head, { seq: 7, channel: `custom:${name}`, namespace: ['a]"', "b:1"] });
    assert.ok(wants({ channels: ["custom"] }, head));
    assert.ok(wants({ channels: [`custom:${name}`] }, head));
    assert.ok(!wants({ channels: ["custom:other"] }, head));
  });

  it("asks for input, takes the answer, and refuses answers that fit nothing", async () => {
    const refused = async (params: unknown) => text((await client.command("input.respond", params)).error);
    assert.equal(await refused({ interrupt_id: "x", response: 1 }), "no_such_run");
    await client.start("approval", "one");
    const asked = await client.untilEnd({ channels: ["input", "lifecycle"] });
    const { data } = asked.find(({ method }) => method === "input.requested")!;
    assert.deepEqual(asked.at(-1)?.data.event, "interrupted");
    assert.equal((await platform.send("GET", `/threads/${client.threadId}`)).body.status, "interrupted");
    assert.equal(await refused({ response: 1 }), "invalid_argument");
    assert.equal(await refused({ responses: [] }), "invalid_argument");
    assert.equal(await refused({ interrupt_id: "x", response: 1 }), "no_such_interrupt");
    const response = { decisions: [{ type: "approve" }] };
    const answer = await client.command("input.respond", {
      responses: [{ interrupt_id: data.interrupt_id, response }],
      config: { configurable: { token_delay_ms: 0 } },
    });
    assert.deepEqual([answer.type, answer.result], ["success", {}]);
    await client.untilEnd({ since: asked.at(-1)?.seq });
    const state = (await client.send("GET", "/state")).body;
    assert.deepEqual(state.next, []);
    assert.equal(await refused({ interrupt_id: data.interrupt_id, response: 1 }), "invalid_argument");
  });

  it("takes the input of run.start as the answer when the thread waits for one", async () => {
    await client.start("approval", "one");
    const asked = await client.untilEnd();
    await client.start("approval", "", { input: { decisions: [{ type: "approve" }] } });
    const resumed = await client.untilEnd({ since: asked.at(-1)?.seq });
    assert.equal(resumed.at(-1)?.data.event, "completed");
  });

  it("aborts a run in progress for the next one below /api, and queues it below /threads", async () => {
    const slow = { input: { ...say("x"), seconds: 60 } };
    await client.start("slow", "x", slow);
    const running = client.untilEnd({ channels: ["lifecycle"] }, 2);
    await client.start("slow", "x", { input: { ...say("x"), seconds: 0 } });
    const ends = (await running).filter(({ namespace }) => namespace.length === 0);
    assert.deepEqual(statuses(ends), ["started", "interrupted", "started", "completed"]);

    const queueing = new ProtocolClient(platform, "/threads");
    const first = await queueing.start("slow", "x", slow);
    const second = await queueing.start("slow", "x", slow);
    assert.equal(await platform.runStatus(queueing.threadId, second), "pending");
    await until(
      "the first run runs",
      async () => (await platform.runStatus(queueing.threadId, first)) === "running",
    );
    const rejected = await queueing.command("run.start", {
      assistantId: "slow",
      input: {},
      multitaskStrategy: "reject",
    });
    assert.equal(rejected.error, "invalid_argument");
    await platform.send("DELETE", `/threads/${queueing.threadId}`);
  });

  it("answers unknown commands, and what is no command, with the error envelope", async () => {
    const unknown = await client.command("run.fly", {});
    assert.deepEqual([unknown.type, unknown.id, unknown.error], ["error", 1, "unknown_command"]);
    assert.equal((await client.command("subscription.reconnect", {})).error, "not_supported");
    for (const body of ["{", "[]", { method: "run.start" }, { id: -1, method: "x" }, { id: 1 }]) {
      const answer = await client.send("POST", "/commands", body);
      assert.equal(answer.status, 400);
      assert.deepEqual([answer.body.type, answer.body.id], ["error", null]);
      assert.equal(answer.body.error, "invalid_argument");
    }
    const wrong = await client.command("run.start", { assistant_id: 7 });
    assert.equal(wrong.error, "invalid_argument");
    const server = new ProtocolClient(platform, "/threads");
    assert.match(
      text((await server.command("run.start", { input: {} })).message),
      /requires an assistant_id/,
    );
    assert.equal((await server.command("agent.getTree")).error, "no_such_run");
    assert.equal((await server.command("state.get")).error, "no_such_run");
  });

  it("refuses filters that it does not know", async () => {
    for (const filter of [
      {},
      { channels: "values" },
      { channels: [], since: -1 },
      { channels: [], extra: 1 },
    ]) {
      assert.equal((await client.send("POST", "/stream", filter)).status, 422, JSON.stringify(filter));
    }
    assert.equal((await platform.send("POST", "/api/threads/..%2F..%2Fx/commands", {})).status, 422);
  });
});

function frameOf({ id, method, event, name }: ProtocolFrame): string {
  const restored = { ...event, method };
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(restored)}\n\n`;
}

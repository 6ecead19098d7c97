import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../src/emulator/server.ts";
import type { RunningServer } from "../../src/emulator/server.ts";
import { sdkClient } from "./sdk/client.ts";
import type { Json, SdkClient } from "./sdk/client.ts";
import { chatAdapter, openThread } from "./sdk/protocol.ts";
import type { ProtocolEvent, ThreadStream } from "./sdk/protocol.ts";

const allChannels = [
  "values",
  "updates",
  "messages",
  "tools",
  "lifecycle",
  "input",
  "checkpoints",
  "tasks",
  "custom",
];

describe("the streaming protocol's own client and the Local Platform", () => {
  let directory: string;
  let server: RunningServer;
  let client: SdkClient;
  const opened: ThreadStream[] = [];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "protocol-peer-"));
    server = await startServer({ port: 0, directory });
    client = await sdkClient(server.ready.deploymentUrl, server.ready.apiKey);
  });
  afterEach(async () => {
    for (const thread of opened.splice(0)) await thread.close();
  });
  after(async () => {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  });

  const open = async (assistant: string, threadId?: string): Promise<ThreadStream> => {
    const { deploymentUrl, apiKey } = server.ready;
    const thread = await openThread(
      deploymentUrl,
      apiKey,
      assistant,
      threadId === undefined ? {} : { threadId },
    );
    opened.push(thread);
    return thread;
  };
  const said = (content: string, delay = 0) => ({
    input: { messages: [{ role: "user", content }] },
    config: { configurable: { token_delay_ms: delay } },
  });

  it("starts a run, streams its tokens, and ends with the state that the agent server shows", async () => {
    const thread = await open("echo");
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const message of thread.messages) {
        for await (const piece of message.text) pieces.push(piece);
        return await message.usage;
      }
      return undefined;
    })();
    const { run_id } = await thread.run.start(said("Hello there", 1));
    const usage = await reading;
    const values = (await client.threads.getState(thread.threadId)).values;
    const last = list(values?.messages).at(-1);
    assert.ok(pieces.length > 10);
    assert.equal(pieces.join(""), last?.content);
    assert.deepEqual(usage, last?.usage_metadata);
    assert.equal(list((await thread.output).messages).length, 2);
    assert.equal((await client.runs.get(thread.threadId, run_id)).status, "success");
  });

  it("finds the subagents, each with its task, its messages, its tools and its answer", async () => {
    const thread = await open("researcher");
    const found = (async () => {
      const subagents: Promise<unknown>[] = [];
      for await (const subagent of thread.subagents) {
        subagents.push(
          (async () => {
            const texts: string[] = [];
            const tools = new Set<string>();
            const reading = (async () => {
              for await (const message of subagent.messages) texts.push(await message.text);
            })();
            for await (const tool of subagent.toolCalls) tools.add(tool.name);
            await reading;
            const { content } = await subagent.output;
            assert.equal(content, texts.at(-1));
            assert.deepEqual(subagent.namespace, [`tools:${subagent.callId}`]);
            return {
              name: subagent.name,
              task: await subagent.taskInput,
              messages: texts.length,
              tools: [...tools],
            };
          })(),
        );
      }
      return await Promise.all(subagents);
    })();
    await thread.run.start(said("bees", 1));
    assert.deepEqual(await found, [
      {
        name: "web_researcher",
        task: "Find three recent sources about bees.",
        messages: 2,
        tools: ["search_web"],
      },
      {
        name: "fact_checker",
        task: "Check the common claims about bees.",
        messages: 2,
        tools: ["check_claim"],
      },
    ]);
  });

  it("streams the calls of a message with their arguments", async () => {
    const thread = await open("researcher");
    const first = (async () => {
      for await (const message of thread.messages) return await message.toolCalls;
      return [];
    })();
    await thread.run.start(said("bees"));
    assert.deepEqual(
      (await first).map(({ name, args }) => [name, args?.subagent_type]),
      [
        ["task", "web_researcher"],
        ["task", "fact_checker"],
      ] as unknown,
    );
  });

  it("is asked, responds, and sees the run go on to its end", async () => {
    const thread = await open("approval");
    await thread.run.start(said("two things"));
    await thread.output;
    assert.equal(thread.interrupted, true);
    const [question, ...more] = thread.interrupts;
    assert.deepEqual(more, []);
    const state = await client.threads.getState(thread.threadId);
    assert.deepEqual(list(list(state.tasks)[0]?.interrupts)[0], {
      id: question?.interruptId,
      value: question?.payload,
    });
    const wrong = thread.input.respond({ namespace: [], interrupt_id: "nonsense", response: {} });
    await assert.rejects(wrong, { code: "no_such_interrupt" });
    const events = await thread.subscribe({ channels: ["lifecycle"], namespaces: [[]], depth: 0 });
    const ended = (async () => {
      for await (const { params } of events) if (is(params.data.event, "completed")) return;
    })();
    const decisions = [{ type: "approve" }, { type: "reject", message: "keep it" }];
    await thread.input.respond({
      namespace: question?.namespace,
      interrupt_id: question?.interruptId,
      response: { decisions },
      config: { configurable: { token_delay_ms: 0 } },
    });
    await ended;
    const values = (await client.threads.getState(thread.threadId)).values;
    const results = list(values?.messages).filter(({ tool_call_id }) => tool_call_id !== undefined);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["success", "error"],
    );
    const late = thread.input.respond({ namespace: [], interrupt_id: question?.interruptId, response: 1 });
    await assert.rejects(late, { code: "invalid_argument" });
  });

  it("loses and doubles nothing when its stream is cut", async () => {
    const { localUrl, apiKey } = server.ready;
    const rule = { match: { method: "POST", path: "/stream/events$" }, drop_after_events: 12, times: 2 };
    const headers = { "x-api-key": apiKey };
    const thread = await open("echo");
    await thread.run.start(said("cut me", 2));
    await fetch(`${localUrl}/faults`, { method: "POST", headers, body: JSON.stringify(rule) });
    const seen = await untilEnd(await thread.subscribe({ channels: allChannels }));
    assert.deepEqual(
      seen.map(({ seq }) => seq),
      seen.map((_, index) => index + 1),
    );
    const whole = await untilEnd(
      await (await open("echo", thread.threadId)).subscribe({ channels: allChannels }),
    );
    assert.deepEqual(whole, seen);
  });

  it("sees the runs of the agent server's other interface on the same thread", async () => {
    const thread = await open("echo");
    await thread.run.start(said("by protocol"));
    await thread.output;
    const run = { ...said("by runs"), streamMode: "values" };
    const values = await client.runs.wait(thread.threadId, "echo", run);
    const again = await open("echo", thread.threadId);
    const events: ProtocolEvent[] = [];
    for await (const event of await again.subscribe({ channels: ["values"] })) {
      events.push(event);
      if (list(event.params.data.messages).length === 4) break;
    }
    assert.deepEqual(events.at(-1)?.params.data, values);
    assert.equal((await again.agent.getTree()).tree.status, "completed");
  });

  it("reads the state, lists checkpoints and forks from one", async () => {
    const thread = await open("echo");
    await thread.run.start(said("first"));
    await thread.output;
    const { values, checkpoint } = await thread.state.get({ namespace: [], keys: ["messages"] });
    assert.equal(list(values.messages).length, 2);
    const { checkpoints } = await thread.state.listCheckpoints({ namespace: [], limit: 5 });
    assert.equal(checkpoints[0]?.id, checkpoint.id);
    const { run_id } = await thread.state.fork({
      checkpoint_id: checkpoints.at(-1)?.id,
      config: { configurable: { token_delay_ms: 0 } },
    });
    const forked = await client.runs.join(thread.threadId, run_id);
    assert.equal(list(forked.messages).length, 2);
    const next = await client.runs.wait(thread.threadId, "echo", said("second"));
    assert.equal(list(next.messages).length, 4);
    const missing = thread.state.fork({ checkpoint_id: crypto.randomUUID() });
    await assert.rejects(missing, { code: "no_such_checkpoint" });
    await assert.rejects(thread.state.get({ namespace: ["nowhere"] }), { code: "no_such_namespace" });
  });

  it("learns why a run failed and why a command was refused", async () => {
    const thread = await open("faulty");
    await thread.run.start(said("x"));
    const seen = await untilEnd(await thread.subscribe({ channels: ["lifecycle"] }));
    const { data } = seen.at(-1)!.params;
    assert.equal(data.event, "failed");
    assert.match(JSON.stringify(data.error), /The model is overloaded/);
    const other = await open("echo", thread.threadId);
    await assert.rejects(other.run.start(said("x")), /bound to assistant faulty/);
    const unknown = await open("nobody");
    await assert.rejects(unknown.run.start(said("x")), { code: "invalid_argument" });
  });

  it("uses the chat backend's paths: first state, run, state and history", async () => {
    const { deploymentUrl, apiKey } = server.ready;
    const base = `${deploymentUrl}/api/threads`;
    const threadId = crypto.randomUUID();
    const transport = await chatAdapter(deploymentUrl, apiKey, threadId);
    assert.equal(await transport.getState(), null);
    const post = async (path: string, body: unknown): Promise<Json> => {
      const headers = { "x-api-key": apiKey };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      return (await (await fetch(`${base}/${threadId}/${path}`, init)).json()) as Json;
    };
    const made = await post("state", { values: { messages: [] } });
    assert.deepEqual(await transport.getState(), made);
    const thread = await openThread(deploymentUrl, apiKey, "echo", { threadId, transport });
    opened.push(thread);
    await thread.run.start(said("over the chat backend"));
    const values = await thread.output;
    assert.equal(list(values.messages).length, 2);
    const state = await client.threads.getState(threadId);
    const history = await post("history", { limit: 2 });
    assert.equal(list(history).length, 2);
    assert.deepEqual(list(history)[0], state);
  });
});

async function untilEnd(events: AsyncIterable<ProtocolEvent>): Promise<ProtocolEvent[]> {
  const seen: ProtocolEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    const { namespace, data } = event.params;
    const ended = ["completed", "failed", "interrupted"].some((status) => is(data.event, status));
    if (event.method === "lifecycle" && namespace.length === 0 && ended) break;
  }
  return seen;
}

function is(value: unknown, expected: string): boolean {
  return value === expected;
}

function list(value: unknown): Json[] {
  return Array.isArray(value)
    ? (value as Json[])
    : assert.fail(`Expected a list, not ${JSON.stringify(value)}`);
}

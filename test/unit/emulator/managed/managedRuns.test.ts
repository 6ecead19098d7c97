import assert from "node:assert/strict";
import { is, list, LocalPlatform, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import type { ServerEvent, Shape } from "../../../support/localPlatform.ts";
import { ManagedClient } from "../../../support/managedClient.ts";

const hello = { messages: [{ role: "user", content: "Hello there" }] };
const nothing = { messages: [{ role: "system", content: "" }] };
const transfer = {
  tools: [{ name: "transfer_money", mcp_server_url: "https://bank.example.com/mcp/" }],
  interrupt_config: { "https://bank.example.com/mcp::transfer_money": true },
};

describe("runs of managed agents", () => {
  let platform: LocalPlatform;
  let client: ManagedClient;
  let agent: string;

  before(async () => {
    platform = await LocalPlatform.start();
    client = new ManagedClient(platform);
    agent = await client.agentId();
  });
  after(() => platform.remove());

  const messages = async (thread: string): Promise<Shape[]> =>
    list((await client.get(`/threads/${thread}`)).values?.messages);
  const settled = (thread: string) =>
    until(
      "the thread is busy no more",
      async () => !is((await client.get(`/threads/${thread}`)).status, "busy"),
    );
  const question = (seen: readonly ServerEvent[]): Shape => {
    const [asked] = list(seen.findLast(({ data }) => data.__interrupt__ !== undefined)?.data.__interrupt__);
    return asked!;
  };

  it("stream what was asked for, and keep it in the thread", async () => {
    const thread = await client.thread(agent);
    const seen = await client.stream(thread, {
      agent_id: agent,
      input: hello,
      stream_mode: ["values", "updates", "messages-tuple"],
      stream_subgraphs: true,
      user_timezone: "Europe/Berlin",
    });
    assert.equal(seen[0]?.event, "metadata");
    for (const name of ["values", "updates", "messages"]) {
      assert.ok(
        seen.some(({ event }) => event === name),
        name,
      );
    }
    assert.match(text((await messages(thread)).at(-1)?.content), /Hello there/);
    assert.equal((await client.get(`/threads/${thread}`)).status, "idle");
  });

  it("send an event stream that says where the run is", async () => {
    const thread = await client.thread(agent);
    const url = client.url(`/threads/${thread}/runs/stream`);
    const response = await platform.fetch("POST", url, { agent_id: agent, input: hello });
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.match(
      response.headers.get("content-location") ?? "",
      new RegExp(`^/threads/${thread}/runs/[0-9a-f-]{36}$`),
    );
    await response.text();
  });

  it("can be started in the background, by the name of either interface", async () => {
    for (const name of ["agent_id", "assistant_id"]) {
      const thread = await client.thread(agent);
      const { status, body } = await client.send("POST", `/threads/${thread}/runs`, {
        [name]: agent,
        input: hello,
      });
      assert.equal(status, 200);
      assert.equal(body.thread_id, thread);
      assert.equal(body.assistant_id, agent);
      assert.equal(body.status, "pending");
      await settled(thread);
      assert.equal((await messages(thread)).length, 2);
    }
  });

  it("can make their thread, all or nothing", async () => {
    const thread_id = crypto.randomUUID();
    const body = { agent_id: agent, input: hello, thread: { thread_id, metadata: { a: 1 } } };
    const answer = await client.send("POST", "/threads/runs", body);
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.thread_id, thread_id);
    await settled(thread_id);
    const made = await client.get(`/threads/${thread_id}`);
    assert.equal(made.metadata?.a, 1);
    assert.equal((await client.send("POST", "/threads/runs", body)).status, 409);
    const again = { ...body, thread: { thread_id, if_exists: "do_nothing" } };
    assert.equal((await client.send("POST", "/threads/runs", again)).status, 201);
    await settled(thread_id);
    assert.equal((await messages(thread_id)).length, 4);
    assert.equal((await client.send("POST", "/threads/runs", { agent_id: agent, input: hello })).status, 201);

    const unborn = crypto.randomUUID();
    const bad = { agent_id: agent, thread: { thread_id: unborn }, checkpoint_id: "none" };
    assert.equal((await client.send("POST", "/threads/runs", bad)).status, 404);
    assert.equal((await client.send("GET", `/threads/${unborn}`)).status, 404);
    const nobody = await client.send("POST", "/threads/runs", { agent_id: crypto.randomUUID() });
    assert.equal(nobody.body.code, "agent_not_found");
  });

  it("behave as the agent is made: by its model, its tools or its subagents", async () => {
    const first = async (body: Record<string, unknown>): Promise<string> => {
      const id = await client.agentId(body);
      const thread = await client.thread(id);
      await client.stream(thread, { agent_id: id, input: hello });
      return text((await messages(thread))[1]?.content);
    };
    assert.match(await first({}), /You said/);
    assert.match(await first({ runtime: { model: { model_id: "openai:gpt" } } }), /You said/);
    assert.match(await first({ subagents: [{ name: "critic" }] }), /I will look into/);
    assert.match(await first({ runtime: { model: { model_id: "sample:researcher" } } }), /I will look into/);
    assert.match(await first({ tools: transfer }), /use `transfer_money`/);
    assert.match(await first({ tools: { interrupt_config: { send_email: true } } }), /send this email/);
    assert.match(await first({ tools: { ...transfer, interrupt_config: {} } }), /You said/);
    const off = { "https://bank.example.com/mcp::transfer_money": false, transfer_money: true };
    assert.match(await first({ tools: { ...transfer, interrupt_config: off } }), /You said/);
  });

  it("follow a change of the agent", async () => {
    const id = await client.agentId();
    const thread = await client.thread(id);
    await client.send("PATCH", `/agents/${id}`, { tools: transfer });
    const seen = await client.stream(thread, { agent_id: id, input: hello });
    assert.equal(list(question(seen).value?.action_requests)[0]?.name, "transfer_money");
  });

  it("report a failure in the stream and on the thread", async () => {
    const id = await client.agentId({ runtime: { model: { model_id: "sample:faulty" } } });
    const thread = await client.thread(id);
    const seen = await client.stream(thread, { agent_id: id, input: hello });
    assert.equal(seen.at(-1)?.event, "error");
    assert.equal((await client.get(`/threads/${thread}`)).status, "error");
    assert.equal((await client.get(`/threads/count?agent_id=${id}`)).attention_count, 1);
  });

  it("of the same thread wait for each other, or refuse", async () => {
    const slow = { configurable: { token_delay_ms: 5 } };
    const id = await client.agentId(slow);
    const thread = await client.thread(id);
    const start = (more: Record<string, unknown>) =>
      client.send("POST", `/threads/${thread}/runs`, { agent_id: id, input: hello, ...more });
    await start({});
    assert.equal((await client.get(`/threads/${thread}`)).status, "busy");
    const refused = await start({ multitask_strategy: "reject" });
    assert.equal(refused.status, 409);
    assert.equal(refused.body.status, 409);
    assert.equal((await start({ multitask_strategy: "interrupt" })).status, 200);
    const resolved = await client.send("POST", `/threads/${thread}/resolve-interrupt`);
    assert.equal(resolved.status, 409);
    await settled(thread);
    assert.equal((await client.send("DELETE", `/threads/${thread}`)).status, 204);
  });

  it("belong to the agent of their thread", async () => {
    const thread = await client.thread(agent);
    const other = await client.agentId();
    for (const path of ["runs", "runs/stream"]) {
      const post = (agent_id: string) =>
        client.send("POST", `/threads/${thread}/${path}`, { agent_id, input: hello });
      const mismatch = await post(other);
      assert.equal(mismatch.status, 400);
      assert.equal(mismatch.body.code, "agent_mismatch");
      assert.equal((await post(crypto.randomUUID())).status, 404);
    }
    const nowhere = `/threads/${crypto.randomUUID()}/runs/stream`;
    const lost = await client.send("POST", nowhere, { agent_id: agent, input: hello });
    assert.equal(lost.body.code, "thread_not_found");
  });

  describe("that ask a person", () => {
    let asking: string;
    let thread: string;
    let seen: ServerEvent[];

    before(async () => {
      asking = await client.agentId({ tools: transfer });
    });
    beforeEach(async () => {
      thread = await client.thread(asking);
      seen = await client.stream(thread, {
        agent_id: asking,
        input: hello,
        stream_mode: ["values", "updates"],
      });
    });
    const resume = (value: unknown, more: Record<string, unknown> = { input: nothing }) =>
      client.stream(thread, { agent_id: asking, command: { resume: value }, ...more });

    it("name the tool, and leave the thread interrupted", async () => {
      assert.deepEqual(question(seen).value, {
        action_requests: [
          {
            name: "transfer_money",
            args: { request: "Hello there" },
            description: "Uses the tool transfer_money.",
          },
        ],
        review_configs: [
          { action_name: "transfer_money", allowed_decisions: ["approve", "edit", "reject", "respond"] },
        ],
      });
      const read = await client.get(`/threads/${thread}`);
      assert.equal(read.status, "interrupted");
      assert.equal(read.has_interrupts, true);
      const listed = await client.get(`/threads?agent_id=${asking}&status=interrupted`);
      assert.ok(list(listed.threads).some(({ id }) => is(id, thread)));
    });

    const outcomes: [string, unknown, RegExp][] = [
      ["approve", { type: "approve" }, /transfer_money done with/],
      [
        "edit",
        { type: "edit", edited_action: { name: "transfer_money", args: { sum: 5 } } },
        /done with \{"sum":5\}/,
      ],
      ["reject", { type: "reject", message: "No" }, /Rejected: No/],
      ["respond", { type: "respond", message: "By hand" }, /By hand/],
    ];
    for (const [name, decision, content] of outcomes) {
      it(`go on after ${name}`, async () => {
        const events = await resume({ decisions: [decision] });
        assert.ok(!events.some(({ event }) => event === "error"));
        const said = await messages(thread);
        assert.match(text(said.findLast(({ type }) => is(type, "tool"))?.content), content);
        assert.ok(!said.some(({ type }) => is(type, "system")));
        assert.equal((await client.get(`/threads/${thread}`)).status, "idle");
      });
    }

    it("can be resumed without an input, and in the background", async () => {
      await resume({ decisions: [{ type: "approve" }] }, {});
      assert.equal((await client.get(`/threads/${thread}`)).status, "idle");
      await client.stream(thread, { agent_id: asking, input: hello });
      const started = await client.send("POST", `/threads/${thread}/runs`, {
        agent_id: asking,
        command: { resume: { decisions: [{ type: "approve" }] } },
      });
      assert.equal(started.status, 200);
      await settled(thread);
      assert.equal((await client.get(`/threads/${thread}`)).status, "idle");
    });

    it("fail for an answer that does not fit, and can be answered again", async () => {
      const events = await resume([{ type: "approve" }]);
      assert.equal(events.at(-1)?.event, "error");
      await resume({ decisions: [{ type: "approve" }] });
      assert.match(text((await messages(thread)).at(-1)?.content), /transfer_money/);
    });

    it("can be closed without being answered: the tool does not run, and the thread is idle", async () => {
      const path = `/threads/${thread}/resolve-interrupt`;
      const answer = await client.send("POST", path);
      assert.equal(answer.status, 204);
      assert.equal(answer.text, "");
      const read = await client.get(`/threads/${thread}`);
      assert.equal(read.status, "idle");
      assert.equal(read.has_interrupts, false);
      assert.equal(read.is_read, true);
      assert.ok(!(await messages(thread)).some(({ type }) => is(type, "tool")));
      const again = await client.send("POST", path);
      assert.equal(again.status, 409);
      assert.equal(again.body.code, "no_pending_interrupt");
      const next = await client.stream(thread, { agent_id: asking, input: hello });
      assert.notEqual(question(next).id, question(seen).id);
    });

    it("can be answered after a restart", async () => {
      await platform.stop();
      platform = await LocalPlatform.start(platform.directory);
      client = new ManagedClient(platform);
      await resume({ decisions: [{ type: "approve" }] });
      assert.equal((await client.get(`/threads/${thread}`)).status, "idle");
    });
  });
});

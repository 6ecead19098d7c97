import assert from "node:assert/strict";
import {
  collect,
  events,
  fast,
  is,
  list,
  LocalPlatform,
  say,
  slowly,
  text,
} from "../../../support/localPlatform.ts";
import type { ServerEvent } from "../../../support/localPlatform.ts";

describe("the sample agents", () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());

  it("are the deployment's assistants, with ids that stay", async () => {
    const found = await platform.send("POST", "/assistants/search", { limit: 100 });
    const names = list(found.body).map(({ graph_id }) => graph_id);
    assert.deepEqual(names, [
      "approval",
      "echo",
      "faulty",
      "flood",
      "naps",
      "pipeline",
      "researcher",
      "slow",
    ]);
    assert.equal(found.headers.get("x-pagination-total"), "8");
    assert.equal((await platform.send("POST", "/assistants/count", {})).body, 8);
    const [echo] = list((await platform.send("POST", "/assistants/search", { graph_id: "echo" })).body);
    const byName = (await platform.send("GET", "/assistants/echo")).body;
    assert.deepEqual(byName, echo);
    assert.deepEqual((await platform.send("GET", `/assistants/${text(echo?.assistant_id)}`)).body, echo);
    const page = await platform.send("POST", "/assistants/search", { limit: 2, offset: 1 });
    assert.equal(page.headers.get("x-pagination-next"), "3");
  });

  it("say what they take as JSON Schema", async () => {
    const schemas = (await platform.send("GET", "/assistants/slow/schemas")).body;
    assert.equal(schemas.graph_id, "slow");
    assert.equal(schemas.input_schema?.type, "object");
    assert.equal(schemas.input_schema.properties?.seconds?.type, "number");
    assert.ok(schemas.input_schema.properties.messages !== undefined);
    assert.equal(schemas.state_schema?.type, "object");
  });

  it("draw their graphs, with what is inside when looked through", async () => {
    const plain = (await platform.send("GET", "/assistants/researcher/graph")).body;
    const ids = list(plain.nodes).map(({ id }) => id);
    assert.deepEqual(ids, ["__start__", "plan", "web_researcher", "fact_checker", "report", "__end__"]);
    const edges = list(plain.edges).map(({ source, target }) => `${text(source)}>${text(target)}`);
    assert.ok(edges.includes("plan>web_researcher") && edges.includes("report>__end__"));
    const deep = (await platform.send("GET", "/assistants/researcher/graph?xray=true")).body;
    assert.ok(list(deep.nodes).some(({ id }) => is(id, "web_researcher:model")));
  });

  it("echo repeats what it is told, as Markdown with a list and a code block", async () => {
    const thread = await platform.thread();
    await platform.stream(thread, { assistant_id: "echo", input: say("Is this on?") });
    const reply = text(list((await platform.state(thread)).values?.messages).at(-1)?.content);
    assert.match(reply, /^> Is this on\?$/m);
    assert.match(reply, /^- \*\*3\*\* words/m);
    assert.match(reply, /```json/);
    assert.match(reply, /it asks a question/);
  });

  it("echo takes messages as texts, as roles, as types and as blocks, and gives them ids", async () => {
    const thread = await platform.thread();
    const messages = [
      "text",
      { role: "user", content: "role" },
      { type: "human", content: "type", id: "mine" },
      { role: "user", content: [{ type: "text", text: "block" }] },
    ];
    await platform.stream(thread, { assistant_id: "echo", input: { messages } });
    const stored = list((await platform.state(thread)).values?.messages).slice(0, 4);
    assert.ok(stored.every(({ type, id }) => is(type, "human") && typeof id === "string"));
    assert.equal(stored[2]?.id, "mine");
    assert.deepEqual(stored[3]?.content, [{ type: "text", text: "block" }]);
  });

  it("researcher streams tool calls in pieces that make the whole arguments", async () => {
    const seen = await research(["messages-tuple", "updates"]);
    const plan = list(seen.find(({ event }) => event === "updates")?.data.plan?.messages)[0];
    const calls = list(plan?.tool_calls);
    assert.deepEqual(
      calls.map(({ name }) => name),
      ["task", "task"],
    );
    const pieces = seen
      .filter(({ event, data }) => event === "messages" && data[0]?.id === plan?.id)
      .flatMap(({ data }) => list(data[0]?.tool_call_chunks));
    for (const [index, call] of calls.entries()) {
      const args = pieces.filter((piece) => is(piece.index, index)).map((piece) => text(piece.args));
      assert.ok(args.length > 3);
      assert.deepEqual(JSON.parse(args.join("")), call.args);
    }
    assert.equal(typeof plan?.usage_metadata?.total_tokens, "number");
  });

  it("researcher runs its two subagents side by side, each in a namespace of its own", async () => {
    const thread = await platform.thread();
    const run = {
      assistant_id: "researcher",
      input: say("testing"),
      stream_mode: ["messages-tuple", "custom", "values"],
      stream_subgraphs: true,
    };
    const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, slowly(run, 1));
    const seen = await collect(events(response));
    const lanes = seen
      .filter(({ event }) => event.startsWith("messages|"))
      .map(({ event }) => event.slice(9));
    const [first, second, ...rest] = [...new Set(lanes)].sort();
    assert.match(first ?? "", /^fact_checker:[0-9a-f-]{36}$/);
    assert.match(second ?? "", /^web_researcher:[0-9a-f-]{36}$/);
    assert.deepEqual(rest, []);
    assert.ok(
      lanes.indexOf(second!) < lanes.lastIndexOf(first!) &&
        lanes.indexOf(first!) < lanes.lastIndexOf(second!),
    );
    assert.ok(seen.some(({ event, data }) => event === `custom|${second ?? ""}` && is(data.percent, 100)));
    const state = await platform.state(thread);
    assert.deepEqual(
      list(state.values?.messages).map(({ type }) => type),
      ["human", "ai", "tool", "tool", "ai"],
    );
    assert.match(text(list(state.values?.messages).at(-1)?.content), /^# testing\n/);
  });

  it("researcher's subagents stay out of the stream's other modes unless asked for", async () => {
    const seen = await research(["updates", "custom", "values", "messages-tuple"]);
    assert.ok(seen.every(({ event }) => !event.includes("|")));
    const namespaces = seen
      .filter(({ event }) => event === "messages")
      .map(({ data }) => text(data[1]?.langgraph_checkpoint_ns));
    assert.ok(namespaces.some((ns) => /^web_researcher:[0-9a-f-]+\|model:/.test(ns)));
  });

  it("say the same each time", async () => {
    const said = async (): Promise<unknown[]> => {
      const thread = await platform.thread();
      await platform.stream(thread, { assistant_id: "researcher", input: say("the same") });
      return list((await platform.state(thread)).values?.messages).map(({ content }) => content);
    };
    assert.deepEqual(await said(), await said());
  });

  it("slow works as long as it is told", async () => {
    const thread = await platform.thread();
    const begun = Date.now();
    const seen = await platform.stream(thread, {
      assistant_id: "slow",
      input: { seconds: 0.2 },
      stream_mode: "custom",
    });
    const took = Date.now() - begun;
    assert.ok(took >= 195 && took < 2000, String(took));
    assert.equal(seen.filter(({ event }) => event === "custom").length, 2);
  });

  it("flood sends exactly as many events as it is told", async () => {
    for (const total of [0, 1, 257, 5000]) {
      const thread = await platform.thread();
      const input = { events: total };
      const seen = await platform.stream(thread, { assistant_id: "flood", input, stream_mode: "custom" });
      const numbers = seen.filter(({ event }) => event === "custom").map(({ data }) => data.i);
      assert.deepEqual(numbers, [...Array(total).keys()]);
    }
  });

  it("flood sends 100,000 events to whoever reads them", async () => {
    const total = 100_000;
    const thread = await platform.thread();
    const run = { assistant_id: "flood", input: { events: total }, stream_mode: "custom" };
    const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, fast(run));
    let bytes = 0;
    for await (const chunk of response.body as ReadableStream<Uint8Array>) bytes += chunk.length;
    assert.ok(bytes > total * 40);
  });

  async function research(modes: readonly string[]): Promise<ServerEvent[]> {
    const thread = await platform.thread();
    return await platform.stream(thread, {
      assistant_id: "researcher",
      input: say("testing"),
      stream_mode: modes,
    });
  }
});

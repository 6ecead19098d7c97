import assert from "node:assert/strict";
import { is, list, LocalPlatform, say, text } from "../../../support/localPlatform.ts";
import type { Shape } from "../../../support/localPlatform.ts";

describe("the state of a thread on the Local Platform", () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());

  const conversation = async (...said: string[]): Promise<string> => {
    const thread = await platform.thread();
    for (const content of said) await platform.stream(thread, { assistant_id: "echo", input: say(content) });
    return thread;
  };
  const history = async (thread: string, body: unknown): Promise<Shape[]> =>
    list((await platform.send("POST", `/threads/${thread}/history`, body)).body);
  const humans = (state: Shape): unknown[] =>
    list(state.values?.messages)
      .filter(({ type }) => is(type, "human"))
      .map(({ content }) => content);

  it("is empty before the first run", async () => {
    const thread = await platform.thread();
    const state = await platform.state(thread);
    assert.deepEqual(state.values, {});
    assert.deepEqual(state.next, []);
    assert.equal(state.checkpoint, null);
    assert.deepEqual(await history(thread, {}), []);
  });

  it("has a history, newest first, whose entries follow from one another", async () => {
    const thread = await conversation("one", "two");
    const states = await history(thread, { limit: 100 });
    assert.deepEqual(
      states.map(({ metadata }) => [metadata?.source, metadata?.step]),
      [
        ["loop", 4],
        ["loop", 3],
        ["input", 2],
        ["loop", 1],
        ["loop", 0],
        ["input", -1],
      ],
    );
    for (const [index, state] of states.entries()) {
      assert.deepEqual(state.parent_checkpoint, states[index + 1]?.checkpoint ?? null);
      assert.equal(state.checkpoint?.thread_id, thread);
    }
    assert.deepEqual(states[0], await platform.state(thread));
  });

  it("has a history that pages by any form of before, by GET and by POST", async () => {
    const thread = await conversation("one", "two");
    const states = await history(thread, { limit: 100 });
    const id = text(states[1]?.checkpoint?.checkpoint_id);
    const rest = states.slice(2);
    assert.deepEqual(await history(thread, { before: id }), rest);
    assert.deepEqual(await history(thread, { before: { checkpoint_id: id } }), rest);
    assert.deepEqual(await history(thread, { before: { configurable: { checkpoint_id: id } } }), rest);
    const got = await platform.send("GET", `/threads/${thread}/history?limit=1&before=${id}`);
    assert.deepEqual(got.body, [rest[0]]);
    assert.equal((await history(thread, { metadata: { source: "input" } })).length, 2);
  });

  it("is found again at each checkpoint", async () => {
    const thread = await conversation("one");
    const [newest] = await history(thread, {});
    const id = text(newest?.checkpoint?.checkpoint_id);
    assert.deepEqual((await platform.send("GET", `/threads/${thread}/state/${id}`)).body, newest);
    const found = await platform.send("POST", `/threads/${thread}/state/checkpoint`, {
      checkpoint: { checkpoint_id: id },
    });
    assert.deepEqual(found.body, newest);
    assert.equal((await platform.send("GET", `/threads/${thread}/state/${crypto.randomUUID()}`)).status, 404);
  });

  it("is changed by hand: appended to, replaced by id, removed", async () => {
    const thread = await conversation("one");
    const [human, ai] = list((await platform.state(thread)).values?.messages);
    const update = async (messages: unknown) => {
      const answer = await platform.send("POST", `/threads/${thread}/state`, { values: { messages } });
      assert.equal(answer.status, 200);
      assert.equal(answer.body.checkpoint?.thread_id, thread);
      return list((await platform.state(thread)).values?.messages);
    };
    assert.equal((await update([{ role: "assistant", content: "by hand" }])).at(-1)?.content, "by hand");
    assert.equal(
      (await update([{ type: "human", id: human?.id, content: "changed" }]))[0]?.content,
      "changed",
    );
    assert.equal((await update([{ type: "remove", id: ai?.id }])).length, 2);
    assert.equal((await platform.state(thread)).metadata?.source, "update");
    const row = (await platform.send("GET", `/threads/${thread}`)).body;
    assert.deepEqual(row.values, (await platform.state(thread)).values);
  });

  it("is forked from an earlier checkpoint, and later turns stay on the fork", async () => {
    const thread = await conversation("one", "two");
    const states = await history(thread, { limit: 100 });
    const input = states.find(({ metadata }) => is(metadata?.source, "input"));
    const human = list(input?.values?.messages).at(-1);
    const forked = await platform.send("POST", `/threads/${thread}/state`, {
      checkpoint: input?.parent_checkpoint,
      values: { messages: [{ type: "human", id: human?.id, content: "two, edited" }] },
      as_node: "__start__",
    });
    assert.equal(forked.status, 200);
    await platform.stream(thread, { assistant_id: "echo", input: null });
    await platform.stream(thread, { assistant_id: "echo", input: say("three") });
    assert.deepEqual(humans(await platform.state(thread)), ["one", "two, edited", "three"]);
    assert.ok((await history(thread, { limit: 100 })).some((state) => humans(state).includes("two")));
  });

  it("is forked by a run from a checkpoint, to which later turns go back until one takes it out", async () => {
    const thread = await conversation("one", "two");
    const first = (await history(thread, { limit: 100 })).find(({ metadata }) => is(metadata?.step, 0));
    const checkpoint_id = first?.checkpoint?.checkpoint_id;
    await platform.stream(thread, { assistant_id: "echo", input: null, checkpoint: { checkpoint_id } });
    assert.deepEqual(humans(await platform.state(thread)), ["one"]);
    const sources = (await history(thread, { limit: 2 })).map(({ metadata }) => metadata?.source);
    assert.deepEqual(sources, ["loop", "fork"]);
    await platform.stream(thread, { assistant_id: "echo", input: say("three"), checkpoint_id });
    await platform.stream(thread, { assistant_id: "echo", input: say("four") });
    assert.deepEqual(humans(await platform.state(thread)), ["one", "four"]);
    const config = { configurable: { checkpoint_id: null } };
    for (const turn of [{ input: say("five"), config }, { input: say("six") }])
      await platform.stream(thread, { assistant_id: "echo", ...turn });
    assert.deepEqual(humans(await platform.state(thread)), ["one", "four", "five", "six"]);
  });

  it("is not changed while a run is in progress, nor by unknown nodes and broken messages", async () => {
    const thread = await conversation("one");
    const refused = async (body: unknown) =>
      (await platform.send("POST", `/threads/${thread}/state`, body)).status;
    for (const as_node of ["nowhere", "constructor", "__proto__"])
      assert.equal(await refused({ values: {}, as_node }), 422);
    assert.equal(await refused({ values: { messages: [{ content: "no role" }] } }), 422);
    assert.equal(await refused({ values: {}, checkpoint_id: crypto.randomUUID() }), 404);
    await platform.run(thread, { assistant_id: "slow", input: { seconds: 60 } });
    assert.equal(await refused({ values: {} }), 409);
    const fresh = await platform.thread();
    assert.equal((await platform.send("POST", `/threads/${fresh}/state`, { values: {} })).status, 400);
  });

  it("is made step by step with a thread, or not at all", async () => {
    const metadata = { graph_id: "pipeline" };
    const make = (body: object) => platform.send("POST", "/threads", body);
    const step = (...updates: object[]) => ({ updates });
    const first = step({ as_node: "__start__", values: say("one") });
    const count = async () => (await platform.send("POST", "/threads/count", { metadata })).body;
    const before = await count();
    for (const [supersteps, status] of [
      [[step()], 422],
      [[first, step({ as_node: "nowhere", values: {} })], 422],
      [[first, step({ as_node: "__proto__", values: {} })], 422],
      [[step({ values: {} })], 422],
      [[step({ as_node: "__start__", values: { messages: [{ content: "no role" }] } })], 422],
      [[step({ as_node: "check", command: { goto: "nowhere" } })], 422],
      [[step({ as_node: "__input__", values: null })], 422],
      [first, 422],
    ] as const) {
      assert.equal((await make({ metadata, supersteps })).status, status, JSON.stringify(supersteps));
    }
    assert.equal((await make({ supersteps: [first] })).status, 400);
    assert.equal((await make({ metadata: { graph_id: "nowhere" }, supersteps: [first] })).status, 400);
    assert.equal(await count(), before, "nothing is left of a thread that could not be made");
    const beside = step({ as_node: "collect", values: {} }, { as_node: "write", values: { job: "both" } });
    const moved = step({ as_node: "check", command: { goto: "close", update: { job: "moved" } } });
    const { thread_id } = (await make({ metadata, supersteps: [first, beside, moved] })).body;
    const states = await history(text(thread_id), {});
    assert.deepEqual(states.map(({ next, values }) => [next, values?.job]).reverse(), [
      [["collect"], undefined],
      [["check", "send"], "both"],
      [["close"], "moved"],
    ]);
    const again = { thread_id, if_exists: "do_nothing", supersteps: [step({ as_node: "close" })] };
    assert.equal((await make(again)).status, 200);
    assert.deepEqual((await platform.state(text(thread_id))).next, []);
  });

  it("loses what a run did when that run is deleted, which the thread's row goes on showing", async () => {
    const thread = await conversation("one", "two");
    const row = (await platform.send("GET", `/threads/${thread}`)).body;
    const [last, first] = list((await platform.send("GET", `/threads/${thread}/runs`)).body);
    const remove = (run?: Shape) => platform.send("DELETE", `/threads/${thread}/runs/${text(run?.run_id)}`);
    assert.equal((await remove(last)).status, 204);
    assert.deepEqual(humans(await platform.state(thread)), ["one"]);
    assert.equal((await history(thread, {})).length, 3);
    assert.deepEqual((await platform.send("GET", `/threads/${thread}`)).body, row);
    await remove(first);
    assert.deepEqual([await history(thread, {}), (await platform.state(thread)).values], [[], {}]);
  });

  it("shows the states of subgraphs at the checkpoint that ran them", async () => {
    const thread = await platform.thread();
    await platform.stream(thread, {
      assistant_id: "researcher",
      input: say("x"),
      interrupt_before: ["report"],
    });
    const ran = (await history(thread, { limit: 100 })).find(({ tasks }) => list(tasks).length === 2);
    const task = list(ran?.tasks)[0];
    assert.match(text(task?.checkpoint?.checkpoint_ns), /^web_researcher:/);
    const id = text(ran?.checkpoint?.checkpoint_id);
    const deep = (await platform.send("GET", `/threads/${thread}/state/${id}?subgraphs=true`)).body;
    assert.equal(list(list(deep.tasks)[0]?.state?.values?.messages).length, 4);
  });
});

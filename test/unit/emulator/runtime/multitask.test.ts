import assert from "node:assert/strict";
import {
  collect,
  events,
  is,
  list,
  LocalPlatform,
  say,
  slowly,
  text,
} from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";

describe("a second run on a thread of the Local Platform", () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());

  it("waits for the first by default", async () => {
    const thread = await platform.thread();
    const first = await platform.run(thread, slowly({ assistant_id: "echo", input: say("one") }, 2));
    const second = await platform.run(thread, { assistant_id: "echo", input: say("two") });
    assert.equal(await platform.runStatus(thread, second), "pending");
    const values = await platform.join(thread, second);
    assert.equal(await platform.runStatus(thread, first), "success");
    assert.deepEqual(kinds(values.messages), ["human", "ai", "human", "ai"]);
    const run = (await platform.send("GET", `/threads/${thread}/runs/${second}`)).body;
    assert.equal(run.multitask_strategy, "enqueue");
  });

  it("is refused with reject", async () => {
    const thread = await platform.thread();
    const first = await platform.run(thread, slowly({ assistant_id: "echo", input: say("one") }, 2));
    const refused = await platform.send("POST", `/threads/${thread}/runs`, {
      assistant_id: "echo",
      input: say("two"),
      multitask_strategy: "reject",
    });
    assert.equal(refused.status, 409);
    assert.match(text(refused.body.detail), /already running/);
    assert.deepEqual(kinds((await platform.join(thread, first)).messages), ["human", "ai"]);
    const afterwards = await platform.run(thread, {
      assistant_id: "echo",
      input: say("x"),
      multitask_strategy: "reject",
    });
    await platform.join(thread, afterwards);
    assert.equal(await platform.runStatus(thread, afterwards), "success");
  });

  it("with interrupt stops the first, which is kept with what it had said", async () => {
    const thread = await platform.thread();
    const stream = await platform.fetch(
      "POST",
      `/threads/${thread}/runs/stream`,
      slowly({ assistant_id: "echo", input: say("one"), stream_mode: "messages-tuple" }),
    );
    const first = text(stream.headers.get("content-location")?.split("/").at(-1));
    let said = "";
    let second: Promise<string> | undefined;
    for await (const { event, data } of events(stream)) {
      if (event === "messages") said += text(data[0]?.content);
      if (said.length > 10) {
        second ??= platform.run(thread, {
          assistant_id: "echo",
          input: say("two"),
          multitask_strategy: "interrupt",
        });
      }
    }
    const values = await platform.join(thread, await second!);
    assert.equal(await platform.runStatus(thread, first), "interrupted");
    assert.deepEqual(kinds(values.messages), ["human", "ai", "human", "ai"]);
    assert.equal(list(values.messages)[1]?.content, said);
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "idle");
  });

  it("with interrupt also stops runs that were waiting", async () => {
    const thread = await platform.thread();
    const active = await platform.run(thread, { assistant_id: "slow", input: { seconds: 60 } });
    const waiting = await platform.run(thread, { assistant_id: "echo", input: say("never") });
    const last = await platform.run(thread, {
      assistant_id: "echo",
      input: say("last"),
      multitask_strategy: "interrupt",
    });
    await platform.join(thread, last);
    assert.equal(await platform.runStatus(thread, active), "interrupted");
    assert.equal(await platform.runStatus(thread, waiting), "interrupted");
    const said = list((await platform.state(thread)).values?.messages).filter(({ type }) =>
      is(type, "human"),
    );
    assert.deepEqual(
      said.map(({ content }) => content),
      ["last"],
    );
  });

  it("with rollback deletes the first, its checkpoints and its messages", async () => {
    const thread = await platform.thread();
    await platform.stream(thread, { assistant_id: "echo", input: say("zero") });
    const first = await platform.run(thread, slowly({ assistant_id: "echo", input: say("one") }));
    await until(
      "the thread has three messages",
      async () => list((await platform.state(thread)).values?.messages).length === 3,
    );
    const second = await platform.run(thread, {
      assistant_id: "echo",
      input: say("two"),
      multitask_strategy: "rollback",
    });
    const values = await platform.join(thread, second);
    assert.equal(await platform.runStatus(thread, first), 404);
    const said = list(values.messages).filter(({ type }) => is(type, "human"));
    assert.deepEqual(
      said.map(({ content }) => content),
      ["zero", "two"],
    );
    const history = list((await platform.send("GET", `/threads/${thread}/history`)).body);
    assert.ok(history.every((state) => !is(state.metadata?.run_id, first)));
  });

  it("with rollback tells those who watched the first", async () => {
    const thread = await platform.thread();
    const stream = await platform.fetch("POST", `/threads/${thread}/runs/stream`, {
      assistant_id: "slow",
      input: { seconds: 60 },
    });
    const second = await platform.run(thread, {
      assistant_id: "echo",
      input: say("x"),
      multitask_strategy: "rollback",
    });
    const seen = await collect(events(stream));
    assert.equal(seen.at(-1)?.event, "error");
    assert.equal(seen.at(-1)?.data.error, "RunRolledBack");
    await platform.join(thread, second);
  });

  for (const [name, failAt, order, status] of [
    ["a failed step", "write", {}, "error"],
    ["a breakpoint", "none", { interrupt_before: ["write"] }, "interrupted"],
  ] as const)
    it(`that is rolled back leaves ${name} as it was, though it went on from there`, async () => {
      const pipeline = { assistant_id: "pipeline" };
      const thread = await platform.thread();
      const input = { ...say("x"), fail_at: failAt, hold_at: "send" };
      await platform.stream(thread, { ...pipeline, ...order, input });
      const before = await platform.state(thread);
      const first = await platform.run(thread, { ...pipeline, input: null });
      const second = await platform.run(thread, { ...pipeline, input: null });
      await until("it is a step further", async () => is((await platform.state(thread)).next?.[0], "send"));
      await platform.send("POST", `/threads/${thread}/runs/${second}/cancel`);
      await platform.send("POST", `/threads/${thread}/runs/${first}/cancel?wait=1&action=rollback`);
      assert.deepEqual(await platform.state(thread), before);
      assert.deepEqual(before.next, ["write"]);
      assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, status);
      const third = await platform.run(thread, { ...pipeline, after_seconds: 60, input: null });
      await platform.send("POST", `/threads/${thread}/runs/${third}/cancel?wait=1&action=rollback`);
      assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, status);
    });

  it("is cancelled while it waits without touching the first", async () => {
    const thread = await platform.thread();
    const first = await platform.run(thread, slowly({ assistant_id: "echo", input: say("one") }, 3));
    const [kept, dropped] = await Promise.all([
      platform.run(thread, { assistant_id: "echo", input: say("two") }),
      platform.run(thread, { assistant_id: "echo", input: say("three") }),
    ]);
    await platform.send("POST", `/threads/${thread}/runs/${kept}/cancel?wait=1`);
    await platform.send("POST", `/threads/${thread}/runs/${dropped}/cancel?wait=1&action=rollback`);
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "busy");
    await platform.join(thread, first);
    assert.equal(await platform.runStatus(thread, first), "success");
    assert.equal(await platform.runStatus(thread, kept), "interrupted");
    assert.equal(await platform.runStatus(thread, dropped), 404);
  });
});

function kinds(messages: unknown): unknown[] {
  return list(messages).map(({ type }) => type);
}

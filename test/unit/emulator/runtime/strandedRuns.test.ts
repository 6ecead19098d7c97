import assert from "node:assert/strict";
import { events, fast, is, list, LocalPlatform, say, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";

describe("runs that the Local Platform is told to leave lying", () => {
  let platform: LocalPlatform;

  beforeEach(async () => {
    platform = await LocalPlatform.start();
  });
  afterEach(() => platform.remove());

  const strand = async (body: object = {}): Promise<unknown[]> => {
    const answer = await platform.send("POST", `${platform.ready.localUrl}/stranded-runs`, body);
    assert.equal(answer.status, 201, answer.text);
    return list(answer.body).map(({ run_id }) => run_id);
  };
  const status = async (thread: string) =>
    text((await platform.send("GET", `/threads/${thread}`)).body.status);

  /** Another thread's run, from its beginning to its end: what was to come before has come. */
  async function anotherRun(): Promise<void> {
    const thread = await platform.thread();
    await platform.join(thread, await platform.run(thread, { assistant_id: "researcher", input: say("x") }));
  }

  /** A run that holds at a step. */
  async function held(): Promise<{ readonly thread: string; readonly run: string }> {
    const thread = await platform.thread();
    const input = { ...say("go"), job: thread, hold_at: "reserve" };
    const run = await platform.run(thread, {
      assistant_id: "pipeline",
      input,
      stream_resumable: true,
    });
    await until("it holds", async () => is((await platform.state(thread)).next?.[0], "reserve"));
    return { thread, run };
  }

  it("stay running, their threads busy, their states as they were", async () => {
    const { thread, run } = await held();
    const before = await platform.send("POST", `/threads/${thread}/history`, { limit: 100 });
    assert.deepEqual(await strand(), [run]);
    assert.deepEqual([await platform.runStatus(thread, run), await status(thread)], ["running", "busy"]);
    assert.deepEqual(
      (await platform.send("POST", `/threads/${thread}/history`, { limit: 100 })).body,
      before.body,
    );
    assert.deepEqual(await strand(), [], "they are left once");
  });

  it("are those of one thread where it is named, and the others go on", async () => {
    const thread = await platform.thread();
    const other = await platform.run(thread, {
      assistant_id: "slow",
      input: { ...say("x"), seconds: 0.3 },
    });
    const { thread: named, run } = await held();
    assert.deepEqual(await strand({ thread_id: named }), [run]);
    await platform.join(thread, other);
    assert.equal(await platform.runStatus(thread, other), "success");
  });

  for (const [agent, input] of [
    ["researcher", {}],
    ["slow", { seconds: 5 }],
  ] as const)
    it(`keep nothing of what a step of ${agent} had begun`, async () => {
      const thread = await platform.thread();
      const body = { assistant_id: agent, input: { ...say("go"), ...input }, stream_mode: "messages-tuple" };
      const stream = await platform.fetch("POST", `/threads/${thread}/runs/stream`, body);
      const seen = events(stream);
      for (let count = 0; agent === "researcher" && count < 8; count += 1) await seen.next();
      await until("it has begun", async () => is((await platform.state(thread)).values?.messages?.length, 1));
      const before = await platform.state(thread);
      assert.equal((await strand()).length, 1);
      await assert.rejects(async () => {
        for await (const _ of seen);
      }, /terminated/);
      await anotherRun();
      assert.deepEqual(await platform.state(thread), before);
    });

  it("cut off who follows them, and say nothing to who follows them again", async () => {
    const { thread, run } = await held();
    const path = `/threads/${thread}/runs/${run}/stream`;
    const follow = async (leave?: AbortSignal, of = path) =>
      events(await platform.fetch("GET", of, undefined, { "last-event-id": "-1" }, leave));
    const seen = await follow();
    const first = await seen.next();
    assert.ok(first.done !== true && first.value.event === "metadata");
    await strand();
    await assert.rejects(async () => {
      for await (const _ of seen);
    }, /terminated/);
    const leave = new AbortController();
    const next = (await follow(leave.signal)).next();
    const { thread: other, run: heard } = await held();
    const later = (await follow(leave.signal, `/threads/${other}/runs/${heard}/stream`)).next();
    assert.equal(
      await Promise.race([next.then(() => "an event"), later.then(() => "only the other's")]),
      "only the other's",
    );
    leave.abort();
    await assert.rejects(next);
  });

  it("can't be stopped, let no other run begin, and go with their thread", async () => {
    const { thread, run } = await held();
    await strand();
    for (const action of ["interrupt", "rollback"]) {
      const stop = await platform.send("POST", `/threads/${thread}/runs/${run}/cancel?action=${action}`);
      assert.equal(stop.status, 202);
    }
    assert.equal(await platform.runStatus(thread, run), "running");
    const again = { assistant_id: "echo", input: say("x") };
    const refused = await platform.send("POST", `/threads/${thread}/runs`, {
      ...fast(again),
      multitask_strategy: "reject",
    });
    assert.equal(refused.status, 409);
    const waiting = await platform.run(thread, { ...again, multitask_strategy: "interrupt" });
    await anotherRun();
    assert.equal(await platform.runStatus(thread, waiting), "pending");
    assert.equal((await platform.send("DELETE", `/threads/${thread}`)).status, 204);
    assert.equal((await platform.send("GET", `/threads/${thread}`)).status, 404);
  });

  it("leave their thread free once they are deleted", async () => {
    const { thread, run } = await held();
    await strand();
    assert.equal((await platform.send("DELETE", `/threads/${thread}/runs/${run}`)).status, 204);
    await platform.join(thread, await platform.run(thread, { assistant_id: "echo", input: say("x") }));
    assert.equal(await status(thread), "idle");
  });

  it("have failed after a restart, as every run that it cuts short", async () => {
    const { thread, run } = await held();
    await strand();
    await platform.stop();
    const again = await LocalPlatform.start(platform.directory);
    try {
      assert.equal(await again.runStatus(thread, run), "error");
      const row = (await again.send("GET", `/threads/${thread}`)).body;
      assert.equal(row.status, "error");
    } finally {
      await again.stop();
    }
  });
});

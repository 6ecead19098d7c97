import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  collect,
  events,
  fast,
  list,
  LocalPlatform,
  say,
  slowly,
  text,
} from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import type { Shape } from "../../../support/localPlatform.ts";

describe("runs on the Local Platform", () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());

  it("are created in the background and joined for the final values", async () => {
    const thread = await platform.thread();
    const created = await platform.send(
      "POST",
      `/threads/${thread}/runs`,
      slowly({ assistant_id: "echo", input: say("hello"), metadata: { from: "test" } }, 1),
    );
    const runId = text(created.body.run_id);
    assert.equal(created.body.status, "pending");
    assert.equal(created.body.metadata?.from, "test");
    assert.equal(created.headers.get("content-location"), `/threads/${thread}/runs/${runId}`);
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "busy");
    const values = await platform.join(thread, runId);
    assert.deepEqual(
      list(values.messages).map(({ type }) => type),
      ["human", "ai"],
    );
    assert.equal(await platform.runStatus(thread, runId), "success");
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "idle");
    assert.deepEqual(await platform.join(thread, runId), values);
  });

  it("answer a wait with the final values, with the question, or with the error", async () => {
    const wait = async (run: Record<string, unknown>) => {
      const thread = await platform.thread();
      return (await platform.send("POST", `/threads/${thread}/runs/wait`, fast(run))).body;
    };
    assert.equal(list((await wait({ assistant_id: "echo", input: say("x") })).messages).length, 2);
    const asked = await wait({ assistant_id: "approval", input: say("x") });
    assert.equal(list(asked.__interrupt__).length, 1);
    const failed = await wait({ assistant_id: "faulty", input: say("x") });
    assert.equal(failed.__error__?.error, "ModelOverloadedError");
  });

  it("are listed newest first, by page and by status", async () => {
    const thread = await platform.thread();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++)
      ids.push(await platform.run(thread, { assistant_id: "echo", input: say(String(i)) }));
    await platform.join(thread, ids[2]!);
    const listed = async (query: string) =>
      list((await platform.send("GET", `/threads/${thread}/runs${query}`)).body).map(({ run_id }) => run_id);
    assert.deepEqual(await listed(""), ids.toReversed());
    assert.deepEqual(await listed("?limit=1&offset=1"), [ids[1]]);
    assert.deepEqual(await listed("?status=error"), []);
  });

  it("can be deleted when they are over, and while they are in progress", async () => {
    const thread = await platform.thread();
    const done = await platform.run(thread, { assistant_id: "echo", input: say("x") });
    await platform.join(thread, done);
    assert.equal((await platform.send("DELETE", `/threads/${thread}/runs/${done}`)).status, 204);
    assert.equal(await platform.runStatus(thread, done), 404);
    const active = await platform.run(thread, { assistant_id: "slow", input: { seconds: 60 } });
    assert.equal((await platform.send("DELETE", `/threads/${thread}/runs/${active}`)).status, 204);
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "idle");
  });

  it("make their thread when they may", async () => {
    const thread = crypto.randomUUID();
    const run = { assistant_id: "echo", input: say("x") };
    assert.equal((await platform.send("POST", `/threads/${thread}/runs`, run)).status, 404);
    await platform.join(thread, await platform.run(thread, { ...run, if_not_exists: "create" }));
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.metadata?.graph_id, "echo");
  });

  it("stop when they are cancelled, keeping what was said so far", async () => {
    const thread = await platform.thread();
    const response = await platform.fetch(
      "POST",
      `/threads/${thread}/runs/stream`,
      slowly({ assistant_id: "echo", input: say("keep this"), stream_mode: "messages-tuple" }),
    );
    const runId = text(response.headers.get("content-location")?.split("/").at(-1));
    let pieces = "";
    let cancelled: Promise<unknown> | undefined;
    for await (const { event, data } of events(response)) {
      assert.notEqual(event, "error");
      if (event === "messages") pieces += text(data[0]?.content);
      if (pieces.length > 20) {
        cancelled ??= platform
          .send("POST", `/threads/${thread}/runs/${runId}/cancel?wait=true`)
          .then((answer) => {
            assert.equal(answer.status, 204);
          });
      }
    }
    await cancelled;
    assert.equal(await platform.runStatus(thread, runId), "interrupted");
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "idle");
    const state = await platform.state(thread);
    const partial = list(state.values?.messages).at(-1);
    assert.equal(partial?.type, "ai");
    assert.equal(partial.content, pieces);
    assert.deepEqual(state.next, ["model"]);
  });

  it("are rolled back with their checkpoints when cancelled so", async () => {
    const thread = await platform.thread();
    await platform.stream(thread, { assistant_id: "echo", input: say("first") });
    const before = await platform.state(thread);
    const runId = await platform.run(thread, {
      assistant_id: "slow",
      input: { ...say("second"), seconds: 60 },
    });
    await until("the run runs", async () => (await platform.runStatus(thread, runId)) === "running");
    const cancel = `/threads/${thread}/runs/${runId}/cancel?wait=1&action=rollback`;
    assert.equal((await platform.send("POST", cancel)).status, 204);
    assert.equal(await platform.runStatus(thread, runId), 404);
    assert.deepEqual(await platform.state(thread), before);
  });

  it("do not wait when cancelled with wait=0, and forgive a cancel that comes too late", async () => {
    const thread = await platform.thread();
    const runId = await platform.run(thread, { assistant_id: "slow", input: { seconds: 60 } });
    const cancel = `/threads/${thread}/runs/${runId}/cancel?wait=0&action=interrupt`;
    assert.equal((await platform.send("POST", cancel)).status, 202);
    await until(
      "the run is interrupted",
      async () => (await platform.runStatus(thread, runId)) === "interrupted",
    );
    assert.equal((await platform.send("POST", cancel)).status, 202);
    assert.equal(await platform.runStatus(thread, runId), "interrupted");
  });

  it("are cancelled when the client goes, if it asked for that", async () => {
    const thread = await platform.thread();
    const gone = new AbortController();
    const run = { assistant_id: "slow", input: { seconds: 60 }, on_disconnect: "cancel" };
    const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, run, {}, gone.signal);
    const runId = text(response.headers.get("content-location")?.split("/").at(-1));
    gone.abort();
    await until(
      "the run is interrupted",
      async () => (await platform.runStatus(thread, runId)) === "interrupted",
    );
  });

  it("go on when the client goes, unless it asked otherwise", async () => {
    const thread = await platform.thread();
    const gone = new AbortController();
    const run = slowly({ assistant_id: "echo", input: say("x") }, 1);
    const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, run, {}, gone.signal);
    const runId = text(response.headers.get("content-location")?.split("/").at(-1));
    gone.abort();
    await platform.join(thread, runId);
    assert.equal(await platform.runStatus(thread, runId), "success");
  });

  it("start later when asked to", async () => {
    const thread = await platform.thread();
    const asked = performance.now();
    const run = { assistant_id: "echo", input: say("later"), after_seconds: 0.15 };
    await platform.join(thread, await platform.run(thread, run));
    assert.ok(performance.now() - asked > 150);
  });

  it("hold up no others while they wait for their time", async () => {
    const thread = await platform.thread();
    const run = { assistant_id: "echo", input: say("later"), after_seconds: 3600 };
    const later = await platform.run(thread, run);
    await platform.join(thread, await platform.run(thread, { assistant_id: "echo", input: say("now") }));
    assert.equal(await platform.runStatus(thread, later), "pending");
  });

  it("leave no thread behind when they are refused", async () => {
    const run = { assistant_id: "echo", input: say("x"), checkpoint_id: crypto.randomUUID() };
    const thread = crypto.randomUUID();
    const refused = await platform.send("POST", `/threads/${thread}/runs`, {
      ...run,
      if_not_exists: "create",
    });
    assert.equal(refused.status, 404);
    assert.equal((await platform.send("GET", `/threads/${thread}`)).status, 404);
    const count = async () => (await platform.send("POST", "/threads/count", {})).text;
    const before = await count();
    assert.equal((await platform.send("POST", "/runs", run)).status, 404);
    assert.equal(await count(), before);
  });

  it("work without a thread, which is then gone unless it is to be kept", async () => {
    const run = fast({ assistant_id: "echo", input: say("x") });
    const waited = await platform.send("POST", "/runs/wait", run);
    assert.equal(list(waited.body.messages).length, 2);
    assert.match(waited.headers.get("content-location") ?? "", /^\/runs\/[0-9a-f-]{36}$/);
    const streamed = await collect(events(await platform.fetch("POST", "/runs/stream", run)));
    assert.deepEqual(new Set(streamed.map(({ event }) => event)), new Set(["metadata", "values"]));
    const kept = (await platform.send("POST", "/runs", { ...run, on_completion: "keep" })).body;
    const dropped = (await platform.send("POST", "/runs", run)).body;
    await until(
      "the dropped thread is gone",
      async () => (await platform.send("GET", `/threads/${text(dropped.thread_id)}`)).status === 404,
    );
    await platform.join(text(kept.thread_id), text(kept.run_id));
    assert.equal((await platform.send("GET", `/threads/${text(kept.thread_id)}`)).status, 200);
    const batch = await platform.send("POST", "/runs/batch", [run, run]);
    assert.equal(list(batch.body).length, 2);
  });

  it("stop before and after nodes when told to, and go on from there", async () => {
    const thread = await platform.thread();
    await platform.stream(thread, {
      assistant_id: "researcher",
      input: say("x"),
      interrupt_before: ["report"],
    });
    assert.deepEqual((await platform.state(thread)).next, ["report"]);
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "interrupted");
    await platform.stream(thread, { assistant_id: "researcher", input: null });
    assert.deepEqual((await platform.state(thread)).next, []);
    const other = await platform.thread();
    await platform.stream(other, { assistant_id: "researcher", input: say("x"), interrupt_after: ["plan"] });
    assert.deepEqual((await platform.state(other)).next, ["web_researcher", "fact_checker"]);
  });

  it("tell their webhook how they ended", async () => {
    const received: Shape[] = [];
    const hook = createServer((request, response) => {
      void collect(request as AsyncIterable<Buffer>).then((chunks) => {
        received.push(JSON.parse(Buffer.concat(chunks).toString()) as Shape);
        response.end();
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
    const webhook = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/done`;
    try {
      const thread = await platform.thread();
      const runId = await platform.run(thread, { assistant_id: "echo", input: say("x"), webhook });
      await until("one webhook was received", () => received.length === 1);
      assert.equal(received[0]?.run_id, runId);
      assert.equal(received[0].status, "success");
      assert.equal(list(received[0].values?.messages).length, 2);
      await platform.run(thread, { assistant_id: "faulty", input: say("x"), webhook });
      await until("both webhooks were received", () => received.length === 2);
      assert.equal(received[1]?.status, "error");
      assert.equal(received[1].error, "The model is overloaded: this agent always fails here.");
      const order = { assistant_id: "slow", input: { seconds: 60 }, webhook };
      const [active, waiting] = [await platform.run(thread, order), await platform.run(thread, order)];
      for (const run of [waiting, active])
        await platform.send("POST", `/threads/${thread}/runs/${run}/cancel?wait=1`);
      await until("that of the stopped run was received", () => received.length === 3);
      assert.deepEqual([received[2]?.run_id, received[2]?.status], [active, "interrupted"]);
    } finally {
      hook.close();
    }
  });

  it("tell no webhook elsewhere that the first one leads to", async () => {
    const asked: string[] = [];
    const hook = createServer((request, response) => {
      asked.push(request.url ?? "");
      request.resume();
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
    const webhook = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/done`;
    try {
      for (const times of [1, 2]) {
        const thread = await platform.thread();
        await platform.run(thread, { assistant_id: "echo", input: say("x"), webhook });
        await until("the webhook was told", () => asked.length >= times);
      }
      assert.deepEqual(asked, ["/done", "/done"]);
    } finally {
      hook.close();
    }
  });

  it("fail with a reason when there is nothing to do", async () => {
    const thread = await platform.thread();
    const seen = await platform.stream(thread, { assistant_id: "echo", input: null });
    assert.equal(seen.at(-1)?.event, "error");
    assert.equal(seen.at(-1)?.data.error, "EmptyInputError");
  });
});

import assert from "node:assert/strict";
import { events, fast, LocalPlatform, say } from "../../../support/localPlatform.ts";
import type { ServerEvent } from "../../../support/localPlatform.ts";

describe("faults on demand", () => {
  let platform: LocalPlatform;
  let faults: string;

  before(async () => {
    platform = await LocalPlatform.start();
    faults = `${platform.ready.localUrl}/faults`;
  });
  afterEach(async () => {
    assert.equal((await platform.send("DELETE", faults)).status, 204);
  });
  after(() => platform.remove());

  const add = async (rule: unknown): Promise<void> => {
    const answer = await platform.send("POST", faults, rule);
    assert.equal(answer.status, 201, answer.text);
  };

  it("answer with a status, headers and a body instead, as often as asked", async () => {
    await add({
      match: { method: "GET" },
      status: 429,
      headers: { "retry-after": "2" },
      body: { detail: "slow down" },
      times: 2,
    });
    for (let i = 0; i < 2; i++) {
      const answer = await platform.send("GET", "/info");
      assert.equal(answer.status, 429);
      assert.equal(answer.headers.get("retry-after"), "2");
      assert.deepEqual(answer.body, { detail: "slow down" });
    }
    assert.equal((await platform.send("GET", "/info")).status, 200);
  });

  it("happen once unless told otherwise, and send texts as they are", async () => {
    await add({ status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad Gateway</h1>" });
    const answer = await platform.send("POST", "/threads", {});
    assert.equal(answer.status, 502);
    assert.equal(answer.headers.get("content-type"), "text/html");
    assert.equal(answer.text, "<h1>Bad Gateway</h1>");
    assert.equal((await platform.send("POST", "/threads", {})).status, 200);
  });

  it("match by the beginning of the path or by a regular expression", async () => {
    const id = platform.ready.deploymentId;
    await add({ match: { path: `/deployments/${id}/threads/search` }, status: 500 });
    await add({ match: { method: "post", path: "/count$" }, status: 503 });
    assert.equal((await platform.send("POST", "/threads", {})).status, 200);
    assert.equal((await platform.send("POST", "/threads/search", {})).status, 500);
    assert.equal((await platform.send("POST", "/threads/count", {})).status, 503);
    assert.equal((await platform.send("POST", "/threads/count", {})).status, 200);
  });

  it("delay an answer without changing it", async () => {
    await add({ delay_ms: 150 });
    const begun = performance.now();
    assert.equal((await platform.send("GET", "/ok")).status, 200);
    assert.ok(performance.now() - begun >= 145);
  });

  for (const count of [0, 1, 5]) {
    it(`cut a stream after ${count} events`, async () => {
      await add({ match: { path: "/runs/stream$" }, drop_after_events: count });
      const thread = await platform.thread();
      const run = fast({ assistant_id: "echo", input: say("x"), stream_mode: "messages-tuple" });
      const seen: ServerEvent[] = [];
      await assert.rejects(async () => {
        const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, run);
        for await (const event of events(response)) seen.push(event);
      });
      assert.equal(seen.length, count);
    });
  }

  it("cut an answer at a byte", async () => {
    const thread = await platform.thread();
    const whole = await platform.send("GET", `/threads/${thread}`);
    await add({ match: { method: "GET" }, drop_after_bytes: 20 });
    const response = await platform.fetch("GET", `/threads/${thread}`);
    let received = "";
    await assert.rejects(async () => {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) received += chunk;
    });
    assert.equal(received, whole.text.slice(0, 20));
  });

  it("are listed, cleared, and never catch their own routes", async () => {
    await add({ status: 500, times: 10 });
    const listed = await platform.send("GET", faults);
    assert.equal(listed.status, 200);
    assert.equal(listed.body[0]?.times, 10);
    assert.equal((await platform.send("GET", "/ok")).status, 500);
    await platform.send("DELETE", faults);
    assert.equal((await platform.send("GET", "/ok")).status, 200);
  });

  it("are refused when they make no sense", async () => {
    for (const rule of [{ status: 99 }, { times: 0 }, { match: { path: "^(" } }, { delay_ms: -1 }]) {
      assert.equal((await platform.send("POST", faults, rule)).status, 422, JSON.stringify(rule));
    }
  });
});

import assert from "node:assert/strict";
import { mock } from "node:test";
import timers from "node:timers/promises";
import { Http } from "../../../src/api/http.ts";
import { ProxyError } from "../../../src/api/networkFailure.ts";
import { serve } from "../../support/testServer.ts";
import { failure, FailingAgent, get, post } from "./failingCalls.ts";

describe("Retries of Http", () => {
  afterEach(() => mock.restoreAll());

  it("asks once about a change, however often it is repeated", async () => {
    await using server = await serve((_, index) =>
      index < 2 ? { status: 503, headers: { "retry-after": "0" } } : { body: "{}" },
    );
    let asked = 0;
    const admit = (): Promise<void> => {
      asked += 1;
      return Promise.resolve();
    };
    await new Http({ baseUrl: server.url, admit }).json({ method: "DELETE", path: "/x" });
    assert.deepEqual([asked, server.asked.length], [1, 3]);
  });

  it("asks for the authorization headers anew for each attempt", async () => {
    let key = 0;
    await using server = await serve((_, index) =>
      index === 0 ? { status: 503, headers: { "retry-after": "0" } } : { body: "{}" },
    );
    const http = new Http({
      baseUrl: server.url,
      headers: () => Promise.resolve({ "x-api-key": `key-${++key}` }),
    });
    await http.json(get);
    assert.deepEqual(
      server.asked.map(({ headers }) => headers["x-api-key"]),
      ["key-1", "key-2"],
    );
  });

  for (const status of [408, 425, 429, 500, 502, 503, 504]) {
    it(`repeats an idempotent call after ${status}, and nothing else`, async () => {
      const script = (_: unknown, index: number) =>
        index % 2 === 0 ? { status, headers: { "retry-after": "0" } } : { body: `{"index":${index}}` };
      await using server = await serve(script);
      const http = new Http({ baseUrl: server.url });
      assert.deepEqual(await http.json(get), { index: 1 });
      const error = await failure(http.json(post));
      assert.equal(error.status, status);
      assert.equal(server.asked.length, 3);
      assert.deepEqual(await http.json({ ...post, idempotent: true }), { index: 3 });
    });
  }

  for (const status of [400, 401, 403, 404, 409, 422, 501]) {
    it(`never repeats a call that was answered with ${status}`, async () => {
      await using server = await serve(() => ({ status }));
      await failure(new Http({ baseUrl: server.url }).json(get));
      assert.equal(server.asked.length, 1);
    });
  }

  it("gives up after three repetitions", async () => {
    await using server = await serve(() => ({ status: 503, headers: { "retry-after": "0" } }));
    const error = await failure(new Http({ baseUrl: server.url }).json(get));
    assert.equal(error.kind, "server");
    assert.equal(server.asked.length, 4);
  });

  it("honours Retry-After, and hands a long one to the caller instead of waiting", async () => {
    await using server = await serve((_, index) => ({
      status: 429,
      headers: { "retry-after": index === 0 ? "1" : "3600" },
    }));
    const pause = mock.method(timers, "setTimeout", () => Promise.resolve());
    const error = await failure(new Http({ baseUrl: server.url }).json(get));
    assert.deepEqual(
      pause.mock.calls.map(({ arguments: [ms] }: { arguments: readonly unknown[] }) => ms),
      [1000],
    );
    assert.equal(server.asked.length, 2);
    assert.equal(error.kind, "rateLimited");
    assert.equal(error.retryAfterMs, 3_600_000);
  });

  it("repeats an idempotent call whose answer was cut, but not a POST", async () => {
    await using server = await serve((_, index) =>
      index === 1 ? { body: "[1]" } : { body: "[1", cut: true },
    );
    const http = new Http({ baseUrl: server.url });
    assert.deepEqual(await http.json(get), [1]);
    const error = await failure(http.json(post));
    assert.equal(error.kind, "cut");
    assert.equal(server.asked.length, 3);
  });

  it("stops waiting for a repetition when it is aborted", async () => {
    await using server = await serve(() => ({ status: 503, headers: { "retry-after": "20" } }));
    const abort = new AbortController();
    const pause = timers.setTimeout;
    mock.method(timers, "setTimeout", (...pausing: Parameters<typeof pause>) => {
      const paused = pause(...pausing);
      abort.abort();
      return paused;
    });
    const error = await failure(new Http({ baseUrl: server.url }).json({ ...get, signal: abort.signal }));
    assert.equal(error.kind, "aborted");
    assert.equal(server.asked.length, 1);
  });

  for (const [name, cause, kind] of [
    [
      "its connection came too late",
      Object.assign(new Error(), { code: "UND_ERR_CONNECT_TIMEOUT" }),
      "timeout",
    ],
    ["the proxy was in the way", new ProxyError("no tunnel"), "proxy"],
  ] as const) {
    it(`never repeats a call when ${name}`, async () => {
      await using agent = new FailingAgent(cause);
      const error = await failure(new Http({ baseUrl: "http://a.example", dispatcher: agent }).json(get));
      assert.equal(error.kind, kind);
      assert.equal(agent.asked, 1);
    });
  }
});

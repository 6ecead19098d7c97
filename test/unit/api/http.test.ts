import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import { ApiError } from "../../../src/api/errors.ts";
import { ProxyError } from "../../../src/api/networkFailure.ts";
import { Http, path } from "../../../src/api/http.ts";
import type { Exchange } from "../../../src/api/http.ts";
import { serve } from "../../support/testServer.ts";
import { all } from "../../support/all.ts";

const get = { method: "GET", path: "/x" } as const;
const post = { method: "POST", path: "/x", body: {} } as const;

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => assert.fail("did not fail"),
    (error: unknown) => (error instanceof ApiError ? error : assert.fail(String(error))),
  );
}

describe("Http", () => {
  it("keeps the base URL's path prefix and encodes segments and query values", async () => {
    await using server = await serve(() => ({ body: "{}" }));
    const http = new Http({ baseUrl: `${server.url}/deployments/a/` });
    await http.json({
      method: "GET",
      path: path`/threads/${"a/b ?"}`,
      query: { q: "ä&b", none: undefined, limit: 3 },
    });
    assert.equal(server.asked[0]?.url, "/deployments/a/threads/a%2Fb%20%3F?q=%C3%A4%26b&limit=3");
  });

  for (const segment of ["", ".", ".."]) {
    it(`refuses the path segment "${segment}"`, () => {
      assert.throws(() => path`/threads/${segment}/state`, RangeError);
    });
  }

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
    const started = performance.now();
    const error = await failure(new Http({ baseUrl: server.url }).json(get));
    assert.ok(performance.now() - started >= 990);
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
    const call = failure(new Http({ baseUrl: server.url }).json({ ...get, signal: abort.signal }));
    await delay(100);
    abort.abort();
    assert.equal((await call).kind, "aborted");
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

  it("ends a call at its deadline", async () => {
    await using server = await serve(() => () => undefined);
    const error = await failure(new Http({ baseUrl: server.url, timeoutMs: 100 }).json(get));
    assert.equal(error.kind, "timeout");
  });

  it("says that nothing listens", async () => {
    const server = await serve(() => ({}));
    const { url } = server;
    await server[Symbol.asyncDispose]();
    const error = await failure(new Http({ baseUrl: url }).json(post));
    assert.equal(error.kind, "refused");
  });

  it("says that a name can't be resolved", async () => {
    const error = await failure(new Http({ baseUrl: "http://nowhere.invalid" }).json(post));
    assert.equal(error.kind, "dns");
  });

  it("follows a redirect on the same origin, and takes none to another", async () => {
    await using other = await serve(() => ({ body: '"stolen"' }));
    await using server = await serve(({ url }) => {
      if (url === "/moved") return { body: '"here"' };
      return {
        status: 307,
        headers: { location: url === "/x" ? "/moved" : `${other.url}/login?next=secret` },
      };
    });
    const http = new Http({ baseUrl: server.url, headers: () => Promise.resolve({ "x-api-key": "key" }) });
    assert.equal(await http.json(get), "here");
    const error = await failure(http.json({ method: "GET", path: "/away" }));
    assert.equal(error.kind, "redirected");
    assert.equal(error.detail, `redirected to ${other.url}/login?next`);
    assert.equal(other.asked.length, 0);
    assert.equal((await failure(http.json(post))).kind, "redirected");
  });

  it("distinguishes an HTML page, text and JSON of the wrong shape from an answer", async () => {
    const bodies = ["<!doctype html><title>Sign in</title>", "fine", "[]"];
    await using server = await serve((_, index) => ({ body: bodies[index] ?? "" }));
    const http = new Http({ baseUrl: server.url });
    assert.equal((await failure(http.json(get))).kind, "notJson");
    assert.equal((await failure(http.json(get))).kind, "notJson");
    assert.equal(
      (await failure(http.json({ ...get, accept: (value) => !Array.isArray(value) }))).kind,
      "malformed",
    );
    assert.equal(await http.json(get), undefined);
  });

  it("reports each request once, without keys and query values", async () => {
    const seen: Exchange[] = [];
    await using server = await serve((_, index) =>
      index === 0
        ? { status: 503, headers: { "retry-after": "0" } }
        : { body: "{}", headers: { "x-request-id": "r1" } },
    );
    const headers = () => Promise.resolve({ "x-api-key": "secret-key" });
    const http = new Http({ baseUrl: server.url, headers, onExchange: (exchange) => seen.push(exchange) });
    await http.json({ ...get, query: { token: "secret-token" } });
    assert.deepEqual(
      seen.map(({ method, url, status, requestId, error }) => ({ method, url, status, requestId, error })),
      [
        { method: "GET", url: `${server.url}/x?token`, status: 503, requestId: undefined, error: "server" },
        { method: "GET", url: `${server.url}/x?token`, status: 200, requestId: "r1", error: undefined },
      ],
    );
    assert.doesNotMatch(JSON.stringify(seen), /secret/);
  });

  for (const secret of [{ "x-api-key": "secret-key" }, { authorization: "Bearer secret-key" }]) {
    it(`removes the key of ${Object.keys(secret).join()} that a server repeats in its error`, async () => {
      const body = '{"detail":"bad key secret-key in application/json"}';
      await using server = await serve(() => ({ status: 403, body }));
      const http = new Http({ baseUrl: server.url, headers: () => Promise.resolve(secret) });
      const error = await failure(http.json(post));
      assert.equal(error.detail, "bad key *** in application/json");
      assert.doesNotMatch(JSON.stringify(error) + String(error.stack), /secret-key/);
    });
  }
});

describe("an event stream", () => {
  const sse = { "content-type": "text/event-stream" };

  it("may be silent for longer than the dispatcher's body timeout", async () => {
    await using server = await serve(() => (response) => {
      response.writeHead(200, sse).flushHeaders();
      setTimeout(() => response.end("data: late\n\n"), 1500);
    });
    const dispatcher = new Agent({ bodyTimeout: 200 });
    const { events } = await new Http({ baseUrl: server.url, dispatcher, timeoutMs: 200 }).stream(get);
    assert.deepEqual((await all(events)).flat(), [{ event: "message", data: "late" }]);
    await dispatcher.close();
  });

  it("is closed when the loop is left", async () => {
    let closed: () => void;
    const closing = new Promise<void>((resolve) => (closed = resolve));
    await using server = await serve(() => (response) => {
      response.once("close", () => closed());
      response.writeHead(200, sse).write("data: 1\n\n");
    });
    const { events } = await new Http({ baseUrl: server.url }).stream(get);
    for await (const batch of events) {
      assert.equal(batch.length, 1);
      break;
    }
    await closing;
  });

  it("is cut with an error after its last whole event", async () => {
    await using server = await serve(() => ({ headers: sse, body: "data: 1\n\ndata: 2", cut: true }));
    const { events } = await new Http({ baseUrl: server.url }).stream(post);
    const seen: string[] = [];
    const error = await failure(
      (async () => {
        for await (const batch of events) seen.push(...batch.map(({ data }) => data));
      })(),
    );
    assert.deepEqual(seen, ["1"]);
    assert.equal(error.kind, "cut");
  });

  it("ends with an aborted error when the signal aborts", async () => {
    await using server = await serve(
      () => (response) => void response.writeHead(200, sse).write("data: 1\n\n"),
    );
    const abort = new AbortController();
    const { events } = await new Http({ baseUrl: server.url }).stream({ ...get, signal: abort.signal });
    const error = await failure(
      (async () => {
        for await (const batch of events) abort.abort(batch.length);
      })(),
    );
    assert.equal(error.kind, "aborted");
  });

  it("is refused when the server answers with something else, also when that repeats the key", async () => {
    await using server = await serve(() => ({
      headers: { "content-type": "text/html" },
      body: "<html><title>Sign in, secret-key</title></html>",
    }));
    const headers = () => Promise.resolve({ "x-api-key": "secret-key" });
    const error = await failure(new Http({ baseUrl: server.url, headers }).stream(get));
    assert.equal(error.kind, "notJson");
    assert.match(error.detail ?? "", /^answered with text\/html, .* Sign in, \*\*\*$/);
  });

  it("is refused at once when something else never ends", async () => {
    await using server = await serve(() => (response) => {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      const pour = () => {
        while (!response.destroyed && response.write("x".repeat(10_000)));
      };
      response.on("drain", pour);
      pour();
    });
    const error = await failure(new Http({ baseUrl: server.url }).stream(get));
    assert.equal(error.kind, "notJson");
    assert.match(error.detail ?? "", /octet-stream/);
  });

  it("says so when its lines are no events", async () => {
    await using server = await serve(() => ({
      headers: sse,
      body: "data: 1\n\n<html>\n<h1>502 Bad Gateway</h1>\n",
    }));
    const { events } = await new Http({ baseUrl: server.url }).stream(get);
    const seen: string[] = [];
    const error = await failure(
      (async () => {
        for await (const batch of events) seen.push(...batch.map(({ data }) => data));
      })(),
    );
    assert.deepEqual(seen, ["1"]);
    assert.equal(error.kind, "malformed");
    assert.equal(error.detail, "<html>");
  });
});

/** Reaches nothing. */
class FailingAgent extends Agent {
  asked = 0;
  readonly #cause: Error;

  constructor(cause: Error) {
    super();
    this.#cause = cause;
  }

  override request(): Promise<never> {
    this.asked += 1;
    return Promise.reject(this.#cause);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

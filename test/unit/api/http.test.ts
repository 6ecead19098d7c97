import assert from "node:assert/strict";
import { Http, path } from "../../../src/api/http.ts";
import type { Change, Exchange } from "../../../src/api/http.ts";
import { serve } from "../../support/testServer.ts";
import { failure, FailingAgent, get, post } from "./failingCalls.ts";

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

  it("lets no change leave before it is admitted, and asks about nothing that only reads", async () => {
    await using server = await serve(() => ({ body: "{}" }));
    const asked: string[] = [];
    const admit = ({ method, url }: Change): Promise<void> => {
      asked.push(`${method} ${new URL(url).pathname}`);
      return url.endsWith("/no") ? Promise.reject(new Error("not wanted")) : Promise.resolve();
    };
    const made: Exchange[] = [];
    const http = new Http({ baseUrl: server.url, admit, onExchange: (exchange) => made.push(exchange) });
    await http.json(get);
    await http.json({ ...post, reads: true });
    await http.json(post);
    await assert.rejects(http.json({ method: "DELETE", path: "/no" }), /not wanted/);
    await assert.rejects(http.stream({ method: "POST", path: "/no" }), /not wanted/);
    await http.json({ ...get, reads: false });
    assert.deepEqual(asked, ["POST /x", "DELETE /no", "POST /no", "GET /x"]);
    assert.deepEqual(
      made.map(({ changes }) => changes),
      [false, false, true, true],
    );
    assert.equal(server.asked.length, 4);
  });

  it("says what it sends, what it takes, and who it is, unless a call says it in another way", async () => {
    await using server = await serve(() => ({ body: "{}" }));
    const http = new Http({ baseUrl: server.url });
    await http.json(get);
    await http.json(post);
    await http.json({ ...get, headers: { accept: "text/plain" } });
    assert.deepEqual(
      server.asked.map(({ headers }) => [headers.accept, headers["content-type"], headers["user-agent"]]),
      [
        ["application/json", undefined, "agent-operations"],
        ["application/json", "application/json", "agent-operations"],
        ["text/plain", undefined, "agent-operations"],
      ],
    );
  });

  it("ends a call at its deadline", async () => {
    await using server = await serve(() => () => undefined);
    const error = await failure(new Http({ baseUrl: server.url, timeoutMs: 100 }).json(get));
    assert.equal(error.kind, "timeout");
  });

  it("ends a call at its deadline also where its caller may end it, and the other way round", async () => {
    await using server = await serve(() => () => undefined);
    const caller = new AbortController();
    const late = await failure(
      new Http({ baseUrl: server.url, timeoutMs: 100 }).json({ ...get, signal: caller.signal }),
    );
    assert.equal(late.kind, "timeout");
    const ended = failure(new Http({ baseUrl: server.url }).json({ ...get, signal: caller.signal }));
    caller.abort();
    assert.equal((await ended).kind, "aborted");
  });

  it("reads no more of a failure than its beginning", async () => {
    const [end, most] = ["The end.", 64 * 1024];
    await using server = await serve(() => ({ status: 400, body: "x".repeat(most) + end }));
    const error = await failure(new Http({ baseUrl: server.url }).json(get));
    assert.doesNotMatch(error.detail ?? "", /The end/);
  });

  it("says that nothing listens", async () => {
    const server = await serve(() => ({}));
    const { url } = server;
    await server[Symbol.asyncDispose]();
    const error = await failure(new Http({ baseUrl: url }).json(post));
    assert.equal(error.kind, "refused");
  });

  it("says of several failed ways to an address why each failed, in one line", async () => {
    const each = [new Error("no route"), new Error("timed out")];
    for (const [cause, detail] of [
      [new AggregateError(each, ""), "no route; timed out"],
      [new AggregateError(each, "all failed\nat once"), "all failed"],
    ] as const) {
      await using agent = new FailingAgent(cause);
      const error = await failure(new Http({ baseUrl: "http://a.example", dispatcher: agent }).json(post));
      assert.equal(error.detail, detail);
    }
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

  it("follows five redirects in a row, and no sixth", async () => {
    await using server = await serve(({ url }) => {
      const left = Number(url.split("/").at(-1));
      return left === 0 ? { body: '"here"' } : { status: 307, headers: { location: `/${left - 1}` } };
    });
    const http = new Http({ baseUrl: server.url });
    assert.equal(await http.json({ method: "GET", path: "/5" }), "here");
    assert.equal((await failure(http.json({ method: "GET", path: "/6" }))).kind, "redirected");
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

  it("sends and reports no request that was given up while its headers were put together", async () => {
    const seen: Exchange[] = [];
    await using server = await serve(() => ({ body: "{}" }));
    const caller = new AbortController();
    const headers = () => {
      caller.abort();
      return Promise.resolve({});
    };
    const http = new Http({ baseUrl: server.url, headers, onExchange: (exchange) => seen.push(exchange) });
    assert.equal((await failure(http.json({ ...get, signal: caller.signal }))).kind, "aborted");
    assert.deepEqual(seen, []);
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

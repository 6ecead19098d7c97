import assert from "node:assert/strict";
import { Agent } from "undici";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
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

describe("an event stream", () => {
  const sse = { "content-type": "text/event-stream" };

  it("may be silent for longer than the dispatcher's body timeout", async () => {
    await using server = await serve(() => (response) => {
      response.writeHead(200, sse).flushHeaders();
      // Its timer looks only once a second.
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

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ControlPlaneClient } from "../../../support/controlPlaneClient.ts";
import { FrontedServers } from "../../../support/frontedServers.ts";
import { collect, events, fast, list, LocalPlatform, say, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";

describe("a deployment of the Local Platform that fronts a running agent server", () => {
  let fronted: FrontedServers;
  let platform: LocalPlatform;
  let client: ControlPlaneClient;
  let servers: Server[];

  before(async () => {
    fronted = await FrontedServers.start();
    ({ platform, client, servers } = fronted);
  });
  beforeEach(() => client.pace(1, { probe_timeout_ms: 5000 }));
  after(() => fronted.remove());

  const listen = (...handler: Parameters<FrontedServers["listen"]>) => fronted.listen(...handler);
  const create = (url: string) => fronted.create(url);
  const front = (url: string) => fronted.front(url);

  it("is not DEPLOYED before the server answers at /ok", async () => {
    let healthy = false;
    let probes = 0;
    const server = createServer((_, response) => {
      probes += 1;
      response.writeHead(healthy ? 200 : 503).end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { id, revision } = await create(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await until("the server was asked for its health again", () => probes > 3);
    assert.equal((await client.revision(id, revision)).status, "DEPLOYING");
    healthy = true;
    assert.equal((await client.follow(id, revision)).at(-1), "DEPLOYED");
  });

  it("is DEPLOY_FAILED when the server does not answer in time, and the log says so", async () => {
    const gone = await listen(() => undefined);
    const server = servers.pop();
    await new Promise((resolve) => server?.close(resolve));
    await client.pace(1, { probe_timeout_ms: 60 });
    const { id, revision } = await create(gone);
    assert.equal((await client.follow(id, revision)).at(-1), "DEPLOY_FAILED");
    const logs = await client.send("GET", `/v2/deployments/${id}/logs?level=ERROR`);
    assert.match(text(list(logs.body.logs)[0]?.message), /\/ok did not answer/);
  });

  it("runs the server's own agents, threads and streams under its own address", async () => {
    const other = await LocalPlatform.start();
    const proxy = createServer((incoming, response) => {
      const headers = { ...incoming.headers, "x-api-key": other.ready.apiKey };
      const options = { method: incoming.method ?? "GET", headers };
      const onward = request(other.ready.deploymentUrl + (incoming.url ?? ""), options, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(onward);
    });
    servers.push(proxy);
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const url = await front(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const thread = text((await platform.send("POST", `${url}/threads`, {})).body.thread_id);
    const run = fast({ assistant_id: "echo", input: say("hello"), stream_mode: "values" });
    const response = await platform.fetch("POST", `${url}/threads/${thread}/runs/stream`, run);
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const seen = await collect(events(response));
    assert.equal(seen.at(-1)?.event, "values");
    assert.equal((await other.send("GET", `/threads/${thread}`)).status, 200);
    assert.equal((await platform.send("GET", `/threads/${thread}`)).status, 404);
    await other.remove();
  });

  it("passes each piece of a stream on as it comes", async () => {
    let more: (() => void) | undefined;
    const url = await front(
      await listen((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("data: 1\n\n");
        more = () => response.end("data: 2\n\n");
      }),
    );
    const response = await platform.fetch("GET", `${url}/stream`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await reader.read()).value, "data: 1\n\n");
    more?.();
    assert.equal((await reader.read()).value, "data: 2\n\n");
    assert.ok((await reader.read()).done);
  });

  it("keeps the server to the pace of a slow client", async () => {
    const piece = Buffer.alloc(64 * 1024, "x");
    const total = 64 * 1024 * 1024;
    let written = 0;
    const url = await front(
      await listen((_, response) => {
        const pour = () => {
          while (written < total) {
            written += piece.length;
            if (!response.write(piece)) return;
          }
          response.end();
        };
        response.on("drain", pour);
        pour();
      }),
    );
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { "x-api-key": platform.ready.apiKey };
      request(`${url}/flood`, { headers }, resolve).on("error", reject).end();
    });
    let before = -1;
    await until("the server writes no more", async () => {
      const settled = written === before && written > 0;
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return settled;
    });
    assert.ok(written < total / 2, `${written} bytes were taken from the server`);
    let read = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) read += chunk.length;
    assert.equal(read, total);
  });

  it("lets the server go when the client goes", async () => {
    let closed = false;
    const url = await front(
      await listen((_, response) => {
        response.writeHead(200).write("x");
        response.on("close", () => (closed = true));
      }),
    );
    const stop = new AbortController();
    const response = await platform.fetch("GET", `${url}/stream`, undefined, {}, stop.signal);
    await response.body!.getReader().read();
    stop.abort();
    await until("the server's connection is closed", () => closed);
  });

  it("lets the server go when the client goes before any answer", async () => {
    let asked = false;
    let closed = false;
    const url = await front(
      await listen((_, response) => {
        asked = true;
        response.on("close", () => (closed = true));
      }),
    );
    const stop = new AbortController();
    const asking = platform.fetch("GET", `${url}/slow`, undefined, {}, stop.signal);
    await until("the server was asked", () => asked);
    stop.abort();
    await assert.rejects(asking);
    await until("the server's connection is closed", () => closed);
  });

  it("ends the client's stream, and nothing else, when the server dies in it", async () => {
    const url = await front(
      await listen((_, response) => {
        response.writeHead(200).write("x");
        setTimeout(() => response.destroy(), 10);
      }),
    );
    const response = await platform.fetch("GET", `${url}/stream`);
    await assert.rejects(response.text());
    assert.equal((await platform.send("GET", "/ok")).status, 200);
  });

  it("passes method, query, body and headers on, but not the platform's own key", async () => {
    let seen: {
      method?: string | undefined;
      url?: string | undefined;
      headers?: IncomingMessage["headers"];
    } = {};
    let bytes = 0;
    const url = await front(
      `${await listen((incoming, response) => {
        seen = { method: incoming.method, url: incoming.url, headers: incoming.headers };
        incoming.on("data", (chunk: Buffer) => (bytes += chunk.length));
        incoming.on("end", () => response.writeHead(207, { "x-answer": "yes" }).end("{}"));
      })}/base/`,
    );
    const body = "x".repeat(3_000_000);
    const headers = {
      authorization: "Bearer users-own",
      "x-custom": "kept",
      "x-tenant-id": platform.ready.workspaceId,
    };
    const answer = await platform.send("PUT", `${url}/store/items?a=1?&b=%2F`, body, headers);
    assert.equal(answer.status, 207);
    assert.equal(answer.headers.get("x-answer"), "yes");
    assert.equal(seen.method, "PUT");
    assert.equal(seen.url, "/base/store/items?a=1?&b=%2F");
    assert.equal(bytes, body.length);
    assert.equal(seen.headers?.["x-custom"], "kept");
    assert.equal(seen.headers.authorization, "Bearer users-own");
    assert.ok(!JSON.stringify(seen.headers).includes(platform.ready.apiKey));
    assert.equal(seen.headers["x-tenant-id"], undefined);
  });

  it("asks for the key, also at /ok", async () => {
    const url = await front(await listen((_, response) => response.end("{}")));
    for (const path of ["/ok", "/threads"]) assert.equal((await fetch(url + path)).status, 401);
    assert.equal((await platform.send("GET", `${url}/ok`)).status, 200);
  });

  it("is a 502 that names the server when it cannot be reached", async () => {
    const base = await listen(() => undefined);
    const url = await front(base);
    const server = servers.pop();
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    const answer = await platform.send("GET", `${url}/info`);
    assert.equal(answer.status, 502);
    assert.match(text(answer.body.detail), new RegExp(`${base} cannot be reached: ECONNREFUSED`));
  });

  it("never leaves the path that it was given", async () => {
    const seen: string[] = [];
    const base = await listen((incoming, response) => {
      seen.push(incoming.url ?? "");
      response.end("{}");
    });
    const url = new URL(await front(`${base}/base`));
    const id = url.pathname.slice(url.pathname.lastIndexOf("/"));
    for (const climb of ["/../../outside", "/%2e%2e/outside", `/..${id}/..${id}/outside`]) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const path = url.pathname + climb;
        const headers = { "x-api-key": platform.ready.apiKey };
        request({ host: "127.0.0.1", port: url.port, path, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on("error", reject)
          .end();
      });
      assert.equal(status, 404, climb);
    }
    assert.deepEqual(seen, []);
  });

  it("is a 508 when deployments front each other in a circle", async () => {
    const withKey = await listen((incoming, response) => {
      const headers = { ...incoming.headers, "x-api-key": platform.ready.apiKey };
      const onward = request(second + (incoming.url ?? ""), { headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500);
        answer.pipe(response);
      });
      incoming.pipe(onward);
    });
    const first: string = await front(withKey);
    const second: string = await front(withKey);
    assert.equal((await platform.send("GET", `${first}/info`)).status, 508);
  });
});

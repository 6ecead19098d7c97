import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { FrontedServers } from "../../../support/frontedServers.ts";
import type { LocalPlatform } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";

describe("a WebSocket at the Local Platform", () => {
  let fronted: FrontedServers;
  let platform: LocalPlatform;
  let url: string;
  let upgrades: IncomingMessage[];
  let closed: number;

  before(async () => {
    fronted = await FrontedServers.start();
    ({ platform } = fronted);
    await fronted.client.pace(1, { probe_timeout_ms: 5000 });
    const base = await fronted.listen((_, response) => response.end("{}"));
    fronted.servers[0]?.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
      upgrades.push(incoming);
      socket.on("error", () => undefined).on("close", () => (closed += 1));
      if (incoming.url?.endsWith("/refused") === true) {
        socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno");
        return;
      }
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n");
      socket.write("Sec-WebSocket-Accept: abc\r\nAccess-Control-Allow-Origin: *\r\n\r\nhello ");
      socket.write(head);
      socket.pipe(socket);
    });
    url = await fronted.front(`${base}/base`);
  });
  beforeEach(() => ([upgrades, closed] = [[], 0]));
  after(() => fronted.remove());

  const key = (): Record<string, string> => ({ "x-api-key": platform.ready.apiKey });
  const upgrading = { connection: "keep-alive, Upgrade", upgrade: "websocket", "sec-websocket-key": "k" };

  /** Asks for one; gives the answer's head, the connection and its first bytes, or the answer's body. */
  const ask = async (
    address: string,
    headers: Record<string, string>,
  ): Promise<{ answer: IncomingMessage; socket?: Socket; text: string }> => {
    const asking = request(address, { headers: { ...upgrading, ...headers } }).end();
    return new Promise((resolve, reject) => {
      asking.on("error", reject);
      asking.on("upgrade", (answer, socket, head) => resolve({ answer, socket, text: head.toString() }));
      asking.on("response", (answer) => {
        let text = "";
        answer
          .on("data", (part: Buffer) => (text += part.toString()))
          .on("end", () => resolve({ answer, text }));
      });
    });
  };

  it("goes on to the server in front of which the deployment is, in both directions, without the key", async () => {
    const { answer, socket, text } = await ask(`${url}/threads/t/stream/events?a=b`, key());
    assert(socket !== undefined);
    assert.equal(answer.headers["sec-websocket-accept"], "abc");
    assert.equal(answer.headers["access-control-allow-origin"], undefined);
    let said = text;
    socket.on("data", (part: Buffer) => (said += part.toString()));
    await until("it says hello", () => said === "hello ");
    socket.write("and back");
    await until("it came back", () => said === "hello and back");
    const [sent] = upgrades;
    assert.equal(sent?.url, "/base/threads/t/stream/events?a=b");
    assert.equal(sent.headers["sec-websocket-key"], "k");
    assert.ok(!JSON.stringify(sent.headers).includes(platform.ready.apiKey));
    socket.destroy();
    await until("the server is let go", () => closed === 1);
  });

  it("gets the server's own answer when that one refuses", async () => {
    const { answer, text } = await ask(`${url}/refused`, key());
    assert.deepEqual([answer.statusCode, text], [403, "no"]);
    assert.equal(answer.headers["content-security-policy"], "sandbox");
  });

  it("is a 401 without a key, a 403 with a wrong one, a 404 at no deployment, and none of them reaches a server", async () => {
    assert.equal((await ask(`${url}/x`, {})).answer.statusCode, 401);
    assert.equal((await ask(`${url}/x`, { "x-api-key": "wrong" })).answer.statusCode, 403);
    assert.equal((await ask(`${url}/x`, { ...key(), "x-tenant-id": "another" })).answer.statusCode, 403);
    const nowhere = `${platform.ready.baseUrl}/deployments/00000000-0000-4000-8000-000000000000/x`;
    assert.equal((await ask(nowhere, key())).answer.statusCode, 404);
    assert.deepEqual(upgrades, []);
  });

  it("is a 502 when the server cannot be reached", async () => {
    const gone = await fronted.listen(() => undefined);
    const address = await fronted.front(gone);
    const server = fronted.servers.pop();
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    const { answer, text } = await ask(`${address}/x`, key());
    assert.equal(answer.statusCode, 502);
    assert.match(text, /cannot be reached: ECONNREFUSED/);
  });

  it("or another upgrade that nobody does is answered as what it is without, its body too", async () => {
    for (const upgrade of ["websocket", "h2c"]) {
      const { answer, text } = await ask(`${platform.ready.deploymentUrl}/info`, { ...key(), upgrade });
      assert.equal(answer.statusCode, 200);
      assert.match(text, /local-platform/);
    }
    const { hostname, port } = new URL(platform.ready.baseUrl);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify({ metadata: { filling: "x".repeat(300_000) } });
    const path = new URL(`${platform.ready.deploymentUrl}/threads`).pathname;
    socket.write(
      [
        `POST ${path} HTTP/1.1`,
        `host: ${hostname}`,
        `x-api-key: ${platform.ready.apiKey}`,
        "connection: Upgrade, HTTP2-Settings",
        "upgrade: h2c",
        `content-length: ${body.length}`,
        "\r\n",
      ].join("\r\n"),
    );
    socket.write(body.slice(0, 1000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.write(body.slice(1000));
    const [answer] = (await once(socket, "data")) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it("ends with the Local Platform", async () => {
    const { socket } = await ask(`${url}/x`, key());
    assert(socket !== undefined);
    await platform.stop();
    socket.resume();
    if (!socket.closed) await once(socket, "close");
  });
});

import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { FrontedServers } from "../../../support/frontedServers.ts";
import type { LocalPlatform } from "../../../support/localPlatform.ts";
import { text } from "../../../support/localPlatform.ts";

const page = "<script>fetch('/')</script>";

describe("a server that the Local Platform fronts", () => {
  let fronted: FrontedServers;
  let platform: LocalPlatform;
  let seen: IncomingMessage[];

  before(async () => {
    fronted = await FrontedServers.start();
    ({ platform } = fronted);
    await fronted.client.pace(1, { probe_timeout_ms: 5000 });
  });
  beforeEach(() => (seen = []));
  after(() => fronted.remove());

  /** A page of a server that wants to be read by everybody. */
  const frontPage = async (): Promise<string> =>
    fronted.front(
      await fronted.listenAlways((incoming, response) => {
        seen.push(incoming);
        const headers = { "content-type": "text/html", "content-security-policy": "default-src *" };
        const cors = { "access-control-allow-origin": "*", "Access-Control-Allow-Headers": "x-api-key" };
        response.writeHead(200, { ...headers, ...cors }).end(page);
      }),
    );

  it("says at /ok nothing but that it is up, by GET, to whoever has a key", async () => {
    const url = await frontPage();
    seen = [];
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await fetch(`${url}/ok`, { method });
      assert.equal(answer.status, 401);
      assert.doesNotMatch(await answer.text(), /script/);
    }
    assert.deepEqual(seen, []);
    const answer = await platform.send("POST", `${url}/ok?x=1`);
    assert.deepEqual([answer.status, answer.text], [200, '{"ok":true}']);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    assert.deepEqual(
      seen.map(({ method, url: path, headers }) => [method, path, headers["x-api-key"]]),
      [["GET", "/ok", undefined]],
    );
  });

  it("says at /ok that it is down", async () => {
    let status = 200;
    const url = await fronted.front(
      await fronted.listenAlways((_, response) => response.writeHead(status).end()),
    );
    status = 500;
    const answer = await platform.send("GET", `${url}/ok`);
    assert.deepEqual([answer.status, answer.text], [503, '{"ok":false}']);
  });

  it("has no page with the Local Platform's own rights, and lets no other page read its answers", async () => {
    const answer = await platform.send("GET", `${await frontPage()}/page`);
    assert.equal(answer.text, page);
    assert.equal(answer.headers.get("content-security-policy"), "sandbox");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.deepEqual(
      [...answer.headers.keys()].filter((name) => name.startsWith("access-control")),
      [],
    );
  });

  for (const status of [401, 403]) {
    it(`may have authentication of its own, and answer ${status} at /ok`, async () => {
      const url = await fronted.front(
        await fronted.listenAlways((_, response) => response.writeHead(status).end("{}")),
      );
      assert.equal((await platform.send("GET", `${url}/ok`)).status, 200);
      assert.equal((await platform.send("GET", `${url}/info`)).status, status);
    });
  }

  it("never gets a key of the Local Platform, in whichever header or address it is sent", async () => {
    const url = await frontPage();
    const made = await platform.send("POST", `${platform.ready.localUrl}/api-keys`, {
      name: "more",
      role: "admin",
    });
    const further = text(made.body.api_key);
    assert.match(further, /^local_/);
    seen = [];
    for (const key of [platform.ready.apiKey, further]) {
      const headers = {
        authorization: `Bearer ${key}`,
        cookie: `a=b; key=${encodeURIComponent(key)}`,
        "x-custom": JSON.stringify({ key }),
        "x-kept": "yes",
        "sec-websocket-protocol": `chat, ${key}`,
      };
      assert.equal((await platform.send("GET", `${url}/info`, undefined, headers)).status, 200);
      const basic = { authorization: `Basic ${Buffer.from(`me:${key}`).toString("base64")}` };
      assert.equal((await platform.send("GET", `${url}/info`, undefined, basic)).status, 200);
      for (const at of [`?key=${key}`, `/${key}`, `?key=${encodeURIComponent(encodeURIComponent(key))}`])
        assert.equal((await platform.send("GET", `${url}/info${at}`)).status, 400);
    }
    assert.equal(seen.length, 4);
    for (const { headers, url: path } of seen) {
      const sent = JSON.stringify([
        headers,
        path,
        Buffer.from((headers.authorization ?? "").slice(6), "base64"),
      ]);
      for (const key of [platform.ready.apiKey, further]) assert.ok(!sent.includes(key), sent);
      assert.equal(headers.authorization, undefined);
    }
    assert.equal(seen[0]?.headers["x-kept"], "yes");
  });

  it("gets a person's own authorization", async () => {
    const url = await frontPage();
    const headers = { authorization: "Bearer local_of-somebody-elses-platform-0123456", cookie: "a=b" };
    await platform.send("GET", `${url}/info`, undefined, headers);
    assert.equal(seen.at(-1)?.headers.authorization, headers.authorization);
    assert.equal(seen.at(-1)?.headers.cookie, "a=b");
  });
});

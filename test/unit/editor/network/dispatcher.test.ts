import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttp } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProxy } from "proxy";
import type { ProxyServer } from "proxy";
import { wordsFor } from "../../../../src/api/advice.ts";
import { ApiError } from "../../../../src/api/errors.ts";
import { Http } from "../../../../src/api/http.ts";
import { createDispatcher } from "../../../../src/editor/network/dispatcher.ts";
import type { Environment, NetworkSettings } from "../../../../src/editor/network/proxy.ts";
import { privateAuthority } from "../../../support/privateAuthority.ts";

const plain: NetworkSettings = { strictSSL: true, systemCertificates: false };
/** Everything here listens on loopback, which is only proxied when told so. */
const proxied = { ...plain, noProxy: ["<-loopback>"] };

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
}

describe("the dispatcher", () => {
  let folder: string;
  let caFile: string;
  let secure: Server;
  let insecure: Server;
  let proxy: ProxyServer;
  let secureUrl: string;
  let insecureUrl: string;
  let proxyUrl: string;
  let proxyPort: string;
  let connects: string[] = [];
  let forwarded: IncomingMessage[] = [];
  const dispatchers: ReturnType<typeof createDispatcher>[] = [];

  before(async () => {
    const { authority, key, cert } = await privateAuthority();
    folder = await mkdtemp(join(tmpdir(), "agent-operations-network-"));
    caFile = join(folder, "ca.pem");
    await writeFile(caFile, authority);
    const answer = (request: IncomingMessage) => JSON.stringify({ headers: request.headers });
    // TLS 1.2 offers its session within the handshake, so that a client could resume one it should have refused.
    secure = createHttps({ key, cert, maxVersion: "TLSv1.2" }, (request, response) =>
      response.end(answer(request)),
    );
    insecure = createHttp((request, response) => response.end(answer(request)));
    secureUrl = `https://${await listen(secure)}`;
    insecureUrl = `http://${await listen(insecure)}`;
    proxy = createProxy(createHttp());
    proxy.prependListener("connect", (request: IncomingMessage) => connects.push(request.url ?? ""));
    proxy.prependListener("request", (request: IncomingMessage) => forwarded.push(request));
    proxyPort = await listen(proxy);
    proxyUrl = `http://${proxyPort}`;
  });

  beforeEach(() => {
    connects = [];
    forwarded = [];
    proxy.authenticate = () => true;
  });

  afterEach(async () => {
    await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.close()));
  });

  after(async () => {
    await Promise.all([close(secure), close(insecure), close(proxy)]);
    await rm(folder, { recursive: true });
  });

  async function get(
    url: string,
    settings: NetworkSettings,
    env: Environment = {},
  ): Promise<Record<string, string>> {
    const dispatcher = createDispatcher(settings, env);
    dispatchers.push(dispatcher);
    const http = new Http({
      baseUrl: url,
      dispatcher,
      headers: () => Promise.resolve({ "x-api-key": "key" }),
    });
    const { headers } = await http.json<{ headers: Record<string, string> }>({ method: "GET", path: "/x" });
    return headers;
  }

  async function refused(url: string, settings: NetworkSettings, env: Environment = {}): Promise<ApiError> {
    return get(url, settings, env).then(
      () => assert.fail("was not refused"),
      (error: unknown) => (error instanceof ApiError ? error : assert.fail(String(error))),
    );
  }

  const trusting = () => ({ NODE_EXTRA_CA_CERTS: caFile });

  it("connects directly without a proxy", async () => {
    assert.equal((await get(insecureUrl, plain))["x-api-key"], "key");
    assert.equal((await get(secureUrl, plain, trusting()))["x-api-key"], "key");
    assert.deepEqual([connects, forwarded], [[], []]);
  });

  it("tunnels https through the proxy, which sees nothing of the request", async () => {
    const headers = await get(secureUrl, { ...proxied, proxy: proxyUrl }, trusting());
    assert.equal(headers["x-api-key"], "key");
    assert.deepEqual(connects, [new URL(secureUrl).host]);
    assert.deepEqual(forwarded, []);
  });

  it("asks the proxy for http by the absolute URL", async () => {
    const headers = await get(insecureUrl, { ...proxied, proxy: proxyUrl });
    assert.equal(headers["x-api-key"], "key");
    assert.equal(headers["host"], new URL(insecureUrl).host);
    assert.deepEqual(
      forwarded.map(({ url }) => url),
      [`${insecureUrl}/x`],
    );
  });

  it("takes the proxy from the environment", async () => {
    await get(secureUrl, proxied, { ...trusting(), HTTPS_PROXY: proxyUrl });
    assert.equal(connects.length, 1);
  });

  it("leaves the proxy out for exempt hosts", async () => {
    await get(secureUrl, { ...plain, proxy: proxyUrl, noProxy: ["127.0.0.1"] }, trusting());
    await get(secureUrl, plain, { ...trusting(), HTTPS_PROXY: proxyUrl, NO_PROXY: "127.0.0.1" });
    assert.deepEqual(connects, []);
  });

  for (const target of ["https", "http"] as const) {
    it(`authorizes itself to the proxy for ${target}, by the proxy's URL or the setting`, async () => {
      const expected = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;
      proxy.authenticate = (request) => request.headers["proxy-authorization"] === expected;
      const url = target === "https" ? secureUrl : insecureUrl;
      const inUrl = { ...proxied, proxy: `http://user:p%40ss@${proxyPort}` };
      const headers = await get(url, inUrl, trusting());
      assert.equal(headers["proxy-authorization"], undefined);
      await get(url, { ...proxied, proxy: proxyUrl, proxyAuthorization: expected }, trusting());

      const error = await refused(url, { ...proxied, proxy: `http://user:wr0ng@${proxyPort}` }, trusting());
      assert.equal(error.kind, "proxy");
      assert.match(wordsFor(error).message, /407/);
      assert.match(wordsFor(error).remedy, /http\.proxyAuthorization/);
      assert.doesNotMatch(JSON.stringify(error) + String(error.stack) + wordsFor(error).message, /wr0ng/);
    });
  }

  it("says that the proxy can't be reached", async () => {
    const gone = createHttp();
    const address = await listen(gone);
    await close(gone);
    const error = await refused(secureUrl, { ...proxied, proxy: `http://${address}` }, trusting());
    assert.equal(error.kind, "proxy");
    assert.match(error.detail ?? "", new RegExp(address));
  });

  for (const scheme of ["socks5", "socks"]) {
    it(`says that a ${scheme} proxy is not supported`, async () => {
      for (const url of [secureUrl, insecureUrl]) {
        const error = await refused(url, { ...proxied, proxy: `${scheme}://${proxyPort}` });
        assert.equal(error.kind, "proxy");
        assert.match(error.detail ?? "", /socks5?:.*no HTTP proxy/);
      }
    });
  }

  for (const route of ["direct", "tunnelled"]) {
    const settings = () => (route === "direct" ? plain : { ...proxied, proxy: proxyUrl });

    it(`refuses a certificate of an unknown authority and names it (${route})`, async () => {
      for (let attempt = 0; attempt < 2; attempt++) {
        const error = await refused(secureUrl, settings());
        assert.equal(error.kind, "tls");
        assert.match(error.detail ?? "", /issued by Private Test CA, which this machine does not trust/);
        assert.match(wordsFor(error).remedy, /NODE_EXTRA_CA_CERTS/);
      }
    });

    it(`refuses a certificate for another name, at every attempt (${route})`, async () => {
      const dispatcher = createDispatcher(settings(), trusting());
      dispatchers.push(dispatcher);
      const http = new Http({ baseUrl: secureUrl.replace("127.0.0.1", "localhost"), dispatcher });
      for (let attempt = 0; attempt < 3; attempt++) {
        await assert.rejects(http.json({ method: "GET", path: "/" }), (error) => {
          assert.ok(error instanceof ApiError && error.kind === "tls");
          return /is for IP Address:127\.0\.0\.1, not for localhost/.test(error.detail ?? "");
        });
      }
    });

    it(`accepts any certificate when strictness is off (${route})`, async () => {
      assert.equal((await get(secureUrl, { ...settings(), strictSSL: false }))["x-api-key"], "key");
    });
  }

  it("says that http answers where https was expected", async () => {
    const error = await refused(insecureUrl.replace("http:", "https:"), plain);
    assert.equal(error.kind, "malformed");
    assert.equal(error.detail, "no TLS is spoken there");
    assert.match(wordsFor(error).remedy, /^Check the scheme/);
  });

  it("reads the system's authorities without harm", async () => {
    assert.equal(
      (await get(secureUrl, { ...plain, systemCertificates: true }, trusting()))["x-api-key"],
      "key",
    );
  });

  it("passes over a NODE_EXTRA_CA_CERTS that can't be read", async () => {
    const error = await refused(secureUrl, plain, { NODE_EXTRA_CA_CERTS: join(folder, "none.pem") });
    assert.equal(error.kind, "tls");
  });
});

import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { generate } from "selfsigned";
import { probe } from "../../../src/api/probe/index.ts";
import type { ProbeOptions, ProbeStep } from "../../../src/api/probe/index.ts";
import { createDispatcher } from "../../../src/editor/network/dispatcher.ts";
import { all } from "../../support/all.ts";
import { serve } from "../../support/testServer.ts";

async function steps(options: ProbeOptions): Promise<readonly (readonly [string, ProbeStep["outcome"]])[]> {
  return (await all(probe(options))).map(({ name, outcome }) => [name, outcome]);
}

describe("probe", () => {
  it("reports the route and each interface of an agent server, with the key", async () => {
    await using server = await serve(({ url }) => {
      if (url === "/ok") return { body: '{"ok":true}' };
      if (url === "/info") return { body: '{"version":"1.5.1"}' };
      if (url.endsWith("/commands")) return { status: 404, body: "404 Not Found" };
      return { body: "[]" };
    });
    const found = await all(
      probe({
        targets: [{ kind: "agentServer", url: server.url }],
        headersFor: () => Promise.resolve({ "x-api-key": "secret-key" }),
      }),
    );
    assert.deepEqual(
      found.map(({ name, outcome }) => [name, outcome]),
      [
        ["Proxy", "ok"],
        ["DNS", "skipped"],
        ["TCP", "ok"],
        ["Agent server: up", "ok"],
        ["Agent server: version", "ok"],
        ["Agent server: threads", "ok"],
        ["Agent server: streaming protocol", "skipped"],
      ],
    );
    assert.match(found[4]?.detail ?? "", /version 1\.5\.1/);
    assert.match(found[5]?.detail ?? "", /^answers, with nothing in it yet · /);
    assert.ok(found.slice(2).every(({ ms }) => ms > 0));
    assert.ok(server.asked.every(({ headers }) => headers["x-api-key"] === "secret-key"));
    assert.doesNotMatch(JSON.stringify(found), /secret-key/);
    assert.deepEqual(JSON.parse(server.asked[2]?.body ?? ""), { limit: 1 });
  });

  it("goes to the usual port where the address names none", async () => {
    for (const [url, place] of [
      ["http://127.0.0.1", "127.0.0.1:80"],
      ["https://127.0.0.1", "127.0.0.1:443"],
    ] as const) {
      const details: string[] = [];
      for await (const { name, detail } of probe({ targets: [{ kind: "agentServer", url }] })) {
        details.push(detail);
        if (name === "TCP") break;
      }
      assert.match(details.at(-1) ?? "", new RegExp(`\\b${place}\\b`));
    }
  });

  it("says what is wrong with the key, and asks nothing twice", async () => {
    await using server = await serve(() => ({ status: 503, headers: { "retry-after": "0" }, body: "down" }));
    const targets = [{ kind: "managedAgents", url: server.url }] as const;
    const last = (await all(probe({ targets }))).at(-1);
    assert.equal(last?.outcome, "failed");
    assert.match(last.detail, /status 503: down\. Try again/);
    assert.equal(last.error?.kind, "server");
    assert.equal(server.asked.length, 1);
  });

  it("goes the route once per origin", async () => {
    await using server = await serve(() => ({ body: "[]" }));
    const targets = (["managedAgents", "controlPlane", "bulkExports", "streamingProtocol"] as const).map(
      (kind) => ({
        kind,
        url: server.url,
      }),
    );
    assert.deepEqual(await steps({ targets }), [
      ["Proxy", "ok"],
      ["DNS", "skipped"],
      ["TCP", "ok"],
      ["Managed agents", "ok"],
      ["Control plane", "ok"],
      ["Bulk exports", "ok"],
      ["Streaming protocol: commands", "ok"],
      ["Streaming protocol: threads", "ok"],
    ]);
  });

  it("stops on the route where it ends, and still asks the interface once", async () => {
    const server = await serve(() => ({}));
    const { url } = server;
    await server[Symbol.asyncDispose]();
    assert.deepEqual(await steps({ targets: [{ kind: "agentServer", url }] }), [
      ["Proxy", "ok"],
      ["DNS", "skipped"],
      ["TCP", "failed"],
      ["Agent server: up", "failed"],
    ]);
    const nowhere = await steps({ targets: [{ kind: "agentServer", url: "http://nowhere.invalid" }] });
    assert.deepEqual(nowhere.slice(0, 3), [
      ["Proxy", "ok"],
      ["DNS", "failed"],
      ["Agent server: up", "failed"],
    ]);
  });

  it("reports a PAC file that is not evaluated, and a proxy without its password", async () => {
    await using server = await serve(() => ({ body: "{}" }));
    const found = await all(
      probe({
        targets: [{ kind: "managedAgents", url: "http://agents.test" }],
        pacUrl: "http://wpad.test/proxy.pac",
        proxyFor: () => server.url.replace("//", "//user:secret@"),
      }),
    );
    assert.deepEqual(
      found.slice(0, 4).map(({ name, outcome }) => [name, outcome]),
      [
        ["Proxy script", "skipped"],
        ["Proxy", "ok"],
        ["DNS", "skipped"],
        ["TCP", "ok"],
      ],
    );
    assert.match(found[1]?.detail ?? "", /agents\.test: by http:\/\/127\.0\.0\.1/);
    assert.doesNotMatch(JSON.stringify(found), /secret/);
  });

  it("shows a certificate's chain and why it is not trusted", async () => {
    const { private: key, cert } = await generate([{ name: "commonName", value: "agents.test" }], {
      keyType: "ec",
      algorithm: "sha256",
    });
    const server = createServer({ key, cert }, (_, response) => response.end("{}"));
    const dispatcher = createDispatcher({ strictSSL: true, systemCertificates: false }, {});
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    try {
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const found = await all(probe({ targets: [{ kind: "managedAgents", url }], dispatcher }));
      const tls = found.find(({ name }) => name === "TLS");
      assert.equal(tls?.outcome, "failed");
      assert.match(tls.detail, /self-signed by agents\.test; agents\.test by agents\.test, valid to .* GMT$/);
    } finally {
      await dispatcher.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
  });

  it("stops when it is aborted", async () => {
    await using server = await serve(() => ({ body: "{}" }));
    const abort = new AbortController();
    const seen: string[] = [];
    const run = async () => {
      for await (const { name } of probe({
        targets: [{ kind: "agentServer", url: server.url }],
        signal: abort.signal,
      })) {
        seen.push(name);
        if (name === "TCP") abort.abort();
      }
    };
    await assert.rejects(run, { name: "AbortError" });
    assert.equal(seen.at(-1), "TCP");
  });
});

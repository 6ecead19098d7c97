import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { ToolServers } from "../../../src/api/managedAgents/toolServers.ts";
import { ToolServer } from "../../support/toolServer.ts";
import { LocalPlatform } from "../../support/localPlatform.ts";
import { serve } from "../../support/testServer.ts";
import type { Scripted, TestServer } from "../../support/testServer.ts";

const secret = /never-to-be-seen/;
const recording = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../fixtures/wire/toolServers/${name}.json`), "utf8");
const client = (server: TestServer) => new ToolServers(new Http({ baseUrl: `${server.url}/v1/managed` }));
const always = (answer: Scripted) => serve(() => answer);
const id = "0b6c7d1e-4f0a-4a2f-9a53-1f0c1f6d2b11";

describe("ToolServers", () => {
  it("lists servers from a bare array or an object around it, without the values of headers", async () => {
    const list = `[${recording("server")}, ${recording("oauthServer")}]`;
    for (const body of [list, `{"servers":${list}}`]) {
      await using server = await always({ body });
      const [first, second, ...others] = await client(server).list();
      assert.deepEqual(others, []);
      assert.deepEqual(first?.headers, [{ key: "Authorization" }, { key: "X-Team" }]);
      assert.equal((first as { region?: string }).region, "a member that nobody knows yet");
      assert.deepEqual(second, JSON.parse(recording("oauthServer")));
      assert.doesNotMatch(JSON.stringify(first), secret);
      const [asked] = server.asked;
      assert.deepEqual([asked?.method, asked?.url, asked?.body], ["GET", "/v1/managed/mcp-servers", ""]);
    }
  });

  it("registers a server with its headers, and gives back their names alone", async () => {
    await using server = await always({ status: 201, body: recording("server") });
    const body = {
      name: "search",
      url: "https://search.example.com/mcp",
      auth_type: "headers",
      headers: [{ key: "Authorization", value: "Bearer never-to-be-seen" }],
    };
    const made = await client(server).create(body);
    assert.equal(made.id, id);
    assert.doesNotMatch(JSON.stringify(made), secret);
    const [asked] = server.asked;
    assert.deepEqual([asked?.method, asked?.url], ["POST", "/v1/managed/mcp-servers"]);
    assert.deepEqual(JSON.parse(asked?.body ?? ""), body);
  });

  it("reads, changes and deletes one server", async () => {
    await using server = await serve(({ method }) =>
      method === "DELETE" ? { status: 204 } : { body: recording("oauthServer") },
    );
    const api = client(server);
    assert.equal((await api.get(id)).can_invoke, false);
    await api.update(id, { url: "https://other.example.com/mcp", auth_type: "oauth" });
    await api.delete(id);
    assert.deepEqual(
      server.asked.map(({ method, url, body }) => [method, url, body]),
      [
        ["GET", `/v1/managed/mcp-servers/${id}`, ""],
        [
          "PATCH",
          `/v1/managed/mcp-servers/${id}`,
          '{"url":"https://other.example.com/mcp","auth_type":"oauth"}',
        ],
        ["DELETE", `/v1/managed/mcp-servers/${id}`, ""],
      ],
    );
  });

  it("changes some headers and leaves the others as they are", async () => {
    await using server = await always({ body: recording("server") });
    const changes = new Map([
      ["authorization", "Bearer fresh"],
      ["X-Gone", undefined],
    ]);
    const changed = await client(server).changeHeaders(id, changes);
    assert.doesNotMatch(JSON.stringify(changed), secret);
    assert.deepEqual(JSON.parse(server.asked[1]?.body ?? ""), {
      headers: [
        { key: "X-Team", value: "blue-never-to-be-seen" },
        { key: "authorization", value: "Bearer fresh" },
      ],
    });
  });

  it("registers an OAuth provider once, without repeating it", async () => {
    await using server = await serve((_, index) =>
      index === 0 ? { body: '{"oauth_provider_id":"p1"}' } : { status: 503 },
    );
    const api = client(server);
    assert.equal(await api.registerProvider(id), "p1");
    await assert.rejects(api.registerProvider(id), ApiError);
    assert.deepEqual(
      server.asked.map(({ method, url, body }) => [method, url, body]),
      [1, 2].map(() => ["POST", `/v1/managed/mcp-servers/${id}/oauth-provider`, "{}"]),
    );
  });

  it("lists the tools of a server with everything that they say of themselves", async () => {
    await using server = await always({ body: recording("tools") });
    const url = "https://search.example.com/mcp?a=1&b=2";
    const list = await client(server).tools(url, { providerId: "p1", force: true });
    assert.deepEqual(list, JSON.parse(recording("tools")));
    const asked = new URL(server.asked[0]?.url ?? "", server.url);
    assert.equal(asked.pathname, "/v1/managed/mcp/tools");
    assert.deepEqual(Object.fromEntries(asked.searchParams), {
      url,
      oauth_provider_id: "p1",
      force_refresh: "true",
    });
    await client(server).tools(url);
    assert.deepEqual([...new URL(server.asked[1]?.url ?? "", server.url).searchParams.keys()], ["url"]);
  });

  it("asks a server that gives no tools only once", async () => {
    const body =
      '{"type":"/errors/upstream_auth_failed","code":"upstream_auth_failed","detail":"x","status":502}';
    await using server = await always({ status: 502, body });
    await assert.rejects(client(server).tools("https://a.example.com"), (error) => {
      return error instanceof ApiError && error.status === 502 && error.detail === "x";
    });
    assert.equal(server.asked.length, 1);
  });

  it("keeps no secret in an error, neither what was sent nor what was answered", async () => {
    const refusal = {
      detail: [{ loc: ["body", "headers"], msg: "bad", type: "t", input: "never-to-be-seen" }],
    };
    const answers: Scripted[] = [
      { status: 422, body: JSON.stringify(refusal) },
      { body: `{"no":"server","value":"never-to-be-seen"}` },
      { body: "never-to-be-seen" },
    ];
    for (const answer of answers) {
      await using server = await always(answer);
      const creating = client(server).create({ name: "n", url: "https://n.example.com" });
      await assert.rejects(creating, (error) => {
        assert.ok(error instanceof ApiError);
        assert.doesNotMatch(JSON.stringify(error) + String(error.stack) + String(error.cause), secret);
        return true;
      });
    }
  });

  it("names the permission that a key lacks", async () => {
    await using server = await always({
      status: 403,
      headers: { "content-type": "text/plain" },
      body: "missing permission mcp-servers:create",
    });
    await assert.rejects(client(server).create({ name: "n", url: "https://n.example.com" }), (error) => {
      return error instanceof ApiError && error.permission === "mcp-servers:create";
    });
  });

  it("does all of it on a Local Platform", async () => {
    const [platform, tools] = await Promise.all([LocalPlatform.start(), ToolServer.start()]);
    try {
      const { baseUrl, apiKey } = platform.ready;
      const headers = () => Promise.resolve({ "x-api-key": apiKey });
      const api = new ToolServers(new Http({ baseUrl: `${baseUrl}/v1/managed`, headers }));
      const made = await api.create({
        name: "everything",
        url: tools.url,
        headers: [{ key: "X-One", value: "1" }],
      });
      const changed = await api.changeHeaders(made.id, new Map([["x-two", "2"]]));
      assert.deepEqual(changed.headers, [{ key: "X-One" }, { key: "x-two" }]);
      assert.deepEqual(await api.list(), [changed]);
      const { tools: found } = await api.tools(tools.url);
      assert.ok(found.some(({ name }) => name === "echo"));
      const last = tools.asked.at(-1);
      assert.deepEqual([last?.["x-one"], last?.["x-two"]], ["1", "2"]);
      await api.delete(made.id);
      assert.deepEqual(await api.list(), []);
    } finally {
      await platform.remove();
      await tools.stop();
    }
  });
});

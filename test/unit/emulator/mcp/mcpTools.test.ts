import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ToolServer } from "../../../support/toolServer.ts";
import { list, LocalPlatform, text } from "../../../support/localPlatform.ts";
import { McpClient } from "../../../support/mcpClient.ts";

const secret = "Bearer hush-hush-4711";
const headers = [{ key: "Authorization", value: secret }];

describe("the tools of a tool server", () => {
  let platform: LocalPlatform;
  let client: McpClient;
  let server: ToolServer;

  before(async () => {
    server = await ToolServer.start();
    platform = await LocalPlatform.start();
    client = new McpClient(platform);
    await client.server(server.url, { headers });
  });
  after(async () => {
    await platform.remove();
    await server.stop();
  });

  it("are asked for once, with the server's headers, and then remembered", async () => {
    const first = await client.tools(server.url);
    assert.equal(first.status, 200);
    assert.equal(Boolean(first.body.cached), false);
    assert.ok(server.asked.every(({ authorization }) => authorization === secret));
    const asked = server.asked.length;
    const again = await client.tools(`${server.url}/`);
    assert.deepEqual(again.body, { ...first.body, cached: true });
    assert.equal(server.asked.length, asked);
  });

  it("are asked for again on demand, and when headers changed", async () => {
    const first = await client.tools(server.url);
    const forced = await client.tools(server.url, "&force_refresh=true");
    assert.equal(Boolean(forced.body.cached), false);
    assert.ok(text(forced.body.fetched_at) > text(first.body.fetched_at));
    assert.deepEqual(forced.body.tools, first.body.tools);
    const { id } = list(await client.get("/mcp-servers"))[0]!;
    await client.send("PATCH", `/mcp-servers/${text(id)}`, { headers: [{ key: "X-Team", value: "blue" }] });
    assert.equal(Boolean((await client.tools(server.url)).body.cached), false);
    assert.equal(server.asked.at(-1)!["x-team"], "blue");
  });

  it("are not told for a URL that is not registered, nor for another's provider", async () => {
    const unknown = await client.tools("https://nobody.example.com/mcp");
    assert.equal(unknown.status, 404);
    assert.equal(text(unknown.body.code), "mcp_server_not_found");
    const foreign = await client.tools(server.url, `&oauth_provider_id=${crypto.randomUUID()}`);
    assert.equal(foreign.status, 400);
    for (const query of ["", "?url=", "?url=tools", `?url=${server.url}&force_refresh=maybe`]) {
      assert.equal((await client.send("GET", `/mcp/tools${query}`)).status, 400);
    }
  });

  it("are a bad gateway when the server talks without end, of which no more than some is read", async () => {
    let sent = 0;
    const endless = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const line = `data: ${"x".repeat(1024 * 1024)}\n`;
      const more = (): void => {
        while (!response.destroyed && response.write(line)) sent += line.length;
        sent += line.length;
      };
      response.on("drain", more);
      more();
    });
    await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/mcp`;
    await client.server(url);
    const answer = await client.tools(url);
    endless.closeAllConnections();
    endless.close();
    assert.equal(answer.status, 502, answer.text);
    assert.ok(sent < 128 * 1024 * 1024, `${sent} bytes were taken`);
  });

  it("are a bad gateway when nobody answers there", async () => {
    const gone = await ToolServer.start();
    await client.server(gone.url);
    await gone.stop();
    const answer = await client.tools(gone.url);
    assert.equal(answer.status, 502);
    assert.equal(text(answer.body.code), "upstream_error");
    assert.match(text(answer.body.detail), /ECONNREFUSED/);
  });
});

describe("the OAuth provider of a tool server", () => {
  let platform: LocalPlatform;
  let client: McpClient;
  let server: ToolServer;

  before(async () => {
    server = await ToolServer.start({ oauth: true });
    platform = await LocalPlatform.start();
    client = new McpClient(platform);
  });
  after(async () => {
    await platform.remove();
    await server.stop();
  });

  const register = async (id: unknown) =>
    await client.send("POST", `/mcp-servers/${text(id)}/oauth-provider`, {});

  it("is found through the server's own metadata, registered once, and then the same", async () => {
    const { id } = await client.server(server.url, { auth_type: "oauth" });
    const first = await register(id);
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(server.provider.asked, [
      "POST /mcp",
      "GET /.well-known/oauth-protected-resource/mcp",
      "GET /.well-known/oauth-authorization-server",
      "POST /register",
    ]);
    assert.deepEqual((await register(id)).body, first.body);
    assert.equal(server.provider.registered.length, 1);
    assert.deepEqual(server.provider.registered[0]!.redirect_uris, [
      `${platform.ready.controlPlaneUrl}/v2/auth/callback/${text(first.body.oauth_provider_id)}`,
    ]);
    const read = await client.get(`/mcp-servers/${text(id)}`);
    assert.equal(text(read.oauth_provider_id), text(first.body.oauth_provider_id));
  });

  it("is let go when the server moves, and is no provider for another origin", async () => {
    const made = list(await client.get("/mcp-servers"))[0]!;
    const provider = text(made.oauth_provider_id);
    const elsewhere = { name: "x", url: "https://evil.example.com/mcp", auth_type: "oauth" };
    const foreign = await client.send("POST", "/mcp-servers", { ...elsewhere, oauth_provider_id: provider });
    assert.equal(foreign.status, 422);
    const near = await client.server(`${server.url}/near`, {
      auth_type: "oauth",
      oauth_provider_id: provider,
    });
    assert.equal(text(near.oauth_mode), "legacy_shared_provider");
    const moved = await client.send("PATCH", `/mcp-servers/${text(made.id)}`, {
      url: "https://new.example.com/",
    });
    assert.deepEqual(moved.body.oauth_provider_id, null);
    assert.deepEqual((await client.get(`/mcp-servers/${text(near.id)}`)).oauth_provider_id, null);
    assert.equal((await client.start(provider)).status, 400);
  });

  it("is only for servers that use OAuth with a client for each user", async () => {
    const plain = await client.server("https://plain.example.com/mcp");
    const shared = { auth_type: "oauth", oauth_mode: "legacy_shared_provider" };
    const legacy = await client.server("https://legacy.example.com/mcp", shared);
    for (const { id } of [plain, legacy]) {
      const answer = await register(id);
      assert.equal(answer.status, 400);
      assert.equal(text(answer.body.code), "oauth_mode_unsupported");
    }
  });

  it("is unavailable when the server is not there or names no authorization server", async () => {
    const [open, gone] = [await ToolServer.start(), await ToolServer.start({ oauth: true })];
    await gone.stop();
    for (const { url } of [open, gone]) {
      const { id } = await client.server(url, { auth_type: "oauth" });
      const answer = await register(id);
      assert.equal(answer.status, 503, answer.text);
      assert.equal(text(answer.body.code), "oauth_unreachable");
      assert.deepEqual((await client.get(`/mcp-servers/${text(id)}`)).oauth_provider_id, null);
    }
    await open.stop();
  });
});

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { list, LocalPlatform, text } from "../support/localPlatform.ts";
import { McpClient } from "../support/mcpClient.ts";
import { ToolServer } from "../support/toolServer.ts";

/** What the official client sees when it asks the tool server itself. */
async function seenDirectly(url: string, headers: Record<string, string> = {}): Promise<unknown[]> {
  const client = new Client({ name: "peer", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await transport.terminateSession();
  await client.close();
  return tools;
}

/** Follows redirects one by one, as a browser would. */
async function follow(start: string): Promise<{ readonly hops: URL[]; readonly page: Response }> {
  const hops = [new URL(start)];
  for (;;) {
    const page = await fetch(hops.at(-1)!, { redirect: "manual" });
    const location = page.headers.get("location");
    if (location === null) return { hops, page };
    await page.body?.cancel();
    hops.push(new URL(location, hops.at(-1)));
  }
}

describe("tools of the reference tool server", () => {
  let platform: LocalPlatform;
  let client: McpClient;
  let open: ToolServer;
  let closed: ToolServer;
  let provider: string;

  before(async () => {
    open = await ToolServer.start();
    closed = await ToolServer.start({ oauth: true });
    platform = await LocalPlatform.start();
    client = new McpClient(platform);
  });
  after(async () => {
    await platform.remove();
    await open.stop();
    await closed.stop();
  });

  it("are listed just as the official client sees them", async () => {
    await client.server(open.url);
    const { status, body } = await client.tools(open.url);
    assert.equal(status, 200);
    assert.ok(list(body.tools).length > 5);
    assert.deepEqual(body.tools, await seenDirectly(open.url));
  });

  it("behind the official authorization are listed once the user agreed in a browser", async () => {
    assert.equal((await fetch(closed.url, { method: "POST" })).status, 401);
    provider = await client.provider(closed.url);
    const refused = await client.tools(closed.url);
    assert.equal(refused.status, 502);
    assert.equal(text(refused.body.code), "upstream_auth_failed");

    const { id, url } = await client.pending(provider, { scopes: ["mcp:tools"] });
    const waiting = client.session(id, 20);
    const { hops, page } = await follow(url);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Connected/);
    assert.deepEqual(
      hops.map(({ origin }) => origin),
      [new URL(closed.url).origin, platform.ready.baseUrl],
    );
    assert.equal(hops[0]!.searchParams.get("code_challenge_method"), "S256");
    assert.equal(hops[0]!.searchParams.get("resource"), closed.url);
    assert.equal(text((await waiting).status), "COMPLETED");

    const reused = await client.start(provider, { strategy: "REUSE", scopes: ["mcp:tools"] });
    assert.equal(reused.status, 200);
    const authorization = `Bearer ${text(reused.body.token)}`;
    const { status, body } = await client.tools(closed.url);
    assert.equal(status, 200);
    assert.deepEqual(body.tools, await seenDirectly(closed.url, { authorization }));
    assert.equal(closed.asked.at(-1)!.authorization, authorization);
  });

  it("make an agent that uses them healthy", async () => {
    const tool = { name: "echo", mcp_server_url: closed.url };
    const agent = await client.agentId({ tools: { tools: [tool] } });
    const health = await client.get(`/agents/${agent}/health`);
    assert.deepEqual(health.mcp_check, { ok: true, servers: [{ url: closed.url, ok: true }] });
  });

  it("stay closed to a code whose proof does not match", async () => {
    const { url, id } = await client.pending(provider);
    const tampered = new URL(url);
    tampered.searchParams.set("code_challenge", "a".repeat(43));
    const page = await fetch(tampered);
    assert.equal(page.status, 400);
    const session = await client.session(id);
    assert.equal(text(session.status), "CONNECTION_REQUIRED");
    assert.equal(text(session.metadata!.error), "invalid_grant");
  });
});

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { list, LocalPlatform, text } from "../../../support/localPlatform.ts";
import type { Shape } from "../../../support/localPlatform.ts";
import { ManagedClient } from "../../../support/managedClient.ts";

describe("the health of managed agents", () => {
  let platform: LocalPlatform;
  let client: ManagedClient;
  let server: Server;
  let base: string;
  let asked: number;

  before(async () => {
    platform = await LocalPlatform.start();
    client = new ManagedClient(platform);
    server = createServer((request, response) => {
      if (request.url === "/mcp") {
        asked += request.method === "POST" ? 1 : 0;
        const mcp = new McpServer({ name: "tools", version: "1.0.0" });
        mcp.registerTool("add", { description: "Adds" }, () => ({ content: [{ type: "text", text: "3" }] }));
        const transport = new StreamableHTTPServerTransport({});
        void mcp.connect(transport);
        void transport.handleRequest(request, response);
      } else {
        response.writeHead(request.url === "/closed" ? 401 : 500).end("no tools here");
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await platform.remove();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = 0;
  });

  const health = async (body: Record<string, unknown>): Promise<Shape> =>
    await client.get(`/agents/${await client.agentId(body)}/health`);
  const tools = (...paths: string[]) => ({
    tools: paths.map((path, index) => ({ name: `t${index}`, mcp_server_url: base + path })),
  });

  it("is good without tools", async () => {
    const id = await client.agentId();
    assert.deepEqual(await client.get(`/agents/${id}/health`), {
      agent_id: id,
      mcp_check: { ok: true, servers: [] },
      backend: { type: "state", ok: true },
    });
  });

  it("is good when the tool server gives its tools, and each server is asked once", async () => {
    const { mcp_check } = await health({ tools: tools("/mcp", "/mcp", "/mcp/") });
    assert.equal(mcp_check?.ok, true, JSON.stringify(mcp_check));
    assert.equal(list(mcp_check.servers).length, 1);
    // To begin, to say that it has begun, and for the tools.
    assert.equal(asked, 3);
  });

  it("names each tool server that fails, and why, also those of subagents", async () => {
    const subagents = [{ name: "helper", tools: tools("/closed") }];
    const { mcp_check } = await health({ tools: tools("/mcp", "/broken"), subagents });
    assert.equal(mcp_check?.ok, false);
    const servers = list(mcp_check.servers);
    assert.deepEqual(
      servers.map(({ url, ok }) => [text(url).slice(base.length), ok]),
      [
        ["/mcp", true],
        ["/broken", false],
        ["/closed", false],
      ],
    );
    assert.match(text(servers[1]?.error), /HTTP 500.*no tools here/);
    assert.match(text(servers[2]?.error), /HTTP 401/);
  });

  it("says so when nobody listens", async () => {
    const free = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => free.once("listening", resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const { mcp_check } = await health({
      tools: { tools: [{ name: "t", mcp_server_url: `http://127.0.0.1:${port}/mcp` }] },
    });
    assert.match(text(list(mcp_check?.servers)[0]?.error), /ECONNREFUSED/);
  });
});

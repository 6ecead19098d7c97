import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { list, LocalPlatform, text } from "../../../support/localPlatform.ts";
import { keyFor, McpClient } from "../../../support/mcpClient.ts";

const secret = "Bearer hush-hush-4711";
const headers = [{ key: "Authorization", value: secret }];

describe("tool servers", () => {
  let platform: LocalPlatform;
  let client: McpClient;
  let count = 0;

  before(async () => {
    platform = await LocalPlatform.start();
    client = new McpClient(platform);
  });
  after(() => platform.remove());

  const freshUrl = (): string => `https://tools-${++count}.example.com/mcp`;
  const as = async (...permissions: string[]) => ({ "x-api-key": await keyFor(platform, ...permissions) });

  it("are made from a name and a URL, with the documented defaults", async () => {
    const url = freshUrl();
    const made = await client.server(url);
    const { id, tenant_id, created_at, updated_at, ...rest } = made;
    assert.match(text(id), /^[0-9a-f-]{36}$/);
    assert.equal(text(tenant_id), platform.ready.workspaceId);
    assert.equal(text(created_at), text(updated_at));
    assert.deepEqual(rest, {
      name: "Tools",
      url,
      headers: [],
      auth_type: "headers",
      oauth_provider_id: null,
      oauth_mode: null,
      mcp_vendor_id: null,
      vendor_id: null,
      external_system_id: null,
      can_invoke: true,
    });
    assert.deepEqual(await client.get(`/mcp-servers/${text(id)}`), made);
  });

  it("are listed as a bare array, oldest first", async () => {
    const [one, two] = [await client.server(freshUrl()), await client.server(freshUrl())];
    assert.deepEqual(list(await client.get("/mcp-servers")).slice(-2), [one, two]);
  });

  it("change only in what is named, and headers as a whole", async () => {
    const { id, ...made } = await client.server(freshUrl(), { headers, vendor_id: "acme" });
    const path = `/mcp-servers/${text(id)}`;
    const other = [{ key: "X-Team", value: "blue" }];
    const changed = await client.send("PATCH", path, { headers: other });
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.body, { ...made, id, headers: other, updated_at: changed.body.updated_at });
    const oauth = await client.send("PATCH", path, { auth_type: "oauth" });
    assert.equal(text(oauth.body.oauth_mode), "per_user_dynamic_client");
    assert.deepEqual(await client.get(path), oauth.body);
    const named = await client.send("PATCH", path, { name: "Other" });
    assert.equal(named.status, 422);
  });

  it("are gone once deleted, and deleting what is gone is fine", async () => {
    const { id } = await client.server(freshUrl());
    const path = `/mcp-servers/${text(id)}`;
    assert.equal((await client.send("DELETE", path)).status, 204);
    assert.equal((await client.send("DELETE", path)).status, 204);
    const answer = await client.send("GET", path);
    assert.equal(answer.status, 404);
    assert.deepEqual(answer.body, {
      type: "/errors/mcp_server_not_found",
      code: "mcp_server_not_found",
      detail: `Tool server ${text(id)} not found`,
      status: 404,
    });
    assert.equal((await client.send("PATCH", path, {})).status, 404);
    assert.equal((await client.send("POST", `${path}/oauth-provider`, {})).status, 404);
  });

  it("are one for each URL, without regard to case and to a slash at the end", async () => {
    const url = freshUrl();
    await client.server(url);
    const again = { name: "Again", url: `${url.replace("tools", "TOOLS")}/` };
    assert.equal((await client.send("POST", "/mcp-servers", again)).status, 409);
    const other = await client.server(freshUrl());
    const moved = await client.send("PATCH", `/mcp-servers/${text(other.id)}`, { url });
    assert.equal(moved.status, 409);
    assert.equal(text(moved.body.code), "conflict");
  });

  it("keep their headers from whoever may not invoke them", async () => {
    const made = await client.server(freshUrl(), { headers });
    const shown: Record<string, unknown> = { ...made, can_invoke: false };
    delete shown.headers;
    const path = `/mcp-servers/${text(made.id)}`;
    const reader = await as("mcp-servers:read", "mcp-servers:update");
    const read = await client.send("GET", path, undefined, reader);
    assert.deepEqual(read.body, shown);
    const listed = await client.send("GET", "/mcp-servers", undefined, reader);
    const changed = await client.send("PATCH", path, { auth_type: "headers" }, reader);
    assert.equal(changed.status, 200);
    for (const answer of [read, listed, changed]) assert.equal(answer.text.includes("hush"), false);
    const invoker = await as("mcp-servers:read", "mcp-servers:invoke");
    const seen = await client.send("GET", path, undefined, invoker);
    assert.deepEqual(seen.body.headers, headers);
  });

  it("do not take their headers to another URL for whoever may not invoke them", async () => {
    const { id } = await client.server(freshUrl(), { headers });
    const key = await as("mcp-servers:update");
    const refused = await client.send("PATCH", `/mcp-servers/${text(id)}`, { url: freshUrl() }, key);
    assert.equal(refused.status, 403);
    assert.equal(refused.text, "missing permission mcp-servers:invoke");
    const body = { url: freshUrl(), headers: [] };
    assert.equal((await client.send("PATCH", `/mcp-servers/${text(id)}`, body, key)).status, 200);
  });

  it("ask for a permission for each thing that can be done", async () => {
    const key = await as("agents:read");
    const path = `/mcp-servers/${crypto.randomUUID()}`;
    const cases = [
      ["GET", "/mcp-servers", "read"],
      ["POST", "/mcp-servers", "create"],
      ["GET", path, "read"],
      ["PATCH", path, "update"],
      ["DELETE", path, "delete"],
      ["POST", `${path}/oauth-provider`, "update"],
      ["GET", "/mcp/tools?url=https://x.example.com", "invoke"],
    ] as const;
    for (const [method, target, permission] of cases) {
      const answer = await client.send(method, target, method === "GET" ? undefined : {}, key);
      assert.equal(answer.status, 403);
      assert.equal(answer.text, `missing permission mcp-servers:${permission}`);
    }
    const none = await fetch(client.url("/mcp-servers"));
    assert.equal(none.status, 401);
  });

  it("survive a restart with headers that no file of the platform holds in the clear", async () => {
    const own = await LocalPlatform.start();
    const made = await new McpClient(own).server(freshUrl(), { headers });
    const bytes = (): Buffer[] =>
      readdirSync(own.directory).map((name) => readFileSync(join(own.directory, name)));
    assert.ok(bytes().some((file) => file.includes(text(made.url))));
    assert.ok(bytes().every((file) => !file.includes("hush-hush")));
    await own.stop();
    assert.ok(bytes().every((file) => !file.includes("hush-hush")));
    const again = await LocalPlatform.start(own.directory);
    assert.deepEqual(await new McpClient(again).get(`/mcp-servers/${text(made.id)}`), made);
    await again.remove();
  });

  const many = Array.from({ length: 51 }, (_, index) => ({ key: `X-${index}`, value: "" }));
  const header = (key: unknown, value: unknown) => ({ headers: [{ key, value }] });
  const bad: [name: string, body: unknown, status: number][] = [
    ["malformed JSON", "{", 400],
    ["a list", "[]", 400],
    ["no URL", { url: undefined }, 400],
    ["a blank name", { name: " " }, 422],
    ["a URL that is none", { url: "tools" }, 422],
    ["another scheme", { url: "file:///etc/passwd" }, 422],
    ["plain HTTP to another machine", { url: "http://tools.example.com/mcp" }, 422],
    ["a name that only begins like loopback", { url: "http://127.0.0.1.example.com/mcp" }, 422],
    ["credentials in the URL", { url: "https://me:pw@tools.example.com/mcp" }, 422],
    ["a fragment", { url: "https://tools.example.com/mcp#x" }, 422],
    ["headers that are an object", { headers: { a: "b" } }, 422],
    ["a header's name with a colon", header("X:Y", "1"), 422],
    ["a line break in a header's value", header("X-A", "1\r\nX-B: 2"), 422],
    ["a header's value beyond Latin-1", header("X-A", "秘密"), 422],
    ["a header of the connection", header("Host", "evil.example.com"), 422],
    ["a header of the protocol", header("Mcp-Session-Id", "1"), 422],
    ["the same header twice", { headers: [...headers, { key: "authorization", value: "x" }] }, 422],
    ["too many headers", { headers: many }, 422],
    ["an unknown auth_type", { auth_type: "magic" }, 422],
    ["an unknown oauth_mode", { oauth_mode: "magic" }, 422],
    ["an unknown OAuth provider", { oauth_provider_id: crypto.randomUUID() }, 422],
  ];
  for (const [name, part, status] of bad) {
    it(`are not made from ${name}`, async () => {
      const valid = { name: "Tools", url: freshUrl() };
      const body = typeof part === "string" ? part : { ...valid, ...(part as object) };
      const answer = await client.send("POST", "/mcp-servers", body);
      assert.equal(answer.status, status, answer.text);
      assert.equal(Number(answer.body.status), status);
      assert.match(text(answer.body.type), /^\/errors\//);
      assert.equal(answer.text.includes("hush"), false);
    });
  }
});

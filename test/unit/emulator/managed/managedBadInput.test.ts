import assert from "node:assert/strict";
import { connect } from "node:net";
import { LocalPlatform, text } from "../../../support/localPlatform.ts";
import { ManagedClient } from "../../../support/managedClient.ts";

const hello = { messages: [{ role: "user", content: "x" }] };
const deep = `{"name":"x","extras":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`;
const tool = { name: "t", mcp_server_url: "https://t.example.com" };
const unknownId = crypto.randomUUID();

describe("managed agents' answers to bad requests", () => {
  let platform: LocalPlatform;
  let client: ManagedClient;
  let agent: string;
  let thread: string;

  before(async () => {
    platform = await LocalPlatform.start();
    client = new ManagedClient(platform);
    agent = await client.agentId();
    thread = await client.thread(agent);
  });
  after(() => platform.remove());

  const create = "POST /agents";
  const change = "PATCH /agents/AGENT";
  const stream = "POST /threads/THREAD/runs/stream";
  const cases: [name: string, request: string, body: unknown, status: number, code?: string][] = [
    ["malformed JSON", create, "{", 400, "invalid_request_body"],
    ["a body that is a list", create, "[]", 400, "invalid_request_body"],
    ["a bare word", create, "hello", 400, "invalid_request_body"],
    ["a NUL byte in JSON", create, '{"name":"\u0000"}', 400, "invalid_request_body"],
    ["objects nested 5,000 deep", create, deep, 400, "invalid_request_body"],
    ["lists nested 100,000 deep", create, "[".repeat(100_000) + "]".repeat(100_000), 400],
    ["no name", create, {}, 400, "missing_required_field"],
    ["no body", create, undefined, 400, "missing_required_field"],
    ["a blank name", create, { name: "  " }, 422, "validation_failed"],
    ["a name that is a number", create, { name: 5 }, 422],
    ["an unknown identity", create, { name: "x", permissions: { identity: "nobody" } }, 422],
    ["an unknown backend", create, { name: "x", backend: { type: "thread_scoped_sandbox" } }, 422],
    [
      "a sandbox_config without a sandbox",
      create,
      { name: "x", backend: { type: "state", sandbox_config: {} } },
      422,
    ],
    [
      "an unknown scope",
      create,
      { name: "x", backend: { type: "sandbox", sandbox_config: { scope: "world" } } },
      422,
    ],
    [
      "seconds that are a fraction",
      create,
      { name: "x", backend: { type: "sandbox", sandbox_config: { idle_ttl_seconds: 1.5 } } },
      422,
    ],
    [
      "seconds that are a text",
      create,
      { name: "x", backend: { type: "sandbox", sandbox_config: { delete_after_stop_seconds: "9" } } },
      422,
    ],
    [
      "policies that are numbers",
      change,
      { backend: { type: "sandbox", sandbox_config: { policy_ids: [1] } } },
      422,
    ],
    ["tools that are a list", create, { name: "x", tools: [tool] }, 422],
    ["a tool without a server", create, { name: "x", tools: { tools: [{ name: "t" }] } }, 400],
    [
      "a tool of no web address",
      create,
      { name: "x", tools: { tools: [{ ...tool, mcp_server_url: "file:///etc" }] } },
      422,
    ],
    ["an interrupt setting that is a text", change, { tools: { interrupt_config: { a: "yes" } } }, 422],
    ["a subagent with a path for a name", change, { subagents: [{ name: "../x" }] }, 422],
    ["two subagents of one name", change, { subagents: [{ name: "a" }, { name: "A" }] }, 422],
    ["a skill with a dot in its name", change, { skills: [{ name: "a.b" }] }, 422],
    ["a skill's file that climbs", change, { skills: [{ name: "a", files: { "../b": "" } }] }, 422],
    ["a file that climbs", change, { files: { "a/../../b": "" } }, 422],
    ["a file at the root of the disk", change, { files: { "/etc/passwd": "" } }, 422],
    ["a file with a backslash", change, { files: { "a\\..\\b": "" } }, 422],
    ["a file with a line break", change, { files: { "a\r\nSet-Cookie: b": "" } }, 422],
    ["a file without a name", change, { files: { "": "" } }, 422],
    ["a deleted path that climbs", change, { deleted_paths: [".."] }, 422],
    ["a field and its own file", change, { system_prompt: "a", files: { "AGENTS.md": "b" } }, 422],
    ["tools and their own file", create, { name: "x", tools: {}, files: { "tools.json": "{}" } }, 422],
    ["a file and its deletion", change, { tools: {}, deleted_paths: ["tools.json"] }, 422],
    ["a tools.json that is none", change, { files: { "tools.json": "[]" } }, 422],
    ["a file that is also a folder", change, { files: { a: "", "a/b": "" } }, 422],
    ["a change of an unknown agent", `PATCH /agents/${unknownId}`, {}, 404, "agent_not_found"],
    ["a copy of an unknown agent", `POST /agents/${unknownId}/clone`, {}, 404, "agent_not_found"],
    ["a copy with a blank name", "POST /agents/AGENT/clone", { name: " " }, 422],
    ["the health of an unknown agent", `GET /agents/${unknownId}/health`, undefined, 404, "agent_not_found"],
    ["an id that is no UUID", "GET /agents/mine", undefined, 400],
    ["an id that climbs", "GET /agents/..%2F..%2Fthreads", undefined, 400],
    ["an id with SQL in it", "GET /agents/'%20OR%201=1", undefined, 400],
    ["a broken percent escape", "GET /agents/%E0%A4%A", undefined, 400],
    ["the deletion of no UUID", "DELETE /agents/mine", undefined, 400],
    ["an unknown way to show files", "GET /agents/AGENT?include_files=maybe", undefined, 400],
    ["an unknown route", "GET /nothing/here", undefined, 404, "not_found"],
    ["a wrong method", "PUT /agents", {}, 404, "not_found"],
    ["a thread for no UUID", "POST /threads", { agent_id: "mine" }, 400, "invalid_request"],
    ["a thread id that is no UUID", "POST /threads", { agent_id: "AGENT", thread_id: "../x" }, 400],
    ["an unknown if_exists", "POST /threads", { agent_id: "AGENT", if_exists: "explode" }, 400],
    ["metadata that is a list", "POST /threads", { agent_id: "AGENT", metadata: [] }, 400],
    [
      "a cursor that nobody gave out",
      "GET /threads?agent_id=AGENT&cursor=x",
      undefined,
      400,
      "invalid_cursor",
    ],
    ["a status that no thread has", "GET /threads?agent_id=AGENT&status=odd", undefined, 400],
    ["a count for no UUID", "GET /threads/count?agent_id=mine", undefined, 400],
    ["a search with a wrong limit", "POST /threads/search", { limit: 0 }, 422, "validation_failed"],
    ["a search with an unknown order", "POST /threads/search", { sort_by: "x; DROP TABLE" }, 422],
    ["a thread that is no UUID", "GET /threads/mine", undefined, 400],
    ["a title that is a number", "PATCH /threads/THREAD", { title: 5 }, 422],
    ["a bulk change without ids", "POST /threads/bulk-modify", { data: {} }, 400, "missing_required_field"],
    ["a bulk change with a wrong one", "POST /threads/bulk-modify", { thread_ids: [1], data: {} }, 400],
    ["a run without an agent", "POST /threads/THREAD/runs", { input: hello }, 400, "missing_required_field"],
    [
      "a run with a wrong strategy",
      "POST /threads/THREAD/runs",
      { agent_id: "AGENT", multitask_strategy: "x" },
      400,
    ],
    ["a run on an unknown thread", `POST /threads/${unknownId}/runs`, { agent_id: "AGENT" }, 404],
    ["a run on a new thread without an agent", "POST /threads/runs", {}, 400, "missing_required_field"],
    ["a run on a thread that is a text", "POST /threads/runs", { agent_id: "AGENT", thread: "x" }, 422],
    ["a stream without an agent", stream, { input: hello }, 400, "missing_required_field"],
    ["a stream by assistant_id", stream, { agent_id: "AGENT", assistant_id: "AGENT", input: hello }, 400],
    ["a stream without an input", stream, { agent_id: "AGENT" }, 400, "missing_required_field"],
    ["a stream without messages", stream, { agent_id: "AGENT", input: {} }, 400, "missing_required_field"],
    ["a stream with no message", stream, { agent_id: "AGENT", input: { messages: [] } }, 400],
    [
      "a message of an unknown role",
      stream,
      { agent_id: "AGENT", input: { messages: [{ role: "king", content: "" }] } },
      400,
    ],
    ["a message without a role", stream, { agent_id: "AGENT", input: { messages: [{ content: "" }] } }, 400],
    ["an unknown stream mode", stream, { agent_id: "AGENT", input: hello, stream_mode: "all" }, 400],
    ["a command that is a text", stream, { agent_id: "AGENT", command: "go" }, 400],
    ["a stream of malformed JSON", stream, "{", 400, "invalid_request_body"],
    [
      "closing what does not wait",
      "POST /threads/THREAD/resolve-interrupt",
      undefined,
      409,
      "no_pending_interrupt",
    ],
    ["closing on an unknown thread", `POST /threads/${unknownId}/resolve-interrupt`, undefined, 404],
  ];
  for (const [name, request, body, status, code] of cases) {
    it(`are a structured ${status} for ${name}`, async () => {
      const fill = (part: string) => part.replaceAll(/AGENT(?!S)/g, agent).replaceAll("THREAD", thread);
      const [method = "", path = ""] = fill(request).split(" ");
      const sent = typeof body === "object" ? fill(JSON.stringify(body)) : body;
      const answer = await client.send(method, path, sent);
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.body.status, status);
      assert.equal(typeof answer.body.detail, "string");
      assert.equal(answer.body.type, `/errors/${text(answer.body.code)}`);
      if (code !== undefined) assert.equal(answer.body.code, code);
      assert.equal((await client.send("GET", `/agents/${agent}`)).status, 200);
    });
  }

  it("are a structured 413 for a body above 10 MB", async () => {
    const big = JSON.stringify({ name: "x", system_prompt: "x".repeat(10 * 1024 * 1024) });
    for (const path of ["/agents", "/threads", `/threads/${thread}/runs/stream`]) {
      const answer = await client.send("POST", path, big);
      assert.equal(answer.status, 413);
      assert.equal(answer.body.code, "request_too_large");
      assert.equal(answer.body.status, 413);
    }
  });

  it("are 400 for a time zone that does not exist", async () => {
    const send = (zone: string) => client.send("POST", "/agents", { name: "x" }, { "x-user-timezone": zone });
    assert.equal((await send("Mars/Olympus")).status, 400);
    assert.equal((await send("Europe/Berlin")).status, 201);
  });

  it("never let a request add a header to an answer", async () => {
    const named = await client.send("POST", "/agents", { name: "a\r\nSet-Cookie: b=c" });
    assert.equal(named.status, 201);
    assert.equal(named.headers.get("set-cookie"), null);
    const { hostname, port } = new URL(platform.ready.baseUrl);
    const raw = await new Promise<string>((resolve) => {
      let seen = "";
      const socket = connect(Number(port), hostname, () => {
        const path = "/v1/managed/agents/x%0d%0aSet-Cookie:%20b=c";
        const head = [`GET ${path} HTTP/1.1`, "host: x", `x-api-key: ${platform.ready.apiKey}`];
        socket.end([...head, "connection: close", "", ""].join("\r\n"));
      });
      socket.on("data", (chunk) => (seen += chunk.toString()));
      socket.on("close", () => resolve(seen));
    });
    assert.match(raw, /^HTTP\/1\.1 400 /);
    assert.doesNotMatch(raw.split("\r\n\r\n")[0] ?? "", /set-cookie/i);
  });

  it("are flat without a valid key", async () => {
    const missing = await fetch(client.url("/agents"));
    assert.equal(missing.status, 401);
    assert.equal(((await missing.json()) as { error: string }).error, "Unauthorized");
    const wrong = await client.send("GET", "/agents", undefined, { "x-api-key": "wrong" });
    assert.equal(wrong.status, 403);
    assert.equal(wrong.body.error, "Forbidden");
  });
});

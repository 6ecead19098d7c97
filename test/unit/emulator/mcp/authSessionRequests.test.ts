import assert from "node:assert/strict";
import { LocalPlatform, text } from "../../../support/localPlatform.ts";
import { McpClient } from "../../../support/mcpClient.ts";
import { ToolServer } from "../../../support/toolServer.ts";

describe("requests for auth sessions", () => {
  let platform: LocalPlatform;
  let client: McpClient;
  let server: ToolServer;
  let provider: string;

  before(async () => {
    server = await ToolServer.start({ oauth: true });
    platform = await LocalPlatform.start();
    client = new McpClient(platform);
    provider = await client.provider(server.url);
  });
  after(async () => {
    await platform.remove();
    await server.stop();
  });

  it("are refused with the API's own errors when something is wrong with the request", async () => {
    const right = { provider_id: provider, scopes: [], strategy: "CREATE" };
    const wrong: [body: unknown, code: string][] = [
      ["{", "invalid_request_body"],
      ["[]", "invalid_request_body"],
      [{}, "missing_required_field"],
      [{ ...right, scopes: undefined }, "missing_required_field"],
      [{ ...right, scopes: "mcp" }, "invalid_request"],
      [{ ...right, scopes: ['a"b'] }, "invalid_request"],
      [{ ...right, scopes: ["a b"] }, "invalid_request"],
      [{ ...right, strategy: "STEAL" }, "invalid_request"],
      [{ ...right, provider_id: "" }, "invalid_request"],
      [{ ...right, provider_id: "../../etc" }, "provider_not_found"],
      [{ ...right, token_id: crypto.randomUUID() }, "token_not_found"],
      [{ ...right, agent_id: "x" }, "invalid_request"],
    ];
    for (const [body, code] of wrong) {
      const answer = await client.send("POST", "/auth-sessions", body);
      assert.equal(answer.status, 400, answer.text);
      assert.equal(text(answer.body.code), code);
    }
    const { id } = await client.pending(provider);
    for (const wait of ["0", "26", "x", "1.5"]) {
      const answer = await client.send("GET", `/auth-sessions/${id}?wait_seconds=${wait}`);
      assert.equal(answer.status, 400);
    }
    assert.equal((await client.send("GET", `/auth-sessions/${crypto.randomUUID()}`)).status, 404);
    assert.equal((await client.send("GET", "/auth-sessions/x")).status, 400);
  });
});

import assert from "node:assert/strict";
import { LocalPlatform, text } from "../../../support/localPlatform.ts";
import { ManagedClient } from "../../../support/managedClient.ts";

describe("managed agents and who may have them", () => {
  let platform: LocalPlatform;
  let client: ManagedClient;

  before(async () => {
    platform = await LocalPlatform.start();
    client = new ManagedClient(platform);
  });
  after(() => platform.remove());

  it("are no deployments and no assistants, and deployments are no agents", async () => {
    const id = await client.agentId();
    const { baseUrl, deploymentId } = platform.ready;
    assert.equal((await platform.send("GET", `${baseUrl}/deployments/${id}/info`)).status, 404);
    assert.equal((await platform.send("GET", `${baseUrl}/deployments/managed/info`)).status, 404);
    assert.equal((await platform.send("GET", `/assistants/${id}`)).status, 404);
    const run = { assistant_id: id, input: { messages: [] } };
    assert.equal((await platform.send("POST", "/runs/wait", run)).status, 404);
    assert.equal((await client.send("GET", `/agents/${deploymentId}`)).status, 404);
  });

  it("need the permission for what is done with them", async () => {
    const id = await client.agentId();
    const made = await platform.send("POST", `${platform.ready.localUrl}/api-keys`, { permissions: [] });
    const headers = { "x-api-key": text(made.body.api_key) };
    const cases: [string, string, string][] = [
      ["GET", "/agents", "agents:read"],
      ["POST", "/agents", "agents:create"],
      ["GET", `/agents/${id}`, "agents:read"],
      ["PATCH", `/agents/${id}`, "agents:update"],
      ["DELETE", `/agents/${id}`, "agents:delete"],
      ["POST", `/agents/${id}/clone`, "agents:create"],
      ["GET", `/agents/${id}/health`, "agents:read"],
      ["GET", "/threads", "threads:read"],
      ["POST", "/threads", "threads:create"],
      ["POST", "/threads/search", "threads:read"],
      ["GET", "/threads/count", "threads:read"],
      ["POST", "/threads/bulk-modify", "threads:update"],
      ["GET", `/threads/${id}`, "threads:read"],
      ["PATCH", `/threads/${id}`, "threads:update"],
      ["DELETE", `/threads/${id}`, "threads:delete"],
      ["POST", "/threads/runs", "agents:run"],
      ["POST", `/threads/${id}/runs`, "agents:run"],
      ["POST", `/threads/${id}/runs/stream`, "agents:run"],
      ["POST", `/threads/${id}/resolve-interrupt`, "agents:run"],
    ];
    for (const [method, path, permission] of cases) {
      const answer = await client.send(method, path, undefined, headers);
      assert.equal(answer.status, 403, path);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/);
      assert.equal(answer.text, `missing permission ${permission}`);
      assert.equal((await fetch(client.url(path), { method })).status, 401, path);
    }
    assert.equal((await client.send("GET", `/agents/${id}`)).status, 200);
  });

  it("are no more than the workspace may have", async () => {
    const settings = `${platform.ready.localUrl}/settings`;
    const id = await client.agentId();
    const set = async (managed_agent_limit: number | null): Promise<void> => {
      const answer = await platform.send("PATCH", settings, { managed_agent_limit });
      assert.equal(answer.body.managed_agent_limit, managed_agent_limit);
    };
    await set(1);
    for (const path of ["/agents", `/agents/${id}/clone`]) {
      const refused = await client.send("POST", path, { name: "One more" });
      assert.equal(refused.status, 409);
      assert.equal(refused.body.code, "agent_limit_reached");
    }
    await set(null);
    assert.equal((await client.send("POST", "/agents", { name: "One more" })).status, 201);
  });
});

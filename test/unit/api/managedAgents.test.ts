import assert from "node:assert/strict";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { ManagedAgents, managedAgentsUrl } from "../../../src/api/managedAgents/index.ts";
import { all } from "../../support/all.ts";
import { serve } from "../../support/testServer.ts";
import type { Scripted } from "../../support/testServer.ts";
import { play, readExchange } from "./wireExchange.ts";

const agentId = "5b0a7a2e-6c1d-4f55-9c6e-0f6b0f3d9a01";
const copyId = "6f0c1b7e-3b1f-4f7e-9a25-0a4d5f1c2b02";

function recorded<T>(name: string, call: (api: ManagedAgents) => Promise<T>): Promise<T> {
  return play(readExchange("managedAgents", name), (http) => call(new ManagedAgents(http)));
}

describe("the client of managed agents", () => {
  const query = { page_size: 2, name: "tri", sort_by: "name", sort_order: "asc" } as const;

  it("lists a page with its cursor, and fields that it does not know", async () => {
    const { items, next_cursor } = await recorded("agents-list", (api) => api.agents.page(query));
    assert.equal(next_cursor, "b2Zmc2V0OjI=");
    assert.equal(items[0]?.name, "Support triage");
    assert.equal(items[0].backend?.sandbox_config?.idle_ttl_seconds, 900);
    assert.equal((items[0] as unknown as Record<string, unknown>)["beta_flag"], "kept");
  });

  it("follows the cursor as agents are taken, to the page without one", async () => {
    const [first, last] = ["agents-list", "agents-list-last"].map((name) =>
      readExchange("managedAgents", name),
    );
    await using server = await serve((_, index) => ({
      body: JSON.stringify((index === 0 ? first : last)?.response.body),
    }));
    const api = new ManagedAgents(new Http({ baseUrl: server.url }));
    const found = await all(api.agents.list(query));
    assert.deepEqual(
      found.map(({ id }) => id),
      [agentId, copyId],
    );
    assert.deepEqual(
      server.asked.map(({ url }) => url),
      [first?.request.path, last?.request.path],
    );
  });

  it("takes a bare array for the only page", async () => {
    const api = await answering({ body: '[{"id":"a","name":"A"}]' });
    assert.deepEqual(await api.call(({ agents }) => agents.page()), {
      items: [{ id: "a", name: "A" }],
      next_cursor: null,
    });
  });

  it("makes an agent from what is given", async () => {
    const body = {
      name: "Support triage",
      description: "Sorts incoming tickets",
      runtime: { model: { model_id: "openai:gpt-5" } },
      backend: { type: "state" },
    };
    const made = await recorded("agents-create", (api) => api.agents.create(body));
    assert.equal(made.revision, "8f14e45fceea167a5a36dedd4bea2543");
    assert.equal(made.tools?.interrupt_config?.["https://tools.example.com/mcp::search"], true);
  });

  it("says which time zone it is in when it makes, changes or copies an agent", async () => {
    await using server = await serve(() => ({ body: `{"id":"${agentId}"}` }));
    const { agents } = new ManagedAgents(new Http({ baseUrl: server.url }));
    await agents.create({ name: "a" });
    await agents.update(agentId, {});
    await agents.clone(agentId);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const zones = server.asked.map(({ headers }) => headers["x-user-timezone"]);
    assert.deepEqual(zones, [zone, zone, zone]);
  });

  it("reads an agent with its files when asked for them", async () => {
    const agent = await recorded("agents-get", (api) => api.agents.get(agentId, { includeFiles: true }));
    assert.deepEqual(agent.files?.["AGENTS.md"], { type: "file", content: "Sort each ticket." });
    assert.equal(agent.files["skills/tone"]?.type, "skill");
  });

  it("changes only what is named, and learns the new revision", async () => {
    const change = { description: "Sorts tickets", deleted_paths: ["skills/tone/SKILL.md"] };
    const agent = await recorded("agents-update", (api) => api.agents.update(agentId, change));
    assert.equal(agent.revision, "c9f0f895fb98ab9159f51fd0297e236d");
  });

  it("deletes an agent, which answers nothing", async () => {
    await recorded("agents-delete", (api) => api.agents.delete(agentId));
  });

  it("copies an agent under another name", async () => {
    const copy = await recorded("agents-clone", (api) => api.agents.clone(agentId, { name: "Triage copy" }));
    assert.equal(copy.id, copyId);
  });

  it("finds out which tool servers fail, and keeps checks that it does not know", async () => {
    const health = await recorded("agents-health", (api) => api.agents.health(agentId));
    assert.deepEqual(
      health.mcp_check?.servers?.map(({ ok }) => ok),
      [false, true],
    );
    assert.deepEqual(health["sandbox_check"], { ok: true });
  });

  it("has another root at the real product", () => {
    assert.equal(managedAgentsUrl("https://api.example.com/"), "https://api.example.com/v1/managed");
    assert.equal(
      managedAgentsUrl("https://api.example.com", "langsmith"),
      "https://api.example.com/v1/deepagents",
    );
  });

  it("distinguishes a missing permission, a full workspace and a wrong key", async () => {
    const plain = { "content-type": "text/plain" };
    const failures: readonly [Scripted & { status: number }, string, string | undefined][] = [
      [{ status: 401, body: '{"error":"Unauthorized"}' }, "unauthorized", undefined],
      [{ status: 403, body: '{"error":"Forbidden"}' }, "forbidden", undefined],
      [
        { status: 403, headers: plain, body: "missing permission agents:create" },
        "missingPermission",
        "agents:create",
      ],
      [{ status: 409, body: '{"code":"x","detail":"one agent","status":409}' }, "conflict", undefined],
    ];
    for (const [answer, kind, permission] of failures) {
      const api = await answering(answer);
      await assert.rejects(
        api.call(({ agents }) => agents.create({ name: "a" })),
        (error) => error instanceof ApiError && error.kind === kind && error.permission === permission,
      );
    }
  });
});

/** A client of a server that answers every request alike. */
async function answering(answer: Scripted) {
  const server = await serve(() => answer);
  return {
    call: async <T>(use: (api: ManagedAgents) => Promise<T>): Promise<T> => {
      await using open = server;
      return await use(new ManagedAgents(new Http({ baseUrl: open.url })));
    },
  };
}

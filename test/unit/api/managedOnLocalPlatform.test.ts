import assert from "node:assert/strict";
import { ApiError } from "../../../src/api/errors.ts";
import type { ManagedAgents } from "../../../src/api/managedAgents/index.ts";
import type { ManagedThread } from "../../../src/api/managedAgents/wire.ts";
import { managedAgentsOf } from "../../support/managedAgentsOf.ts";
import { LocalPlatform } from "../../support/localPlatform.ts";
import { all } from "../../support/all.ts";

const ask = { messages: [{ role: "user", content: "send the mail" }] };

describe("the client of managed agents and the Local Platform", () => {
  let platform: LocalPlatform;
  let api: ManagedAgents;

  before(async () => {
    platform = await LocalPlatform.start();
    api = managedAgentsOf(platform);
  });
  after(() => platform.remove());

  async function waiting(agent_id: string): Promise<ManagedThread> {
    const { id } = await api.threads.create({ agent_id });
    const { events } = await api.runs.stream(id, { agent_id, input: ask });
    await all(events);
    return api.threads.get(id);
  }

  it("agree on an agent's whole life", async () => {
    const runtime = { model: { model_id: "sample:approval" } };
    const made = await api.agents.create({ name: "Postman", runtime });
    const changed = await api.agents.update(made.id, {
      description: "Sends mail",
      system_prompt: "Ask first.",
    });
    assert.notEqual(changed.revision, made.revision);
    const copy = await api.agents.clone(made.id, { name: "Postman two" });
    const names = (
      await all(api.agents.list({ page_size: 1, name: "postman", sort_by: "name", sort_order: "asc" }))
    ).map(({ name }) => name);
    assert.deepEqual(names, ["Postman", "Postman two"]);
    const read = await api.agents.get(made.id, { includeFiles: true });
    assert.deepEqual(read.files?.["AGENTS.md"], { type: "file", content: "Ask first." });
    assert.equal((await api.agents.health(made.id)).mcp_check?.ok, true);
    await api.agents.delete(copy.id);
    await assert.rejects(
      api.agents.get(copy.id),
      (error) => error instanceof ApiError && error.status === 404,
    );
  });

  it("agree on threads that wait, are answered, are let go, changed and deleted", async () => {
    const { id: agent_id } = await api.agents.create({
      name: "Approver",
      runtime: { model: { model_id: "sample:approval" } },
      configurable: { token_delay_ms: 0 },
    });
    const [one, two] = [await waiting(agent_id), await waiting(agent_id)];
    assert.deepEqual([one.status, two.status], ["interrupted", "interrupted"]);
    assert.equal(await api.threads.attentionCount(agent_id), 2);
    assert.equal((await api.threads.page({ agent_id, requires_attention: true })).items.length, 2);
    const searched = await api.threads.search({ status: "interrupted", metadata: { agent_id } });
    assert.equal(searched.length, 2);

    const resume = { decisions: [{ type: "approve" }] };
    await all((await api.runs.resume(one.id, { agent_id, resume })).events);
    const answered = await api.threads.get(one.id);
    assert.equal(answered.status, "idle");
    const said = JSON.stringify(answered.values);
    assert.ok(!said.includes('"system"'), "the message that says nothing is not kept");

    await api.threads.resolveInterrupt(two.id);
    assert.equal((await api.threads.get(two.id)).status, "idle");
    const results = await all(api.threads.bulkModify([one.id, two.id], { is_pinned: true }));
    assert.deepEqual(
      results.map(({ status }) => status),
      ["success", "success"],
    );
    assert.equal((await api.threads.update(one.id, { title: "Mail" })).title, "Mail");
    assert.equal((await api.threads.page({ agent_id, is_pinned: true })).items[0]?.title, "Mail");
    await api.threads.delete(one.id);
    assert.equal((await api.threads.page({ agent_id })).items.length, 1);

    const background = await api.runs.create(two.id, { agent_id, input: ask });
    assert.equal(background.thread_id, two.id);
    const test = { options: { test_run: true } };
    const tried = await api.runs.createWithThread({ agent_id, thread: test, input: ask });
    const tests = await api.threads.page({ agent_id, test_run: true });
    assert.deepEqual(
      tests.items.map(({ id }) => id),
      [tried.thread_id],
    );
  });
});

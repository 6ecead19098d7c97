import assert from "node:assert/strict";
import { list, LocalPlatform, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import type { Shape } from "../../../support/localPlatform.ts";
import { ManagedClient } from "../../../support/managedClient.ts";

describe("managed agents", () => {
  let platform: LocalPlatform;
  let client: ManagedClient;

  before(async () => {
    platform = await LocalPlatform.start();
    client = new ManagedClient(platform);
  });
  after(() => platform.remove());

  it("have a sample from the first start on, with a thread that waits for a person, and only one", async () => {
    const fresh = await LocalPlatform.start();
    const samples = async (sample: ManagedClient) => list((await sample.get("/agents")).items);
    const [agent, ...others] = await samples(new ManagedClient(fresh));
    assert.deepEqual([text(agent?.name), others], ["Release Assistant", []]);
    const threads = `/threads?agent_id=${text(agent?.id)}`;
    const waits = async (sample: ManagedClient) =>
      list((await sample.get(threads)).threads).map(({ status }) => text(status));
    await until(
      "the thread waits for an answer",
      async () => (await waits(new ManagedClient(fresh)))[0] === "interrupted",
    );
    await fresh.stop();
    const again = await LocalPlatform.start(fresh.directory);
    assert.equal((await samples(new ManagedClient(again))).length, 1);
    assert.deepEqual(await waits(new ManagedClient(again)), ["interrupted"]);
    await again.remove();
  });

  it("are made from a name alone, with the documented defaults", async () => {
    const { status, body } = await client.send("POST", "/agents", { name: "Minimal" });
    assert.equal(status, 201);
    const { id, owner_id, created_at, updated_at, revision, tracing_project_id, ...rest } = body;
    assert.match(text(id), /^[0-9a-f-]{36}$/);
    assert.match(text(owner_id), /^[0-9a-f-]{36}$/);
    assert.match(text(tracing_project_id), /^[0-9a-f-]{36}$/);
    assert.match(text(revision), /^[0-9a-f]{40}$/);
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      name: "Minimal",
      description: "",
      permissions: { identity: "personal", visibility: "tenant", tenant_access_level: "read" },
      runtime: {},
      extras: {},
      configurable: {},
      access_level: "WRITE",
      is_owner: true,
      backend: { type: "state" },
      system_prompt: "",
      instructions: "",
      tools: { tools: [], interrupt_config: {} },
      subagents: [],
      skills: [],
    });
    assert.deepEqual(await client.get(`/agents/${text(id)}`), body);
  });

  const whole = {
    name: "Whole",
    description: "Does it all.",
    permissions: { identity: "shared", visibility: "user", tenant_access_level: "run" },
    runtime: { model: { model_id: "openai:gpt" } },
    backend: {
      type: "sandbox",
      sandbox_config: {
        scope: "thread",
        policy_ids: ["p1"],
        idle_ttl_seconds: 900,
        delete_after_stop_seconds: 300,
      },
    },
    system_prompt: "Be brief.\n",
    tools: {
      tools: [{ name: "search", mcp_server_url: "https://tools.example.com/mcp" }],
      interrupt_config: { "https://tools.example.com/mcp::search": true },
    },
    subagents: [
      { name: "critic", description: "Finds faults", model_id: "openai:small", instructions: "Be stern." },
    ],
    skills: [
      {
        type: "inline",
        name: "report",
        description: 'Writes "reports": in style',
        instructions: "# How\n\n---\nWell.\n",
        files: { "templates/a.md": "A" },
      },
    ],
    extras: { team: "blue" },
    configurable: { depth: 2 },
    files: {
      "docs/guide.md": { type: "file", content: "Guide" },
      "notes.txt": "bare",
      "skills/shared": { type: "skill", repo_handle: "me/shared", commit_id: "abc" },
    },
  };

  it("give back every field, and their files when asked", async () => {
    const { files, ...fields } = whole;
    const made = await client.agent({ ...whole });
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(made[name], value, name);
    assert.equal(made.instructions, whole.system_prompt);
    assert.equal(made.files, undefined);
    const read = await client.get(`/agents/${text(made.id)}?include_files=true`);
    assert.deepEqual(Object.keys(read.files!).sort(), [
      "AGENTS.md",
      "docs/guide.md",
      "notes.txt",
      "skills/report/SKILL.md",
      "skills/report/templates/a.md",
      "skills/shared",
      "subagents/critic/AGENTS.md",
      "subagents/critic/agent.json",
      "tools.json",
    ]);
    assert.deepEqual(read.files?.["docs/guide.md"], files["docs/guide.md"]);
    assert.deepEqual(read.files["notes.txt"], { type: "file", content: "bare" });
    assert.deepEqual(read.files["skills/shared"], files["skills/shared"]);
    assert.deepEqual(JSON.parse(text(read.files["tools.json"]?.content)), whole.tools);
  });

  it("read their fields from files too", async () => {
    const made = await client.agent({
      files: {
        "AGENTS.md": "From a file",
        "tools.json": JSON.stringify({ tools: [{ name: "t", mcp_server_url: "http://t/mcp" }] }),
        "skills/s/SKILL.md": "---\nname: s\ndescription: 'It''s plain'\n---\nDo it.",
        "subagents/x/agent.json": JSON.stringify({ description: "X" }),
        "subagents/x/AGENTS.md": "I am X",
      },
    });
    assert.equal(made.system_prompt, "From a file");
    assert.equal(list(made.tools?.tools)[0]?.name, "t");
    assert.deepEqual(made.skills, [
      { type: "inline", name: "s", description: "It's plain", instructions: "Do it." },
    ]);
    assert.deepEqual(made.subagents, [{ description: "X", name: "x", instructions: "I am X" }]);
  });

  it("take the older name of the prompt, which gives way to the newer", async () => {
    assert.equal((await client.agent({ instructions: "old" })).system_prompt, "old");
    const both = await client.agent({ instructions: "old", system_prompt: "new" });
    assert.equal(both.instructions, "new");
  });

  describe("when changed", () => {
    let agent: Shape;
    const patch = async (body: unknown): Promise<Shape> => {
      const answer = await client.send("PATCH", `/agents/${text(agent.id)}?include_files=1`, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };
    beforeEach(async () => {
      agent = await client.agent({ ...whole });
    });

    it("keep what is left out, and their revision unless files change", async () => {
      const renamed = await patch({ name: "Renamed", extras: { team: "red" } });
      assert.equal(renamed.name, "Renamed");
      assert.deepEqual(renamed.extras, { team: "red" });
      assert.equal(renamed.revision, agent.revision);
      assert.equal(renamed.created_at, agent.created_at);
      for (const name of [
        "description",
        "tools",
        "skills",
        "subagents",
        "backend",
        "runtime",
        "permissions",
      ]) {
        assert.deepEqual(renamed[name], agent[name], name);
      }
    });

    const changes: [string, Record<string, unknown>][] = [
      ["system_prompt", { system_prompt: "Be long." }],
      ["tools", { tools: { tools: [] } }],
      ["subagents", { subagents: [] }],
      ["skills", { skills: [] }],
      ["files", { files: { "docs/new.md": { type: "file", content: "N" } } }],
      ["deleted paths", { deleted_paths: ["docs/guide.md"] }],
    ];
    for (const [name, change] of changes) {
      it(`get a new revision for ${name}`, async () => {
        const changed = await patch(change);
        assert.match(text(changed.revision), /^[0-9a-f]{40}$/);
        assert.notEqual(changed.revision, agent.revision);
        assert.notEqual((await patch(change)).revision, changed.revision);
      });
    }

    it("replace tools, subagents and skills as a whole, and add files", async () => {
      const changed = await patch({
        tools: { tools: [{ name: "other", mcp_server_url: "https://o.example.com" }] },
        subagents: [{ name: "second", instructions: "" }],
        skills: [],
        files: { "docs/b.md": "B" },
      });
      assert.deepEqual(
        list(changed.tools?.tools).map(({ name }) => name),
        ["other"],
      );
      assert.deepEqual(
        list(changed.subagents).map(({ name }) => name),
        ["second"],
      );
      assert.deepEqual(changed.skills, []);
      const paths = Object.keys(changed.files!);
      assert.ok(
        !paths.some((path) => path.startsWith("subagents/critic") || path.startsWith("skills/report")),
      );
      for (const path of ["docs/guide.md", "docs/b.md", "skills/shared", "AGENTS.md"]) {
        assert.ok(paths.includes(path), path);
      }
    });

    it("lose deleted files, and folders with all that is in them", async () => {
      const changed = await patch({ deleted_paths: ["notes.txt", "docs", "never/was"] });
      assert.deepEqual(
        Object.keys(changed.files!).filter((path) => path === "notes.txt" || path.startsWith("docs")),
        [],
      );
    });

    it("can give up their sandbox", async () => {
      assert.deepEqual((await patch({ backend: { type: "state" } })).backend, { type: "state" });
    });
  });

  it("are copied with their behaviour, but not with what their owner kept with them", async () => {
    const original = await client.agent({ ...whole });
    const answer = await client.send("POST", `/agents/${text(original.id)}/clone`);
    assert.equal(answer.status, 201, answer.text);
    const copy = answer.body;
    assert.notEqual(copy.id, original.id);
    assert.notEqual(copy.tracing_project_id, original.tracing_project_id);
    assert.equal(copy.name, "Whole (copy)");
    for (const name of ["system_prompt", "tools", "subagents", "skills", "backend", "runtime"]) {
      assert.deepEqual(copy[name], original[name], name);
    }
    assert.deepEqual(copy.extras, {});
    assert.equal(copy.permissions?.identity, "personal");
    const named = await client.send("POST", `/agents/${text(original.id)}/clone`, {
      name: "Mine",
      permissions: { visibility: "user" },
    });
    assert.equal(named.body.name, "Mine");
    assert.equal(named.body.permissions?.visibility, "user");
    await client.send("PATCH", `/agents/${text(copy.id)}`, { system_prompt: "Changed" });
    assert.equal((await client.get(`/agents/${text(original.id)}`)).system_prompt, whole.system_prompt);
  });

  it("are gone once deleted, as often as one likes", async () => {
    const id = await client.agentId();
    assert.equal((await client.send("DELETE", `/agents/${id}`)).status, 204);
    assert.equal((await client.send("DELETE", `/agents/${id}`)).status, 204);
    const answer = await client.send("GET", `/agents/${id}`);
    assert.equal(answer.status, 404);
    assert.equal(answer.body.code, "agent_not_found");
  });

  it("are still there after a restart", async () => {
    const before = await client.agent({ ...whole });
    await platform.stop();
    platform = await LocalPlatform.start(platform.directory);
    client = new ManagedClient(platform);
    assert.deepEqual(await client.get(`/agents/${text(before.id)}`), before);
  });
});

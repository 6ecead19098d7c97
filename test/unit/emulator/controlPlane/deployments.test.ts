import assert from "node:assert/strict";
import { ControlPlaneClient, databaseHolds, deploymentBody } from "../../../support/controlPlaneClient.ts";
import { is, list, LocalPlatform, say, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";

describe("the deployments of the Local Platform", () => {
  let platform: LocalPlatform;
  let client: ControlPlaneClient;

  before(async () => {
    platform = await LocalPlatform.start();
    client = new ControlPlaneClient(platform);
    await client.pace(1);
  });
  after(() => platform.remove());

  it("come into being with an id and a latest revision, which is polled until it is DEPLOYED", async () => {
    const created = await client.create({ name: "support-agent" });
    assert.equal(created.name, "support-agent");
    assert.equal(created.status, "AWAITING_DATABASE");
    assert.equal(created.active_revision_id, null);
    await client.follow(created.id, created.latest_revision_id);
    const deployed = await client.get(created.id);
    assert.equal(deployed.status, "READY");
    assert.equal(deployed.active_revision_id, text(created.latest_revision_id));
    assert.equal(deployed.source_revision_config?.repo_ref, "main");
  });

  it("are served with the sample agents once deployed, and not before", async () => {
    await client.pace(200);
    const { id, latest_revision_id } = await client.create();
    const url = `${platform.ready.baseUrl}/deployments/${text(id)}`;
    assert.equal((await platform.send("POST", `${url}/threads`, {})).status, 503);
    await client.pace(1);
    await client.follow(id, latest_revision_id);
    const thread = text((await platform.send("POST", `${url}/threads`, {})).body.thread_id);
    const run = {
      assistant_id: "echo",
      input: say("hello"),
      config: { configurable: { token_delay_ms: 0 } },
    };
    const done = await platform.send("POST", `${url}/threads/${thread}/runs/wait`, run);
    assert.equal(list(done.body.messages).length, 2);
    const elsewhere = await platform.send("GET", `/threads/${thread}`);
    assert.equal(elsewhere.status, 404, "a thread belongs to its deployment");
  });

  it("include the sample deployment, deployed from the start", async () => {
    const sample = await client.get(platform.ready.deploymentId);
    assert.equal(sample.status, "READY");
    const [revision] = await client.revisions(sample.id);
    assert.equal(revision?.status, "DEPLOYED");
    assert.equal(sample.active_revision_id, text(revision.id));
    const path = `/v2/deployments/${platform.ready.deploymentId}`;
    assert.equal((await client.send("DELETE", path)).status, 400);
  });

  it("are listed newest first, by pages and by filters", async () => {
    const names = ["list-a", "list-b", "list-c"];
    for (const name of names) await client.create({ name });
    const first = (await client.send("GET", "/v2/deployments?name_contains=LIST-&limit=2")).body;
    assert.deepEqual(
      list(first.resources).map(({ name }) => text(name)),
      ["list-c", "list-b"],
    );
    assert.equal(first.offset, 2);
    const second = (await client.send("GET", "/v2/deployments?name_contains=list-&limit=2&offset=2")).body;
    assert.deepEqual(
      list(second.resources).map(({ name }) => text(name)),
      ["list-a"],
    );
    const { id } = list(second.resources)[0]!;
    const byId = (await client.send("GET", `/v2/deployments?deployment_ids=${text(id)}`)).body;
    assert.equal(list(byId.resources).length, 1);
    const count = async (query: string) =>
      list((await client.send("GET", `/v2/deployments?${query}`)).body.resources).length;
    assert.equal(await count("status=UNUSED"), 0);
    assert.equal(await count("name_contains=list-&deployment_type=prod"), 0);
    assert.equal(await count("name_contains=list-&deployment_type=dev"), 3);
    assert.equal(await count("name_contains=list-&remote_reconciled=false"), 0);
    assert.equal(await count("name_contains=%25"), 0, "a percent sign is no wildcard");
  });

  const revising: [string, Record<string, unknown>][] = [
    ["a ref", { source_revision_config: { repo_ref: "release" } }],
    ["a configuration path", { source_revision_config: { langgraph_config_path: "other.json" } }],
    ["an image", { source_revision_config: { image_uri: "registry.test/image:2" } }],
    ["a source archive", { source_revision_config: { source_tarball_path: "uploads/1.tgz" } }],
    ["resources", { source_config: { resource_spec: { cpu: 2 } } }],
    ["secrets", { secrets: [{ name: "MODEL_KEY", value: "v" }] }],
  ];
  for (const [name, patch] of revising) {
    it(`get a new revision from a PATCH with ${name}`, async () => {
      const { id, latest_revision_id } = await client.create();
      const { status, body } = await client.send("PATCH", `/v2/deployments/${text(id)}`, patch);
      assert.equal(status, 200);
      assert.notEqual(body.latest_revision_id, latest_revision_id);
      assert.equal((await client.revisions(id)).length, 2);
    });
  }

  const settling: [string, Record<string, unknown>][] = [
    ["nothing", {}],
    ["a display name", { display_name: "Support" }],
    [
      "nulls",
      { source_revision_config: { repo_ref: null }, source_config: { resource_spec: null }, secrets: null },
    ],
    ["an empty list of secrets", { secrets: [] }],
    ["build_on_push", { source_config: { build_on_push: true } }],
    ["the same immutable fields", { source: "github", source_config: { deployment_type: "dev" } }],
  ];
  for (const [name, patch] of settling) {
    it(`get no new revision from a PATCH with ${name}`, async () => {
      const created = await client.create({ secrets: [{ name: "KEPT", value: "v" }] });
      const { status, body } = await client.send("PATCH", `/v2/deployments/${text(created.id)}`, patch);
      assert.equal(status, 200);
      assert.equal(body.latest_revision_id, text(created.latest_revision_id));
      assert.deepEqual(body.secrets, [{ name: "KEPT", value: "" }]);
      assert.equal(body.source_revision_config?.repo_ref, "main");
    });
  }

  it("can be sent back as they were read without any effect but a revision of the same", async () => {
    const { id, latest_revision_id } = await client.create();
    await client.follow(id, latest_revision_id);
    const read = await client.get(id);
    const { status, body } = await client.send("PATCH", `/v2/deployments/${text(id)}`, read);
    assert.equal(status, 200);
    assert.deepEqual(body.source_config, read.source_config);
    assert.deepEqual(body.source_revision_config, read.source_revision_config);
  });

  const immutable: [string, Record<string, unknown>][] = [
    ["name", { name: "other" }],
    ["source", { source: "external_docker" }],
    ["repo_url", { source_config: { repo_url: "https://github.test/other/repo" } }],
    ["deployment_type", { source_config: { deployment_type: "prod" } }],
    ["integration_id", { source_config: { integration_id: crypto.randomUUID() } }],
    ["listener_id", { source_config: { listener_id: crypto.randomUUID() } }],
    ["k8s_namespace", { source_config: { listener_config: { k8s_namespace: "other" } } }],
  ];
  for (const [field, patch] of immutable) {
    it(`refuse to change ${field}`, async () => {
      const { id } = await client.create();
      const { status, body } = await client.send("PATCH", `/v2/deployments/${text(id)}`, patch);
      assert.equal(status, 400);
      assert.match(text(body.detail), new RegExp(`${field} cannot be changed`));
    });
  }

  it("tell the names of their secrets and keep no values", async () => {
    const value = `sk-${crypto.randomUUID()}`;
    const created = await client.create({ secrets: [{ name: "MODEL_KEY", value }] });
    assert.deepEqual(created.secrets, [{ name: "MODEL_KEY", value: "" }]);
    for (const secrets of [value, [{ name: "A", value: [value] }], [{ name: value, value }], { A: value }]) {
      const refused = await client.send("POST", "/v2/deployments", deploymentBody({ secrets }));
      assert.equal(refused.status, 422);
      assert.ok(!refused.text.includes(value), refused.text);
    }
    const list = await client.send("POST", "/v2/deployments", [{ secrets: [{ name: "A", value }] }]);
    assert.equal(list.status, 422);
    assert.ok(!list.text.includes(value), list.text);
    const listed = await client.send("GET", "/v2/deployments?limit=100");
    assert.ok(!listed.text.includes(value));
    await platform.stop();
    assert.ok(!databaseHolds(platform.directory, value));
    assert.ok(databaseHolds(platform.directory, "MODEL_KEY"));
    platform = await LocalPlatform.start(platform.directory);
    client = new ControlPlaneClient(platform);
  });

  it("refuse secrets whose names the platform itself sets", async () => {
    const body = deploymentBody({ secrets: [{ name: "POSTGRES_URI", value: "x" }] });
    const { status, body: answer } = await client.send("POST", "/v2/deployments", body);
    assert.equal(status, 400);
    assert.match(text(answer.detail), /POSTGRES_URI is reserved/);
  });

  it("are gone a moment after they are deleted, with their threads", async () => {
    const { id, latest_revision_id } = await client.create();
    await client.follow(id, latest_revision_id);
    const url = `${platform.ready.baseUrl}/deployments/${text(id)}`;
    const thread = text((await platform.send("POST", `${url}/threads`, {})).body.thread_id);
    await client.pace(150);
    const path = `/v2/deployments/${text(id)}`;
    assert.equal((await client.send("DELETE", `${path}?force=true`)).status, 400);
    assert.equal((await client.send("DELETE", path)).status, 204);
    assert.equal((await client.get(id)).status, "AWAITING_DELETE");
    assert.equal((await platform.send("GET", `${url}/ok`)).status, 404);
    await client.pace(1);
    await until("the deployment is gone", async () => (await client.send("GET", path)).status === 404);
    await platform.stop();
    assert.ok(!databaseHolds(platform.directory, thread));
    platform = await LocalPlatform.start(platform.directory);
    client = new ControlPlaneClient(platform);
  });

  it("are gone at once with force after that, and when a restart came between", async () => {
    await client.pace(600_000);
    const forced = text((await client.create()).id);
    await client.send("DELETE", `/v2/deployments/${forced}`);
    assert.equal((await client.send("DELETE", `/v2/deployments/${forced}?force=true`)).status, 204);
    assert.equal((await client.send("GET", `/v2/deployments/${forced}`)).status, 404);
    const left = text((await client.create()).id);
    await client.send("DELETE", `/v2/deployments/${left}`);
    const late = await client.send("PATCH", `/v2/deployments/${left}`, { display_name: "Late" });
    assert.equal(late.status, 400);
    await platform.stop();
    platform = await LocalPlatform.start(platform.directory);
    client = new ControlPlaneClient(platform);
    assert.equal((await client.get(left)).status, "AWAITING_DELETE");
    await client.pace(1);
    await until(
      "the deployment that was left is gone",
      async () => (await client.send("GET", `/v2/deployments/${left}`)).status === 404,
    );
  });

  it("are deleted several at a time, with the failures named", async () => {
    const ids = [text((await client.create()).id), text((await client.create()).id)];
    const unknown = crypto.randomUUID();
    const some = await client.send("DELETE", `/v2/deployments?deployment_ids=${ids[0]},${unknown}`);
    assert.equal(some.status, 207);
    assert.deepEqual(some.body.succeeded, [ids[0]]);
    assert.ok(is(list(some.body.failed)[0]?.id, unknown));
    assert.equal((await client.send("DELETE", `/v2/deployments?deployment_ids=${ids[1]}`)).status, 200);
  });

  it("can only be changed by keys with the permission", async () => {
    const { body } = await platform.send("POST", `${platform.ready.localUrl}/api-keys`, { role: "viewer" });
    const viewer = { "x-api-key": text(body.api_key) };
    assert.equal((await client.send("GET", "/v2/deployments", undefined, viewer)).status, 200);
    const refused = await client.send("POST", "/v2/deployments", deploymentBody(), viewer);
    assert.equal(refused.status, 403);
    assert.equal(refused.text, "missing permission deployments:create");
  });
});

import assert from "node:assert/strict";
import { ControlPlane } from "../../../src/api/controlPlane/index.ts";
import { agentServerUrlOf, progressOfRevision } from "../../../src/api/controlPlane/status.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { poll } from "../../../src/api/poll.ts";
import { LocalPlatform } from "../../support/localPlatform.ts";

describe("ControlPlane on the Local Platform", () => {
  let platform: LocalPlatform;
  let api: ControlPlane;

  before(async () => {
    platform = await LocalPlatform.start();
    const headers = () => Promise.resolve({ "x-api-key": platform.ready.apiKey });
    api = new ControlPlane(new Http({ baseUrl: platform.ready.controlPlaneUrl, headers }));
    const url = `${platform.ready.localUrl}/settings`;
    await platform.send("PATCH", url, { revision_step_ms: 2 });
  });
  after(() => platform.remove());

  const ended = async (deploymentId: string, revisionId: string) =>
    poll((signal) => api.revisions.get(deploymentId, revisionId, { signal }), {
      until: (revision) => progressOfRevision(revision) !== "pending",
      minMs: 2,
      maxMs: 20,
      deadlineMs: 10_000,
    });

  it("ships a revision, another one, and the first one again", async () => {
    const created = await api.deployments.create({
      name: "shipped",
      source: "github",
      source_config: { repo_url: "https://github.test/acme/agent", deployment_type: "dev" },
      source_revision_config: { repo_ref: "main" },
      secrets: [{ name: "MODEL_KEY", value: "hidden" }],
    });
    const first = created.latest_revision_id ?? "";
    assert.equal((await ended(created.id, first)).status, "DEPLOYED");

    const changed = await api.deployments.patch(created.id, {
      source_revision_config: { repo_ref: "fail-build" },
    });
    assert.notEqual(changed?.latest_revision_id, first);
    assert.equal((await ended(created.id, changed?.latest_revision_id ?? "")).status, "BUILD_FAILED");
    const { logs } = await api.logs.ofRevision(created.id, changed?.latest_revision_id ?? "", {
      type: "build",
    });
    assert.match(logs.at(-1)?.message ?? "", /build failed/);

    await api.revisions.redeploy(created.id, first);
    const again = await api.deployments.get(created.id);
    assert.equal((await ended(created.id, again.latest_revision_id ?? "")).status, "DEPLOYED");
    const { revisions } = await api.revisions.page(created.id);
    assert.deepEqual(
      revisions.map(({ status }) => status),
      ["DEPLOYED", "BUILD_FAILED", "DEPLOYED"],
    );
    assert.deepEqual(again.secrets, [{ name: "MODEL_KEY" }]);
    assert.equal(agentServerUrlOf(again), platform.ready.deploymentUrl.replace(/[^/]+$/, created.id));
  });

  it("deletes a deployment, and knows one that is gone", async () => {
    const created = await api.deployments.create({
      name: "short-lived",
      source: "external_docker",
      source_config: {},
      source_revision_config: { image_uri: "registry.test/agent:1" },
      secrets: [],
    });
    await api.deployments.delete(created.id);
    const gone = (error: unknown) => error instanceof ApiError && error.kind === "notFound";
    await assert.rejects(
      poll((signal) => api.deployments.get(created.id, { signal }), {
        until: () => false,
        minMs: 2,
        maxMs: 20,
        deadlineMs: 10_000,
      }),
      gone,
    );
    await assert.rejects(api.deployments.delete(created.id), gone);
    await assert.rejects(api.revisions.page(created.id), gone);
    await assert.rejects(api.revisions.page(created.id), gone);
  });

  it("pages through deployments and filters them", async () => {
    const first = await api.deployments.page({ limit: 1 });
    assert.deepEqual([first.deployments.length, first.nextOffset], [1, 1]);
    const found = await api.deployments.page({ name_contains: "no such name" });
    assert.deepEqual(found, { deployments: [], nextOffset: undefined });
  });

  it("interrupts a revision on its way", async () => {
    await platform.send("PATCH", `${platform.ready.localUrl}/settings`, { revision_step_ms: 60_000 });
    const created = await api.deployments.create({
      name: "stuck",
      source: "github",
      source_config: { repo_url: "https://github.test/acme/agent" },
      source_revision_config: {},
      secrets: [],
    });
    const revision = created.latest_revision_id ?? "";
    await api.revisions.interrupt(created.id, revision);
    assert.equal((await api.revisions.get(created.id, revision)).status, "INTERRUPTED");
  });

  it("says whether tokens are held, and which field is wrong", async () => {
    assert.deepEqual(await api.tokens.exists("github"), { has_token: false });
    await assert.rejects(api.tokens.exists(""), (error) => {
      assert.ok(error instanceof ApiError);
      return error.fields?.[0]?.loc.includes("provider_id") === true;
    });
  });
});

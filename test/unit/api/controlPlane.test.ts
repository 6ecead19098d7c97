import assert from "node:assert/strict";
import { ControlPlane } from "../../../src/api/controlPlane/index.ts";
import { agentServerUrlOf } from "../../../src/api/controlPlane/status.ts";
import type { DeploymentCreate } from "../../../src/api/controlPlane/wire.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { recording } from "./recording.ts";
import { serve } from "../../support/testServer.ts";
import type { TestServer } from "../../support/testServer.ts";

const id = "6f3e2a10-5a4e-4c0e-9a52-0d5c0c3f7b11";
const revisionId = "b3f9c1d2-0a1b-4c3d-8e5f-102938475601";
const place = `/api-host/v2/deployments/${id}`;
const headers = { "x-api-key": "a-key-of-ours", "x-tenant-id": "a-workspace" };

const body: DeploymentCreate = {
  name: "support-agent",
  source: "github",
  source_config: { repo_url: "https://github.test/acme/support-agent", deployment_type: "prod" },
  source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
  secrets: [{ name: "MODEL_KEY", value: "s" }],
};

function client(server: TestServer): ControlPlane {
  return new ControlPlane(
    new Http({ baseUrl: `${server.url}/api-host`, headers: () => Promise.resolve(headers) }),
  );
}

/** Method, path with query and body of all requests. */
function asked(server: TestServer): readonly string[] {
  return server.asked.map((one) => [one.method, one.url, one.body].join(" ").trim());
}

describe("ControlPlane", () => {
  it("reads a deployment with what it does not know, but without the values of secrets", async () => {
    const text = await recording("controlPlane/deployment");
    await using server = await serve(() => ({ body: text }));
    const found = await client(server).deployments.get(id);
    assert.deepEqual(asked(server), [`GET ${place}`]);
    assert.equal(server.asked[0]?.headers["x-api-key"], headers["x-api-key"]);
    assert.equal(server.asked[0].headers["x-tenant-id"], headers["x-tenant-id"]);
    const sent = JSON.parse(text) as object;
    assert.deepEqual(found, { ...sent, secrets: [{ name: "MODEL_KEY" }, { name: "SEARCH_KEY" }] });
    assert.equal(agentServerUrlOf(found), "https://support-agent-6f3e.agents.test");
  });

  it("is content with a created deployment of which only the ids are known", async () => {
    const created = await recording("controlPlane/created");
    await using server = await serve(() => ({ status: 201, body: created }));
    const deployment = await client(server).deployments.create(body);
    assert.deepEqual(asked(server), [`POST /api-host/v2/deployments ${JSON.stringify(body)}`]);
    assert.deepEqual(deployment, { id, latest_revision_id: revisionId });
    assert.equal(agentServerUrlOf(deployment), undefined);
  });

  it("lists deployments page by page, with statuses it does not know", async () => {
    const page = await recording("controlPlane/deployments");
    await using server = await serve((_, index) => ({ body: index === 0 ? page : '{"resources":[]}' }));
    const { deployments } = client(server);
    const query = { limit: 2, name_contains: "a b", status: "HIBERNATING" };
    const first = await deployments.page(query);
    assert.deepEqual(
      first.deployments.map(({ name, status }) => [name, status]),
      [
        ["support-agent", "READY"],
        ["night-shift", "HIBERNATING"],
      ],
    );
    assert.doesNotMatch(JSON.stringify(first), /not-to-be-kept/);
    const rest = await deployments.page({ ...query, offset: first.nextOffset });
    assert.deepEqual(rest, { deployments: [], nextOffset: undefined });
    const asked = "limit=2&name_contains=a+b&status=HIBERNATING";
    assert.deepEqual(
      server.asked.map(({ url }) => url.replace(/[?&]offset=(\d+)/, " $1")),
      [`/api-host/v2/deployments?${asked} 0`, `/api-host/v2/deployments?${asked} 2`],
    );
  });

  it("takes a page that is not full for the last one, and goes on where the server says", async () => {
    await using server = await serve((_, index) => ({
      body: JSON.stringify({ resources: [{ id: "a" }, { id: "b" }], offset: index === 0 ? 7 : 0 }),
    }));
    const { deployments } = client(server);
    assert.equal((await deployments.page({ limit: 2 })).nextOffset, 7);
    assert.equal((await deployments.page({ limit: 2, offset: 7 })).nextOffset, 9);
    assert.equal((await deployments.page({ limit: 3 })).nextOffset, undefined);
  });

  it("changes, deletes and forces the deletion of a deployment", async () => {
    const text = await recording("controlPlane/deployment");
    await using server = await serve(({ method }) =>
      method === "DELETE" ? { status: 204 } : { body: text },
    );
    const { deployments } = client(server);
    const patch = { source_revision_config: { repo_ref: "next" } };
    assert.equal((await deployments.patch(id, patch))?.latest_revision_id, revisionId);
    await deployments.delete(id);
    await deployments.delete(id, { force: true, deleteTracingProject: true });
    assert.deepEqual(asked(server), [
      `PATCH ${place} ${JSON.stringify(patch)}`,
      `DELETE ${place}`,
      `DELETE ${place}?delete_tracing_project=true&force=true`,
    ]);
  });

  it("hands no value of a secret on that a server repeats, whatever was asked", async () => {
    const body = JSON.stringify({ id, name: "a", secrets: [{ name: "MODEL_KEY", value: "never" }] });
    await using server = await serve(({ url, method }) =>
      method === "GET" && !url.startsWith(place) ? { body: `{"resources":[${body}]}` } : { body },
    );
    const { deployments } = client(server);
    const given: unknown[] = [
      await deployments.get(id),
      await deployments.patch(id, {}),
      await deployments.create({} as never),
      await deployments.page(),
    ];
    assert.equal(JSON.stringify(given).split("MODEL_KEY").length, 5);
    assert.doesNotMatch(JSON.stringify(given), /never/);
  });

  it("accepts a change that is answered with nothing", async () => {
    await using server = await serve(() => ({ status: 204 }));
    assert.equal(await client(server).deployments.patch(id, { display_name: "Support" }), undefined);
  });

  it("lists, reads, redeploys and interrupts revisions", async () => {
    const [one, many] = [await recording("controlPlane/revision"), await recording("controlPlane/revisions")];
    await using server = await serve(({ url }) => ({ body: url.includes("?") ? many : one }));
    const { revisions } = client(server);
    const page = await revisions.page(id, { status: "BUILDING,DEPLOYED" });
    assert.deepEqual(
      page.revisions.map(({ status }) => status),
      ["BUILDING", "DEPLOYED"],
    );
    assert.equal((await revisions.get(id, revisionId)).source_revision_config?.repo_ref, "main");
    await revisions.redeploy(id, revisionId);
    await revisions.interrupt(id, revisionId);
    assert.deepEqual(asked(server), [
      `GET ${place}/revisions?status=BUILDING%2CDEPLOYED&limit=20&offset=0`,
      `GET ${place}/revisions/${revisionId}`,
      `POST ${place}/revisions/${revisionId}/redeploy`,
      `POST ${place}/revisions/${revisionId}/interruption`,
    ]);
  });

  it("reads the log of a revision page by page, with levels and fields it does not know", async () => {
    const page = await recording("controlPlane/logs");
    await using server = await serve(({ url }) => ({
      body: url.includes("offset=l2") ? '{"logs":[],"next_offset":null}' : page,
    }));
    const { logs } = client(server);
    const query = { type: "build", level: "INFO", query: "x" } as const;
    const first = await logs.ofRevision(id, revisionId, query);
    assert.deepEqual(first, JSON.parse(page));
    const rest = await logs.ofRevision(id, revisionId, { ...query, offset: first.next_offset ?? "" });
    assert.deepEqual(rest, { logs: [], next_offset: null });
    const log = `${place}/revisions/${revisionId}/logs?type=build&level=INFO&query=x`;
    assert.deepEqual(asked(server), [`GET ${log}`, `GET ${log}&offset=l2`]);
  });

  it("asks whether tokens of a provider are held, and says which field was refused", async () => {
    const answers = [
      { body: await recording("controlPlane/tokenStatus") },
      { status: 422, body: await recording("controlPlane/providerMissing") },
    ];
    await using server = await serve((_, index) => answers[index]!);
    const { tokens } = client(server);
    assert.deepEqual(await tokens.exists("git hub/1"), { has_token: true });
    assert.deepEqual(asked(server), ["GET /api-host/v2/auth/tokens/exists?provider_id=git+hub%2F1"]);
    await assert.rejects(tokens.exists(""), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual(error.fields?.[0]?.loc, ["query", "provider_id"]);
      return error.kind === "invalid";
    });
  });

  it("says when a server is none", async () => {
    await using server = await serve(() => ({ body: '{"resources":[{"name":"no id"}]}' }));
    const { deployments, revisions, logs, tokens } = client(server);
    const malformed = (error: unknown) => error instanceof ApiError && error.kind === "malformed";
    await assert.rejects(deployments.page(), malformed);
    await assert.rejects(deployments.get(id), malformed);
    await assert.rejects(deployments.create(body), malformed);
    await assert.rejects(revisions.page(id), malformed);
    await assert.rejects(logs.ofRevision(id, revisionId, { type: "deploy" }), malformed);
    await assert.rejects(tokens.exists("p"), malformed);
  });

  it("never repeats what makes or deletes something", async () => {
    await using server = await serve(() => ({ status: 503, headers: { "retry-after": "0" } }));
    const { deployments, revisions } = client(server);
    const failed = (error: unknown) => error instanceof ApiError && error.kind === "server";
    await assert.rejects(deployments.create(body), failed);
    await assert.rejects(deployments.patch(id, {}), failed);
    await assert.rejects(deployments.delete(id), failed);
    await assert.rejects(revisions.redeploy(id, revisionId), failed);
    await assert.rejects(revisions.interrupt(id, revisionId), failed);
    assert.equal(server.asked.length, 5);
  });
});

import assert from "node:assert/strict";
import { connect } from "node:net";
import { ControlPlaneClient, deploymentBody } from "../../../support/controlPlaneClient.ts";
import { list, LocalPlatform, text } from "../../../support/localPlatform.ts";

const uuid = crypto.randomUUID();

describe("the Local Platform's control plane", () => {
  let platform: LocalPlatform;
  let client: ControlPlaneClient;
  let deployment: string;
  let revision: string;

  before(async () => {
    platform = await LocalPlatform.start();
    client = new ControlPlaneClient(platform);
    await client.pace(600_000);
    const created = await client.create();
    deployment = text(created.id);
    revision = text(created.latest_revision_id);
  });
  after(() => platform.remove());

  it("says that no token is held for a provider that nobody connected", async () => {
    const { status, body } = await client.send("GET", "/v2/auth/tokens/exists?provider_id=github");
    assert.equal(status, 200);
    assert.deepEqual(body, { has_token: false });
    const batch = await client.send("POST", "/v2/auth/tokens/exists/batch", { provider_ids: ["a", "b"] });
    assert.deepEqual(batch.body, { has_token: { a: false, b: false } });
  });

  it("answers 422 with loc, msg, type and input when provider_id is missing", async () => {
    const { status, body } = await client.send("GET", "/v2/auth/tokens/exists");
    assert.equal(status, 422);
    assert.deepEqual(body.detail, [
      { loc: ["query", "provider_id"], msg: "Field required", type: "missing", input: null },
    ]);
  });

  it("takes an API key, with the workspace beside it or without", async () => {
    const { apiKey, workspaceId, controlPlaneUrl } = platform.ready;
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${controlPlaneUrl}/v2/deployments`, { headers })).status;
    assert.equal(await status({ "x-api-key": apiKey }), 200);
    assert.equal(await status({ "X-API-KEY": apiKey, "x-tenant-id": workspaceId.toUpperCase() }), 200);
    assert.equal(await status({ "x-api-key": apiKey, "x-tenant-id": uuid }), 403);
    assert.equal(await status({ "x-api-key": "wrong" }), 403);
    assert.equal(await status({}), 401);
  });

  it("takes a bearer token together with a workspace or an organization", async () => {
    const { apiKey, workspaceId, controlPlaneUrl } = platform.ready;
    const get = (headers: Record<string, string>) => fetch(`${controlPlaneUrl}/v2/deployments`, { headers });
    const authorization = `Bearer ${apiKey}`;
    assert.equal((await get({ authorization, "x-tenant-id": workspaceId })).status, 200);
    assert.equal((await get({ authorization, "x-organization-id": uuid })).status, 200);
    const alone = await get({ authorization });
    assert.equal(alone.status, 403);
    assert.match(await alone.text(), /requires workspace specification/);
    assert.equal((await get({ authorization: "Bearer wrong", "x-tenant-id": workspaceId })).status, 403);
    assert.equal((await get({ authorization: `Basic ${apiKey}` })).status, 401);
    const agentServer = await fetch(`${platform.ready.deploymentUrl}/info`, { headers: { authorization } });
    assert.equal(agentServer.status, 401, "only the control plane takes bearer tokens");
  });

  it("names what is not found", async () => {
    const unknown = await client.send("GET", `/v2/deployments/${uuid}`);
    assert.equal(unknown.status, 404);
    assert.deepEqual(unknown.body, { detail: `Deployment ID ${uuid} not found.` });
  });

  const deployments = "/v2/deployments";
  const create = (fields: Record<string, unknown>) => deploymentBody(fields);
  const front = (custom_url: unknown) =>
    create({ source: "external_docker", source_config: { custom_url }, source_revision_config: {} });
  const cases: [string, string, string, unknown, number][] = [
    ["malformed JSON", "POST", deployments, "{", 422],
    ["no body", "POST", deployments, undefined, 422],
    ["a body that is a list", "POST", deployments, [], 422],
    ["arrays nested 100,000 deep", "POST", deployments, "[".repeat(100_000) + "]".repeat(100_000), 422],
    ["a body above 10 MB", "POST", deployments, create({ name: "x".repeat(10 * 1024 * 1024) }), 413],
    ["no name", "POST", deployments, create({ name: undefined }), 422],
    ["a blank name", "POST", deployments, create({ name: "  " }), 422],
    ["a name with a line break", "POST", deployments, create({ name: "a\r\nset-cookie: b" }), 422],
    ["a name that is taken", "POST", deployments, create({ name: "sample" }), 400],
    ["an unknown source", "POST", deployments, create({ source: "ftp" }), 422],
    ["no source_config", "POST", deployments, create({ source_config: undefined }), 422],
    ["a repository that is missing", "POST", deployments, create({ source_config: {} }), 400],
    [
      "an image that is missing",
      "POST",
      deployments,
      create({ source: "external_docker", source_config: {} }),
      400,
    ],
    ["a file URL to front", "POST", deployments, front("file:///etc/passwd"), 422],
    ["a URL with a password to front", "POST", deployments, front("http://me:pass@localhost:1"), 422],
    ["a URL with a query to front", "POST", deployments, front("http://localhost:1/?a=b"), 422],
    ["secrets that are an object", "POST", deployments, create({ secrets: { A: "b" } }), 422],
    [
      "a secret whose name holds a space",
      "POST",
      deployments,
      create({ secrets: [{ name: "a b", value: "" }] }),
      422,
    ],
    ["a tag that is built on push", "POST", deployments, tagged(), 400],
    ["a limit of 0", "GET", `${deployments}?limit=0`, undefined, 422],
    ["a limit of 101", "GET", `${deployments}?limit=101`, undefined, 422],
    ["a negative offset", "GET", `${deployments}?offset=-1`, undefined, 422],
    ["an unknown status", "GET", `${deployments}?status=SLEEPING`, undefined, 422],
    ["an odd boolean", "GET", `${deployments}?remote_reconciled=perhaps`, undefined, 422],
    ["ids that are no UUIDs", "GET", `${deployments}?deployment_ids=a,b`, undefined, 422],
    ["an id that is no UUID", "GET", `${deployments}/mine`, undefined, 422],
    ["an id that climbs", "GET", `${deployments}/..%2F..%2F_local`, undefined, 422],
    ["an id with SQL in it", "GET", `${deployments}/'%20OR%201=1--`, undefined, 422],
    ["an id with a line break", "GET", `${deployments}/${uuid}%0D%0Aset-cookie:a`, undefined, 422],
    ["a broken escape", "GET", `${deployments}/%E0%A4%A`, undefined, 422],
    ["an unknown deployment to change", "PATCH", `${deployments}/${uuid}`, {}, 404],
    ["malformed JSON to change by", "PATCH", `${deployments}/DEPLOYMENT`, "{", 422],
    [
      "a ref that is a number",
      "PATCH",
      `${deployments}/DEPLOYMENT`,
      { source_revision_config: { repo_ref: 1 } },
      422,
    ],
    ["an unknown deployment to delete", "DELETE", `${deployments}/${uuid}`, undefined, 404],
    ["no ids to delete", "DELETE", deployments, undefined, 422],
    [
      "101 ids to delete",
      "DELETE",
      `${deployments}?deployment_ids=${Array(101).fill(uuid).join()}`,
      undefined,
      422,
    ],
    ["an unknown revision", "GET", `${deployments}/DEPLOYMENT/revisions/${uuid}`, undefined, 404],
    ["a revision id that is no UUID", "GET", `${deployments}/DEPLOYMENT/revisions/last`, undefined, 422],
    [
      "an unknown revision to redeploy",
      "POST",
      `${deployments}/DEPLOYMENT/revisions/${uuid}/redeploy`,
      undefined,
      404,
    ],
    ["an unknown revision status", "GET", `${deployments}/DEPLOYMENT/revisions?status=DONE`, undefined, 422],
    ["logs of no type", "GET", `${deployments}/DEPLOYMENT/revisions/REVISION/logs`, undefined, 422],
    ["logs of an unknown level", "GET", `${deployments}/DEPLOYMENT/logs?level=LOUD`, undefined, 422],
    ["a time that is none", "GET", `${deployments}/DEPLOYMENT/logs?start_time=yesterday`, undefined, 422],
    ["an offset that was not given out", "GET", `${deployments}/DEPLOYMENT/logs?offset=x`, undefined, 422],
    ["logs of no deployment", "GET", "/v2/deployment-logs", undefined, 422],
    ["logs of an unknown deployment", "GET", `/v2/deployment-logs?deployment_id=${uuid}`, undefined, 404],
    ["an empty provider", "GET", "/v2/auth/tokens/exists?provider_id=", undefined, 422],
    ["providers that are a text", "POST", "/v2/auth/tokens/exists/batch", { provider_ids: "a" }, 422],
    ["an unknown route", "GET", "/v2/nothing", undefined, 404],
    ["a wrong method", "PUT", `${deployments}/DEPLOYMENT`, {}, 404],
    ["a setting that is unknown", "PATCH", "LOCAL/settings", { speed: 1 }, 422],
    ["a setting that is a text", "PATCH", "LOCAL/settings", { revision_step_ms: "1" }, 422],
    ["a negative delay", "PATCH", "LOCAL/settings", { revision_step_ms: -1 }, 422],
    ["an unknown stage to fail at", "POST", "LOCAL/revisions", { fail_at: "lunch" }, 422],
  ];
  for (const [name, method, path, body, status] of cases) {
    it(`answers ${status} with a detail to ${name}`, async () => {
      const filled = path.replace("DEPLOYMENT", deployment).replace("REVISION", revision);
      const answer = filled.startsWith("LOCAL")
        ? await platform.send(method, filled.replace("LOCAL", platform.ready.localUrl), body)
        : await client.send(method, filled, body);
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.headers.get("set-cookie"), null);
      if (status !== 422) assert.equal(typeof answer.body.detail, "string", answer.text);
      else
        for (const { loc, msg, type } of list(answer.body.detail)) assert.ok(loc && msg && type, answer.text);
    });
  }

  for (const [name, headers] of [
    ["a NUL in a header", `x-api-key: KEY\u0000`],
    ["a bare line feed in a header", `x-api-key: KEY\nx-tenant-id: ${uuid}\rset-cookie: a`],
    ["a folded header", `x-api-key: KEY\r\n x-tenant-id: a`],
    ["two lengths", `x-api-key: KEY\r\ncontent-length: 1\r\ncontent-length: 2`],
  ] as const) {
    it(`answers 4xx to ${name}`, async () => {
      const head = headers.replace("KEY", platform.ready.apiKey);
      const answer = await raw(
        platform,
        `GET /api-host/v2/deployments HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.1 4\d\d /);
      assert.doesNotMatch(answer, /set-cookie/i);
    });
  }
});

async function raw(platform: LocalPlatform, bytes: string): Promise<string> {
  return await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(platform.ready.baseUrl).port), "127.0.0.1", () =>
      socket.write(bytes),
    );
    socket.once("data", (chunk) => {
      resolve(chunk.toString());
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

function tagged(): Record<string, unknown> {
  return deploymentBody({
    source_config: { repo_url: "https://github.test/owner/repo", build_on_push: true },
    source_revision_config: { repo_ref: "refs/tags/v1" },
  });
}

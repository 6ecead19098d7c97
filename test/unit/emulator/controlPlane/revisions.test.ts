import assert from "node:assert/strict";
import { ControlPlaneClient } from "../../../support/controlPlaneClient.ts";
import { is, list, LocalPlatform, text } from "../../../support/localPlatform.ts";

const image = {
  source: "external_docker",
  source_config: {},
  source_revision_config: { image_uri: "registry.test/image:1" },
};

describe("the revisions of the Local Platform", () => {
  let platform: LocalPlatform;
  let client: ControlPlaneClient;

  before(async () => {
    platform = await LocalPlatform.start();
    client = new ControlPlaneClient(platform);
  });
  /** Slow enough for a busy machine to see each status. */
  beforeEach(() => client.pace(200));
  after(() => platform.remove());

  it("walk through the documented statuses in their order", async () => {
    const { id, latest_revision_id } = await client.create();
    assert.deepEqual(await client.follow(id, latest_revision_id), [
      "CREATING",
      "QUEUED",
      "AWAITING_BUILD",
      "BUILDING",
      "AWAITING_DEPLOY",
      "DEPLOYING",
      "DEPLOYED",
    ]);
  });

  it("of an image have nothing to build", async () => {
    const { id, latest_revision_id } = await client.create(image);
    const seen = await client.follow(id, latest_revision_id);
    assert.deepEqual(seen, ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"]);
  });

  for (const [stage, status] of [
    ["create", "CREATE_FAILED"],
    ["build", "BUILD_FAILED"],
    ["deploy", "DEPLOY_FAILED"],
  ] as const) {
    it(`fail at the stage that their ref or a request names: ${stage}`, async () => {
      await client.pace(1);
      const named = { source_revision_config: { repo_ref: `fail-${stage}` } };
      const first = await client.create(named);
      assert.equal((await client.follow(first.id, first.latest_revision_id)).at(-1), status);
      const wanted = await platform.send("POST", `${platform.ready.localUrl}/revisions`, { fail_at: stage });
      assert.equal(wanted.status, 201);
      const second = await client.create();
      assert.equal((await client.follow(second.id, second.latest_revision_id)).at(-1), status);
      const third = await client.create();
      assert.equal((await client.follow(third.id, third.latest_revision_id)).at(-1), "DEPLOYED");
    });
  }

  it("that fail leave the one before them in service", async () => {
    await client.pace(1);
    const { id, latest_revision_id: good } = await client.create();
    await client.follow(id, good);
    const patch = { source_revision_config: { repo_ref: "fail-deploy" } };
    const { body } = await client.send("PATCH", `/v2/deployments/${text(id)}`, patch);
    await client.follow(id, body.latest_revision_id);
    assert.equal((await client.get(id)).active_revision_id, text(good));
    const url = `${platform.ready.baseUrl}/deployments/${text(id)}`;
    assert.equal((await platform.send("GET", `${url}/info`)).status, 200);
  });

  it("are made again from an older one by redeploy", async () => {
    await client.pace(1);
    const { id, latest_revision_id: first } = await client.create();
    await client.follow(id, first);
    const path = `/v2/deployments/${text(id)}`;
    await client.send("PATCH", path, { source_revision_config: { repo_ref: "release" } });
    const { status, body } = await client.send("POST", `${path}/revisions/${text(first)}/redeploy`);
    assert.equal(status, 200);
    assert.equal(body.id, text(id));
    assert.notEqual(body.latest_revision_id, first);
    assert.equal(body.source_revision_config?.repo_ref, "main");
    assert.equal((await client.follow(id, body.latest_revision_id)).at(-1), "DEPLOYED");
    assert.equal((await client.get(id)).active_revision_id, text(body.latest_revision_id));
  });

  it("are made by POST even if nothing changed", async () => {
    const { id } = await client.create();
    const { status, body } = await client.send("POST", `/v2/deployments/${text(id)}/revisions`, {});
    assert.equal(status, 201);
    assert.equal((await client.get(id)).latest_revision_id, text(body.id));
    assert.equal(body.source_revision_config?.repo_ref, "main");
  });

  it("that have not begun are SKIPPED for a newer one, and those at work are waited for", async () => {
    const { id, latest_revision_id: first } = await client.create();
    await client.follow(id, first, ["BUILDING"]);
    const path = `/v2/deployments/${text(id)}/revisions`;
    const second = (await client.send("POST", path, {})).body.id;
    const third = (await client.send("POST", path, {})).body.id;
    assert.equal((await client.revision(id, second)).status, "SKIPPED");
    for (;;) {
      const waiting = text((await client.revision(id, third)).status);
      if (text((await client.revision(id, first)).status) === "DEPLOYED") break;
      assert.ok(["CREATING", "QUEUED"].includes(waiting), waiting);
    }
    assert.equal((await client.follow(id, third)).at(-1), "DEPLOYED");
    assert.equal((await client.get(id)).active_revision_id, text(third));
  });

  it("stop where they are by interruption, once", async () => {
    const { id, latest_revision_id } = await client.create();
    await client.follow(id, latest_revision_id, ["BUILDING"]);
    const path = `/v2/deployments/${text(id)}/revisions/${text(latest_revision_id)}/interruption`;
    const { status, body } = await client.send("POST", path);
    assert.equal(status, 200);
    assert.equal(body.status, "INTERRUPTED");
    assert.equal((await client.send("POST", path)).status, 400);
    await client.pace(1);
    const later = await client.create();
    assert.equal((await client.follow(later.id, later.latest_revision_id)).at(-1), "DEPLOYED");
    assert.equal((await client.revision(id, latest_revision_id)).status, "INTERRUPTED");
  });

  it("go on where they were after a restart", async () => {
    const { id, latest_revision_id } = await client.create();
    await client.follow(id, latest_revision_id, ["BUILDING"]);
    await client.pace(600);
    await platform.stop();
    platform = await LocalPlatform.start(platform.directory);
    client = new ControlPlaneClient(platform);
    const seen = await client.follow(id, latest_revision_id);
    assert.ok(!seen.includes("CREATING") && seen.includes("DEPLOYING"), seen.join());
    assert.equal(seen.at(-1), "DEPLOYED");
  });

  it("go on at a new pace at once when it is changed", async () => {
    await client.pace(600_000);
    const { id, latest_revision_id } = await client.create();
    assert.equal((await client.revision(id, latest_revision_id)).status, "CREATING");
    await client.pace(1);
    assert.equal((await client.follow(id, latest_revision_id)).at(-1), "DEPLOYED");
  });

  it("are listed newest first, by pages and by statuses", async () => {
    await client.pace(1);
    const { id, latest_revision_id: first } = await client.create();
    await client.follow(id, first);
    const path = `/v2/deployments/${text(id)}/revisions`;
    const patch = { source_revision_config: { repo_ref: "fail-build" } };
    const second = (await client.send("POST", path, patch)).body.id;
    await client.follow(id, second);
    const ids = (body: unknown) =>
      list((body as { resources: unknown }).resources).map((item) => text(item.id));
    assert.deepEqual(ids((await client.send("GET", path)).body), [text(second), text(first)]);
    const page = (await client.send("GET", `${path}?limit=1&offset=1`)).body;
    assert.deepEqual(ids(page), [text(first)]);
    assert.equal(page.offset, 2);
    const failed = await client.send("GET", `${path}?status=BUILD_FAILED,DEPLOY_FAILED`);
    assert.deepEqual(ids(failed.body), [text(second)]);
  });

  it("have a build log and a deploy log, in pages, by level and by text", async () => {
    await client.pace(1);
    const { id, latest_revision_id } = await client.create({
      source_revision_config: { repo_ref: "fail-build" },
    });
    await client.follow(id, latest_revision_id);
    const path = `/v2/deployments/${text(id)}/revisions/${text(latest_revision_id)}/logs`;
    const all = (await client.send("GET", `${path}?type=build`)).body;
    assert.equal(all.next_offset, null);
    const messages = list(all.logs).map(({ message }) => text(message));
    assert.match(messages.join("\n"), /Building fail-build/);
    const paged: string[] = [];
    for (let offset = ""; ;) {
      const page = (await client.send("GET", `${path}?type=build&limit=2${offset}`)).body;
      paged.push(...list(page.logs).map(({ message }) => text(message)));
      if (typeof page.next_offset !== "string") break;
      offset = `&offset=${text(page.next_offset)}`;
    }
    assert.deepEqual(paged, messages);
    const reversed = (await client.send("GET", `${path}?type=build&order=desc`)).body;
    assert.deepEqual(
      list(reversed.logs).map(({ message }) => text(message)),
      messages.toReversed(),
    );
    const errors = list((await client.send("GET", `${path}?type=build&level=ERROR`)).body.logs);
    assert.equal(errors.length, 1);
    assert.ok(Number.isInteger(errors[0]?.timestamp));
    const found = (await client.send("GET", `${path}?type=build&query=BUILDING`)).body;
    assert.equal(list(found.logs).length, 1);
    const future = (await client.send("GET", `${path}?type=build&start_time=2999-01-01T00:00:00Z`)).body;
    assert.deepEqual(future.logs, []);
  });

  it("have their deploy logs together under the deployment and in the log search", async () => {
    await client.pace(1);
    const { id, latest_revision_id } = await client.create();
    await client.follow(id, latest_revision_id);
    const own = (await client.send("GET", `/v2/deployments/${text(id)}/logs`)).body;
    assert.ok(list(own.logs).length > 0);
    const search = `/v2/deployment-logs?deployment_id=${text(id)}`;
    assert.deepEqual((await client.send("GET", search)).body.items, own.logs);
    const build = (await client.send("GET", `${search}&log_type=BUILD&page_size=1`)).body;
    assert.equal(list(build.items).length, 1);
    assert.ok(is(typeof build.next_cursor, "string"));
  });

  it("of another deployment are not found", async () => {
    const one = await client.create();
    const other = await client.create();
    const path = `/v2/deployments/${text(one.id)}/revisions/${text(other.latest_revision_id)}`;
    const { status, body } = await client.send("GET", path);
    assert.equal(status, 404);
    assert.equal(body.detail, `Revision ID ${text(other.latest_revision_id)} not found.`);
  });
});

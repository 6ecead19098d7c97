import assert from "node:assert/strict";
import { ControlPlane } from "../../../src/api/controlPlane/index.ts";
import {
  isKnownStatus,
  isServing,
  mayChange,
  progressOfDeployment,
  progressOfRevision,
} from "../../../src/api/controlPlane/status.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { recording } from "./recording.ts";
import { serve } from "../../support/testServer.ts";
import type { TestServer } from "../../support/testServer.ts";

const id = "6f3e2a10-5a4e-4c0e-9a52-0d5c0c3f7b11";
const client = (server: TestServer) => new ControlPlane(new Http({ baseUrl: server.url }));
const kind = (expected: string) => (error: unknown) => error instanceof ApiError && error.kind === expected;
const paths = (server: TestServer) => server.asked.map(({ method, url }) => `${method} ${url.split("?")[0]}`);

describe("what a control plane does not support", () => {
  for (const status of [404, 405, 501]) {
    it(`is asked for once: a list that is answered with ${status}`, async () => {
      await using server = await serve(() => ({ status, body: '{"detail":"Not Found"}' }));
      const controlPlane = client(server);
      await assert.rejects(controlPlane.deployments.page(), kind("unsupported"));
      await assert.rejects(controlPlane.deployments.page(), kind("unsupported"));
      assert.equal(server.asked.length, 1);
    });
  }

  it("is not what is refused or fails", async () => {
    const statuses = [401, 403, 422];
    await using server = await serve((_, index) => ({ status: statuses[index] ?? 200 }));
    const { deployments } = client(server);
    await assert.rejects(deployments.page(), kind("unauthorized"));
    await assert.rejects(deployments.page(), kind("forbidden"));
    await assert.rejects(deployments.page(), kind("invalid"));
    assert.equal(server.asked.length, 3);
  });

  it("is distinguished from a deployment that is gone by asking for the deployment", async () => {
    const gone = await recording("controlPlane/deploymentMissing");
    await using server = await serve(() => ({ status: 404, body: gone }));
    const controlPlane = client(server);
    await assert.rejects(controlPlane.revisions.page(id), kind("notFound"));
    await assert.rejects(controlPlane.deployments.delete(id), kind("notFound"));
    await assert.rejects(controlPlane.logs.ofRevision(id, "r", { type: "build" }), kind("notFound"));
    assert.equal(server.asked.length, 6);
    await assert.rejects(controlPlane.revisions.page(id), kind("notFound"));
    assert.equal(server.asked.length, 8, "nothing of that is remembered");
  });

  it("is known to be missing when the deployment is there", async () => {
    const [deployment, revision] = [
      await recording("controlPlane/deployment"),
      await recording("controlPlane/revision"),
    ];
    await using server = await serve(({ method, url }) => {
      if (method === "GET" && url === `/v2/deployments/${id}`) return { body: deployment };
      if (method === "GET" && url === `/v2/deployments/${id}/revisions/r`) return { body: revision };
      return { status: 404, body: '{"detail":"Not Found"}' };
    });
    const { revisions, logs, deployments } = client(server);
    const owner = `/v2/deployments/${id}`;
    for (const call of [
      () => revisions.page(id),
      () => revisions.redeploy(id, "r"),
      () => revisions.interrupt(id, "r"),
      () => logs.ofRevision(id, "r", { type: "deploy" }),
      () => deployments.delete(id),
    ]) {
      await assert.rejects(call(), kind("unsupported"));
      await assert.rejects(call(), kind("unsupported"));
    }
    assert.deepEqual(paths(server), [
      ...[`GET ${owner}/revisions`, `GET ${owner}`],
      ...[`POST ${owner}/revisions/r/redeploy`, `GET ${owner}/revisions/r`],
      ...[`POST ${owner}/revisions/r/interruption`, `GET ${owner}/revisions/r`],
      ...[`GET ${owner}/revisions/r/logs`, `GET ${owner}/revisions/r`],
      ...[`DELETE ${owner}`, `GET ${owner}`],
    ]);
  });
});

describe("the progress of a revision", () => {
  it("ends only with a status that is known to be an end", () => {
    const progress = (status: string) => progressOfRevision({ status });
    assert.equal(progress("BUILDING"), "pending");
    assert.equal(progress("DEPLOYED"), "done");
    assert.equal(progress("BUILD_FAILED"), "failed");
    assert.equal(progress("SKIPPED"), "stopped");
    assert.equal(progress("UNKNOWN"), "unknown");
    assert.equal(progress("WARMING_UP"), "unknown");
    assert.equal(progressOfRevision({}), "unknown");
    assert.ok(mayChange(progress("WARMING_UP")) && mayChange(progress("QUEUED")));
    assert.ok(!mayChange(progress("DEPLOYED")) && !mayChange(progress("INTERRUPTED")));
  });

  it("says whether a deployment is served, by what is active or else by the latest revision", () => {
    const served = (fields: Readonly<Record<string, unknown>>, latest?: string): boolean =>
      isServing({ id: "d", ...fields }, latest === undefined ? undefined : { status: latest });
    assert.deepEqual(
      [
        served({ status: "AWAITING_DELETE", active_revision_id: "r" }, "DEPLOYED"),
        served({ status: "AWAITING_FINAL_DELETE", active_revision_id: "r" }, "DEPLOYED"),
        served({ status: "READY", active_revision_id: "r" }, "BUILD_FAILED"),
        served({ status: "READY", active_revision_id: null }, "DEPLOYED"),
        served({ status: "READY" }, "DEPLOYED"),
        served({ status: "READY" }, "DEPLOYING"),
        served({ status: "READY" }),
      ],
      [false, false, true, false, true, false, false],
    );
  });

  it("is known for each status that was ever written down, of revisions and deployments alike", () => {
    const ofRevisions = ["CREATING", "DEPLOYED", "BUILD_FAILED", "SKIPPED", "INTERRUPTED"];
    const ofDeployments = [
      "AWAITING_DATABASE",
      "READY",
      "UNUSED",
      "AWAITING_DELETE",
      "AWAITING_FINAL_DELETE",
    ];
    for (const status of ["UNKNOWN", ...ofRevisions, ...ofDeployments])
      assert.ok(isKnownStatus(status), status);
    for (const status of ["", "ready", "HIBERNATING", "constructor"])
      assert.ok(!isKnownStatus(status), status);
  });

  it("is found for deployments, too", () => {
    assert.equal(progressOfDeployment({ status: "READY" }), "done");
    assert.equal(progressOfDeployment({ status: "AWAITING_DELETE" }), "pending");
    assert.equal(progressOfDeployment({ status: "HIBERNATING" }), "unknown");
    assert.equal(progressOfDeployment({ status: "constructor" }), "unknown");
  });
});

import { type Context, Hono } from "hono";
import * as z from "zod";
import { flag, pageQuery } from "../../kit/schemas.ts";
import { requirePermission } from "../../http/auth.ts";
import { readBody, readId, readQuery } from "../../http/body.ts";
import { changeOf, given, settingsOf } from "../../controlPlane/change.ts";
import { type Deployment, deploymentStatuses, type Revision } from "../../controlPlane/deployment.ts";
import { createBody, patchBody } from "../../controlPlane/deploymentBody.ts";
import { viewDeployment } from "../../controlPlane/deploymentView.ts";
import type { Env } from "../../http/env.ts";
import { HttpError, required } from "../../kit/httpError.ts";
import { uuid7 } from "../../kit/ids.ts";
import type { JsonObject } from "../../kit/json.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const ids = z
  .string()
  .transform((text) => text.split(",").map((id) => id.trim().toLowerCase()))
  .pipe(z.array(z.uuid()).min(1).max(100));

const listQuery = z.object({
  ...pageQuery(20, 100),
  name_contains: z.string().optional(),
  status: z.enum(deploymentStatuses).optional(),
  remote_reconciled: flag.optional().describe("Everything here is: false finds nothing."),
  tag_value_ids: z.string().optional().describe("Nothing here has tags: any finds nothing."),
  deployment_ids: ids.optional(),
  image_version: z.string().optional().describe("Nothing here has one: any finds nothing."),
  deployment_type: z.string().optional(),
});
const deleteQuery = z.object({ delete_tracing_project: flag.default(false), force: flag.default(false) });
const deleteAllQuery = z.object({ deployment_ids: ids });
const missing = { 404: "There is no such deployment." };

/** Deployments: made, listed, read, changed, deleted (docs/interface.md, "Control plane"). */
export function deploymentRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  readers(app, platform);

  const create = operation(
    "Create a deployment",
    { 201: "The deployment, with its first revision.", 400: "Its source lacks something." },
    { body: createBody },
  );
  app.post("/", create, requirePermission("deployments:create"), async (c) => {
    const body = await readBody(c, createBody);
    const id = uuid7();
    const settings = settingsOf(body, ownUrl(platform, id));
    const { deployments, rollout } = platform.controlPlane;
    if (deployments.isNameTaken(body.name)) {
      throw new HttpError(400, `There is already a deployment with the name ${body.name}.`);
    }
    deployments.insert(id, body.name, body.source, settings);
    rollout.create(requireDeployment(platform, id), body.source, given(body.source_revision_config));
    return c.json(show(platform, requireDeployment(platform, id)), 201);
  });

  const change = operation(
    "Change a deployment",
    { 200: "The deployment.", 400: "Something in it cannot be changed.", ...missing },
    { body: patchBody },
  );
  app.patch("/:deployment_id", change, requirePermission("deployments:update"), async (c) => {
    const body = await readBody(c, patchBody);
    const deployment = changeableDeploymentOf(platform, c);
    const { deployments, rollout } = platform.controlPlane;
    const latest = latestOf(platform, deployment);
    const before = latest?.source_revision_config ?? {};
    const wanted = changeOf(deployment, before, body, ownUrl(platform, deployment.id));
    deployments.update(deployment.id, wanted.settings);
    if (wanted.revises) {
      const source = body.revision_source ?? latest?.source ?? deployment.source;
      rollout.create(deployment, source, wanted.revisionConfig);
    }
    return c.json(show(platform, requireDeployment(platform, deployment.id)));
  });

  removers(app, platform);
  return app;
}

/** The deployment that the path names, to be changed; throws 404, and 400 for one that is being deleted. */
export function changeableDeploymentOf(platform: Platform, c: Context<Env>): Deployment {
  const deployment = deploymentOf(platform, c);
  if (deployment.status !== "AWAITING_DELETE") return deployment;
  throw new HttpError(400, `Deployment ID ${deployment.id} is being deleted.`);
}

/** The deployment that the path names; throws 404. */
export function deploymentOf(platform: Platform, c: Context<Env>): Deployment {
  return requireDeployment(platform, readId(c, "deployment_id"));
}

/** The deployment as clients see it. */
export function show(platform: Platform, deployment: Deployment): JsonObject {
  const latest = latestOf(platform, deployment);
  return viewDeployment(deployment, latest, platform.identity.workspaceId, platform.baseUrl());
}

/** The latest revision of a deployment. */
export function latestOf(platform: Platform, { latest_revision_id: id }: Deployment): Revision | undefined {
  return id === null ? undefined : platform.controlPlane.revisions.find(id);
}

/** The address at which the Local Platform serves a deployment. */
export function ownUrl(platform: Platform, id: string): string {
  return `${platform.baseUrl()}/deployments/${id}`;
}

function readers(app: Hono<Env>, platform: Platform): void {
  const { deployments } = platform.controlPlane;
  const list = operation(
    "List deployments",
    { 200: "The deployments of one page, newest first, and the offset of the next page." },
    { query: listQuery },
  );
  app.get("/", list, requirePermission("deployments:read"), (c) => {
    const query = readQuery(c, listQuery);
    const { limit, offset, remote_reconciled, tag_value_ids, image_version } = query;
    const nothing = remote_reconciled === false || tag_value_ids !== undefined || image_version !== undefined;
    const filter = {
      ids: query.deployment_ids,
      status: query.status,
      nameContains: query.name_contains,
      deploymentType: query.deployment_type,
    };
    const found = nothing ? [] : deployments.list(filter, limit, offset);
    return c.json({ resources: found.map((item) => show(platform, item)), offset: offset + found.length });
  });

  const read = operation("Read a deployment", { 200: "The deployment.", ...missing });
  app.get("/:deployment_id", read, requirePermission("deployments:read"), (c) =>
    c.json(show(platform, deploymentOf(platform, c))),
  );
}

function removers(app: Hono<Env>, platform: Platform): void {
  const { teardown } = platform.controlPlane;
  const remove = operation(
    "Delete a deployment",
    { 204: "It is being deleted.", 400: "It cannot be deleted so.", ...missing },
    { query: deleteQuery },
  );
  app.delete("/:deployment_id", remove, requirePermission("deployments:delete"), async (c) => {
    const deployment = deploymentOf(platform, c);
    const { force } = readQuery(c, deleteQuery);
    refuseSample(platform, deployment.id);
    const beingDeleted = deployment.status === "AWAITING_DELETE";
    if (force && !beingDeleted)
      throw new HttpError(400, "force is only for a deployment that is being deleted.");
    if (force) await teardown.finish(deployment.id);
    else if (!beingDeleted) teardown.begin(deployment);
    return c.body(null, 204);
  });

  const removeAll = operation(
    "Delete several deployments",
    { 200: "All are being deleted.", 207: "Some are; the others are named with the reason." },
    { query: deleteAllQuery },
  );
  app.delete("/", removeAll, requirePermission("deployments:delete"), (c) => {
    const succeeded: string[] = [];
    const failed: { id: string; detail: string }[] = [];
    for (const id of readQuery(c, deleteAllQuery).deployment_ids) {
      try {
        const deployment = requireDeployment(platform, id);
        refuseSample(platform, id);
        if (deployment.status !== "AWAITING_DELETE") teardown.begin(deployment);
        succeeded.push(id);
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        failed.push({ id, detail: error.message });
      }
    }
    return c.json({ succeeded, failed }, failed.length === 0 ? 200 : 207);
  });
}

function requireDeployment(platform: Platform, id: string): Deployment {
  return required(platform.controlPlane.deployments.get(id), `Deployment ID ${id} not found.`);
}

function refuseSample(platform: Platform, id: string): void {
  if (id === platform.identity.deploymentId) {
    throw new HttpError(400, "The sample deployment cannot be deleted.");
  }
}

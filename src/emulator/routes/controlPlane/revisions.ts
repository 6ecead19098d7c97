import { type Context, Hono } from "hono";
import * as z from "zod";
import { flag, pageQuery } from "../../kit/schemas.ts";
import { requirePermission } from "../../http/auth.ts";
import { readBody, readId, readQuery } from "../../http/body.ts";
import { changeOf } from "../../controlPlane/change.ts";
import { type Revision, revisionStatuses } from "../../controlPlane/deployment.ts";
import { patchBody } from "../../controlPlane/deploymentBody.ts";
import { viewRevision } from "../../controlPlane/deploymentView.ts";
import type { Env } from "../../http/env.ts";
import { HttpError } from "../../kit/httpError.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { changeableDeploymentOf, deploymentOf, latestOf, ownUrl, show } from "./deployments.ts";

const listQuery = z.object({
  ...pageQuery(20, 100),
  status: z
    .string()
    .transform((text) => text.split(",").map((status) => status.trim()))
    .pipe(z.array(z.enum(revisionStatuses)))
    .optional(),
  remote_reconciled: flag.optional(),
});

const missing = { 404: "There is no such deployment or revision." };

const described = {
  list: operation(
    "List the revisions of a deployment",
    { 200: "The revisions of one page, newest first, and the offset of the next page.", ...missing },
    { query: listQuery },
  ),
  create: operation(
    "Make a revision",
    { 201: "The revision.", 400: "Something in it cannot be changed.", ...missing },
    { body: patchBody },
  ),
  read: operation("Read a revision", { 200: "The revision.", ...missing }),
  redeploy: operation("Make a revision again as the latest one", {
    200: "The deployment.",
    400: "It is being deleted.",
    ...missing,
  }),
  interrupt: operation("Stop a revision on its way", {
    200: "The revision.",
    400: "It is not on its way.",
    ...missing,
  }),
};

/** The revisions of a deployment: listed, read, made, made again, stopped. */
export function revisionRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  const mayRead = requirePermission("deployments:read");
  const mayUpdate = requirePermission("deployments:update");
  const all = "/:deployment_id/revisions";
  const one = `${all}/:revision_id`;

  app.get(all, described.list, mayRead, (c) => {
    const { id } = deploymentOf(platform, c);
    const { status, limit, offset, remote_reconciled } = readQuery(c, listQuery);
    const { revisions } = platform.controlPlane;
    const found = remote_reconciled === false ? [] : revisions.list(id, status ?? [], limit, offset);
    return c.json({ resources: found.map(viewRevision), offset: offset + found.length });
  });

  app.post(all, described.create, mayUpdate, async (c) => {
    const { deployments, rollout } = platform.controlPlane;
    const body = await readBody(c, patchBody);
    const deployment = changeableDeploymentOf(platform, c);
    const latest = latestOf(platform, deployment);
    const before = latest?.source_revision_config ?? {};
    const wanted = changeOf(deployment, before, body, ownUrl(platform, deployment.id));
    deployments.update(deployment.id, wanted.settings);
    const source = latest?.source ?? deployment.source;
    return c.json(viewRevision(rollout.create(deployment, source, wanted.revisionConfig)), 201);
  });
  app.get(one, described.read, mayRead, (c) => c.json(viewRevision(revisionOf(platform, c))));

  app.post(`${one}/redeploy`, described.redeploy, mayUpdate, (c) => {
    const { source, source_revision_config } = revisionOf(platform, c);
    const deployment = changeableDeploymentOf(platform, c);
    platform.controlPlane.rollout.create(deployment, source, source_revision_config);
    return c.json(show(platform, deploymentOf(platform, c)));
  });

  app.post(`${one}/interruption`, described.interrupt, mayUpdate, (c) => {
    const revision = revisionOf(platform, c);
    if (!platform.controlPlane.rollout.interrupt(revision)) {
      throw new HttpError(400, `Revision ID ${revision.id} is ${revision.status} and cannot be interrupted.`);
    }
    return c.json(viewRevision(revisionOf(platform, c)));
  });

  return app;
}

/** The revision that the path names, of the deployment that it names; throws 404. */
export function revisionOf(platform: Platform, c: Context<Env>): Revision {
  const deployment = deploymentOf(platform, c);
  const id = readId(c, "revision_id");
  const found = platform.controlPlane.revisions.find(id);
  if (found?.deployment_id !== deployment.id) throw new HttpError(404, `Revision ID ${id} not found.`);
  return found;
}

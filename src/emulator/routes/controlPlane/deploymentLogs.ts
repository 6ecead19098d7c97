import { Hono } from "hono";
import * as z from "zod";
import { requirePermission } from "../../http/auth.ts";
import { readQuery } from "../../http/body.ts";
import { type LogEntry, logLevels } from "../../controlPlane/revisionLogs.ts";
import type { Env } from "../../http/env.ts";
import { required } from "../../kit/httpError.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { deploymentOf } from "./deployments.ts";
import { revisionOf } from "./revisions.ts";

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const position = z
  .string()
  .regex(/^\d{1,15}$/, "This is not an offset that was given out.")
  .transform(Number);

const filters = {
  start_time: time.optional(),
  end_time: time.optional(),
  query: z.string().optional().describe("Text that the lines hold."),
  level: z.enum(logLevels).optional(),
  run_id: z.uuid().optional().describe("No line here belongs to a run: any finds nothing."),
};
const order = z.enum(["asc", "desc"]);

const logsQuery = z.object({
  ...filters,
  order: order.default("asc"),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  offset: position.optional(),
});
const revisionLogsQuery = logsQuery.extend({ type: z.enum(["build", "deploy"]) });
const deploymentLogsQuery = z.object({
  ...filters,
  deployment_id: z.uuid(),
  revision_id: z.uuid().optional(),
  log_type: z.enum(["BUILD", "DEPLOY"]).default("DEPLOY"),
  sort_order: order.default("asc"),
  page_size: z.coerce.number().int().min(1).max(100).default(20),
  cursor: position.optional(),
});

const missing = { 404: "There is no such deployment or revision." };
const page = { 200: "The lines of one page, and the offset of the next one or null.", ...missing };

/** Build and deploy logs of one deployment. */
export function deploymentLogRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  const allowed = requirePermission("deployments:read");

  const ofRevision = operation("Read a log of a revision", page, { query: revisionLogsQuery });
  app.get("/:deployment_id/revisions/:revision_id/logs", ofRevision, allowed, (c) => {
    const { id, deployment_id } = revisionOf(platform, c);
    const query = readQuery(c, revisionLogsQuery);
    const { logs, next } = read(platform, { ...query, deploymentId: deployment_id, revisionId: id });
    return c.json({ logs, next_offset: next });
  });

  const ofDeployment = operation("Read the deploy log", page, { query: logsQuery });
  app.get("/:deployment_id/logs", ofDeployment, allowed, (c) => {
    const { id } = deploymentOf(platform, c);
    const query = readQuery(c, logsQuery);
    const { logs, next } = read(platform, { ...query, deploymentId: id, type: "deploy" });
    return c.json({ logs, next_offset: next });
  });

  return app;
}

/** The logs of a deployment that a query names. */
export function logSearchRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  const described = operation("Search logs", page, { query: deploymentLogsQuery });
  app.get("/", described, requirePermission("deployments:read"), (c) => {
    const query = readQuery(c, deploymentLogsQuery);
    const deploymentId = query.deployment_id.toLowerCase();
    required(platform.controlPlane.deployments.get(deploymentId), `Deployment ID ${deploymentId} not found.`);
    const { logs, next } = read(platform, {
      ...query,
      deploymentId,
      revisionId: query.revision_id?.toLowerCase(),
      type: query.log_type === "BUILD" ? "build" : "deploy",
      order: query.sort_order,
      limit: query.page_size,
      offset: query.cursor,
    });
    return c.json({ items: logs, next_cursor: next });
  });
  return app;
}

interface Wanted extends z.output<typeof revisionLogsQuery> {
  readonly deploymentId: string;
  readonly revisionId?: string | undefined;
}

function read(platform: Platform, wanted: Wanted): { logs: LogEntry[]; next: string | null } {
  if (wanted.run_id !== undefined) return { logs: [], next: null };
  const { start_time: start, end_time: end } = wanted;
  return platform.controlPlane.revisionLogs.list({ ...wanted, start, end });
}

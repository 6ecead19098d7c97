import { type Context, Hono, type MiddlewareHandler } from "hono";
import * as z from "zod";
import { requireKey } from "../../http/auth.ts";
import { readBody, readId, readQuery } from "../../http/body.ts";
import { type BulkExport, type BulkExportRun, exportBody, isOver } from "../../bulkExports/bulkExport.ts";
import type { Env } from "../../http/env.ts";
import { HttpError, required } from "../../kit/httpError.ts";
import { pageQuery } from "../../kit/schemas.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { destinationRoutes } from "./destinations.ts";

const cancelBody = z.looseObject({ status: z.literal("Cancelled") });

const scheduleQuery = z.looseObject({ source_bulk_export_id: z.uuid().toLowerCase() });

const projectQuery = z.looseObject({ ...pageQuery(100, 100), name_contains: z.string().default("") });

const described = {
  create: operation("Create an export or a schedule", { 200: "The export." }, { body: exportBody }),
  list: operation("List exports", { 200: "All exports, newest first." }),
  listOfSchedule: operation(
    "List the runs of a schedule's exports",
    { 200: "The runs." },
    { query: scheduleQuery },
  ),
  read: operation("Get an export", { 200: "The export." }),
  cancel: operation(
    "Cancel an export or a schedule",
    { 200: "The export.", 400: "The export is over already." },
    { body: cancelBody },
  ),
  listRuns: operation("List the runs of an export", { 200: "The runs, earliest window first." }),
  readRun: operation("Get a run of an export", { 200: "The run." }),
};

/** Bulk exports of recorded runs: destinations, export jobs and schedules, and how far they have come. */
export function bulkExportRoutes(platform: Platform): Hono<Env> {
  const { exports, runs } = platform.bulkExports;
  const app = new Hono<Env>();
  app.use(requireKey(platform));
  app.use(requireWorkspace());
  app.route("/destinations", destinationRoutes(platform));

  app.post("/", described.create, async (c) => {
    const { destinations, exports, exporter, traces } = platform.bulkExports;
    const order = await readBody(c, exportBody);
    required(destinations.get(order.bulk_export_destination_id), "Destination not found");
    if (order.session_id !== null) required(traces.owner(order.session_id), "Session not found");
    const made = exports.insert(order, order.interval_hours === null ? "Created" : "IntervalScheduled");
    exporter.wake();
    return c.json(made);
  });
  app.get("/", described.list, (c) => c.json(exports.list()));
  app.get("/runs", described.listOfSchedule, (c) =>
    c.json(runs.ofSchedule(readQuery(c, scheduleQuery).source_bulk_export_id)),
  );

  app.get("/:export_id", described.read, (c) => c.json(requireExport(platform, c)));

  app.patch("/:export_id", described.cancel, async (c) => {
    const { exports, exporter } = platform.bulkExports;
    const { id, status } = requireExport(platform, c);
    await readBody(c, cancelBody);
    if (status === "Cancelled") return c.json(exports.require(id));
    if (isOver(status)) throw new HttpError(400, `The export can't be cancelled: it is ${status}.`);
    return c.json(exporter.cancel(id));
  });
  app.get("/:export_id/runs", described.listRuns, (c) => c.json(runs.list(requireExport(platform, c).id)));
  app.get("/:export_id/runs/:run_id", described.readRun, (c) => c.json(requireRun(platform, c)));

  return app;
}

/** Tracing projects, as the platform's own client lists them (docs/interface.md, "Tracing projects"). */
export function projectRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  const list = operation("List tracing projects", { 200: "A page of them." }, { query: projectQuery });
  app.get("/", list, requireKey(platform), (c) => {
    const { name_contains: name, limit, offset } = readQuery(c, projectQuery);
    const tenant_id = platform.identity.workspaceId;
    const found = platform.bulkExports.traces.projects(name, limit, offset);
    return c.json(found.map((project) => ({ ...project, tenant_id })));
  });
  return app;
}

/** This interface wants the workspace named beside the key (docs/interface.md, "Authentication"). */
function requireWorkspace(): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.header("x-tenant-id") === undefined) {
      return c.json({ error: "Forbidden", detail: "The header X-Tenant-Id is missing." }, 403);
    }
    await next();
    return undefined;
  };
}

function requireExport(platform: Platform, c: Context<Env>): BulkExport {
  return required(platform.bulkExports.exports.get(readId(c, "export_id")), "Bulk export not found");
}

function requireRun(platform: Platform, c: Context<Env>): BulkExportRun {
  const run = platform.bulkExports.runs.get(requireExport(platform, c).id, readId(c, "run_id"));
  return required(run, "Bulk export run not found");
}

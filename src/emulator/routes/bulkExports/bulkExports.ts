import { type Context, Hono, type MiddlewareHandler } from "hono";
import * as z from "zod";
import { requireKey } from "../../http/auth.ts";
import { readBody, readId, readQuery } from "../../http/body.ts";
import {
  type BulkExport,
  type BulkExportRun,
  compressions,
  type ExportOrder,
  formatVersions,
  isOver,
} from "../../bulkExports/bulkExport.ts";
import { FilterSyntaxError } from "../../bulkExports/filterSyntax.ts";
import { parseFilter } from "../../bulkExports/traceFilter.ts";
import { isColumn } from "../../bulkExports/traceRow.ts";
import type { Env } from "../../http/env.ts";
import { HttpError } from "../../kit/httpError.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { destinationRoutes } from "./destinations.ts";

/** A time without an offset is in UTC. */
const time = z.iso
  .datetime({ offset: true, local: true })
  .transform((text) => new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`).toISOString());

const createBody = z
  .looseObject({
    bulk_export_destination_id: z.uuid().toLowerCase(),
    session_id: z.uuid().toLowerCase().nullish(),
    all_experiments: z.boolean().nullish(),
    start_time: time,
    end_time: time.nullish(),
    interval_hours: z.int().min(1).max(168).nullish(),
    filter: z.string().max(10_000).nullish().superRefine(checkFilter),
    format: z.literal("Parquet").default("Parquet"),
    format_version: z.enum(formatVersions).default("v1"),
    compression: z.enum(compressions).default("gzip"),
    export_fields: z.array(z.string().refine(isColumn, "There is no such field.")).min(1).nullish(),
  })
  .refine(
    ({ session_id, all_experiments }) => (typeof session_id === "string") !== (all_experiments === true),
    {
      message: "Either session_id or all_experiments is needed, and not both.",
      path: ["session_id"],
    },
  )
  .refine(
    ({ interval_hours, end_time }) => typeof interval_hours !== "number" || typeof end_time !== "string",
    {
      message: "A schedule has no end_time.",
      path: ["end_time"],
    },
  )
  .refine(({ start_time, end_time }) => typeof end_time !== "string" || start_time < end_time, {
    message: "The end_time must be after the start_time.",
    path: ["end_time"],
  });

const cancelBody = z.looseObject({ status: z.literal("Cancelled") });

const scheduleQuery = z.looseObject({ source_bulk_export_id: z.uuid().toLowerCase() });

const described = {
  create: operation("Create an export or a schedule", { 200: "The export." }, { body: createBody }),
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

  app.post("/", described.create, (c) => create(platform, c));
  app.get("/", described.list, (c) => c.json(exports.list()));
  app.get("/runs", described.listOfSchedule, (c) =>
    c.json(runs.ofSchedule(readQuery(c, scheduleQuery).source_bulk_export_id)),
  );
  app.get("/:export_id", described.read, (c) => c.json(requireExport(platform, c)));
  app.patch("/:export_id", described.cancel, (c) => cancel(platform, c));
  app.get("/:export_id/runs", described.listRuns, (c) => c.json(runs.list(requireExport(platform, c).id)));
  app.get("/:export_id/runs/:run_id", described.readRun, (c) => c.json(requireRun(platform, c)));

  return app;
}

async function create(platform: Platform, c: Context<Env>): Promise<Response> {
  const { destinations, exports, exporter, traces } = platform.bulkExports;
  const order = toOrder(await readBody(c, createBody));
  if (destinations.get(order.bulk_export_destination_id) === undefined) {
    throw new HttpError(404, "Destination not found");
  }
  if (order.session_id !== null && traces.owner(order.session_id) === undefined) {
    throw new HttpError(404, "Session not found");
  }
  const made = exports.insert(order, order.interval_hours === null ? "Created" : "IntervalScheduled");
  exporter.wake();
  return c.json(made);
}

async function cancel(platform: Platform, c: Context<Env>): Promise<Response> {
  const { exports, exporter } = platform.bulkExports;
  const { id, status } = requireExport(platform, c);
  await readBody(c, cancelBody);
  if (status === "Cancelled") return c.json(exports.require(id));
  if (isOver(status)) throw new HttpError(400, `The export can't be cancelled: it is ${status}.`);
  return c.json(exporter.cancel(id));
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
  const found = platform.bulkExports.exports.get(readId(c, "export_id"));
  if (found === undefined) throw new HttpError(404, "Bulk export not found");
  return found;
}

function requireRun(platform: Platform, c: Context<Env>): BulkExportRun {
  const run = platform.bulkExports.runs.get(requireExport(platform, c).id, readId(c, "run_id"));
  if (run === undefined) throw new HttpError(404, "Bulk export run not found");
  return run;
}

function checkFilter(filter: string | null | undefined, context: z.RefinementCtx): void {
  try {
    if (typeof filter === "string") parseFilter(filter);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
  }
}

/** An export without an end goes up to now. */
function toOrder(body: z.output<typeof createBody>): ExportOrder {
  const interval_hours = body.interval_hours ?? null;
  const end_time = interval_hours === null ? (body.end_time ?? new Date().toISOString()) : null;
  return {
    bulk_export_destination_id: body.bulk_export_destination_id,
    session_id: body.session_id ?? null,
    all_experiments: body.all_experiments ?? false,
    start_time: body.start_time,
    end_time,
    interval_hours,
    filter: body.filter ?? null,
    format: body.format,
    format_version: body.format_version,
    compression: body.compression,
    export_fields: body.export_fields ?? null,
  };
}

import * as z from "zod";
import { FilterSyntaxError } from "./filterSyntax.ts";
import { parseFilter } from "./traceFilter.ts";
import { isColumn } from "./traceRow.ts";

/** The status of an export; `IntervalScheduled` is a schedule, which makes exports of its own. */
export type ExportStatus =
  | "Created"
  | "Running"
  | "Completed"
  | "Failed"
  | "Cancelled"
  | "TimedOut"
  | "IntervalScheduled";
/** The status of one run of an export. */
export type ExportRunStatus = Exclude<ExportStatus, "IntervalScheduled">;

/** How the pages of a file can be packed. */
const compressions = ["none", "gzip", "snappy", "zstandard"] as const;
/** One of them. */
export type Compression = (typeof compressions)[number];

/** The versions of the file format; `v2_beta` says of times that they are in UTC. */
const formatVersions = ["v1", "v2_beta"] as const;
/** One of them. */
export type FormatVersion = (typeof formatVersions)[number];

/** A time without an offset is in UTC. */
const time = z.iso
  .datetime({ offset: true, local: true })
  .transform((text) => new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`).toISOString());

/** An order for an export or a schedule. An export without an end goes up to now. */
export const exportBody = z
  .object({
    bulk_export_destination_id: z.uuid().toLowerCase(),
    session_id: z
      .uuid()
      .toLowerCase()
      .nullable()
      .default(null)
      .describe("The tracing project: the ID of the deployment or managed agent whose runs it holds."),
    all_experiments: z
      .boolean()
      .nullish()
      .transform((all) => all ?? false),
    start_time: time,
    end_time: time.nullish().describe("Null for schedules."),
    interval_hours: z.int().min(1).max(168).nullable().default(null),
    filter: z.string().max(10_000).nullable().default(null).superRefine(checkFilter),
    format: z.literal("Parquet").default("Parquet"),
    format_version: z.enum(formatVersions).default("v1"),
    compression: z.enum(compressions).default("gzip"),
    export_fields: z
      .array(z.string().refine(isColumn, "There is no such field."))
      .min(1)
      .nullable()
      .default(null)
      .describe("Null is all columns."),
  })
  .refine(({ session_id, all_experiments }) => (session_id !== null) !== all_experiments, {
    message: "Either session_id or all_experiments is needed, and not both.",
    path: ["session_id"],
  })
  .refine(({ interval_hours, end_time }) => interval_hours === null || typeof end_time !== "string", {
    message: "A schedule has no end_time.",
    path: ["end_time"],
  })
  .refine(({ start_time, end_time }) => typeof end_time !== "string" || start_time < end_time, {
    message: "The end_time must be after the start_time.",
    path: ["end_time"],
  })
  .transform((order) => ({
    ...order,
    end_time: order.interval_hours === null ? (order.end_time ?? new Date().toISOString()) : null,
  }));

/** What is to be exported: the rows of a tracing project with start_time ≤ row.start_time < end_time. */
export type ExportOrder = Readonly<z.output<typeof exportBody>>;

/** An export job as clients see it. */
export interface BulkExport extends ExportOrder {
  readonly id: string;
  readonly tenant_id: string;
  readonly status: ExportStatus;
  readonly created_at: string;
  readonly updated_at: string;
  readonly finished_at: string | null;
  /** The schedule that made it. */
  readonly source_bulk_export_id: string | null;
}

/** What a run has written so far. */
export interface ExportResult {
  readonly rows_written: number;
  readonly exported_files: readonly string[];
  readonly export_path: string;
  /** The last trace that was written whole; null at the end. */
  readonly latest_cursor: string | null;
  /** The file that is on its way to the bucket. */
  readonly pending_upload: string | null;
}

/** One part of an export: a tracing project and a window within one day. */
export interface BulkExportRun {
  readonly id: string;
  readonly bulk_export_id: string;
  readonly session_id: string | null;
  readonly status: ExportRunStatus;
  readonly retry_number: number;
  /** By attempt: `retry_0`, `retry_1`… */
  readonly errors: Readonly<Record<string, string>> | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly finished_at: string | null;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly metadata: {
    readonly prefix: string;
    readonly start_time: string;
    readonly end_time: string;
    readonly execution_backend: null;
    readonly result: ExportResult | null;
  };
}

/** Whether an export or a run of one is over for good. */
export function isOver(status: ExportStatus): boolean {
  return status === "Completed" || status === "Failed" || status === "Cancelled" || status === "TimedOut";
}

function checkFilter(filter: string | null, context: z.RefinementCtx): void {
  try {
    if (filter !== null) parseFilter(filter);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
  }
}

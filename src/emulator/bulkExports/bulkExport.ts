/** Where an export stands; `IntervalScheduled` is a schedule, which makes exports of its own. */
export type ExportStatus =
  "Created" | "Running" | "Completed" | "Failed" | "Cancelled" | "TimedOut" | "IntervalScheduled";
/** Where one run of an export stands. */
export type ExportRunStatus = Exclude<ExportStatus, "IntervalScheduled">;

/** How the pages of a file can be packed. */
export const compressions = ["none", "gzip", "snappy", "zstandard"] as const;
/** One of them. */
export type Compression = (typeof compressions)[number];

/** The versions of the file format; `v2_beta` says of times that they are in UTC. */
export const formatVersions = ["v1", "v2_beta"] as const;
/** One of them. */
export type FormatVersion = (typeof formatVersions)[number];

/** What is to be exported: the rows of a tracing project with start_time ≤ row.start_time < end_time. */
export interface ExportOrder {
  readonly bulk_export_destination_id: string;
  /** The tracing project: the id of the deployment or managed agent whose runs it holds. */
  readonly session_id: string | null;
  readonly all_experiments: boolean;
  readonly start_time: string;
  /** Null for schedules. */
  readonly end_time: string | null;
  readonly interval_hours: number | null;
  readonly filter: string | null;
  readonly format: "Parquet";
  readonly format_version: FormatVersion;
  readonly compression: Compression;
  /** Null is all columns. */
  readonly export_fields: readonly string[] | null;
}

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

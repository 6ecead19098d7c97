/** Exports as they are on the wire, and what their status says. */

/** The status of an export or of one of its runs; letter case differs between servers, and they may add values. */
export type ExportStatus =
  | "Created"
  | "Running"
  | "Completed"
  | "Failed"
  | "Cancelled"
  | "TimedOut"
  | "IntervalScheduled"
  | (string & {});

/** How the pages of an exported Parquet file are packed. */
export type Compression = "none" | "gzip" | "snappy" | "zstandard";

/** A new export job: rows with `start_time` ≤ row < `end_time` of one project, or of all experiments. */
export interface ExportCreate {
  readonly bulk_export_destination_id: string;
  readonly session_id?: string;
  readonly all_experiments?: boolean;
  readonly start_time: string;
  /** Must be absent for a schedule. */
  readonly end_time?: string;
  /** Makes a schedule: one export for each such window, 1 to 168 hours. */
  readonly interval_hours?: number;
  /** In the platform's trace filter language; none exports everything. */
  readonly filter?: string;
  readonly format?: "Parquet";
  readonly format_version?: "v1" | "v2_beta";
  readonly compression?: Compression;
  /** None exports every field. */
  readonly export_fields?: readonly string[];
}

/** An export job, or a schedule that makes export jobs. */
export interface BulkExport {
  readonly id: string;
  readonly bulk_export_destination_id: string;
  readonly status: ExportStatus;
  readonly session_id?: string | null;
  readonly all_experiments?: boolean | null;
  readonly start_time: string;
  readonly end_time?: string | null;
  readonly interval_hours?: number | null;
  readonly filter?: string | null;
  readonly format?: string;
  readonly format_version?: string;
  readonly compression?: string;
  readonly export_fields?: readonly string[] | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly finished_at?: string | null;
  /** The schedule that made it. */
  readonly source_bulk_export_id?: string | null;
}

/** What a run has written so far. */
export interface ExportResult {
  readonly rows_written?: number;
  readonly exported_files?: readonly string[];
  readonly export_path?: string;
}

/** One part of an export: a project and a window of time. */
export interface BulkExportRun {
  readonly id: string;
  readonly bulk_export_id: string;
  readonly status: ExportStatus;
  readonly session_id?: string | null;
  readonly retry_number?: number;
  /** What went wrong, by attempt: `retry_0`, `retry_1`, … */
  readonly errors?: Readonly<Record<string, string>> | null;
  readonly created_at?: string;
  readonly finished_at?: string | null;
  readonly metadata?: {
    readonly prefix?: string;
    readonly start_time?: string;
    readonly end_time?: string;
    readonly result?: ExportResult | null;
  } | null;
}

/** Whether a job or a run is over for good. */
export function isOver(status: ExportStatus): boolean {
  return ["completed", "failed", "cancelled", "timedout"].includes(plain(status));
}

/** Whether it is a schedule, which makes jobs of its own. */
export function isSchedule(status: ExportStatus): boolean {
  return plain(status) === "intervalscheduled";
}

/** Whether it ended without having exported everything. */
export function isFailed(status: ExportStatus): boolean {
  return ["failed", "timedout"].includes(plain(status));
}

function plain(status: ExportStatus): string {
  return status.toLowerCase().replace(/[^a-z]/g, "");
}

/** Shapes of bulk exports as they are on the wire (docs/interface.md, "Bulk-export destination"). */

/** How requests name the bucket; `auto` leaves it to the service, which decides by the endpoint. */
export type AddressingStyle = "virtual" | "path" | "auto";

/** Where in which bucket exports go; members that are not known here are kept. */
export interface DestinationConfig {
  readonly bucket_name: string;
  /** Root of everything that is written to the bucket. */
  readonly prefix: string;
  /** Needed for AWS. */
  readonly region?: string | null;
  /** Needed for every other S3-compatible store, left out for AWS. */
  readonly endpoint_url?: string | null;
  /** False when the endpoint's host names the bucket already; true when it is left out. */
  readonly include_bucket_in_prefix?: boolean | null;
  readonly config_kwargs_s3?: {
    readonly addressing_style?: AddressingStyle | (string & {});
    readonly [member: string]: unknown;
  } | null;
  readonly [member: string]: unknown;
}

/** What a store knows the service by; sent once and never returned. */
export interface Credentials {
  readonly access_key_id: string;
  readonly secret_access_key: string;
  /** Only of temporary credentials. */
  readonly session_token?: string;
}

/** A new destination; without credentials a self-hosted service looks in its own environment. */
export interface DestinationCreate {
  readonly destination_type: "s3";
  readonly display_name: string;
  readonly config: DestinationConfig;
  readonly credentials?: Credentials;
}

/** A named bucket. The answer to a change of credentials has only the first five fields. */
export interface Destination {
  readonly id: string;
  readonly tenant_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  /** Names of the credential fields that are stored; empty when the service's environment has them. */
  readonly credentials_keys?: readonly string[];
  readonly destination_type?: string;
  readonly display_name?: string;
  readonly config?: DestinationConfig;
}

/** Where an export or one of its runs stands; letter case differs between servers, and they may add values. */
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

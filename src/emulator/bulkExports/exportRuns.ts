import { uuid7 } from "../kit/ids.ts";
import { reader, type Store } from "../store/store.ts";
import { type BulkExportRun, type ExportResult, type ExportRunStatus, isOver } from "./bulkExport.ts";

/** What one run is to export. */
export interface RunPart {
  readonly session_id: string | null;
  readonly prefix: string;
  readonly start_time: string;
  readonly end_time: string;
}

const toRun = reader<BulkExportRun>(
  [
    "id",
    "bulk_export_id",
    "session_id",
    "status",
    "retry_number",
    "created_at",
    "updated_at",
    "finished_at",
    "start_time",
    "end_time",
  ],
  ["errors", "metadata"],
);

/** The runs of the exports. */
export class ExportRuns {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Stores all parts of an export, or none. */
  insertAll(exportId: string, parts: readonly RunPart[]): void {
    this.#store.atomically(() => {
      for (const { session_id, ...window } of parts) {
        const now = new Date().toISOString();
        const metadata = { ...window, execution_backend: null, result: null };
        this.#store.run(
          "INSERT INTO bulk_export_runs VALUES (?, ?, ?, 'Created', 0, NULL, ?, NULL, ?, ?, NULL, NULL, NULL)",
          uuid7(),
          exportId,
          session_id,
          JSON.stringify(metadata),
          now,
          now,
        );
      }
    });
  }

  /** The runs of an export, earliest window first. */
  list(exportId: string): BulkExportRun[] {
    return this.#store
      .all("SELECT * FROM bulk_export_runs WHERE bulk_export_id = ? ORDER BY id", exportId)
      .map(toRun);
  }

  /** The runs of all exports that a schedule has made. */
  ofSchedule(scheduleId: string): BulkExportRun[] {
    return this.#store
      .all(
        `SELECT r.* FROM bulk_export_runs r JOIN bulk_exports e ON e.id = r.bulk_export_id
         WHERE e.source_id = ? ORDER BY r.id`,
        scheduleId,
      )
      .map(toRun);
  }

  get(exportId: string, runId: string): BulkExportRun | undefined {
    return toRun(
      this.#store.get("SELECT * FROM bulk_export_runs WHERE id = ? AND bulk_export_id = ?", runId, exportId),
    );
  }

  /**
   * Begins an attempt. The first one fixes the credentials (null: the environment's) that the run keeps to its
   * end; answers their name.
   */
  start(runId: string, currentCredentials: string | null): string | null {
    const now = new Date().toISOString();
    this.#store.run(
      `UPDATE bulk_export_runs SET status = 'Running', updated_at = ?, start_time = coalesce(start_time, ?),
         credentials_id = CASE WHEN start_time IS NULL THEN ? ELSE credentials_id END WHERE id = ?`,
      now,
      now,
      currentCredentials,
      runId,
    );
    const row = this.#store.get("SELECT credentials_id FROM bulk_export_runs WHERE id = ?", runId);
    return typeof row?.credentials_id === "string" ? row.credentials_id : null;
  }

  setResult(run: BulkExportRun, result: ExportResult): void {
    this.#store.run(
      "UPDATE bulk_export_runs SET metadata = ?, updated_at = ? WHERE id = ?",
      JSON.stringify({ ...run.metadata, result }),
      new Date().toISOString(),
      run.id,
    );
  }

  /** Keeps why the current attempt failed. */
  addError(run: BulkExportRun, message: string): void {
    this.#store.run(
      "UPDATE bulk_export_runs SET errors = ?, updated_at = ? WHERE id = ?",
      JSON.stringify({ ...run.errors, [`retry_${run.retry_number}`]: message }),
      new Date().toISOString(),
      run.id,
    );
  }

  /** Makes the run wait for its next attempt. */
  retry(run: BulkExportRun): void {
    this.#store.run(
      "UPDATE bulk_export_runs SET status = 'Created', retry_number = ?, updated_at = ? WHERE id = ?",
      run.retry_number + 1,
      new Date().toISOString(),
      run.id,
    );
  }

  setStatus(runId: string, status: ExportRunStatus): void {
    const now = new Date().toISOString();
    const over = isOver(status) ? now : null;
    this.#store.run(
      "UPDATE bulk_export_runs SET status = ?, updated_at = ?, finished_at = ?, end_time = ? WHERE id = ?",
      status,
      now,
      over,
      over,
      runId,
    );
  }
}

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

const toRun = reader<BulkExportRun>(["errors", "metadata"], ["credentials_id"]);

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
        this.#store.insert("bulk_export_runs", {
          id: uuid7(),
          bulk_export_id: exportId,
          session_id,
          status: "Created",
          retry_number: 0,
          metadata: { ...window, execution_backend: null, result: null },
          created_at: now,
          updated_at: now,
        });
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
    this.#update(run.id, { metadata: { ...run.metadata, result } });
  }

  /** Keeps why the current attempt failed. */
  addError(run: BulkExportRun, message: string): void {
    this.#update(run.id, { errors: { ...run.errors, [`retry_${run.retry_number}`]: message } });
  }

  /** Makes the run wait for its next attempt. */
  retry(run: BulkExportRun): void {
    this.#update(run.id, { status: "Created", retry_number: run.retry_number + 1 });
  }

  setStatus(runId: string, status: ExportRunStatus): void {
    const over = isOver(status) ? new Date().toISOString() : null;
    this.#update(runId, { status, finished_at: over, end_time: over });
  }

  #update(id: string, change: object): void {
    this.#store.update("bulk_export_runs", { id }, { ...change, updated_at: new Date().toISOString() });
  }
}

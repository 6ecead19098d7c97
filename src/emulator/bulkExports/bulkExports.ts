import { uuid7 } from "../kit/ids.ts";
import type { Row, Store } from "../store/store.ts";
import { type BulkExport, type ExportOrder, type ExportStatus, isOver } from "./bulkExport.ts";

/** The export jobs and the schedules. */
export class BulkExports {
  readonly #store: Store;
  readonly #tenantId: string;

  constructor(store: Store, tenantId: string) {
    this.#store = store;
    this.#tenantId = tenantId;
  }

  insert(order: ExportOrder, status: ExportStatus, sourceId: string | null = null): BulkExport {
    const now = new Date().toISOString();
    const id = uuid7();
    this.#store.insert("bulk_exports", {
      id,
      status,
      body: order,
      source_id: sourceId,
      created_at: now,
      updated_at: now,
      windows_done: 0,
    });
    return this.require(id);
  }

  get(id: string): BulkExport | undefined {
    const row = this.#store.get("SELECT * FROM bulk_exports WHERE id = ?", id);
    return row === undefined ? undefined : this.#toExport(row);
  }

  /** An export that is known to exist. */
  require(id: string): BulkExport {
    const found = this.get(id);
    if (found === undefined) throw new Error(`The export ${id} is gone.`);
    return found;
  }

  /** All exports and schedules, newest first. */
  list(): BulkExport[] {
    return this.#select("ORDER BY id DESC");
  }

  /** The exports that are not over, oldest first; without the schedules. */
  unfinished(): BulkExport[] {
    return this.#select("WHERE status IN ('Created', 'Running') ORDER BY id");
  }

  schedules(): BulkExport[] {
    return this.#select("WHERE status = 'IntervalScheduled' ORDER BY id");
  }

  setStatus(id: string, status: ExportStatus): BulkExport {
    const now = new Date().toISOString();
    const finished_at = isOver(status) ? now : null;
    this.#store.update("bulk_exports", { id }, { status, updated_at: now, finished_at });
    return this.require(id);
  }

  /** How many windows of a schedule have become exports. */
  windowsDone(id: string): number {
    return Number(this.#store.get("SELECT windows_done AS n FROM bulk_exports WHERE id = ?", id)?.n ?? 0);
  }

  /** Makes the export of a schedule's next window. */
  insertWindow(schedule: BulkExport, order: ExportOrder): BulkExport {
    return this.#store.atomically(() => {
      this.#store.run("UPDATE bulk_exports SET windows_done = windows_done + 1 WHERE id = ?", schedule.id);
      return this.insert(order, "Created", schedule.id);
    });
  }

  #select(rest: string): BulkExport[] {
    return this.#store.all(`SELECT * FROM bulk_exports ${rest}`).map((row) => this.#toExport(row));
  }

  #toExport(row: Row): BulkExport {
    return {
      ...(JSON.parse(String(row.body)) as ExportOrder),
      id: String(row.id),
      tenant_id: this.#tenantId,
      status: row.status as ExportStatus,
      created_at: String(row.created_at),
      updated_at: String(row.updated_at),
      finished_at: row.finished_at === null ? null : String(row.finished_at),
      source_bulk_export_id: row.source_id === null ? null : String(row.source_id),
    };
  }
}

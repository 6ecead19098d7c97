import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "../store/store.ts";
import { Bucket, objectKey, objectPath } from "./bucket.ts";
import type { BulkExport, BulkExportRun, ExportResult } from "./bulkExport.ts";
import type { Credentials, Destination } from "./destination.ts";
import type { ExportRuns, RunPart } from "./exportRuns.ts";
import { toParquet } from "./parquet.ts";
import { parseFilter } from "./traceFilter.ts";
import type { TraceRow } from "./traceRow.ts";
import type { Traces } from "./traces.ts";

const rowsPerFile = 1_000;
const mediaType = "application/vnd.apache.parquet";

/** Cuts exports into runs, and writes what a run is to export into its bucket. */
export class ExportWriter {
  readonly #store: Store;
  readonly #runs: ExportRuns;
  readonly #traces: Traces;

  constructor(store: Store, runs: ExportRuns, traces: Traces) {
    this.#store = store;
    this.#runs = runs;
    this.#traces = traces;
  }

  /** One part for each day (UTC) on which something happened; one for the whole window if nothing did. */
  plan(order: BulkExport, destination: Destination): RunPart[] {
    const { session_id, start_time: start, end_time } = order;
    const end = end_time ?? order.created_at;
    const key = objectKey(destination.config, `export_id=${order.id}/tenant_id=${order.tenant_id}`);
    const prefix = objectPath(destination.config, key);
    const days = session_id === null ? [] : this.#traces.days(session_id, { start, end });
    if (days.length === 0) return [{ session_id, prefix, start_time: start, end_time: end }];
    return days.map((day) => {
      const midnight = `${day}T00:00:00.000Z`;
      const next = new Date(Date.parse(midnight) + 24 * 60 * 60 * 1000).toISOString();
      const start_time = midnight > start ? midnight : start;
      return { session_id, prefix, start_time, end_time: next < end ? next : end };
    });
  }

  /** Writes the rows of a run file by file, and keeps how far it has come. A second attempt writes the same names. */
  async write(
    order: BulkExport,
    run: BulkExportRun,
    destination: Destination,
    credentials: Credentials | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { config } = destination;
    const folder = `export_id=${order.id}/tenant_id=${order.tenant_id}/session_id=${run.session_id ?? ""}/runs`;
    let result: ExportResult = {
      rows_written: 0,
      exported_files: [],
      export_path: objectPath(config, objectKey(config, folder)),
      latest_cursor: null,
      pending_upload: null,
    };
    this.#runs.setResult(run, result);
    const bucket = await Bucket.open(config, credentials);
    try {
      for await (const { rows, cursor } of this.#batches(order, run)) {
        signal.throwIfAborted();
        const file = `${run.id}-${result.exported_files.length}.parquet`;
        const key = objectKey(config, `${folder}/${dayFolder(run.metadata.start_time)}/${file}`);
        const path = objectPath(config, key);
        const bytes = await toParquet(rows, order);
        this.#runs.setResult(run, { ...result, pending_upload: path });
        await this.#store.flushed();
        await bucket.put(key, bytes, mediaType, signal);
        result = {
          ...result,
          rows_written: result.rows_written + rows.length,
          exported_files: [...result.exported_files, path],
          latest_cursor: cursor,
        };
        this.#runs.setResult(run, result);
      }
    } finally {
      bucket.close();
    }
    this.#runs.setResult(run, { ...result, latest_cursor: null });
  }

  /** The rows that an export wants of a run's window, in portions; others get their turn in between. */
  async *#batches(
    order: BulkExport,
    run: BulkExportRun,
  ): AsyncGenerator<{ readonly rows: readonly TraceRow[]; readonly cursor: string }> {
    if (run.session_id === null) return;
    const matches = order.filter === null ? () => true : parseFilter(order.filter);
    let rows: TraceRow[] = [];
    let cursor = "";
    const window = { start: run.metadata.start_time, end: run.metadata.end_time };
    for (const piece of this.#traces.rows(run.session_id, window)) {
      await nextTurn();
      const wanted = piece.rows.filter(matches);
      if (rows.length > 0 && rows.length + wanted.length > rowsPerFile) {
        yield { rows, cursor };
        rows = [];
      }
      rows.push(...wanted);
      cursor = piece.runId;
    }
    if (rows.length > 0) yield { rows, cursor };
  }
}

function dayFolder(start: string): string {
  const [year, month, day] = start.slice(0, 10).split("-");
  return `year=${year}/month=${month}/day=${day}`;
}

import { setTimeout as delay } from "node:timers/promises";
import { VaultError } from "../access/vault.ts";
import { BucketError } from "./bucketError.ts";
import {
  type BulkExport,
  type BulkExportRun,
  type ExportOrder,
  type ExportRunStatus,
  isOver,
} from "./bulkExport.ts";
import type { BulkExports } from "./bulkExports.ts";
import type { Destination } from "./destination.ts";
import type { Destinations } from "./destinations.ts";
import type { ExportRuns } from "./exportRuns.ts";
import type { ExportWriter } from "./exportWriter.ts";

/** How long exports may take and how often they are tried; times in milliseconds. */
export interface ExportLimits {
  readonly exportMs: number;
  readonly runMs: number;
  readonly retries: number;
  readonly retryDelayMs: number;
}

/** The documented limits of the platform. */
export const usualLimits: ExportLimits = {
  exportMs: 72 * 60 * 60 * 1000,
  runMs: 4 * 60 * 60 * 1000,
  retries: 20,
  retryDelayMs: 30_000,
};

/** What the exporter works on. */
export interface ExportParts {
  readonly destinations: Destinations;
  readonly exports: BulkExports;
  readonly runs: ExportRuns;
  readonly writer: ExportWriter;
}

const atOnce = 3;
const openWindowsPerSchedule = 5;
const dayMs = 24 * 60 * 60 * 1000;

/** Executes exports, some at once, each run by run; and makes the exports of schedules when they are due. */
export class Exporter {
  readonly #parts: ExportParts;
  readonly #limits: ExportLimits;
  readonly #active = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: ExportParts, limits: ExportLimits) {
    this.#parts = parts;
    this.#limits = limits;
  }

  /** Takes up what an earlier process left: an attempt that it was in the middle of is begun again. */
  start(): void {
    const { exports, runs } = this.#parts;
    for (const { id } of exports.unfinished()) {
      for (const run of runs.list(id)) {
        if (run.status !== "Running") continue;
        runs.addError(run, "The Local Platform was stopped during this attempt.");
        if (run.retry_number < this.#limits.retries) runs.retry(run);
        else runs.setStatus(run.id, "Failed");
      }
    }
    this.wake();
  }

  /** Looks for work; to be called when there may be some. */
  wake(): void {
    if (this.#stopped) return;
    this.#openWindows();
    for (const order of this.#parts.exports.unfinished()) {
      if (this.#active.size >= atOnce) return;
      if (!this.#active.has(order.id)) this.#begin(order);
    }
  }

  /** Ends an export, or the making of further ones by a schedule. */
  cancel(id: string): BulkExport {
    this.#end(id, "Cancelled");
    this.#active.get(id)?.stop.abort();
    return this.#parts.exports.require(id);
  }

  /** Stops all work; the next process goes on with it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const active = [...this.#active.values()];
    for (const { stop } of active) stop.abort();
    await Promise.all(active.map(({ done }) => done));
  }

  #begin(order: BulkExport): void {
    const stop = new AbortController();
    const done = this.#execute(order, stop.signal)
      .catch((error: unknown) => {
        console.error(`The export ${order.id} failed:`, error);
        if (!this.#stopped) this.#end(order.id, "Failed");
      })
      .finally(() => {
        this.#active.delete(order.id);
        this.wake();
      });
    this.#active.set(order.id, { stop, done });
  }

  async #execute(order: BulkExport, stop: AbortSignal): Promise<void> {
    const { destinations, exports, runs, writer } = this.#parts;
    const destination = destinations.require(order.bulk_export_destination_id);
    await delay(0);
    if (isStopped(stop)) return;
    exports.setStatus(order.id, "Running");
    if (runs.list(order.id).length === 0) runs.insertAll(order.id, writer.plan(order, destination));
    const left = Math.max(0, Date.parse(order.created_at) + this.#limits.exportMs - Date.now());
    const signal = AbortSignal.any([stop, AbortSignal.timeout(left)]);
    for (const { id } of runs.list(order.id)) {
      const status = await this.#run(order, id, destination, signal);
      if (isStopped(stop)) return;
      if (status !== "Completed") {
        this.#end(order.id, status === "TimedOut" ? "TimedOut" : "Failed");
        return;
      }
    }
    this.#end(order.id, "Completed");
  }

  /** Brings a run to its end, by as many attempts as it takes; answers how it ended. */
  async #run(
    order: BulkExport,
    runId: string,
    destination: Destination,
    stop: AbortSignal,
  ): Promise<ExportRunStatus> {
    const { destinations, runs, writer } = this.#parts;
    const signal = AbortSignal.any([stop, AbortSignal.timeout(this.#limits.runMs)]);
    for (;;) {
      const run = runs.get(order.id, runId);
      if (run === undefined) throw new Error(`The run ${runId} is gone.`);
      if (isOver(run.status)) return run.status;
      const credentialsId = runs.start(runId, destinations.currentCredentials(destination.id));
      try {
        const credentials = credentialsId === null ? undefined : destinations.credentials(credentialsId);
        await writer.write(order, run, destination, credentials, signal);
        signal.throwIfAborted();
        runs.setStatus(runId, "Completed");
        return "Completed";
      } catch (error) {
        if (this.#stopped || runs.get(order.id, runId)?.status === "Cancelled") return "Cancelled";
        if (signal.aborted) return this.#fail(run, "TimedOut", "The time for this export is over.");
        const message = error instanceof Error ? error.message : String(error);
        const final = error instanceof BucketError || error instanceof VaultError;
        if (final || run.retry_number >= this.#limits.retries) return this.#fail(run, "Failed", message);
        runs.addError(run, message);
        runs.retry(run);
      }
      await delay(this.#limits.retryDelayMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #fail(run: BulkExportRun, status: "Failed" | "TimedOut", message: string): ExportRunStatus {
    this.#parts.runs.addError(run, message);
    this.#parts.runs.setStatus(run.id, status);
    return status;
  }

  /** Ends an export together with the runs that are not over. */
  #end(id: string, status: ExportRunStatus): void {
    const { destinations, exports, runs } = this.#parts;
    for (const run of runs.list(id)) {
      if (!isOver(run.status)) runs.setStatus(run.id, "Cancelled");
    }
    exports.setStatus(id, status);
    destinations.dropUnused();
  }

  /** Makes the exports of the windows that are due, and comes back when the next one is. */
  #openWindows(): void {
    const { exports } = this.#parts;
    let next = Infinity;
    for (const schedule of exports.schedules()) {
      let open = exports.unfinished().filter((child) => child.source_bulk_export_id === schedule.id).length;
      let index = exports.windowsDone(schedule.id);
      for (; open < openWindowsPerSchedule && dueAt(schedule, index) <= Date.now(); open++, index++) {
        exports.insertWindow(schedule, windowOrder(schedule, index));
      }
      if (open < openWindowsPerSchedule) next = Math.min(next, dueAt(schedule, index));
    }
    clearTimeout(this.#timer);
    if (next === Infinity) return;
    this.#timer = setTimeout(() => this.wake(), Math.min(next - Date.now(), dayMs)).unref();
  }
}

/** Asked anew each time: it may have been stopped in between. */
function isStopped(stop: AbortSignal): boolean {
  return stop.aborted;
}

const hourMs = 60 * 60 * 1000;
/** Rows may still arrive for a while after a window has ended. */
const settlingMs = 10 * 60 * 1000;

/** When the export of a schedule's window is due, in milliseconds since the epoch. Windows count from 0. */
function dueAt(schedule: BulkExport, index: number): number {
  return startOf(schedule, index + 1) + settlingMs;
}

/** What the export of a schedule's window exports. */
function windowOrder(schedule: BulkExport, index: number): ExportOrder {
  return {
    bulk_export_destination_id: schedule.bulk_export_destination_id,
    session_id: schedule.session_id,
    all_experiments: schedule.all_experiments,
    start_time: new Date(startOf(schedule, index)).toISOString(),
    end_time: new Date(startOf(schedule, index + 1)).toISOString(),
    interval_hours: null,
    filter: schedule.filter,
    format: schedule.format,
    format_version: schedule.format_version,
    compression: schedule.compression,
    export_fields: schedule.export_fields,
  };
}

function startOf(schedule: BulkExport, index: number): number {
  return Date.parse(schedule.start_time) + index * (schedule.interval_hours ?? 1) * hourMs;
}

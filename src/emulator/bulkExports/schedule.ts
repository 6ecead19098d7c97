import type { BulkExport, ExportOrder } from "./bulkExport.ts";

const hourMs = 60 * 60 * 1000;
/** Rows may still arrive for a while after a window has ended. */
const settlingMs = 10 * 60 * 1000;

/** When the export of a schedule's window is due, in milliseconds since the epoch. Windows count from 0. */
export function dueAt(schedule: BulkExport, index: number): number {
  return startOf(schedule, index + 1) + settlingMs;
}

/** What the export of a schedule's window exports. */
export function windowOrder(schedule: BulkExport, index: number): ExportOrder {
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

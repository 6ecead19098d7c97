/** Export jobs and their runs in words. */

import {
  type BulkExport,
  type BulkExportRun,
  type ExportStatus,
  isFailed,
  isOver,
  isSchedule,
} from "../../api/bulkExports/bulkExport.ts";
import { counted } from "../kit/words.ts";

/** What a job exports: its window of time, or how often its schedule makes one. */
export function exportName({ interval_hours, start_time, end_time, all_experiments }: BulkExport): string {
  const what = all_experiments === true ? "All experiments, " : "";
  if (typeof interval_hours === "number") {
    return `${what}every ${String(interval_hours)} h from ${timeText(start_time)}`;
  }
  return what + windowText(start_time, end_time);
}

/** "2026-06-01 – 06-02" in UTC; times of day only where they are not midnight, a day and a year only once. */
export function windowText(start: string | undefined, end: string | null | undefined): string {
  const from = start === undefined ? "…" : timeText(start);
  if (end === undefined || end === null) return `from ${from}`;
  const until = timeText(end);
  const [day = "", time = "00:00"] = from.split(" ");
  const [lastDay = "", lastTime = "00:00"] = until.split(" ");
  if (day === lastDay) return `${day} ${time} – ${lastTime}`;
  const sameYear = /^\d{4}-/.test(from) && from.slice(0, 5) === until.slice(0, 5);
  return `${from} – ${sameYear ? until.slice(5) : until}`;
}

/** A time in UTC to the minute, and without it at midnight; one that is none as it is. */
export function timeText(time: string): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return time;
  const iso = new Date(at).toISOString();
  return iso.slice(11, 16) === "00:00" ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
}

/** A status as people read it; one that is not known as it is. */
export function statusText(status: ExportStatus): string {
  const words: Readonly<Record<string, string>> = { intervalscheduled: "Scheduled", timedout: "Timed out" };
  return words[status.toLowerCase().replace(/[^a-z]/g, "")] ?? status;
}

/** The icon of a status. */
export function statusIcon(status: ExportStatus): string {
  if (isSchedule(status)) return "calendar";
  if (isFailed(status)) return "error";
  if (status.toLowerCase() === "completed") return "pass";
  if (isOver(status)) return "circle-slash";
  return status.toLowerCase() === "created" ? "clock" : "sync";
}

/** How far a job has come, by its runs. */
export function progressText(status: ExportStatus, runs: readonly BulkExportRun[]): string {
  const done = runs.filter((run) => isOver(run.status)).length;
  const parts = runs.length === 0 ? [] : [`${String(done)} of ${counted(runs.length, "part")}`];
  return [statusText(status), ...parts, ...(runs.length === 0 ? [] : [counted(rowsOf(runs), "row")])].join(
    " · ",
  );
}

/** How many rows some runs have written together. */
export function rowsOf(runs: readonly BulkExportRun[]): number {
  return runs.reduce((sum, { metadata }) => sum + (metadata?.result?.rows_written ?? 0), 0);
}

/** The paths of all files that some runs have written. */
export function filesOf(runs: readonly BulkExportRun[]): readonly string[] {
  return runs.flatMap(({ metadata }) => metadata?.result?.exported_files ?? []);
}

/** What went wrong in a run, the last attempt first. */
export function errorsOf({
  errors,
}: BulkExportRun): readonly { readonly attempt: number; readonly text: string }[] {
  return Object.entries(errors ?? {})
    .map(([key, text]) => ({ attempt: Number(/\d+$/.exec(key)?.[0] ?? 0) + 1, text }))
    .sort((a, b) => b.attempt - a.attempt);
}

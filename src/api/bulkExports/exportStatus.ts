/** What the status of an export says; servers differ in letter case. */

import type { ExportStatus } from "./wire.ts";

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

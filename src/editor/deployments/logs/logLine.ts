/** One line of a build or deploy log, whatever the server puts into its entries. */

import type { LogEntry } from "../../../api/controlPlane/wire.ts";

/** What is shown of a log entry. */
export interface LogLine {
  /** The server's id of the entry, else what makes it different from others. */
  readonly id: string;
  /** As the server gave it: epoch milliseconds or a date as text. */
  readonly timestamp: number | string | undefined;
  readonly level: string;
  readonly message: string;
}

/** Levels that are known, from the least to the most urgent. */
export const LOG_LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] as const;

/** Reads an entry; one of unknown shape becomes a line with its JSON. */
export function logLineOf(entry: LogEntry): LogLine {
  const { id, timestamp, level, message } = entry;
  const time = typeof timestamp === "number" || typeof timestamp === "string" ? timestamp : undefined;
  const said = {
    timestamp: time,
    level: typeof level === "string" ? level.toUpperCase() : "",
    message: typeof message === "string" ? message : JSON.stringify(entry),
  };
  const known = typeof id === "string" || typeof id === "number";
  return { id: known ? String(id) : JSON.stringify(said), ...said };
}

/** The line as it stands in a document, without terminal colours; further lines of a message are indented. */
export function logLineText({ timestamp, level, message }: LogLine): string {
  const start = [timeText(timestamp), level === "" ? "" : `[${level}]`]
    .filter((part) => part !== "")
    .join(" ");
  const text = plainMessage(message)
    .trimEnd()
    .replace(/\r?\n|\r/g, "\n    ");
  return start === "" ? text : `${start} ${text}`;
}

/** A message without terminal colours. */
export function plainMessage(message: string): string {
  return message.replace(terminalCodes, "");
}

/** How urgent a level is; one that is not known is never filtered out. */
export function levelRank(level: string): number {
  const name = level === "WARN" ? "WARNING" : level === "FATAL" ? "CRITICAL" : level;
  const rank = LOG_LEVELS.findIndex((known) => known === name);
  return rank === -1 ? Infinity : rank;
}

/** The moment as the server's query wants it. */
export function startTimeOf(timestamp: number | string): string {
  return typeof timestamp === "number" ? new Date(timestamp).toISOString() : timestamp;
}

const escape = String.fromCharCode(27);
const terminalCodes = new RegExp(`${escape}(?:\\[[0-?]*[ -/]*[@-~]|[@-Z\\\\-_])`, "g");

function timeText(timestamp: number | string | undefined): string {
  if (timestamp === undefined || typeof timestamp === "string") return timestamp ?? "";
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? String(timestamp) : date.toISOString();
}

import { allOf, type Row, type Store } from "../store/store.ts";
import type { Revision } from "./deployment.ts";

/** The levels of a log line, the least urgent first. */
export const logLevels = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] as const;
/** One of them. */
export type LogLevel = (typeof logLevels)[number];
/** Which of the two logs of a revision. */
export type LogType = "build" | "deploy";

/** One line of a log. */
export interface LogEntry {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly level: LogLevel;
  readonly message: string;
}

/** Which lines are wanted. */
export interface LogQuery {
  readonly deploymentId: string;
  readonly revisionId?: string | undefined;
  readonly type: LogType;
  readonly level?: LogLevel | undefined;
  readonly query?: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly order: "asc" | "desc";
  readonly limit: number;
  /** The `next` of an earlier page. */
  readonly offset?: number | undefined;
}

/** The build and deploy logs of all revisions. */
export class RevisionLogs {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  add(revision: Revision, type: LogType, level: LogLevel, message: string): void {
    const { deployment_id, id: revision_id } = revision;
    const line = { deployment_id, revision_id, type, timestamp: Date.now(), level, message };
    this.#store.insert("revision_logs", line);
  }

  /** One page, and the offset of the next one if there are more lines. */
  list(wanted: LogQuery): { logs: LogEntry[]; next: string | null } {
    const { where, parameters } = allOf(
      ["deployment_id = ?", wanted.deploymentId],
      ["type = ?", wanted.type],
      ["revision_id = ?", wanted.revisionId],
      ["timestamp >= ?", wanted.start],
      ["timestamp <= ?", wanted.end],
      ["instr(lower(message), lower(?)) > 0", wanted.query],
      ["level = ?", wanted.level],
      [wanted.order === "asc" ? "number > ?" : "number < ?", wanted.offset],
    );
    const rows = this.#store.all(
      `SELECT * FROM revision_logs WHERE ${where} ORDER BY number ${wanted.order} LIMIT ?`,
      ...parameters,
      wanted.limit + 1,
    );
    const logs = rows.slice(0, wanted.limit).map(toEntry);
    return { logs, next: rows.length > wanted.limit ? (logs.at(-1)?.id ?? null) : null };
  }

  deleteOf(deploymentId: string): void {
    this.#store.run("DELETE FROM revision_logs WHERE deployment_id = ?", deploymentId);
  }
}

function toEntry(row: Row): LogEntry {
  return {
    id: String(row.number),
    timestamp: Number(row.timestamp),
    level: row.level as LogLevel,
    message: String(row.message),
  };
}

import { uuid5 } from "../kit/ids.ts";
import { parseObject } from "../kit/json.ts";
import type { Checkpoint } from "../runtime/checkpoint.ts";
import type { Checkpoints } from "../runtime/checkpoints.ts";
import type { Run, Runs } from "../runtime/runs.ts";
import type { Store } from "../store/store.ts";
import { traceOf } from "./trace.ts";
import type { FeedbackStats, TraceRow } from "./traceRow.ts";

/** The rows of one trace, and the run they come from. */
export interface TracePiece {
  readonly runId: string;
  readonly rows: readonly TraceRow[];
}

/** A span of time: from `start` up to but not including `end`, as ISO times in UTC. */
export interface Window {
  readonly start: string;
  readonly end: string;
}

/** A tracing project as its list has it. */
export interface TracingProject {
  readonly id: string;
  readonly name: string;
  readonly start_time: string;
}

const pageSize = 50;

/**
 * The recorded runs as traces. A tracing project belongs to a deployment or a managed agent. It may be named by the
 * id of that, by the id of an agent's project, and by the id that issues use, which is made of its name.
 */
export class Traces {
  readonly #store: Store;
  readonly #runs: Runs;
  readonly #checkpoints: Checkpoints;
  readonly #tenantId: string;

  constructor(store: Store, runs: Runs, checkpoints: Checkpoints, tenantId: string) {
    this.#store = store;
    this.#runs = runs;
    this.#checkpoints = checkpoints;
    this.#tenantId = tenantId;
  }

  /** The id of the deployment or managed agent that a tracing project belongs to; undefined if there is none. */
  owner(sessionId: string): string | undefined {
    const known = this.#store.get(
      `SELECT id FROM deployments WHERE id = ?
       UNION ALL SELECT id FROM managed_agents WHERE ? IN (id, tracing_project_id)
       UNION ALL SELECT ? FROM runs WHERE ? IN (deployment_id, assistant_id) LIMIT 1`,
      ...Array<string>(4).fill(sessionId),
    );
    if (known !== undefined) return String(known.id);
    const named = this.#store
      .all("SELECT id, name FROM deployments UNION ALL SELECT id, name FROM managed_agents")
      .find(({ name }) => uuid5(this.#tenantId, String(name)) === sessionId);
    return named === undefined ? undefined : String(named.id);
  }

  /** The projects whose name has a text in it, newest first. */
  projects(nameContains: string, limit: number, offset: number): TracingProject[] {
    return this.#store
      .all(
        `SELECT id, name, created_at FROM deployments WHERE instr(lower(name), lower(?)) > 0
         UNION ALL
         SELECT tracing_project_id, name, created_at FROM managed_agents WHERE instr(lower(name), lower(?)) > 0
         ORDER BY created_at DESC, id LIMIT ? OFFSET ?`,
        nameContains,
        nameContains,
        limit,
        offset,
      )
      .map(({ id, name, created_at: at }) => ({
        id: String(id),
        name: String(name),
        start_time: String(at),
      }));
  }

  /** The days (`2026-01-31`, UTC) of a window on which a project's runs began or ended. */
  days(sessionId: string, { start, end }: Window): string[] {
    const owner = this.owner(sessionId) ?? sessionId;
    return this.#store
      .all(
        `SELECT substr(created_at, 1, 10) AS day FROM runs
           WHERE ? IN (deployment_id, assistant_id) AND created_at >= ? AND created_at < ?
         UNION SELECT substr(updated_at, 1, 10) FROM runs
           WHERE ? IN (deployment_id, assistant_id) AND updated_at >= ? AND updated_at < ? ORDER BY day`,
        owner,
        start,
        end,
        owner,
        start,
        end,
      )
      .map((row) => String(row.day));
  }

  /** The rows that begin in the window, trace by trace, those with the earliest runs first. */
  *rows(sessionId: string, window: Window): Generator<TracePiece> {
    const owner = this.owner(sessionId) ?? sessionId;
    let cursor = "";
    for (;;) {
      const ids = this.#store.all(
        `SELECT run_id, thread_id FROM runs
         WHERE ? IN (deployment_id, assistant_id) AND created_at < ? AND updated_at >= ?
           AND run_id > ? ORDER BY run_id LIMIT ?`,
        owner,
        window.end,
        window.start,
        cursor,
        pageSize,
      );
      for (const { run_id, thread_id } of ids) {
        cursor = String(run_id);
        const run = this.#runs.get(String(thread_id), cursor);
        if (run === undefined) continue;
        const rows = this.#trace(sessionId, run).filter(({ start_time }) => {
          const start = start_time.toISOString();
          return start >= window.start && start < window.end;
        });
        if (rows.length > 0) yield { runId: cursor, rows };
      }
      if (ids.length < pageSize) return;
    }
  }

  #trace(sessionId: string, run: Run): TraceRow[] {
    const own = this.#checkpoints.ofRun(run.thread_id, run.run_id);
    const ids = new Set(own.map(({ id }) => id));
    const bases = own.flatMap(({ parent_id, ns }): Checkpoint[] => {
      if (parent_id === null || ids.has(parent_id)) return [];
      return [this.#checkpoints.get(run.thread_id, parent_id, ns) ?? []].flat();
    });
    const feedback = this.#feedback(run.run_id);
    return traceOf({ tenantId: this.#tenantId, sessionId, run, checkpoints: [...bases, ...own], feedback });
  }

  #feedback(runId: string): Readonly<Record<string, FeedbackStats>> | null {
    const given = this.#store.all("SELECT key, body FROM feedback WHERE run_id = ? ORDER BY rowid", runId);
    if (given.length === 0) return null;
    const byKey = Map.groupBy(given, ({ key }) => String(key));
    return Object.fromEntries(
      [...byKey].map(([key, rows]) => [key, stats(rows.map(({ body }) => parseObject(body)))]),
    );
  }
}

function stats(given: readonly Readonly<Record<string, unknown>>[]): FeedbackStats {
  const scores = given.flatMap(({ score }) => {
    return typeof score === "number" || typeof score === "boolean" ? [Number(score)] : [];
  });
  const texts = given.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  const values = Object.fromEntries(
    [...Map.groupBy(texts, (text) => text)].map(([text, all]) => [text, all.length]),
  );
  const avg = scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return { n: given.length, avg, values };
}

import type { JsonObject } from "../kit/json.ts";
import { reader, type Store } from "../store/store.ts";
import type { StreamMode } from "./projector.ts";

/** Every status of a run. */
export const runStatuses = ["pending", "running", "success", "error", "timeout", "interrupted"] as const;
/** One of them. */
export type RunStatus = (typeof runStatuses)[number];

/** What a new run can do to the one that is going on in its thread. */
export const multitaskStrategies = ["reject", "rollback", "interrupt", "enqueue"] as const;
/** One of them. */
export type MultitaskStrategy = (typeof multitaskStrategies)[number];

/** What a run was asked to do. */
export interface RunKwargs {
  readonly input: JsonObject | null;
  readonly command: Command | null;
  readonly config: JsonObject;
  readonly context: JsonObject;
  readonly checkpoint_id: string | null;
  readonly stream_mode: readonly StreamMode[];
  readonly subgraphs: boolean;
  readonly resumable: boolean;
  readonly feedback_keys: readonly string[];
  readonly interrupt_before: "*" | readonly string[];
  readonly interrupt_after: "*" | readonly string[];
  /** The thread was made for this run and goes with it. */
  readonly temporary: boolean;
  /** Where it goes on, what ended well beside a failed step is executed again. */
  readonly repeats: boolean;
  readonly webhook: string | null;
}

/** Goes on with a graph that stopped, or moves it elsewhere first. */
export interface Command {
  readonly resume?: unknown;
  readonly update?: unknown;
  readonly goto?: readonly string[];
}

/** A run as clients see it. A run that stopped to ask a person is a `success`; its thread is `interrupted`. */
export interface Run {
  readonly run_id: string;
  readonly thread_id: string;
  readonly assistant_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly status: RunStatus;
  readonly metadata: JsonObject;
  readonly kwargs: RunKwargs;
  readonly multitask_strategy: MultitaskStrategy;
  /** Why the run is in status `error`. */
  readonly error: string | null;
}

const toRun = reader<Run>(["metadata", "kwargs"], ["deployment_id"]);

/** The runs of all threads. */
export class Runs {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  insert(deploymentId: string, run: Run): void {
    this.#store.insert("runs", { ...run, deployment_id: deploymentId });
  }

  get(threadId: string, runId: string): Run | undefined {
    return toRun(this.#store.get("SELECT * FROM runs WHERE run_id = ? AND thread_id = ?", runId, threadId));
  }

  /** A run of a deployment, whatever its thread. */
  find(deploymentId: string, runId: string): Run | undefined {
    return toRun(
      this.#store.get("SELECT * FROM runs WHERE run_id = ? AND deployment_id = ?", runId, deploymentId),
    );
  }

  exists(runId: string): boolean {
    return this.#store.get("SELECT 1 FROM runs WHERE run_id = ?", runId) !== undefined;
  }

  /** The runs of a thread, newest first. */
  list(threadId: string, status: RunStatus | undefined, limit: number, offset: number): Run[] {
    return this.#store
      .all(
        `SELECT * FROM runs WHERE thread_id = ? AND (? IS NULL OR status = ?)
         ORDER BY run_id DESC LIMIT ? OFFSET ?`,
        threadId,
        status ?? null,
        status ?? null,
        limit,
        offset,
      )
      .map(toRun);
  }

  /** Every run, with its deployment, that is not over: oldest first. */
  unfinished(): { readonly deploymentId: string; readonly run: Run }[] {
    return this.#store
      .all("SELECT * FROM runs WHERE status IN ('pending', 'running') ORDER BY run_id")
      .map((row) => ({ deploymentId: String(row.deployment_id), run: toRun(row) }));
  }

  setStatus(runId: string, status: RunStatus, error: string | null = null): void {
    const updated_at = new Date().toISOString();
    this.#store.update("runs", { run_id: runId }, { status, error, updated_at });
  }

  delete(runId: string): void {
    this.#store.run("DELETE FROM runs WHERE run_id = ?", runId);
  }

  /** Deletes the runs of a thread and answers their ids. */
  deleteOfThread(threadId: string): string[] {
    const rows = this.#store.all("SELECT run_id FROM runs WHERE thread_id = ?", threadId);
    this.#store.run("DELETE FROM runs WHERE thread_id = ?", threadId);
    return rows.map((row) => String(row.run_id));
  }
}

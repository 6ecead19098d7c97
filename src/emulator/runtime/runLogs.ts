import type { Store } from "../store/store.ts";
import { RunLog } from "./runLog.ts";

const flushMs = 100;
/** Further than any reader can have got past the stored part of a stream when the process was killed. */
const lostEvents = 10_000_000;

/** The event streams of all runs: the running ones in memory, the ended resumable ones in the store. */
export class RunLogs {
  readonly #store: Store;
  readonly #running = new Map<string, RunLog>();
  readonly #unstored = new Set<RunLog>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Starts the stream of a new run. */
  start(runId: string, resumable: boolean): RunLog {
    const log = new RunLog(this.#store, runId, resumable, (dirty) => this.#soon(dirty));
    this.#running.set(runId, log);
    return log;
  }

  /**
   * Goes on with a stream that outlives runs and processes; its first event has the id 1. Ids leave room for what
   * an earlier process may have sent without storing it.
   */
  resume(id: string): RunLog {
    const last = this.#lastId(id);
    const past = { next: last === undefined ? 1 : last + 1 + lostEvents, open: true };
    const log = new RunLog(this.#store, id, true, (dirty) => this.#soon(dirty), past);
    this.#running.set(id, log);
    return log;
  }

  /** Whether anything of a stream is stored. */
  isKept(id: string): boolean {
    return this.#lastId(id) !== undefined;
  }

  /** The stream of a run, running or ended; empty and ended if nothing of it was kept. */
  find(runId: string): RunLog {
    const running = this.#running.get(runId);
    if (running !== undefined) return running;
    const next = (this.#lastId(runId) ?? -1) + 1;
    return new RunLog(this.#store, runId, true, () => undefined, { next });
  }

  /** Ends a run's stream. What was spilled to disk for slow readers is removed when the last of them is done. */
  end(log: RunLog): void {
    log.end();
    this.#unstored.delete(log);
    this.#running.delete(log.runId);
  }

  /** Cuts the stream of a run off, and forgets what was in it: nothing comes for those who follow it again. */
  lose(log: RunLog): void {
    log.lose();
    this.#unstored.delete(log);
    this.delete(log.runId);
  }

  /** Adds a last event to the stream of a run that was cut off when the process ended. */
  endLost(runId: string, event: string, data: string): void {
    const log = this.find(runId);
    const id = log.next + lostEvents;
    const frame = `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
    this.#store.run("INSERT INTO run_events VALUES (?, ?, ?, ?)", runId, id, id, frame);
  }

  delete(runId: string): void {
    this.#store.run("DELETE FROM run_events WHERE run_id = ?", runId);
  }

  /** Removes what was spilled of streams that nobody can read again. */
  deleteSpilled(): void {
    this.#store.run(
      `DELETE FROM run_events WHERE run_id IN
         (SELECT run_id FROM runs WHERE json_extract(kwargs, '$.resumable') = 0)`,
    );
  }

  /** Stores what the running streams hold. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const log of this.#unstored) log.flush();
    this.#unstored.clear();
  }

  #soon(dirty: RunLog): void {
    this.#unstored.add(dirty);
    this.#timer ??= setTimeout(() => this.flush(), flushMs);
  }

  #lastId(id: string): number | undefined {
    const row = this.#store.get(
      "SELECT last_id AS last FROM run_events WHERE run_id = ? ORDER BY first_id DESC LIMIT 1",
      id,
    );
    return row === undefined ? undefined : Number(row.last);
  }
}

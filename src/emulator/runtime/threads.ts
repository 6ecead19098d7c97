import { HttpError } from "../kit/httpError.ts";
import type { JsonObject } from "../kit/json.ts";
import { allOf, reader, type Store } from "../store/store.ts";

/** Every status of a thread. */
export const threadStatuses = ["idle", "busy", "interrupted", "error"] as const;
/** One of them. */
export type ThreadStatus = (typeof threadStatuses)[number];

/** What threads can be sorted by. */
export const threadSortKeys = [
  "thread_id",
  "status",
  "created_at",
  "updated_at",
  "state_updated_at",
] as const;

/** A thread as clients see it. `values` is null until a run has ended. */
export interface Thread {
  readonly thread_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly state_updated_at: string | null;
  readonly metadata: JsonObject;
  readonly config: JsonObject;
  readonly status: ThreadStatus;
  readonly values: JsonObject | null;
  readonly interrupts: JsonObject;
}

/** Which threads a search means. */
export interface ThreadFilter {
  readonly ids?: readonly string[] | undefined;
  readonly status?: ThreadStatus | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly values?: JsonObject | undefined;
  /** The managed agent that they belong to. */
  readonly agentId?: string | undefined;
}

/** One page of a search. */
export interface ThreadPage {
  readonly sort_by: (typeof threadSortKeys)[number];
  readonly sort_order: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
  /** How many threads the filter finds, if known: a page of the second half is then read from the end. */
  readonly total?: number;
}

const toThread = reader<Thread>(["metadata", "config", "values", "interrupts"], ["deployment_id"]);

/** The threads of all deployments. */
export class Threads {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Makes a thread. Throws 409 when there is one with this id, also when it belongs to another deployment. */
  insert(deploymentId: string, threadId: string, metadata: JsonObject): void {
    const now = new Date().toISOString();
    const made = this.#store.run(
      `INSERT INTO threads VALUES (?, ?, ?, ?, NULL, 'idle', ?, '{}', NULL, '{}')
       ON CONFLICT (thread_id) DO NOTHING`,
      threadId,
      deploymentId,
      now,
      now,
      JSON.stringify(metadata),
    );
    if (made === 0) throw new HttpError(409, "Thread already exists");
  }

  get(deploymentId: string, threadId: string): Thread | undefined {
    return toThread(
      this.#store.get(
        "SELECT * FROM threads WHERE thread_id = ? AND deployment_id = ?",
        threadId,
        deploymentId,
      ),
    );
  }

  search(deploymentId: string, filter: ThreadFilter, page: ThreadPage): Thread[] {
    const { where, parameters } = condition(deploymentId, filter);
    const { limit, offset, fromEnd } = nearestEnd(page);
    const order = (page.sort_order === "asc") !== fromEnd ? "ASC" : "DESC";
    const key = threadSortKeys.find((name) => name === page.sort_by) ?? "updated_at";
    const found = this.#store
      .all(
        `SELECT * FROM threads WHERE ${where} ORDER BY ${key} ${order}, thread_id ${order} LIMIT ? OFFSET ?`,
        ...parameters,
        limit,
        offset,
      )
      .map(toThread);
    return fromEnd ? found.reverse() : found;
  }

  count(deploymentId: string, filter: ThreadFilter): number {
    const { where, parameters } = condition(deploymentId, filter);
    return Number(this.#store.get(`SELECT count(*) AS n FROM threads WHERE ${where}`, ...parameters)?.n);
  }

  setMetadata(threadId: string, metadata: JsonObject): void {
    this.#update(threadId, { metadata });
  }

  /** Stores how the runs that follow are configured, where they do not say otherwise. */
  setConfig(threadId: string, config: JsonObject): void {
    this.#update(threadId, { config });
  }

  setStatus(threadId: string, status: ThreadStatus): void {
    this.#update(threadId, { status });
  }

  /** Stores where a thread stands after a run or an update of its state. */
  setState(threadId: string, status: ThreadStatus, values: JsonObject | null, interrupts: JsonObject): void {
    this.#update(threadId, { status, values, interrupts, state_updated_at: new Date().toISOString() });
  }

  /** Stores what the state of a thread holds after it was changed by hand; where the thread stands is left as it is. */
  setValues(threadId: string, values: JsonObject): void {
    this.#update(threadId, { values, state_updated_at: new Date().toISOString() });
  }

  delete(threadId: string): void {
    this.#store.run("DELETE FROM threads WHERE thread_id = ?", threadId);
  }

  #update(threadId: string, change: object): void {
    const updated = { ...change, updated_at: new Date().toISOString() };
    this.#store.update("threads", { thread_id: threadId }, updated);
  }
}

/** SQLite walks over all that an offset leaves out, so the way from the nearer end is taken. */
function nearestEnd(page: ThreadPage): { limit: number; offset: number; fromEnd: boolean } {
  const { limit, offset, total = Infinity } = page;
  if (offset <= total / 2) return { limit, offset, fromEnd: false };
  const left = Math.max(0, total - offset);
  return { limit: Math.min(limit, left), offset: Math.max(0, left - limit), fromEnd: true };
}

function condition(deploymentId: string, filter: ThreadFilter): ReturnType<typeof allOf> {
  const { status, ids, agentId, metadata, values } = filter;
  const json = (value: object | undefined) =>
    value === undefined || Object.keys(value).length === 0 ? undefined : JSON.stringify(value);
  return allOf(
    ["deployment_id = ?", deploymentId],
    ["status = ?", status],
    ["thread_id IN (SELECT value FROM json_each(?))", json(ids)],
    ["thread_id IN (SELECT thread_id FROM managed_threads WHERE agent_id = ?)", agentId],
    ["json_holds(metadata, ?)", json(metadata)],
    [`"values" IS NOT NULL AND json_holds("values", ?)`, json(values)],
  );
}

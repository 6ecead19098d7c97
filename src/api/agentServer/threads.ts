/** Threads of an agent server, their state and its history. */

import { ApiError } from "../errors.ts";
import { type CallOptions, type Http, path } from "../http.ts";
import { offsetPages } from "../pagination.ts";
import { hasText, isList, isObject } from "../shape.ts";
import type {
  Checkpoint,
  JsonObject,
  StateUpdate,
  Thread,
  ThreadCreate,
  ThreadSearch,
  ThreadState,
} from "./wire.ts";

/** One page of a search. */
export interface ThreadPage {
  readonly threads: readonly Thread[];
  readonly hasMore: boolean;
}

const pageSize = 100;
/** A thread's state may hold whatever files its agent wrote. */
const stateMb = 128;
/** A copy is made of all of a thread's states. */
const copyMs = 300_000;
/** What is listed of a thread: all but its values, which can be large, and what it waits for. */
const rowFields = ["thread_id", "status", "metadata", "created_at", "updated_at"] as const;

/** The client for the requests of one call; asked for each time, since address, key or proxy may have changed. */
export type Connect = () => Promise<Http>;

/** The threads of one agent server; each call throws an ApiError when it fails. */
export class Threads {
  readonly #http: Connect;

  constructor(http: Connect) {
    this.#http = http;
  }

  async create(body: ThreadCreate = {}, { signal }: CallOptions = {}): Promise<Thread> {
    return (await this.#http()).json({
      method: "POST",
      path: "/threads",
      body,
      signal,
      accept: hasText("thread_id"),
    });
  }

  async get(threadId: string, { signal }: CallOptions = {}): Promise<Thread> {
    const request = { method: "GET", path: path`/threads/${threadId}`, signal } as const;
    return threadOf(await (await this.#http()).json({ ...request, accept: hasText("thread_id") }));
  }

  /** The thread without its values, but with what it asks and its configuration: a small answer, however large they are. */
  async row(threadId: string, options: CallOptions = {}): Promise<Thread> {
    const { threads } = await this.search(
      { ids: [threadId], limit: 1, select: [...rowFields, "interrupts", "config"] },
      options,
    ).catch(withoutRows);
    // A server that has no such search, or another one, knows the thread by its address.
    return threads.find(({ thread_id }) => thread_id === threadId) ?? this.get(threadId, options);
  }

  /**
   * One page of rows, without values and interrupts unless `select` names them. Asks for one more than `limit`, because
   * servers' own totals are off by the offset.
   */
  async search(query: ThreadSearch = {}, { signal }: CallOptions = {}): Promise<ThreadPage> {
    const limit = query.limit ?? pageSize;
    const { select = rowFields, ...rest } = query;
    const whole = { ...rest, limit: Math.min(limit + 1, 1000) };
    const threads = await this.#selected({ ...whole, select }, whole, signal);
    return {
      threads: threads.slice(0, limit),
      hasMore: threads.length > limit || (limit >= 1000 && threads.length === 1000),
    };
  }

  /** All matches, page by page as they are consumed. */
  async *list(query: Omit<ThreadSearch, "offset"> = {}, options: CallOptions = {}): AsyncIterable<Thread> {
    const { baseUrl } = await this.#http();
    yield* offsetPages(`${baseUrl}/threads`, async (offset) => {
      const { threads, hasMore } = await this.search({ ...query, offset }, options);
      return { items: threads, hasMore };
    });
  }

  async count(
    query: Pick<ThreadSearch, "status" | "metadata" | "values"> = {},
    { signal }: CallOptions = {},
  ): Promise<number> {
    const accept = Number.isInteger;
    return (await this.#http()).json({
      method: "POST",
      path: "/threads/count",
      body: query,
      signal,
      idempotent: true,
      reads: true,
      accept,
    });
  }

  /** Merges `metadata` into the thread's. */
  async patch(
    threadId: string,
    body: { readonly metadata: JsonObject },
    { signal }: CallOptions = {},
  ): Promise<Thread> {
    return (await this.#http()).json({ method: "PATCH", path: path`/threads/${threadId}`, body, signal });
  }

  async delete(threadId: string, { signal }: CallOptions = {}): Promise<void> {
    await (await this.#http()).reply({ method: "DELETE", path: path`/threads/${threadId}`, signal });
  }

  /** Makes a thread with the same states, which goes on from where this one stands; no run comes along. */
  async copy(threadId: string, { signal }: CallOptions = {}): Promise<Thread> {
    return (await this.#http()).json({
      method: "POST",
      path: path`/threads/${threadId}/copy`,
      signal,
      accept: hasText("thread_id"),
      timeoutMs: copyMs,
    });
  }

  /**
   * Writes a state, which becomes the newest, and resolves with its checkpoint. Rejects with a "conflict" while a run goes
   * on in the thread.
   */
  async update(
    threadId: string,
    body: StateUpdate,
    { signal }: CallOptions = {},
  ): Promise<{ readonly checkpoint: Checkpoint }> {
    const accept = (answer: unknown): boolean => isObject(answer) && isObject(answer["checkpoint"]);
    return (await this.#http()).json({
      method: "POST",
      path: path`/threads/${threadId}/state`,
      body,
      signal,
      accept,
    });
  }

  /**
   * The state at the newest checkpoint or at the given one, which a subgraph's namespace may name as well; `subgraphs`
   * nests those of interrupted subgraphs.
   */
  async state(
    threadId: string,
    options: CallOptions & {
      readonly checkpointId?: string | undefined;
      readonly checkpointNs?: string | undefined;
      readonly subgraphs?: boolean | undefined;
    } = {},
  ): Promise<ThreadState> {
    const { signal, checkpointId, checkpointNs = "", subgraphs } = options;
    const whole = path`/threads/${threadId}/state`;
    const answer = { signal, accept: isObject, mostMb: stateMb } as const;
    if (checkpointNs !== "") {
      const checkpoint = { checkpoint_ns: checkpointNs, checkpoint_id: checkpointId };
      const request = {
        method: "POST",
        path: `${whole}/checkpoint`,
        body: { checkpoint, subgraphs },
      } as const;
      return (await this.#http()).json({ ...request, ...answer, idempotent: true, reads: true });
    }
    const at = checkpointId === undefined ? whole : whole + path`/${checkpointId}`;
    return (await this.#http()).json({ method: "GET", path: at, query: { subgraphs }, ...answer });
  }

  /** A server that refuses to select is asked for whole threads from then on. */
  async #selected(body: object, whole: object, signal: AbortSignal | undefined): Promise<readonly Thread[]> {
    const { capabilities } = await this.#http();
    if (capabilities.isUnsupported("select")) return this.#found(whole, signal);
    try {
      return await this.#found(body, signal);
    } catch (error) {
      if (!refusesQuery(error)) throw error;
      const threads = await this.#found(whole, signal);
      capabilities.setUnsupported("select", error);
      return threads;
    }
  }

  async #found(body: object, signal: AbortSignal | undefined): Promise<readonly Thread[]> {
    const request = { method: "POST", path: "/threads/search", body, signal } as const;
    const asked = { ...request, idempotent: true, reads: true, accept: isList };
    return (await (await this.#http()).json<readonly Thread[]>(asked)).map(threadOf);
  }

  /**
   * States newest first, whole ones; `before` is a checkpoint id, which every known server accepts, and `checkpoint`
   * names a subgraph by its namespace.
   */
  async history(
    threadId: string,
    options: CallOptions & {
      readonly limit?: number | undefined;
      readonly before?: string | undefined;
      readonly checkpoint?: { readonly checkpoint_ns: string } | undefined;
    } = {},
  ): Promise<readonly ThreadState[]> {
    const { signal, limit, before, checkpoint } = options;
    const body = { limit: limit ?? 10, before, checkpoint };
    const request = { method: "POST", path: path`/threads/${threadId}/history`, body, signal } as const;
    return (await this.#http()).json({ ...request, idempotent: true, reads: true, accept: isList });
  }
}

/** The thread with metadata, which servers leave out of one, or say to be null, where it has none. */
function threadOf(thread: Thread): Thread {
  return isObject(thread.metadata) ? thread : { ...thread, metadata: {} };
}

function refusesQuery(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 400 || error.status === 422);
}

function withoutRows(error: unknown): ThreadPage {
  if (refusesQuery(error)) return { threads: [], hasMore: false };
  throw error;
}

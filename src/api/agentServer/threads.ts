/** Threads of an agent server, their state and its history. */

import { type CallOptions, type Http, path } from "../http.ts";
import { offsetPages } from "../pagination.ts";
import { hasText, isList, isObject } from "../shape.ts";
import type { JsonObject, Thread, ThreadCreate, ThreadSearch, ThreadState } from "./wire.ts";

/** One page of a search. */
export interface ThreadPage {
  readonly threads: readonly Thread[];
  readonly hasMore: boolean;
}

const pageSize = 100;

/** The threads of one agent server; each call throws an ApiError when it fails. */
export class Threads {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  async create(body: ThreadCreate = {}, { signal }: CallOptions = {}): Promise<Thread> {
    return this.#http.json({ method: "POST", path: "/threads", body, signal, accept: hasText("thread_id") });
  }

  async get(threadId: string, { signal }: CallOptions = {}): Promise<Thread> {
    return this.#http.json({
      method: "GET",
      path: path`/threads/${threadId}`,
      signal,
      accept: hasText("thread_id"),
    });
  }

  /** One page. Asks for one more than `limit`, because servers' own totals are off by the offset. */
  async search(query: ThreadSearch = {}, { signal }: CallOptions = {}): Promise<ThreadPage> {
    const limit = query.limit ?? pageSize;
    const body = { ...query, limit: Math.min(limit + 1, 1000) };
    const request = {
      method: "POST",
      path: "/threads/search",
      body,
      signal,
      idempotent: true,
      accept: isList,
    } as const;
    const threads = await this.#http.json<readonly Thread[]>(request);
    return {
      threads: threads.slice(0, limit),
      hasMore: threads.length > limit || (limit >= 1000 && threads.length === 1000),
    };
  }

  /** All matches, page by page as they are consumed. */
  list(query: Omit<ThreadSearch, "offset"> = {}, options: CallOptions = {}): AsyncIterable<Thread> {
    return offsetPages(async (offset) => {
      const { threads, hasMore } = await this.search({ ...query, offset }, options);
      return { items: threads, hasMore };
    });
  }

  async count(
    query: Pick<ThreadSearch, "status" | "metadata" | "values"> = {},
    { signal }: CallOptions = {},
  ): Promise<number> {
    const accept = Number.isInteger;
    return this.#http.json({
      method: "POST",
      path: "/threads/count",
      body: query,
      signal,
      idempotent: true,
      accept,
    });
  }

  /** Merges `metadata` into the thread's. */
  async patch(
    threadId: string,
    body: { readonly metadata: JsonObject },
    { signal }: CallOptions = {},
  ): Promise<Thread> {
    return this.#http.json({ method: "PATCH", path: path`/threads/${threadId}`, body, signal });
  }

  async delete(threadId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#http.reply({ method: "DELETE", path: path`/threads/${threadId}`, signal });
  }

  /** The state at the newest checkpoint or at the given one; `subgraphs` nests those of interrupted subgraphs. */
  async state(
    threadId: string,
    options: CallOptions & {
      readonly checkpointId?: string | undefined;
      readonly subgraphs?: boolean | undefined;
    } = {},
  ): Promise<ThreadState> {
    const { signal, checkpointId, subgraphs } = options;
    const whole = path`/threads/${threadId}/state`;
    return this.#http.json({
      method: "GET",
      path: checkpointId === undefined ? whole : whole + path`/${checkpointId}`,
      query: { subgraphs },
      signal,
      accept: isObject,
    });
  }

  /** States newest first; `before` is a checkpoint id, which every known server accepts. */
  async history(
    threadId: string,
    options: CallOptions & { readonly limit?: number | undefined; readonly before?: string | undefined } = {},
  ): Promise<readonly ThreadState[]> {
    const { signal, limit, before } = options;
    const body = { limit: limit ?? 10, before };
    const request = { method: "POST", path: path`/threads/${threadId}/history`, body, signal } as const;
    return this.#http.json({ ...request, idempotent: true, accept: isList });
  }
}

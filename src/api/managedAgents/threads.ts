/** Durable threads of managed agents. */

import { isList, isObject } from "../shape.ts";
import type { JsonObject, ThreadSearch } from "../agentServer/wire.ts";
import { type CallOptions, type Http, path } from "../http.ts";
import { cursorPages } from "../pagination.ts";
import { hasId, idOf, isPage, type Page, readPage } from "./page.ts";
import type {
  BulkResult,
  ManagedThread,
  ManagedThreadCreate,
  ManagedThreadQuery,
  ManagedThreadUpdate,
} from "./wire.ts";

/** How to search; filters are those of an agent server. */
export interface ManagedThreadSearch extends ThreadSearch {
  readonly agent_id?: string;
}

/** The API's own limit on one bulk change. */
const bulkSize = 50;

const isThread = hasId("id", "thread_id");

/** The threads of the managed agents of one platform; each call throws an ApiError when it fails. */
export class ManagedThreads {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** One page of an agent's threads, newest activity first. */
  async page(query: ManagedThreadQuery, { signal }: CallOptions = {}): Promise<Page<ManagedThread>> {
    const request = { method: "GET", path: "/threads", query: { ...query }, signal, accept: isPage } as const;
    return readPage(await this.#http.json<unknown>(request), readThread);
  }

  /** All of an agent's threads that match, page by page as they are consumed. */
  list(query: Omit<ManagedThreadQuery, "cursor">, options: CallOptions = {}): AsyncIterable<ManagedThread> {
    return cursorPages(`${this.#http.baseUrl}/threads`, (cursor) => this.page({ ...query, cursor }, options));
  }

  /** Finds threads by status, metadata, values and ids, with their state. */
  async search(
    query: ManagedThreadSearch = {},
    { signal }: CallOptions = {},
  ): Promise<readonly ManagedThread[]> {
    const request = { method: "POST", path: "/threads/search", body: query, signal } as const;
    const found = await this.#http.json<unknown>({
      ...request,
      idempotent: true,
      reads: true,
      accept: isPage,
    });
    return readPage(found, readThread).items;
  }

  /** How many threads of an agent, or of all, need attention; test runs don't count. */
  async attentionCount(agentId?: string, { signal }: CallOptions = {}): Promise<number> {
    const query = { agent_id: agentId };
    const accept = (value: unknown) => countIn(value) !== undefined;
    const request = { method: "GET", path: "/threads/count", query, signal, accept } as const;
    return countIn(await this.#http.json<unknown>(request)) ?? 0;
  }

  async create(body: ManagedThreadCreate, { signal }: CallOptions = {}): Promise<ManagedThread> {
    return this.#answered({ method: "POST", path: "/threads", body, signal });
  }

  async get(threadId: string, { signal }: CallOptions = {}): Promise<ManagedThread> {
    return this.#answered({ method: "GET", path: path`/threads/${threadId}`, signal });
  }

  /** Changes what is given; metadata is merged. */
  async update(
    threadId: string,
    body: ManagedThreadUpdate,
    { signal }: CallOptions = {},
  ): Promise<ManagedThread> {
    return this.#answered({ method: "PATCH", path: path`/threads/${threadId}`, body, signal });
  }

  /** Fine also when it is gone. */
  async delete(threadId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#http.reply({ method: "DELETE", path: path`/threads/${threadId}`, signal });
  }

  /** The same change for any number of threads, 50 to a request; yields how it went with each. */
  async *bulkModify(
    threadIds: readonly string[],
    data: ManagedThreadUpdate,
    { signal }: CallOptions = {},
  ): AsyncIterable<BulkResult> {
    for (let start = 0; start < threadIds.length; start += bulkSize) {
      const body = { thread_ids: threadIds.slice(start, start + bulkSize), data };
      const accept = (value: unknown) => isObject(value) && isList(value["results"]);
      const request = { method: "POST", path: "/threads/bulk-modify", body, signal, accept } as const;
      yield* (await this.#http.json<{ readonly results: readonly BulkResult[] }>(request)).results;
    }
  }

  /** Closes what a thread waits for: the tool it asked about does not run. Throws a "conflict" when nothing waits. */
  async resolveInterrupt(threadId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#http.reply({ method: "POST", path: path`/threads/${threadId}/resolve-interrupt`, signal });
  }

  async #answered(request: Parameters<Http["json"]>[0]): Promise<ManagedThread> {
    return readThread(await this.#http.json<JsonObject>({ ...request, accept: isThread }));
  }
}

/** A thread by either interface's name of its id, with both. */
function readThread(wire: JsonObject): ManagedThread {
  const id = idOf(wire, "id", "thread_id");
  return { ...wire, id, thread_id: id };
}

/** As an object, or as the bare number of an earlier version. */
function countIn(value: unknown): number | undefined {
  const count = isObject(value) ? (value["attention_count"] ?? value["count"]) : value;
  return typeof count === "number" ? count : undefined;
}

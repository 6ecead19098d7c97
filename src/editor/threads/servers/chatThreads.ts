/** The threads of a chat backend in the shape of an agent server's, so that one tree lists both. */

import { ApiError } from "../../../api/errors.ts";
import { isTransient } from "../../../api/retry.ts";
import type { CallOptions } from "../../../api/http.ts";
import type { ThreadPage } from "../../../api/agentServer/threads.ts";
import type { Thread, ThreadSearch } from "../../../api/agentServer/wire.ts";
import type { ThreadProtocol } from "../../../api/threadProtocol/index.ts";
import type { ChatThread } from "../../../api/threadProtocol/wire.ts";
import { statusOf } from "../../../run/session/server.ts";
import type { ChatMemory } from "./chatMemory.ts";

/** How many states are read at a time. */
const atOnce = 8;

/** A thread that the backend listed, or that was created here. */
type KnownThread = ChatThread & { readonly createdAt?: string };

export class ChatThreads {
  readonly #client: ThreadProtocol;
  readonly #memory: ChatMemory;

  constructor(client: ThreadProtocol, memory: ChatMemory) {
    this.#client = client;
    this.#memory = memory;
  }

  /** Backends give the whole list at once: it is searched and cut here. */
  async search(query: ThreadSearch = {}, options: CallOptions = {}): Promise<ThreadPage> {
    const { limit = 100, offset = 0 } = query;
    const all = await this.#matching(query, options);
    return { threads: all.slice(offset, offset + limit), hasMore: all.length > offset + limit };
  }

  async count(query: ThreadSearch = {}, options: CallOptions = {}): Promise<number> {
    return (await this.#matching(query, options)).length;
  }

  /** Rejects with "notFound" when the backend does not list the thread any more. */
  async row(threadId: string, options: CallOptions = {}): Promise<Thread> {
    const [found] = await this.#matching({ ids: [threadId] }, options);
    if (found !== undefined) return found;
    throw new ApiError("notFound", {
      method: "GET",
      url: "/api/threads",
      detail: "the thread is not listed",
    });
  }

  async #matching({ ids, status, metadata }: ThreadSearch, options: CallOptions): Promise<readonly Thread[]> {
    const listed: readonly KnownThread[] =
      (await this.#listed(options)) ?? (await this.#created(ids, options));
    const threads = listed.map((one) => this.#thread(one));
    return threads.filter(
      (thread) =>
        (ids === undefined || ids.includes(thread.thread_id)) &&
        (status === undefined || thread.status === status) &&
        Object.entries(metadata ?? {}).every(([name, value]) => thread.metadata[name] === value),
    );
  }

  /** What the backend lists; undefined when it has no list. */
  async #listed(options: CallOptions): Promise<readonly ChatThread[] | undefined> {
    const listed = await this.#client.list(options);
    if (listed !== undefined) this.#memory.created.clear();
    return listed;
  }

  /** Those that were created here and that the backend still knows, with the titles that their states give. */
  async #created(ids: readonly string[] | undefined, options: CallOptions): Promise<readonly KnownThread[]> {
    const untitled = this.#memory.untitled.filter((id) => ids === undefined || ids.includes(id));
    for (let start = 0; start < untitled.length; start += atOnce) {
      const some = untitled.slice(start, start + atOnce);
      const answered = await Promise.all(some.map((id) => this.#readState(id, options)));
      // One more request may be too much for a backend that fails: the next listing goes on.
      if (answered.includes(false)) break;
    }
    const { created, states } = this.#memory;
    return created.list.map(({ id, at }) => ({ id, title: states.title(id) ?? null, createdAt: at }));
  }

  /** False after a transient failure; the thread is shown all the same, as are the others. */
  async #readState(threadId: string, options: CallOptions): Promise<boolean> {
    try {
      const state = await this.#client.state(threadId, options);
      if (state === undefined) this.#memory.setLost(threadId);
      else this.#memory.setState(threadId, state);
      return true;
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined || [401, 403, 429].includes(status)) throw error;
      const isAway = isTransient(error);
      if (isAway) this.#memory.setError(threadId, error);
      else this.#memory.setState(threadId, undefined);
      return !isAway;
    }
  }

  /** The list has no status: what is shown is what this window saw, or read of the thread's state. */
  #thread({ id, title, updatedAt, createdAt }: KnownThread): Thread {
    const at = updatedAt ?? "";
    return {
      thread_id: id,
      created_at: createdAt ?? at,
      updated_at: at,
      metadata: title === undefined || title === null ? {} : { title },
      status: this.#memory.statusOf({ thread_id: id, updated_at: at }),
    };
  }
}

/** The threads of a chat backend in the shape of an agent server's, so that one tree lists both. */

import { ApiError } from "../../api/errors.ts";
import type { CallOptions, ThreadPage } from "../../api/agentServer/threads.ts";
import type { Thread, ThreadSearch } from "../../api/agentServer/wire.ts";
import type { ThreadProtocol } from "../../api/threadProtocol/index.ts";
import type { ChatThread } from "../../api/threadProtocol/wire.ts";
import type { ChatMemory } from "./chatMemory.ts";

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
  async get(threadId: string, options: CallOptions = {}): Promise<Thread> {
    const [found] = await this.#matching({ ids: [threadId] }, options);
    if (found !== undefined) return found;
    throw new ApiError("notFound", {
      method: "GET",
      url: "/api/threads",
      detail: "the thread is not listed",
    });
  }

  async #matching({ ids, status, metadata }: ThreadSearch, options: CallOptions): Promise<readonly Thread[]> {
    const listed = this.#memory.lacks.has("list") ? undefined : await this.#client.list(options);
    if (listed === undefined) this.#memory.lack("list");
    const threads = (listed ?? this.#memory.madeHere.map((id) => ({ id }))).map((one) => this.#thread(one));
    return threads.filter(
      (thread) =>
        (ids === undefined || ids.includes(thread.thread_id)) &&
        (status === undefined || thread.status === status) &&
        Object.entries(metadata ?? {}).every(([name, value]) => thread.metadata[name] === value),
    );
  }

  /** The list tells no status: what is shown is what this window saw, or read of the thread's state. */
  #thread({ id, title, updatedAt }: ChatThread): Thread {
    const at = updatedAt ?? "";
    return {
      thread_id: id,
      created_at: at,
      updated_at: at,
      metadata: title === undefined || title === null ? {} : { title },
      status: this.#memory.statusOf({ thread_id: id, updated_at: at }),
    };
  }
}

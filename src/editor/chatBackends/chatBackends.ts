/** The chat backends that connections reach: a client for each, and what this window knows of their runs. */

import type { ThreadProtocol } from "../../api/threadProtocol/index.ts";
import { ChatMemory } from "./chatMemory.ts";
import { ChatThreads } from "./chatThreads.ts";
import type { Connections } from "../connections/connections.ts";
import type { Transport } from "../connections/transport.ts";

export class ChatBackends {
  readonly #connections: Connections;
  readonly #transport: Transport;
  readonly #memories = new Map<string, ChatMemory>();

  constructor(connections: Connections, transport: Transport) {
    this.#connections = connections;
    this.#transport = transport;
  }

  /** A client that reads key and headers anew for each request; throws ConnectionError. */
  async client(connectionId: string): Promise<ThreadProtocol> {
    const { ThreadProtocol } = await import("../../api/threadProtocol/index.ts");
    const { url } = this.#connections.resolve(connectionId);
    return new ThreadProtocol(await this.#transport.http(connectionId, withoutApi(url)));
  }

  /** The same for all who work with the backend. */
  memory(connectionId: string): ChatMemory {
    const known = this.#memories.get(connectionId) ?? new ChatMemory();
    this.#memories.set(connectionId, known);
    return known;
  }

  async threads(connectionId: string): Promise<ChatThreads> {
    return new ChatThreads(await this.client(connectionId), this.memory(connectionId));
  }
}

/** People give the address of the application, or the one under which the threads are. */
function withoutApi(url: string): string {
  return url.replace(/\/api(\/threads)?$/, "");
}

/** The chat backends that connections reach: a client for each, and what this window knows of their runs. */

import * as vscode from "vscode";
import type { ThreadProtocol } from "../../../api/threadProtocol/index.ts";
import { ChatMemory } from "./chatMemory.ts";
import { ChatThreads } from "./chatThreads.ts";
import { CreatedThreads } from "./createdThreads.ts";
import { WaitingChats } from "./waitingChats.ts";
import type { Connections } from "../../connections/connections.ts";
import type { Transport } from "../../connections/transport.ts";

export class ChatBackends {
  readonly #connections: Connections;
  readonly #transport: Transport;
  readonly #memories = new Map<string, ChatMemory>();
  readonly #changed = new vscode.EventEmitter<void>();
  /** A backend turned out not to support something, or to have lost a thread. */
  readonly onDidChange = this.#changed.event;
  readonly #memento: vscode.Memento;

  /** `memento` keeps which threads were created here on backends that list none. */
  constructor(connections: Connections, transport: Transport, memento: vscode.Memento) {
    this.#connections = connections;
    this.#transport = transport;
    this.#memento = memento;
    transport.onDidFindUnsupported(() => this.#changed.fire());
  }

  /** A client that reads key and headers for each request; throws ConnectionError. */
  async client(connectionId: string): Promise<ThreadProtocol> {
    const { ThreadProtocol } = await import("../../../api/threadProtocol/index.ts");
    const { url } = this.#connections.resolve(connectionId);
    const http = await this.#transport.http(connectionId, applicationUrl(url));
    return new ThreadProtocol(http);
  }

  /** One for all clients of the backend; another address is another backend. */
  memory(connectionId: string): ChatMemory {
    const url = this.#connections.get(connectionId)?.url ?? "";
    const key = `${connectionId} ${url}`;
    const known = this.#memories.get(key);
    if (known !== undefined) return known;
    const memory = new ChatMemory({
      capabilities: this.#transport.capabilities(connectionId, applicationUrl(url)),
      created: new CreatedThreads(this.#memento, connectionId, url),
      onLost: () => this.#changed.fire(),
      now: Date.now,
    });
    this.#memories.set(key, memory);
    return memory;
  }

  async threads(connectionId: string): Promise<ChatThreads> {
    return new ChatThreads(await this.client(connectionId), this.memory(connectionId));
  }

  /** The threads among them that wait for a person. */
  async waiting(connectionId: string): Promise<WaitingChats> {
    return new WaitingChats(await this.client(connectionId), this.memory(connectionId));
  }
}

/** People give the address of the application, or the one under which the threads are. */
export function applicationUrl(url: string): string {
  return url.replace(/\/api(\/threads)?$/, "");
}

/** A chat backend as the place where its threads live. */

import { ApiError } from "../../api/errors.ts";
import type { AssistantChoice } from "../../run/messages.ts";
import type { CallOptions, RunServer } from "../../run/server.ts";
import type { AgentServers } from "../threads/agentServers.ts";
import { ChatRunServer, soleAssistant } from "./chatRunServer.ts";
import type { ThreadPlace } from "../connections/connection.ts";
import { ThreadLostError } from "../refusal.ts";
import type { HostFacts, Lacks, ThreadHost } from "../threads/threadHost.ts";
import type { ChatMemory } from "./chatMemory.ts";

export class ChatThreadHost implements ThreadHost {
  readonly #agentServers: AgentServers;
  readonly #place: ThreadPlace;
  readonly #memory: ChatMemory;
  readonly runs: RunServer;

  constructor(agentServers: AgentServers, place: ThreadPlace) {
    const { connectionId } = place;
    const { chats } = agentServers;
    this.#agentServers = agentServers;
    this.#place = place;
    this.#memory = chats.memory(connectionId);
    this.runs = new ChatRunServer(() => chats.client(connectionId), this.#memory);
  }

  get lacks(): Lacks {
    return this.#memory.lacks;
  }

  async facts(threadId: string | undefined, options: CallOptions): Promise<HostFacts> {
    const { connectionId, serverId } = this.#place;
    const server = await this.#agentServers.find(connectionId, serverId);
    const [assistants, thread] = await Promise.all([
      this.#assistants(options),
      threadId === undefined ? undefined : this.#listed(threadId, options),
    ]);
    const title = thread?.metadata["title"];
    return {
      name: server?.name ?? serverId,
      assistants,
      title: typeof title === "string" ? title : undefined,
    };
  }

  async state(threadId: string): Promise<unknown> {
    const client = await this.#agentServers.chats.client(this.#place.connectionId);
    const state = await client.state(threadId);
    if (state === undefined) throw new ThreadLostError();
    return state;
  }

  rename(): Promise<void> {
    return Promise.reject(this.#memory.lack("rename"));
  }

  async delete(threadId: string): Promise<void> {
    const client = await this.#agentServers.chats.client(this.#place.connectionId);
    if (!(await client.delete(threadId))) throw this.#memory.lack("delete");
    this.#memory.forget(threadId);
  }

  /** A backend that is an agent server, too, has a choice; others run the one agent that they have. */
  async #assistants(options: CallOptions): Promise<readonly AssistantChoice[]> {
    const sole = [{ id: soleAssistant, name: "The backend's agent" }];
    try {
      const { assistants } = await this.#agentServers.client(this.#place);
      const found = await assistants.search({}, options);
      const choices = found.map(({ assistant_id: id, name, graph_id }) => ({ id, name: name ?? graph_id }));
      return choices.length === 0 ? sole : choices;
    } catch (error) {
      if (error instanceof ApiError && !["unauthorized", "forbidden", "aborted"].includes(error.kind))
        return sole;
      throw error;
    }
  }

  async #listed(
    threadId: string,
    options: CallOptions,
  ): Promise<{ readonly metadata: Readonly<Record<string, unknown>> } | undefined> {
    const threads = await this.#agentServers.chats.threads(this.#place.connectionId);
    const { threads: found } = await threads.search({ ids: [threadId] }, options);
    return found[0];
  }
}

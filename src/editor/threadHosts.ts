/** Where threads live: on an agent server, or with a managed agent. Whoever works with a thread need not know. */

import type { Assistant } from "../api/agentServer/wire.ts";
import type { AssistantChoice } from "../run/messages.ts";
import type { CallOptions, RunServer } from "../run/server.ts";
import type { AgentServers } from "./agentServers.ts";
import type { ThreadPlace } from "./connection.ts";
import { agentIdOf } from "./connection.ts";
import { ManagedThreadHost } from "./managedThreadHost.ts";
import type { Platforms } from "./platforms.ts";
import { runServer } from "./runServer.ts";
import { givenTitle } from "./threadTitle.ts";

/** What a run panel shows beside a conversation. */
export interface HostFacts {
  readonly name: string;
  readonly assistants: readonly AssistantChoice[];
  /** What the thread was called by a person or the platform. */
  readonly title: string | undefined;
}

/** One place where threads live, and all that is done with a thread by whoever lists it or shows it. */
export interface ThreadHost {
  /** For a run session. */
  readonly runs: RunServer;
  facts(threadId: string | undefined, options: CallOptions): Promise<HostFacts>;
  /** The thread's state as the server tells it. */
  state(threadId: string): Promise<unknown>;
  rename(threadId: string, title: string): Promise<void>;
  /** Rejects with an ApiError; a thread that is gone may be one. */
  delete(threadId: string): Promise<void>;
}

export class ThreadHosts {
  readonly #agentServers: AgentServers;
  readonly #platforms: Platforms;

  constructor(agentServers: AgentServers, platforms: Platforms) {
    this.#agentServers = agentServers;
    this.#platforms = platforms;
  }

  /** The host of a thread, or of one that is to be made there. */
  of(place: ThreadPlace): ThreadHost {
    const agentId = agentIdOf(place.serverId);
    if (agentId === undefined) return agentServerHost(this.#agentServers, place);
    const client = () => this.#platforms.managedAgents(place.connectionId);
    return new ManagedThreadHost({ client, agentId, testRun: place.testRun });
  }
}

function agentServerHost(agentServers: AgentServers, place: ThreadPlace): ThreadHost {
  const client = () => agentServers.client(place);
  return {
    runs: runServer(client),
    facts: async (threadId, options) => {
      const { threads, assistants } = await client();
      const [server, found, thread] = await Promise.all([
        agentServers.find(place.connectionId, place.serverId),
        assistants.search({}, options),
        threadId === undefined ? undefined : threads.get(threadId, options),
      ]);
      const title = thread === undefined ? undefined : givenTitle(thread.metadata);
      return { name: server?.name ?? place.serverId, assistants: found.map(choiceOf), title };
    },
    state: async (threadId) => (await client()).threads.state(threadId, { subgraphs: true }),
    rename: async (threadId, title) => {
      await (await client()).threads.patch(threadId, { metadata: { title } });
    },
    delete: async (threadId) => (await client()).threads.delete(threadId),
  };
}

function choiceOf({
  assistant_id: id,
  name,
  graph_id: graph,
  description,
  metadata,
}: Assistant): AssistantChoice {
  const example = metadata["example"];
  return {
    id,
    name: name ?? graph,
    ...(typeof description === "string" && description !== "" ? { description } : {}),
    ...(typeof example === "string" ? { example } : {}),
  };
}

/** A chat backend as the host of its threads. */

import type { ThreadState } from "../../../api/agentServer/wire.ts";
import { refusesKey } from "../../../api/advice.ts";
import { ApiError, isGone } from "../../../api/errors.ts";
import { pendingInterrupts } from "../../../run/fold/threadState.ts";
import { beforePages } from "../../../api/pagination.ts";
import type { ThreadProtocol } from "../../../api/threadProtocol/index.ts";
import type { AssistantChoice } from "../../../run/panel/messages.ts";
import type { CallOptions } from "../../../api/http.ts";
import type { RunServer } from "../../../run/session/server.ts";
import type { AgentServers } from "./agentServers.ts";
import { ChatRunServer, soleAssistant } from "./chatRunServer.ts";
import type { ThreadTarget } from "../../connections/connection.ts";
import { serverAddress } from "../../connections/serverRef.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import {
  type CheckpointName,
  type HostFacts,
  statesAtOnce,
  type ThreadHost,
  type ThreadVersion,
  type Unsupported,
} from "./threadHost.ts";
import { type ChatMemory, unsupportedError } from "./chatMemory.ts";

/** Every ten seconds, in characters of JSON. */
const mostCompared = 100_000;

/** What is asked of a chat backend about its threads. */
export class ChatThreadHost implements ThreadHost {
  readonly #agentServers: AgentServers;
  readonly #target: ThreadTarget;
  readonly #memory: ChatMemory;
  readonly runs: RunServer;

  constructor(agentServers: AgentServers, target: ThreadTarget) {
    const { connectionId } = target;
    const { chats } = agentServers;
    this.#agentServers = agentServers;
    this.#target = target;
    this.#memory = chats.memory(connectionId);
    this.runs = new ChatRunServer(() => chats.client(connectionId), this.#memory);
  }

  get unsupported(): Unsupported {
    return this.#memory.unsupported;
  }

  get lost(): number {
    return this.#memory.created.lost;
  }

  async facts(threadId: string | undefined, options: CallOptions): Promise<HostFacts> {
    const server = await this.#agentServers.find(this.#target);
    const [assistants, thread] = await Promise.all([
      this.#assistants(options),
      threadId === undefined ? undefined : this.#listed(threadId, options),
    ]);
    const title = thread?.metadata["title"];
    return {
      name: server?.name ?? serverAddress(this.#target.server),
      assistants,
      title: typeof title === "string" ? title : undefined,
    };
  }

  /** The list has no status; a backend without a list sends the whole state, which is asked for only while it is small. */
  async version(threadId: string, options: CallOptions): Promise<ThreadVersion | undefined> {
    const client = await this.#client();
    const listed = await client.list(options);
    if (listed === undefined) {
      if (this.#memory.large.has(threadId)) return undefined;
      const state = await client.state(threadId, options);
      if (state !== undefined && JSON.stringify(state).length > mostCompared)
        this.#memory.large.add(threadId);
      return versionIn(state);
    }
    const found = listed.find(({ id }) => id === threadId);
    return { status: found === undefined ? "gone" : "", updatedAt: found?.updatedAt ?? "" };
  }

  /** Backends read no single checkpoint: an earlier state is looked for in the history. */
  async state(threadId: string, at?: CheckpointName): Promise<unknown> {
    if (at === undefined) {
      const state = await (await this.#client()).state(threadId);
      if (state === undefined) throw this.#memory.setLost(threadId);
      return state;
    }
    for await (const state of this.history(threadId)) if (idOf(state) === at.checkpointId) return state;
    throw new NotPossibleError(
      "The backend does not know this state any more.",
      "Open another one of the thread's earlier states.",
    );
  }

  history(threadId: string, options: CallOptions = {}): AsyncIterable<ThreadState> {
    return beforePages(async (before) => {
      const client = await this.#client();
      try {
        const states = await client.history(threadId, { limit: statesAtOnce, before }, options);
        if (states !== undefined) return states;
      } catch (error) {
        throw isGone(error) ? this.#memory.setLost(threadId) : error;
      }
      throw unsupportedError("history");
    }, idOf);
  }

  rename(): Promise<void> {
    return Promise.reject(unsupportedError("rename"));
  }

  async delete(threadId: string): Promise<void> {
    const client = await this.#client();
    try {
      if (!(await client.delete(threadId))) throw unsupportedError("delete");
    } catch (error) {
      if (isGone(error)) this.#memory.forget(threadId);
      throw error;
    }
    this.#memory.forget(threadId);
  }

  /** A backend that is an agent server, too, has a choice; others run the one agent that they have. */
  async #assistants(options: CallOptions): Promise<readonly AssistantChoice[]> {
    const sole = [{ id: soleAssistant, name: "The backend's agent" }];
    try {
      const { assistants } = this.#agentServers.client(this.#target);
      const found = await assistants.search({}, options);
      const choices = found.map(({ assistant_id: id, name, graph_id: graph }) => ({
        ...{ id, graph, name: name ?? graph },
      }));
      return choices.length === 0 ? sole : choices;
    } catch (error) {
      if (error instanceof ApiError && error.kind !== "aborted" && !refusesKey(error)) return sole;
      throw error;
    }
  }

  #client(): Promise<ThreadProtocol> {
    return this.#agentServers.chats.client(this.#target.connectionId);
  }

  async #listed(
    threadId: string,
    options: CallOptions,
  ): Promise<{ readonly metadata: Readonly<Record<string, unknown>> } | undefined> {
    const threads = await this.#agentServers.chats.threads(this.#target.connectionId);
    const { threads: found } = await threads.search({ ids: [threadId] }, options);
    return found[0];
  }
}

/** A task may ask, and be answered, without a new checkpoint. */
function versionIn(state: ThreadState | undefined): ThreadVersion {
  if (state === undefined) return { status: "gone", updatedAt: "" };
  const asked = pendingInterrupts(state).map(({ id }) => id ?? "?");
  return { status: [idOf(state) ?? "", ...asked].join(" "), updatedAt: state.created_at ?? "" };
}

function idOf({ checkpoint }: ThreadState): string | undefined {
  return checkpoint?.checkpoint_id;
}

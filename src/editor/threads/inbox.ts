/** Every thread of every connection that waits for a person. */

import type { Thread } from "../../api/agentServer/wire.ts";
import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import type { ManagedThread } from "../../api/managedAgents/wire.ts";
import { pendingInterrupts } from "../../run/threadState.ts";
import type { AgentServerRef, ConnectionSetting } from "../connections/connection.ts";
import { agentServerId, isChatBackend } from "../connections/connection.ts";
import type { Services } from "../services.ts";
import { titleOf, titleOfId } from "./threadTitle.ts";
import { byAge, questionOf } from "./waitingThread.ts";
import type { WaitingThread } from "./waitingThread.ts";

/** What one look found; a connection that fails hides no other. */
export interface InboxContents {
  readonly threads: readonly WaitingThread[];
  readonly failures: readonly { readonly connectionId: string; readonly error: unknown }[];
}

type InboxServices = Pick<Services, "agentServers" | "connections" | "platforms">;

const mostPerServer = 100;
const oldestFirst = {
  status: "interrupted",
  limit: mostPerServer,
  sort_by: "updated_at",
  sort_order: "asc",
} as const;

export class Inbox {
  readonly #services: InboxServices;
  /** Agents' names by connection and id: they are asked for once. */
  readonly #names = new Map<string, string>();

  constructor(services: InboxServices) {
    this.#services = services;
  }

  /** One search for each agent server and one for each platform's managed agents. */
  async look(signal: AbortSignal): Promise<InboxContents> {
    const settings = this.#services.connections.list();
    const jobs = settings.flatMap((setting) => {
      const servers = { setting, found: this.#onServers(setting, signal) };
      const platform = setting.kind === "platform" || setting.kind === "localPlatform";
      return platform ? [servers, { setting, found: this.#ofAgents(setting, signal) }] : [servers];
    });
    const answers = await Promise.allSettled(jobs.map(({ found }) => found));
    const failures = new Map(
      answers.flatMap((answer, index) => {
        const connectionId = jobs[index]?.setting.id;
        return answer.status === "rejected" && connectionId !== undefined
          ? [[connectionId, { connectionId, error: answer.reason as unknown }] as const]
          : [];
      }),
    );
    const threads = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    return { threads: byAge(threads), failures: [...failures.values()] };
  }

  async #onServers(setting: ConnectionSetting, signal: AbortSignal): Promise<readonly WaitingThread[]> {
    const servers = await this.#services.agentServers.list(setting.id);
    const found = await Promise.all(servers.map((server) => this.#onServer(setting, server, signal)));
    return found.flat();
  }

  async #onServer(
    setting: ConnectionSetting,
    server: AgentServerRef,
    signal: AbortSignal,
  ): Promise<readonly WaitingThread[]> {
    const source = await this.#services.agentServers.threads(server);
    const { threads } = await source.search(oldestFirst, { signal });
    const { connectionId, serverId } = server;
    const waiting = async (thread: Thread): Promise<WaitingThread> => ({
      ref: { connectionId, serverId, threadId: thread.thread_id },
      title: titleOf(thread),
      place: server.name === setting.name ? setting.name : `${setting.name} · ${server.name}`,
      since: thread.updated_at,
      question: questionOf(await this.#interrupts(server, thread, signal)),
    });
    return Promise.all(threads.map(waiting));
  }

  /** Chat backends list no interrupts: the state of the few threads that are known to wait has them. */
  async #interrupts(
    { connectionId, serverId }: AgentServerRef,
    thread: Thread,
    signal: AbortSignal,
  ): Promise<Thread["interrupts"]> {
    if (!isChatBackend(serverId)) return thread.interrupts;
    const client = await this.#services.agentServers.chats.client(connectionId);
    const state = await client.state(thread.thread_id, { signal });
    return state && { state: pendingInterrupts(state) };
  }

  async #ofAgents(setting: ConnectionSetting, signal: AbortSignal): Promise<readonly WaitingThread[]> {
    const api = await this.#services.platforms.managedAgents(setting.id);
    const found = await api.threads.search(oldestFirst, { signal });
    const threads = found.filter(({ test_run }) => test_run !== true);
    return Promise.all(threads.map((thread) => this.#ofAgent(setting, api, thread, signal)));
  }

  async #ofAgent(
    setting: ConnectionSetting,
    api: ManagedAgents,
    thread: ManagedThread,
    signal: AbortSignal,
  ): Promise<WaitingThread> {
    const { id: threadId, title } = thread;
    const agentId = agentIn(thread);
    const name = await this.#nameOf(setting.id, api, agentId, signal);
    return {
      ref: { connectionId: setting.id, serverId: agentServerId(agentId), threadId },
      title: title ?? titleOfId(threadId),
      place: `${setting.name} · ${name}`,
      since: thread.state_updated_at ?? thread.updated_at ?? "",
      question: questionOf(thread.interrupts),
    };
  }

  /** An agent that can't be read, perhaps because it was deleted, goes by a plain word. */
  async #nameOf(
    connectionId: string,
    api: ManagedAgents,
    agentId: string,
    signal: AbortSignal,
  ): Promise<string> {
    const key = `${connectionId} ${agentId}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = await api.agents.get(agentId, { signal }).then(
      (agent) => agent.name,
      () => "managed agent",
    );
    this.#names.set(key, name);
    return name;
  }
}

/** Threads that are passed on from an agent server name their agent in the metadata. */
function agentIn({ agent_id, metadata }: ManagedThread): string {
  const named = agent_id ?? metadata?.["agent_id"] ?? metadata?.["assistant_id"];
  return typeof named === "string" ? named : "";
}

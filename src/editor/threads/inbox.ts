/** Every thread of every connection that waits for a person. */

import type { Thread } from "../../api/agentServer/wire.ts";
import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import type { ManagedThread } from "../../api/managedAgents/wire.ts";
import type { AgentServerRef, ConnectionSetting } from "../connections/connection.ts";
import type { ConnectedServer } from "../connections/serverRef.ts";
import type { Services } from "../services.ts";
import { AgentNames } from "./agentNames.ts";
import { isManaged } from "./attention.ts";
import { titleOf, titleOfId } from "./servers/threadTitle.ts";
import { byAge, questionOf } from "./waitingThread.ts";
import type { WaitingThread } from "./waitingThread.ts";

/** What one look found; a connection that fails hides no other. */
export interface InboxContents {
  readonly threads: readonly WaitingThread[];
  readonly failures: readonly { readonly connectionId: string; readonly error: unknown }[];
  readonly rest: Rest;
  /** Whether some server has threads that nobody asked about yet; the next look goes on with them. */
  readonly asking: boolean;
}

/** Whether more wait on some server than were read of it; "perhaps" where its list does not tell who waits. */
export type Rest = "none" | "perhaps" | "more";

type InboxServices = Pick<Services, "agentServers" | "attention" | "connections" | "platforms">;

/** What one server has that waits, as far as it was read. */
interface Found {
  readonly server: ConnectedServer;
  readonly threads: readonly WaitingThread[];
  readonly rest: Rest;
  readonly asking?: boolean;
  /** Why some of it could not be read. */
  readonly error?: unknown;
}

const oldestFirst = { status: "interrupted", sort_by: "updated_at", sort_order: "asc" } as const;

export class Inbox {
  /** How many threads are read of one server, page by page. */
  most = 500;
  /** How many are asked for at once. */
  pageSize = 100;
  readonly #services: InboxServices;
  readonly #names = new AgentNames();

  constructor(services: InboxServices) {
    this.#services = services;
  }

  /**
   * Searches each agent server, each chat backend, and each platform's managed agents; `afresh` also asks about what
   * was asked about a moment ago.
   */
  async look(signal: AbortSignal, afresh = false): Promise<InboxContents> {
    const settings = this.#services.connections.list();
    const jobs = settings.flatMap((setting) => {
      const servers = { setting, found: this.#onServers(setting, afresh, signal) };
      const platform = setting.kind === "platform" || setting.kind === "localPlatform";
      return platform ? [servers, { setting, found: this.#ofAgents(setting, signal) }] : [servers];
    });
    const answers = await Promise.allSettled(jobs.map(({ found }) => found));
    const failures = new Map(
      answers.flatMap((answer, index) => {
        const connectionId = jobs[index]?.setting.id ?? "";
        return errorsOf(answer).map((error) => [connectionId, { connectionId, error }] as const);
      }),
    );
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    this.#teach(settings, found);
    const rests = found.map(({ rest }) => rest);
    return {
      threads: byAge(found.flatMap(({ threads }) => threads)),
      failures: [...failures.values()],
      rest: (["more", "perhaps"] as const).find((rest) => rests.includes(rest)) ?? "none",
      asking: found.some(({ asking }) => asking),
    };
  }

  /** Tells who counts, where everything was read; a platform's own count of its agents' threads knows more. */
  #teach(settings: readonly ConnectionSetting[], found: readonly Found[]): void {
    const { attention } = this.#services;
    attention.retain(settings.map(({ id }) => id));
    for (const { server, threads, rest, asking, error } of found) {
      const everything = rest === "none" && asking !== true && error === undefined;
      if (!everything || (isManaged(server) && attention.knows(server))) continue;
      const waiting = threads.map(({ ref }) => ({ id: ref.threadId, status: "interrupted" }));
      attention.learn(server, waiting.length, waiting);
    }
  }

  async #onServers(
    setting: ConnectionSetting,
    afresh: boolean,
    signal: AbortSignal,
  ): Promise<readonly Found[]> {
    const servers = await this.#services.agentServers.list(setting.id, signal);
    return Promise.all(
      servers.map((server) =>
        server.server.kind === "chatBackend"
          ? this.#inChats(setting, server, afresh, signal)
          : this.#onServer(setting, server, signal),
      ),
    );
  }

  async #inChats(
    setting: ConnectionSetting,
    server: AgentServerRef,
    afresh: boolean,
    signal: AbortSignal,
  ): Promise<Found> {
    const chats = await this.#services.agentServers.chats.waiting(setting.id);
    const { threads, listsMore, asking, error } = await chats.poll({
      most: this.most,
      force: afresh,
      signal,
    });
    return {
      server,
      threads: threads.map(({ thread, interrupts }) =>
        waitingOn(setting, server, { ...thread, interrupts: { state: interrupts } }),
      ),
      rest: listsMore ? "perhaps" : "none",
      asking,
      error,
    };
  }

  async #onServer(setting: ConnectionSetting, server: AgentServerRef, signal: AbortSignal): Promise<Found> {
    const source = await this.#services.agentServers.threads(server);
    const { threads, goesOn } = await this.#pages(
      async (page) => (await source.search(page, { signal })).threads,
      ({ thread_id }) => thread_id,
    );
    return {
      server,
      threads: threads.map((thread) => waitingOn(setting, server, thread)),
      rest: restOf(goesOn),
    };
  }

  async #ofAgents(setting: ConnectionSetting, signal: AbortSignal): Promise<readonly Found[]> {
    const api = await this.#services.platforms.managedAgents(setting.id);
    const { threads, goesOn } = await this.#pages(
      (page) => api.threads.search(page, { signal }),
      ({ id }) => id,
    );
    const meant = threads.filter(({ test_run }) => test_run !== true);
    const waiting = await Promise.all(meant.map((thread) => this.#ofAgent(setting, api, thread, signal)));
    const server = { connectionId: setting.id, server: { kind: "managedAgent", agentId: "" } } as const;
    return [{ server, threads: waiting, rest: restOf(goesOn) }];
  }

  /** Page after page, until a server has no more or `most` are read; what moved to a later page comes once. */
  async #pages<T>(
    search: (page: typeof oldestFirst & { limit: number; offset: number }) => Promise<readonly T[]>,
    idOf: (thread: T) => string,
  ): Promise<{ readonly threads: readonly T[]; readonly goesOn: boolean }> {
    const read = new Map<string, T>();
    for (let offset = 0; ; offset += this.pageSize) {
      const page = await search({ ...oldestFirst, limit: this.pageSize, offset });
      const known = read.size;
      for (const thread of page) read.set(idOf(thread), thread);
      const isLast = page.length < this.pageSize || read.size === known;
      if (isLast || read.size >= this.most) return { threads: [...read.values()], goesOn: !isLast };
    }
  }

  async #ofAgent(
    setting: ConnectionSetting,
    api: ManagedAgents,
    thread: ManagedThread,
    signal: AbortSignal,
  ): Promise<WaitingThread> {
    const { id: threadId, title } = thread;
    const agentId = agentIn(thread);
    const name = await this.#names.of(
      setting.id,
      agentId,
      async () => (await api.agents.get(agentId, { signal })).name,
    );
    return {
      ref: { connectionId: setting.id, server: { kind: "managedAgent", agentId }, threadId },
      title: title ?? titleOfId(threadId),
      place: `${setting.name} · ${name}`,
      since: thread.state_updated_at ?? thread.updated_at ?? "",
      question: questionOf(thread.interrupts),
    };
  }
}

function waitingOn(setting: ConnectionSetting, server: AgentServerRef, thread: Thread): WaitingThread {
  const { connectionId } = server;
  return {
    ref: { connectionId, server: server.server, threadId: thread.thread_id },
    title: titleOf(thread),
    place: server.name === setting.name ? setting.name : `${setting.name} · ${server.name}`,
    since: thread.updated_at,
    question: questionOf(thread.interrupts),
  };
}

function restOf(goesOn: boolean): Rest {
  return goesOn ? "more" : "none";
}

function errorsOf(answer: PromiseSettledResult<readonly Found[]>): readonly unknown[] {
  if (answer.status === "rejected") return [answer.reason];
  return answer.value.map(({ error }) => error).filter((error) => error !== undefined);
}

/** Threads that are passed on from an agent server name their agent in the metadata. */
function agentIn({ agent_id, metadata }: ManagedThread): string {
  const named = agent_id ?? metadata?.["agent_id"] ?? metadata?.["assistant_id"];
  return typeof named === "string" ? named : "";
}

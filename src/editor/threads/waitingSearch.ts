/** Which threads of a connection wait for a person: asked of its agent servers, chat backends and managed agents. */

import type { Thread } from "../../api/agentServer/wire.ts";
import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import type { ManagedThread } from "../../api/managedAgents/wire.ts";
import type { AgentServerRef, ConnectionSetting } from "../connections/connection.ts";
import type { Platforms } from "../connections/platforms.ts";
import type { ConnectedServer } from "../connections/serverRef.ts";
import { AgentNames } from "./agentNames.ts";
import type { AgentServers } from "./servers/agentServers.ts";
import { titleOf, titleOfId } from "./servers/threadTitle.ts";
import { questionOf, type WaitingThread } from "./waitingThread.ts";

/** Whether more wait on some server than were read of it; "perhaps" where its list does not tell who waits. */
export type Rest = "none" | "perhaps" | "more";

/** What one server has that waits, as far as it was read. */
export interface Found {
  readonly server: ConnectedServer;
  readonly threads: readonly WaitingThread[];
  readonly rest: Rest;
  readonly asking?: boolean;
  /** Why some of it could not be read. */
  readonly error?: unknown;
}

/** What is asked for in one search. */
export interface SearchOptions {
  /** So many threads of each server. */
  readonly most: number;
  /** Also asks about what was asked about a moment ago. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

const oldestFirst = { status: "interrupted", sort_by: "updated_at", sort_order: "asc" } as const;

/** Asks one connection after another for its waiting threads. */
export class WaitingSearch {
  readonly #agentServers: Pick<AgentServers, "list" | "threads" | "chats">;
  readonly #platforms: Pick<Platforms, "managedAgents">;
  readonly #pageSize: number;
  readonly #names = new AgentNames();

  constructor(
    agentServers: Pick<AgentServers, "list" | "threads" | "chats">,
    platforms: Pick<Platforms, "managedAgents">,
    pageSize: number,
  ) {
    this.#agentServers = agentServers;
    this.#platforms = platforms;
    this.#pageSize = pageSize;
  }

  /** The threads of agent servers and chat backends. */
  async onServers(setting: ConnectionSetting, options: SearchOptions): Promise<readonly Found[]> {
    const servers = await this.#agentServers.list(setting.id, options.signal);
    const search = (server: AgentServerRef): Promise<Found> =>
      server.server.kind === "chatBackend"
        ? this.#inChats(setting, server, options)
        : this.#onServer(setting, server, options);
    return Promise.all(servers.map(search));
  }

  async #inChats(setting: ConnectionSetting, server: AgentServerRef, options: SearchOptions): Promise<Found> {
    const chats = await this.#agentServers.chats.waiting(setting.id);
    const { threads, listsMore, asking, error } = await chats.poll(options);
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

  async #onServer(
    setting: ConnectionSetting,
    server: AgentServerRef,
    options: SearchOptions,
  ): Promise<Found> {
    const source = await this.#agentServers.threads(server);
    const { threads, goesOn } = await this.#pages(
      options.most,
      async (page) => (await source.search(page, options)).threads,
      ({ thread_id }) => thread_id,
    );
    return {
      server,
      threads: threads.map((thread) => waitingOn(setting, server, thread)),
      rest: restOf(goesOn),
    };
  }

  /** The threads of a platform's managed agents. */
  async ofAgents(setting: ConnectionSetting, { most, signal }: SearchOptions): Promise<readonly Found[]> {
    const api = await this.#platforms.managedAgents(setting.id);
    const { threads, goesOn } = await this.#pages(
      most,
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
    most: number,
    search: (page: typeof oldestFirst & { limit: number; offset: number }) => Promise<readonly T[]>,
    idOf: (thread: T) => string,
  ): Promise<{ readonly threads: readonly T[]; readonly goesOn: boolean }> {
    const read = new Map<string, T>();
    for (let offset = 0; ; offset += this.#pageSize) {
      const page = await search({ ...oldestFirst, limit: this.#pageSize, offset });
      const known = read.size;
      for (const thread of page) read.set(idOf(thread), thread);
      const isLast = page.length < this.#pageSize || read.size === known;
      if (isLast || read.size >= most) return { threads: [...read.values()], goesOn: !isLast };
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

/** Threads that are passed on from an agent server name their agent in the metadata. */
function agentIn({ agent_id, metadata }: ManagedThread): string {
  const named = agent_id ?? metadata?.["agent_id"] ?? metadata?.["assistant_id"];
  return typeof named === "string" ? named : "";
}

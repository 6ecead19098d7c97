/** Which threads of a connection wait for a person: asked of its agent servers, chat backends and managed agents. */

import type { Thread } from "../../api/agentServer/wire.ts";
import { saysUnsupported } from "../../api/capabilities.ts";
import { ApiError } from "../../api/errors.ts";
import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import type { ManagedThread } from "../../api/managedAgents/wire.ts";
import type { AgentServerRef, ConnectionSetting } from "../connections/connection.ts";
import type { Platforms } from "../connections/platforms.ts";
import type { Clock } from "../../api/retry.ts";
import type { ConnectedServer } from "../connections/serverRef.ts";
import { dotted } from "../kit/words.ts";
import { serverKey } from "../connections/serverRef.ts";
import { RetryAfters } from "./retryAfters.ts";
import { type WaitingPage, WaitingPages } from "./waitingPages.ts";
import { AgentNames } from "./agentNames.ts";
import type { AgentServers } from "../threads/servers/agentServers.ts";
import { titleOf, titleOfId } from "../threads/servers/threadTitle.ts";
import { listedFields } from "../threads/threadFacts.ts";
import { questionOf, type WaitingThread } from "../threads/waitingThread.ts";

/** Whether more wait on some server than were read of it; "perhaps" where its list does not tell who waits. */
export type Rest = "none" | "perhaps" | "more";

/** What one server has that waits, as far as it was read. */
export interface Found {
  /** With its address, where that is known: two connections may reach the same one. */
  readonly server: ConnectedServer & { readonly url?: string; readonly name?: string };
  /** How many wait; undefined where the server does not tell and not all were read. */
  readonly total?: number | undefined;
  readonly threads: readonly WaitingThread[];
  readonly rest: Rest;
  readonly asking?: boolean;
  /** The connection has more deployments than the first so many, which were asked. */
  readonly cutAt?: number;
  /** Why some of it could not be read. */
  readonly error?: unknown;
  /** Nothing of it could be read. */
  readonly isUnread?: true;
  /** When all of it was read, in epoch milliseconds. */
  readonly readAt?: number;
}

/** What is asked for in one search. */
export interface SearchOptions {
  /** At most this many threads of each server. */
  readonly most: number;
  /** Asks how many wait, and lists them only where a server can't count. */
  readonly countOnly?: boolean;
  /** Also asks about what was asked about a moment ago. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  /** Told of each server that answered, before all have. */
  readonly arrived?: (found: Found) => void;
}

const waiting = { status: "interrupted" } as const;

/** Asks one connection after another for its waiting threads. */
export class WaitingSearch {
  readonly #agentServers: Pick<AgentServers, "list" | "cutAt" | "threads" | "chats">;
  readonly #platforms: Pick<Platforms, "managedAgents">;
  readonly #pages: WaitingPages<Thread>;
  readonly #agentPages: WaitingPages<ManagedThread>;
  readonly #names = new AgentNames();
  readonly #retryAfters: RetryAfters;

  constructor(
    agentServers: Pick<AgentServers, "list" | "cutAt" | "threads" | "chats">,
    platforms: Pick<Platforms, "managedAgents">,
    pageSize: number,
    clock: Pick<Clock, "now">,
  ) {
    this.#agentServers = agentServers;
    this.#platforms = platforms;
    this.#pages = new WaitingPages(pageSize);
    this.#agentPages = new WaitingPages(pageSize);
    this.#retryAfters = new RetryAfters(clock);
  }

  /** The threads of agent servers and chat backends. */
  async onServers(setting: ConnectionSetting, options: SearchOptions): Promise<readonly Found[]> {
    const { force, signal } = options;
    const list = (): Promise<readonly AgentServerRef[]> => this.#agentServers.list(setting.id, signal);
    const servers = await this.#retryAfters.ask(`list ${setting.id}`, force, list);
    const search = async (server: AgentServerRef): Promise<Found> => {
      try {
        const found = await this.#retryAfters.ask(serverKey(server), force, () =>
          server.server.kind === "chatBackend"
            ? this.#inChats(setting, server, options)
            : this.#onServer(setting, server, options),
        );
        options.arrived?.(found);
        return found;
      } catch (error) {
        // One server of many that does not answer hides no other.
        return { server, threads: [], rest: "none", error, isUnread: true };
      }
    };
    const found = await Promise.all(servers.map(search));
    const cutAt = this.#agentServers.cutAt(setting.id);
    return cutAt === undefined ? found : [...found, unasked(setting, cutAt)];
  }

  async #inChats(setting: ConnectionSetting, server: AgentServerRef, options: SearchOptions): Promise<Found> {
    const chats = await this.#agentServers.chats.waiting(setting.id);
    const { threads, listsMore, asking, error } = await chats.poll(options);
    const everything = !listsMore && !asking && error === undefined;
    return {
      server,
      total: everything ? threads.length : undefined,
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
    const count = (): Promise<number | undefined> => source.count(waiting, options).catch(unlessUncounted);
    if (options.countOnly === true) {
      const total = await count();
      if (total !== undefined) return { server, total, threads: [], rest: "none" };
    }
    const pages = {
      search: async (page: WaitingPage) =>
        (await source.search({ ...page, select: listedFields }, options)).threads,
      count,
      idOf: ({ thread_id }: Thread) => thread_id,
    };
    const { threads, hasMore, total } = await this.#pages.of(serverKey(server), pages, options);
    return {
      server,
      total,
      threads: threads.map((thread) => waitingOn(setting, server, thread)),
      rest: hasMore ? "more" : "none",
    };
  }

  /** The threads of a platform's managed agents. */
  ofAgents(setting: ConnectionSetting, options: SearchOptions): Promise<readonly Found[]> {
    return this.#retryAfters.ask(`agents ${setting.id}`, options.force, () =>
      this.#ofAgents(setting, options),
    );
  }

  async #ofAgents(setting: ConnectionSetting, options: SearchOptions): Promise<readonly Found[]> {
    const { countOnly, signal } = options;
    const api = await this.#platforms.managedAgents(setting.id);
    const { id: connectionId, url } = setting;
    const agents = { connectionId, server: { kind: "managedAgent", agentId: "" } } as const;
    const server = url === undefined ? agents : { ...agents, url };
    const count = (): Promise<number | undefined> =>
      api.threads.attentionCount(undefined, { signal }).catch(unlessUncounted);
    if (countOnly === true) {
      const total = await count();
      if (total !== undefined) return [{ server, total, threads: [], rest: "none" }];
    }
    const pages = {
      search: (page: WaitingPage) => api.threads.search(page, { signal }),
      count,
      idOf: ({ id }: ManagedThread) => id,
    };
    const { threads, hasMore, total: counted } = await this.#agentPages.of(connectionId, pages, options);
    const meant = threads.filter(({ test_run }) => test_run !== true);
    const found = await Promise.all(meant.map((thread) => this.#ofAgent(setting, api, thread, signal)));
    const total = hasMore ? counted : found.length;
    const ofAgents: Found = { server, total, threads: found, rest: hasMore ? "more" : "none" };
    options.arrived?.(ofAgents);
    return [ofAgents];
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
      connection: setting.name,
      agent: name,
      since: thread.state_updated_at ?? thread.updated_at ?? "",
      // An agent stops at no breakpoint: a platform that lists no question only does not say what it is.
      question: questionOf(Object.keys(thread.interrupts ?? {}).length === 0 ? null : thread.interrupts),
    };
  }
}

function waitingOn(setting: ConnectionSetting, server: AgentServerRef, thread: Thread): WaitingThread {
  const { connectionId } = server;
  const graph = thread.metadata["graph_id"];
  return {
    ref: { connectionId, server: server.server, threadId: thread.thread_id },
    title: titleOf(thread) ?? titleOfId(thread.thread_id, thread.metadata),
    connection: setting.name,
    agent: dotted([server.name === setting.name ? "" : server.name, typeof graph === "string" ? graph : ""]),
    since: thread.updated_at,
    question: questionOf(thread.interrupts),
    metadata: thread.metadata,
  };
}

/** The deployments that were too many to be asked. */
function unasked({ id: connectionId }: ConnectionSetting, cutAt: number): Found {
  const server = { kind: "deployment", deploymentId: "" } as const;
  return { server: { connectionId, server }, threads: [], rest: "none", cutAt };
}

/** A server that counts no threads. */
function unlessUncounted(error: unknown): undefined {
  if (
    !saysUnsupported(error) &&
    !(error instanceof ApiError && (error.status === 400 || error.status === 422))
  )
    throw error;
}

/** Threads that are passed on from an agent server name their agent in the metadata. */
function agentIn({ agent_id, metadata }: ManagedThread): string {
  const named = agent_id ?? metadata?.["agent_id"] ?? metadata?.["assistant_id"];
  return typeof named === "string" ? named : "";
}

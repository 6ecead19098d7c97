/** Every thread of every connection that waits for a person. */

import * as vscode from "vscode";
import { ApiError } from "../../api/errors.ts";
import type { Thread } from "../../api/agentServer/wire.ts";
import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import type { ManagedThread } from "../../api/managedAgents/wire.ts";
import type { AgentServerRef, ConnectionSetting, ThreadRef } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import type { Platforms } from "../connections/platforms.ts";
import { type ConnectedServer, isSameThread } from "../connections/serverRef.ts";
import { Fetched } from "../kit/fetched.ts";
import type { PollResult } from "../kit/tree/pollSchedule.ts";
import { AgentNames } from "./agentNames.ts";
import type { AgentServers } from "./servers/agentServers.ts";
import { titleOf, titleOfId } from "./servers/threadTitle.ts";
import type { Threads } from "./threads.ts";
import { byAge, questionOf, type WaitingThread } from "./waitingThread.ts";
import { isManaged, type WaitingThreads } from "./waitingThreads.ts";

/** What was found; a connection that fails hides no other. */
export interface InboxContents {
  readonly threads: readonly WaitingThread[];
  readonly failures: readonly { readonly connectionId: string; readonly error: unknown }[];
  readonly rest: Rest;
  /** Whether some server has threads that nobody asked about yet; the next poll goes on with them. */
  readonly asking: boolean;
}

/** Whether more wait on some server than were read of it; "perhaps" where its list does not tell who waits. */
export type Rest = "none" | "perhaps" | "more";

/** What the inbox asks, and whom it tells what it found. */
interface Needs {
  readonly agentServers: AgentServers;
  readonly connections: Pick<Connections, "list">;
  readonly platforms: Pick<Platforms, "managedAgents">;
  readonly threads: Pick<Threads, "setTitle">;
  readonly waitingThreads: WaitingThreads;
}

/** How much is read of one server. */
export interface InboxLimits {
  /** So many threads at first. */
  readonly most?: number;
  /** So many at once. */
  readonly pageSize?: number;
}

/** What one server has that waits, as far as it was read. */
interface Found {
  readonly server: ConnectedServer;
  readonly threads: readonly WaitingThread[];
  readonly rest: Rest;
  readonly asking?: boolean;
  /** Why some of it could not be read. */
  readonly error?: unknown;
}

const nothing: InboxContents = { threads: [], failures: [], rest: "none", asking: false };
const oldestFirst = { status: "interrupted", sort_by: "updated_at", sort_order: "asc" } as const;

/** What was found last, and how to find more. */
export class Inbox implements vscode.Disposable {
  readonly #services: Needs;
  readonly #names = new AgentNames();
  readonly #gone = new AbortController();
  readonly #changed = new vscode.EventEmitter<void>();
  /** The servers were asked. */
  readonly onDidChange = this.#changed.event;
  readonly #fetched = new Fetched<InboxContents>(() => this.#changed.fire());
  readonly #pageSize: number;
  #most: number;

  constructor(services: Needs, { most = 500, pageSize = 100 }: InboxLimits = {}) {
    this.#services = services;
    this.#most = most;
    this.#pageSize = pageSize;
  }

  /** What was found last; undefined before anything was asked. */
  get contents(): InboxContents | undefined {
    return this.#fetched.value;
  }

  /** The waiting threads that were found last. */
  get threads(): readonly WaitingThread[] {
    return this.contents?.threads ?? [];
  }

  /** What is known of a waiting thread. */
  find(thread: ThreadRef): WaitingThread | undefined {
    return this.threads.find(({ ref }) => isSameThread(ref, thread));
  }

  /**
   * Searches each agent server, each chat backend, and each platform's managed agents; `force` also asks about what
   * was asked about a moment ago.
   */
  async load(force: boolean, signal: AbortSignal = this.#gone.signal): Promise<void> {
    await this.#fetched.load(() => this.#read(force, signal), signal);
  }

  /** Reads on where a server has more that waits than was read. */
  async loadMore(): Promise<void> {
    this.#most += this.#most;
    await this.load(true);
  }

  /** Looks for changes. */
  async poll(signal: AbortSignal): Promise<PollResult> {
    const before = JSON.stringify(this.threads);
    await this.load(false, signal);
    const { threads, failures, asking } = this.contents ?? nothing;
    const waits = failures.flatMap(({ error }) =>
      error instanceof ApiError ? (error.retryAfterMs ?? []) : [],
    );
    return {
      changed: before !== JSON.stringify(threads) || (asking && failures.length === 0),
      busy: threads.length > 0,
      ...(waits.length > 0 && { retryAfterMs: Math.max(...waits) }),
    };
  }

  dispose(): void {
    this.#gone.abort();
    this.#changed.dispose();
  }

  async #read(force: boolean, signal: AbortSignal): Promise<InboxContents> {
    const settings = this.#services.connections.list();
    const jobs = settings.flatMap((setting) => {
      const servers = { setting, found: this.#onServers(setting, force, signal) };
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
    // What ended with the view that asked is no answer.
    signal.throwIfAborted();
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    this.#share(settings, found);
    const rests = found.map(({ rest }) => rest);
    return {
      threads: byAge(found.flatMap(({ threads }) => threads)),
      failures: [...failures.values()],
      rest: (["more", "perhaps"] as const).find((rest) => rests.includes(rest)) ?? "none",
      asking: found.some(({ asking }) => asking),
    };
  }

  /** Sets titles and counts, where everything was read; a platform's own count of its agents' threads knows more. */
  #share(settings: readonly ConnectionSetting[], found: readonly Found[]): void {
    const { threads: titles, waitingThreads } = this.#services;
    waitingThreads.retain(settings.map(({ id }) => id));
    for (const { server, threads, rest, asking, error } of found) {
      for (const { ref, title } of threads) titles.setTitle(ref, title);
      const everything = rest === "none" && asking !== true && error === undefined;
      if (!everything || (isManaged(server) && waitingThreads.has(server))) continue;
      const waiting = threads.map(({ ref }) => ({ id: ref.threadId, status: "interrupted" }));
      waitingThreads.set(server, waiting.length, waiting);
    }
  }

  async #onServers(
    setting: ConnectionSetting,
    force: boolean,
    signal: AbortSignal,
  ): Promise<readonly Found[]> {
    const servers = await this.#services.agentServers.list(setting.id, signal);
    return Promise.all(
      servers.map((server) =>
        server.server.kind === "chatBackend"
          ? this.#inChats(setting, server, force, signal)
          : this.#onServer(setting, server, signal),
      ),
    );
  }

  async #inChats(
    setting: ConnectionSetting,
    server: AgentServerRef,
    force: boolean,
    signal: AbortSignal,
  ): Promise<Found> {
    const chats = await this.#services.agentServers.chats.waiting(setting.id);
    const { threads, listsMore, asking, error } = await chats.poll({
      most: this.#most,
      force: force,
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
    for (let offset = 0; ; offset += this.#pageSize) {
      const page = await search({ ...oldestFirst, limit: this.#pageSize, offset });
      const known = read.size;
      for (const thread of page) read.set(idOf(thread), thread);
      const isLast = page.length < this.#pageSize || read.size === known;
      if (isLast || read.size >= this.#most) return { threads: [...read.values()], goesOn: !isLast };
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

/** Every thread of every connection that waits for a person. */

import * as vscode from "vscode";
import { ApiError } from "../../api/errors.ts";
import type { Clock } from "../../api/retry.ts";
import { inBackground } from "../../api/turns.ts";
import type { ConnectionSetting, ThreadRef } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { isProtected } from "../connections/mark.ts";
import type { Platforms } from "../connections/platforms.ts";
import { isSameThread, serverKey } from "../connections/serverRef.ts";
import { Fetched } from "../kit/fetched.ts";
import type { PollResult } from "../kit/tree/pollSchedule.ts";
import type { AgentServers } from "./servers/agentServers.ts";
import type { Threads } from "./threads.ts";
import { type Found, type Rest, type SearchOptions, WaitingSearch } from "./waitingSearch.ts";
import { byAge, type WaitingThread } from "./waitingThread.ts";
import { isManaged, placeOf, type WaitingThreads } from "./waitingThreads.ts";

/** What was found; a connection that fails hides no other. */
export interface InboxContents {
  /** Whether the threads were listed; before that they were only counted. */
  readonly isListed: boolean;
  readonly threads: readonly WaitingThread[];
  readonly failures: readonly { readonly connectionId: string; readonly error: unknown }[];
  readonly rest: Rest;
  /** The connections with more deployments than the first so many, which were asked. */
  readonly cut: readonly { readonly connectionId: string; readonly at: number }[];
  /** Whether some server has threads that nobody asked about yet; the next poll goes on with them. */
  readonly asking: boolean;
}

/** What the inbox asks, and whom it tells what it found. */
interface Needs {
  readonly agentServers: Pick<AgentServers, "list" | "cutAt" | "threads" | "chats">;
  readonly connections: Pick<Connections, "list" | "running">;
  readonly platforms: Pick<Platforms, "managedAgents">;
  readonly threads: Pick<Threads, "setTitle" | "knownTitle" | "askTitles">;
  readonly waitingThreads: WaitingThreads;
  readonly clock: Pick<Clock, "now">;
}

/** How much is read of one server. */
export interface InboxLimits {
  /** So many threads at first. */
  readonly most?: number;
  /** So many at once. */
  readonly pageSize?: number;
}

/** So long what was found is fresh enough for counts. */
const lookedMs = 60_000;
const nothing: InboxContents = {
  isListed: true,
  threads: [],
  failures: [],
  rest: "none",
  cut: [],
  asking: false,
};

/** What was found last, and how to find more. */
export class Inbox implements vscode.Disposable {
  readonly #services: Needs;
  readonly #searches: WaitingSearch;
  /** What was found last of each server, by key. */
  #found: ReadonlyMap<string, Found> = new Map();
  readonly #gone = new AbortController();
  readonly #changed = new vscode.EventEmitter<void>();
  /** The servers were asked. */
  readonly onDidChange = this.#changed.event;
  readonly #fetched = new Fetched<InboxContents>(() => this.#changed.fire());
  #most: number;
  /** Epoch milliseconds. */
  #askedAt = 0;

  constructor(services: Needs, { most = 500, pageSize = 100 }: InboxLimits = {}) {
    this.#services = services;
    this.#most = most;
    this.#searches = new WaitingSearch(services.agentServers, services.platforms, pageSize);
  }

  /** What was found last; undefined before anything was asked. */
  get contents(): InboxContents | undefined {
    const contents = this.#fetched.value;
    const { threads: titles } = this.#services;
    return (
      contents && {
        ...contents,
        threads: contents.threads.map((thread) => ({
          ...thread,
          title: titles.knownTitle(thread.ref) ?? thread.title,
        })),
      }
    );
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
    this.#askedAt = this.#services.clock.now();
    await this.#fetched.load(() => this.#read(force, signal), signal);
    void this.#entitle(signal);
  }

  /**
   * Counts, unless that was done a moment ago: somebody sees a view of ours, and what its badge and the status bar say
   * has to be right. The threads are listed when somebody sees the Inbox.
   */
  async look(): Promise<void> {
    if (this.#services.clock.now() - this.#askedAt < lookedMs) return;
    this.#askedAt = this.#services.clock.now();
    const { signal } = this.#gone;
    await inBackground(() => this.#fetched.load(() => this.#count(signal), signal));
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

  /** What was listed before stays, until it is listed anew. */
  async #count(signal: AbortSignal): Promise<InboxContents> {
    const { failures, asking } = await this.#search({ countOnly: true, force: false, signal });
    return { ...(this.#fetched.value ?? { ...nothing, isListed: false }), failures, asking };
  }

  async #read(force: boolean, signal: AbortSignal): Promise<InboxContents> {
    const { found, failures, asking } = await this.#search({ force, signal });
    const rests = found.map(({ rest }) => rest);
    return {
      isListed: true,
      threads: byAge(this.#once(found)),
      failures,
      rest: (["more", "perhaps"] as const).find((rest) => rests.includes(rest)) ?? "none",
      cut: found.flatMap(({ server: { connectionId }, cutAt: at }) =>
        at === undefined ? [] : [{ connectionId, at }],
      ),
      asking,
    };
  }

  /** Asks every connection; of what can't be asked now, what was found before is kept. */
  async #search(options: Omit<SearchOptions, "most">): Promise<{
    readonly found: readonly Found[];
    readonly failures: InboxContents["failures"];
    readonly asking: boolean;
  }> {
    const settings = this.#services.connections.running();
    const { signal } = options;
    const query = { ...options, most: this.#most };
    const jobs = settings.flatMap((setting) => {
      const servers = { setting, managed: false, found: this.#searches.onServers(setting, query) };
      const platform = setting.kind === "platform" || setting.kind === "localPlatform";
      return platform
        ? [servers, { setting, managed: true, found: this.#searches.ofAgents(setting, query) }]
        : [servers];
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
    const found = answers.flatMap((answer, index) => {
      const job = jobs[index];
      if (answer.status === "rejected") return job === undefined ? [] : this.#keptOf(job, answer.reason);
      return answer.value.map((one) =>
        one.isUnread === true
          ? { ...(this.#found.get(serverKey(one.server)) ?? one), error: one.error }
          : one,
      );
    });
    this.#share(found);
    if (options.countOnly !== true) this.#found = new Map(found.map((one) => [serverKey(one.server), one]));
    return { found, failures: [...failures.values()], asking: found.some(({ asking }) => asking === true) };
  }

  /** What was found before of a connection's servers, or of its agents. */
  #keptOf(
    { setting, managed }: { readonly setting: ConnectionSetting; readonly managed: boolean },
    error: unknown,
  ): readonly Found[] {
    return [...this.#found.values()]
      .filter(({ server }) => server.connectionId === setting.id && isManaged(server) === managed)
      .map((found) => ({ ...found, error }));
  }

  /** Each thread once, though two connections reach it: by the one that is protected, else by the first. */
  #once(found: readonly Found[]): readonly WaitingThread[] {
    const guarded = new Set(
      this.#services.connections.list().flatMap((one) => (isProtected(one) ? [one.id] : [])),
    );
    const inOrder = found.toSorted(
      (a, b) => Number(guarded.has(b.server.connectionId)) - Number(guarded.has(a.server.connectionId)),
    );
    const threads = new Map<string, WaitingThread>();
    for (const { server, threads: waiting } of inOrder) {
      const place = server.url === undefined ? serverKey(server) : placeOf(server, server.url);
      for (const thread of waiting) {
        const key = `${place} ${thread.ref.threadId}`;
        if (!threads.has(key)) threads.set(key, thread);
      }
    }
    return [...threads.values()];
  }

  /** Finds titles of threads that nobody named. */
  async #entitle(signal: AbortSignal): Promise<void> {
    const servers = Map.groupBy(this.threads, ({ ref }) => serverKey(ref));
    const answers = [...servers.values()].map(async (waiting) => {
      const [first] = waiting;
      if (first === undefined) return 0;
      const rows = waiting.map(({ ref, title, since, metadata = {} }) => ({
        id: ref.threadId,
        title,
        updatedAt: since,
        metadata,
      }));
      return (await this.#services.threads.askTitles(first.ref, rows, signal)).size;
    });
    const found = (await Promise.all(answers)).some((count) => count > 0);
    if (found && !signal.aborted) this.#changed.fire();
  }

  /** Sets titles, and counts where they are known. */
  #share(found: readonly Found[]): void {
    const { threads: titles, waitingThreads } = this.#services;
    for (const { server, threads, total, error } of found) {
      for (const { ref, title } of threads) titles.setTitle(ref, title);
      if (total === undefined || error !== undefined) continue;
      const waiting = threads.map(({ ref }) => ({ id: ref.threadId, status: "interrupted" }));
      waitingThreads.set(server, total, waiting);
    }
  }
}

function errorsOf(answer: PromiseSettledResult<readonly Found[]>): readonly unknown[] {
  if (answer.status === "rejected") return [answer.reason];
  return answer.value.map(({ error }) => error).filter((error) => error !== undefined);
}

/** Every thread of every connection that waits for a person. */

import * as vscode from "vscode";
import { ApiError } from "../../api/errors.ts";
import type { ThreadRef } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import type { Platforms } from "../connections/platforms.ts";
import { isSameThread } from "../connections/serverRef.ts";
import { Fetched } from "../kit/fetched.ts";
import type { PollResult } from "../kit/tree/pollSchedule.ts";
import type { AgentServers } from "./servers/agentServers.ts";
import type { Threads } from "./threads.ts";
import { type Found, type Rest, WaitingSearch } from "./waitingSearch.ts";
import { byAge, type WaitingThread } from "./waitingThread.ts";
import { isManaged, type WaitingThreads } from "./waitingThreads.ts";

/** What was found; a connection that fails hides no other. */
export interface InboxContents {
  readonly threads: readonly WaitingThread[];
  readonly failures: readonly { readonly connectionId: string; readonly error: unknown }[];
  readonly rest: Rest;
  /** Whether some server has threads that nobody asked about yet; the next poll goes on with them. */
  readonly asking: boolean;
}

/** What the inbox asks, and whom it tells what it found. */
interface Needs {
  readonly agentServers: Pick<AgentServers, "list" | "threads" | "chats">;
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

const nothing: InboxContents = { threads: [], failures: [], rest: "none", asking: false };

/** What was found last, and how to find more. */
export class Inbox implements vscode.Disposable {
  readonly #services: Needs;
  readonly #search: WaitingSearch;
  readonly #gone = new AbortController();
  readonly #changed = new vscode.EventEmitter<void>();
  /** The servers were asked. */
  readonly onDidChange = this.#changed.event;
  readonly #fetched = new Fetched<InboxContents>(() => this.#changed.fire());
  #most: number;

  constructor(services: Needs, { most = 500, pageSize = 100 }: InboxLimits = {}) {
    this.#services = services;
    this.#most = most;
    this.#search = new WaitingSearch(services.agentServers, services.platforms, pageSize);
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
    const options = { most: this.#most, force, signal };
    const jobs = settings.flatMap((setting) => {
      const servers = { setting, found: this.#search.onServers(setting, options) };
      const platform = setting.kind === "platform" || setting.kind === "localPlatform";
      return platform ? [servers, { setting, found: this.#search.ofAgents(setting, options) }] : [servers];
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
    this.#share(found);
    const rests = found.map(({ rest }) => rest);
    return {
      threads: byAge(found.flatMap(({ threads }) => threads)),
      failures: [...failures.values()],
      rest: (["more", "perhaps"] as const).find((rest) => rests.includes(rest)) ?? "none",
      asking: found.some(({ asking }) => asking),
    };
  }

  /** Sets titles and counts, where everything was read; a platform's own count of its agents' threads knows more. */
  #share(found: readonly Found[]): void {
    const { threads: titles, waitingThreads } = this.#services;
    for (const { server, threads, rest, asking, error } of found) {
      for (const { ref, title } of threads) titles.setTitle(ref, title);
      const everything = rest === "none" && asking !== true && error === undefined;
      if (!everything || (isManaged(server) && waitingThreads.has(server))) continue;
      const waiting = threads.map(({ ref }) => ({ id: ref.threadId, status: "interrupted" }));
      waitingThreads.set(server, waiting.length, waiting);
    }
  }
}

function errorsOf(answer: PromiseSettledResult<readonly Found[]>): readonly unknown[] {
  if (answer.status === "rejected") return [answer.reason];
  return answer.value.map(({ error }) => error).filter((error) => error !== undefined);
}

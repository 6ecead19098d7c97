/** What waits on every connection: asked of all at once, and kept of those that can't be asked now. */

import type { Clock } from "../../api/retry.ts";
import { type ConnectionSetting, isPlatform } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { isProtected } from "../connections/mark.ts";
import type { Platforms } from "../connections/platforms.ts";
import { serverKey } from "../connections/serverRef.ts";
import type { AgentServers } from "../threads/servers/agentServers.ts";
import type { Threads } from "../threads/threads.ts";
import type { WaitingThread } from "../threads/waitingThread.ts";
import { isManaged, addressKey, type WaitingThreads } from "../threads/waitingThreads.ts";
import { type Found, type SearchOptions, WaitingSearch } from "./waitingSearch.ts";

/** What it asks, and whom it tells what it found. */
export interface SearchNeeds {
  readonly agentServers: Pick<AgentServers, "list" | "cutAt" | "threads" | "chats">;
  /** Tells until when a server wants no request. */
  readonly clock: Pick<Clock, "now">;
  readonly connections: Pick<Connections, "list" | "running" | "heldUntil">;
  readonly platforms: Pick<Platforms, "managedAgents">;
  readonly threads: Pick<Threads, "setTitle">;
  readonly waitingThreads: WaitingThreads;
}

/** Why something could not be asked: a connection, or one of its servers. */
export interface InboxFailure {
  readonly connectionId: string;
  /** The name of the server; absent where the connection itself fails. */
  readonly server?: string;
  readonly error: unknown;
  /** When the threads that are still shown of it were read, in epoch milliseconds; undefined where none is. */
  readonly asOf?: number;
}

/** What one search of all connections brought. */
export interface FoundEverywhere {
  readonly found: readonly Found[];
  readonly failures: readonly InboxFailure[];
  /** Whether some server has threads that nobody asked about yet. */
  readonly asking: boolean;
}

/** Remembers what was found last of each server. */
export class EveryConnection {
  readonly #services: SearchNeeds;
  readonly #searches: WaitingSearch;
  /** By the key of the server. */
  #found: ReadonlyMap<string, Found> = new Map();
  #latestSearch = 0;
  /** Whose threads are remembered, and whose numbers are shown; an answer that a later search overtook is dropped. */
  #listedSearch = 0;
  #countedSearch = 0;

  constructor(services: SearchNeeds, pageSize: number) {
    this.#services = services;
    this.#searches = new WaitingSearch(services.agentServers, services.platforms, pageSize, services.clock);
  }

  /** What was found last, by the key of the server. */
  get found(): ReadonlyMap<string, Found> {
    return this.#found;
  }

  /** Asks every connection; of what can't be asked now, what was found before is kept. */
  async search(options: SearchOptions): Promise<FoundEverywhere> {
    const { clock, connections } = this.#services;
    const search = (this.#latestSearch += 1);
    const running = connections.running();
    // One that a debugger holds would keep the others waiting.
    const settings = running.filter(({ id }) => connections.heldUntil(id) === undefined);
    const { signal } = options;
    const jobs = settings.flatMap((setting) => {
      const servers = { setting, managed: false, found: this.#searches.onServers(setting, options) };
      const platform = isPlatform(setting);
      return platform
        ? [servers, { setting, managed: true, found: this.#searches.ofAgents(setting, options) }]
        : [servers];
    });
    const answers = await Promise.allSettled(jobs.map(({ found }) => found));
    // What ended with the view that asked is no answer.
    signal.throwIfAborted();
    const found = answers.flatMap((answer, index) => {
      const job = jobs[index];
      if (answer.status === "rejected") return job === undefined ? [] : this.#keptOf(job, answer.reason);
      return answer.value.map((one) => {
        if (one.isUnread === true)
          return { ...(this.#found.get(serverKey(one.server)) ?? one), error: one.error };
        return one.error === undefined ? { ...one, readAt: clock.now() } : one;
      });
    });
    const failures = new Map(
      answers.flatMap((answer, index) => {
        const setting = jobs[index]?.setting;
        const failed = setting === undefined ? [] : failuresOf(answer, setting, found);
        return failed.map((failure) => [`${failure.connectionId} ${failure.server ?? ""}`, failure] as const);
      }),
    );
    for (const setting of running)
      if (!settings.includes(setting)) found.push(...this.#keptOf({ setting, managed: false }));
    if (search > this.#countedSearch) {
      this.#countedSearch = search;
      this.#share(found);
    }
    if (options.countOnly !== true && search > this.#listedSearch) {
      this.#listedSearch = search;
      this.#found = new Map(found.map((one) => [serverKey(one.server), one]));
    }
    return { found, failures: [...failures.values()], asking: found.some(({ asking }) => asking === true) };
  }

  /** What was found before of a connection's servers, or of its agents. */
  #keptOf(
    { setting, managed }: { readonly setting: ConnectionSetting; readonly managed: boolean },
    error?: unknown,
  ): readonly Found[] {
    return [...this.#found.values()]
      .filter(({ server }) => server.connectionId === setting.id && isManaged(server) === managed)
      .map((found) => ({ ...found, error }));
  }

  /** Each thread once, though two connections reach it: by the one that is protected, else by the first. */
  once(found: readonly Found[]): readonly WaitingThread[] {
    const guarded = new Set(
      this.#services.connections.list().flatMap((one) => (isProtected(one) ? [one.id] : [])),
    );
    const inOrder = found.toSorted(
      (a, b) => Number(guarded.has(b.server.connectionId)) - Number(guarded.has(a.server.connectionId)),
    );
    const threads = new Map<string, WaitingThread>();
    for (const { server, threads: waiting } of inOrder) {
      const address = server.url === undefined ? serverKey(server) : addressKey(server, server.url);
      for (const thread of waiting) {
        const key = `${address} ${thread.ref.threadId}`;
        if (!threads.has(key)) threads.set(key, thread);
      }
    }
    return [...threads.values()];
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

function failuresOf(
  answer: PromiseSettledResult<readonly Found[]>,
  { id: connectionId, name }: ConnectionSetting,
  shown: readonly Found[],
): readonly InboxFailure[] {
  if (answer.status === "rejected") {
    const kept = shown.filter(({ server }) => server.connectionId === connectionId);
    return [{ connectionId, error: answer.reason, ...oldest(kept) }];
  }
  return answer.value.flatMap(({ server, error }) => {
    if (error === undefined) return [];
    const isOne = server.name !== undefined && server.name !== name;
    const kept = shown.filter((one) => serverKey(one.server) === serverKey(server));
    return [{ connectionId, error, ...(isOne && { server: server.name }), ...oldest(kept) }];
  });
}

/** Since when threads that are shown were not read again. */
function oldest(kept: readonly Found[]): Pick<InboxFailure, "asOf"> {
  const times = kept.flatMap(({ threads, readAt, error }) =>
    threads.length > 0 && error !== undefined && readAt !== undefined ? [readAt] : [],
  );
  return times.length === 0 ? {} : { asOf: Math.min(...times) };
}

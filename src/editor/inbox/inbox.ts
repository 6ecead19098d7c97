/** Every thread of every connection that waits for a person. */

import * as vscode from "vscode";
import { inBackground } from "../../api/turns.ts";
import type { ThreadRef } from "../connections/connection.ts";
import { isSameThread, serverKey, threadKey } from "../connections/serverRef.ts";
import { Fetched } from "../kit/fetching/fetched.ts";
import type { Memory } from "../kit/keptList.ts";
import type { PollResult } from "../kit/fetching/pollSchedule.ts";
import type { Threads } from "../threads/threads.ts";
import { byAge, type WaitingThread } from "../threads/waitingThread.ts";
import { arrangementFrom, type InboxArrangement, wanted } from "./arrangement.ts";
import { EveryConnection, type InboxFailure, type SearchNeeds } from "./everyConnection.ts";
import type { Found, Rest } from "./waitingSearch.ts";

/** What was found; a connection that fails hides no other. */
export interface InboxContents {
  /** Whether the threads were listed; before that they were only counted. */
  readonly isListed: boolean;
  readonly threads: readonly WaitingThread[];
  readonly failures: readonly InboxFailure[];
  readonly rest: Rest;
  /** The connections with more deployments than the first so many, which were asked. */
  readonly cut: readonly { readonly connectionId: string; readonly at: number }[];
  /** Whether some server has threads that nobody asked about yet; the next poll goes on with them. */
  readonly asking: boolean;
}

/** An answer that could not be sent, or was not taken; it stays until the thread waits no more. */
export interface Unsent {
  readonly reason: string;
  /** What a person wrote to the agent. */
  readonly message?: string;
}

/** What the inbox asks, and whom it tells what it found. */
interface Needs extends SearchNeeds {
  readonly threads: Pick<Threads, "setTitle" | "knownTitle" | "askTitles">;
  readonly context: { readonly workspaceState: Memory };
}

/** How much is read of one server. */
export interface InboxLimits {
  /** How many threads are read at first. */
  readonly most?: number;
  /** How many are read at once. */
  readonly pageSize?: number;
  /** After so many milliseconds what came so far is shown while others are still asked. */
  readonly othersWithinMs?: number;
}

const KEPT = "inbox.arrangement";
/** How many rows are shown at first. */
const mostRows = 500;

/** How long a result is new enough for counts, in milliseconds. */
const freshMs = 60_000;
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
  readonly #everywhere: EveryConnection;
  readonly #gone = new AbortController();
  readonly #changed = new vscode.EventEmitter<void>();
  /** The servers were asked. */
  readonly onDidChange = this.#changed.event;
  readonly #fetched = new Fetched<InboxContents>(() => this.#changed.fire());
  #most: number;
  readonly #othersWithinMs: number;
  /** What came so far, while some server is slow to answer. */
  #soFar: InboxContents | undefined;
  /** Epoch milliseconds. */
  #askedAt = 0;
  /** By thread. */
  readonly #unsent = new Map<string, Unsent>();
  #arrangement: InboxArrangement;
  #mostRows = mostRows;

  constructor(services: Needs, { most = 500, pageSize = 100, othersWithinMs = 1000 }: InboxLimits = {}) {
    this.#services = services;
    this.#most = most;
    this.#othersWithinMs = othersWithinMs;
    this.#everywhere = new EveryConnection(services, pageSize);
    this.#arrangement = arrangementFrom(services.context.workspaceState.get(KEPT));
  }

  /** What is shown, and by what it is grouped; kept over a reload. */
  get arrangement(): InboxArrangement {
    return this.#arrangement;
  }

  async arrange(arrangement: InboxArrangement): Promise<void> {
    this.#arrangement = arrangement;
    this.#changed.fire();
    await this.#services.context.workspaceState.update(KEPT, arrangement);
  }

  /** The threads that are wanted, the oldest first, and how many of them have a row. */
  get shown(): { readonly threads: readonly WaitingThread[]; readonly rows: number } {
    const threads = wanted(this.threads, this.#arrangement);
    return { threads, rows: Math.min(threads.length, this.#mostRows) };
  }

  /** Why the last answer to a thread did not arrive. */
  unsent(thread: ThreadRef): Unsent | undefined {
    return this.#unsent.get(threadKey(thread));
  }

  /** An answer arrived, or did not. */
  noteSent(thread: ThreadRef, unsent?: Unsent): void {
    if (unsent === undefined) this.#unsent.delete(threadKey(thread));
    else this.#unsent.set(threadKey(thread), unsent);
    this.#changed.fire();
  }

  /** What was found last; undefined before anything was asked. */
  get contents(): InboxContents | undefined {
    const contents = this.#soFar ?? this.#fetched.value;
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
    await this.#ask(() => this.#read(force, signal), signal);
    void this.#entitle(signal);
  }

  /**
   * Counts, unless that was done a moment ago: somebody sees a view of ours, and what its badge and the status bar say
   * has to be right. The threads are listed when somebody sees the Inbox. `unseen` aborts when nobody sees any of them;
   * `force` counts also what was counted a moment ago.
   */
  async countAgain(unseen: AbortSignal, force = false): Promise<void> {
    if (unseen.aborted || (!force && this.#services.clock.now() - this.#askedAt < freshMs)) return;
    const signal = AbortSignal.any([unseen, this.#gone.signal]);
    await inBackground(() => this.#ask(() => this.#count(force, signal), signal));
  }

  /** Shows more of what was read, and reads on where all of that is shown and a server has more. */
  async loadMore(): Promise<void> {
    const { threads, rows } = this.shown;
    this.#mostRows += this.#mostRows;
    if (rows < threads.length) {
      this.#changed.fire();
      return;
    }
    this.#most += this.#most;
    await this.load(true);
  }

  /** Looks for changes. */
  async poll(signal: AbortSignal): Promise<PollResult> {
    const before = JSON.stringify(this.threads);
    await this.load(false, signal);
    const { threads, failures, asking } = this.contents ?? nothing;
    return {
      changed: before !== JSON.stringify(threads) || (asking && failures.length === 0),
      busy: threads.length > 0,
    };
  }

  dispose(): void {
    this.#gone.abort();
    this.#changed.dispose();
  }

  /** Who left before all was answered has found out nothing. */
  async #ask(read: () => Promise<InboxContents>, signal: AbortSignal): Promise<void> {
    const before = this.#askedAt;
    const now = this.#services.clock.now();
    this.#askedAt = now;
    await this.#fetched.load(read, signal);
    if (signal.aborted && this.#askedAt === now) this.#askedAt = before;
  }

  /** What was listed before stays, until it is listed anew. */
  async #count(force: boolean, signal: AbortSignal): Promise<InboxContents> {
    const { failures, asking } = await this.#everywhere.search({
      most: this.#most,
      countOnly: true,
      force,
      signal,
    });
    return { ...(this.#fetched.value ?? { ...nothing, isListed: false }), failures, asking };
  }

  async #read(force: boolean, signal: AbortSignal): Promise<InboxContents> {
    let isLate = false;
    const came = new Map(this.#everywhere.found);
    const showSoFar = (): void => {
      this.#soFar = this.#contentsOf([...came.values()], this.#fetched.value?.failures ?? [], true);
      this.#changed.fire();
    };
    const late = setTimeout(() => {
      isLate = true;
      showSoFar();
    }, this.#othersWithinMs);
    const arrived = (found: Found): void => {
      came.set(serverKey(found.server), found);
      if (isLate) showSoFar();
    };
    try {
      const { found, failures, asking } = await this.#everywhere.search({
        most: this.#most,
        force,
        signal,
        arrived,
      });
      const contents = this.#contentsOf(found, failures, asking);
      const waiting = new Set(contents.threads.map(({ ref }) => threadKey(ref)));
      for (const key of this.#unsent.keys()) if (!waiting.has(key)) this.#unsent.delete(key);
      return contents;
    } finally {
      clearTimeout(late);
      this.#soFar = undefined;
    }
  }

  #contentsOf(found: readonly Found[], failures: InboxContents["failures"], asking: boolean): InboxContents {
    const rests = found.map(({ rest }) => rest);
    return {
      isListed: true,
      threads: byAge(this.#everywhere.once(found)),
      failures,
      rest: (["more", "perhaps"] as const).find((rest) => rests.includes(rest)) ?? "none",
      cut: found.flatMap(({ server: { connectionId }, cutAt: at }) =>
        at === undefined ? [] : [{ connectionId, at }],
      ),
      asking,
    };
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
}

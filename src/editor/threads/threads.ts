/** The threads of all servers: what they are called, what is done to them here, and who hears of it. */

import * as vscode from "vscode";
import { isGone } from "../../api/errors.ts";
import type { ThreadRef } from "../connections/connection.ts";
import { type ConnectedServer, isSameThread, threadKey } from "../connections/serverRef.ts";
import type { ThreadHosts } from "./servers/threadHosts.ts";
import { ThreadBeginnings, type Untitled } from "./threadBeginnings.ts";
import { isTitleOfId, titleOfId } from "./servers/threadTitle.ts";

/** What happened to threads. */
export interface ThreadChange {
  /**
   * "run": a run that a session follows began or ended, or waits for a person. "continued": they went on by another
   * way, so that sessions read them again. "changed": something that is listed of them is another now.
   */
  readonly kind: "run" | "continued" | "changed" | "renamed" | "deleted";
  readonly threads: readonly ThreadRef[];
}

/** A thread that could not be deleted. */
export interface DeleteFailure {
  readonly thread: ThreadRef;
  readonly error: unknown;
}

/** Rows are drawn anew for it; the first token of a run, which may be on its way then, goes first. */
const runDelayMs = 200;
const deletedAtOnce = 8;
const mostTitles = 10_000;

/** Knows their titles, renames and deletes them, and says what happened. */
export class Threads implements vscode.Disposable {
  readonly #hosts: ThreadHosts;
  readonly #titles = new Map<string, string>();
  readonly #beginnings: ThreadBeginnings;
  readonly #changed = new vscode.EventEmitter<ThreadChange>();
  readonly onDidChange = this.#changed.event;
  readonly #titled = new vscode.EventEmitter<ThreadRef>();
  /** Another title is known of a thread: it was renamed here, or a server lists it so. */
  readonly onDidChangeTitle = this.#titled.event;

  readonly #activated = new vscode.EventEmitter<ThreadRef>();
  /** Another thread's tab is in front. */
  readonly onDidActivate = this.#activated.event;
  #active: ThreadRef | undefined;
  readonly #ran = new Map<string, ThreadRef>();
  #ranDue: NodeJS.Timeout | undefined;

  constructor(hosts: ThreadHosts) {
    this.#hosts = hosts;
    this.#beginnings = new ThreadBeginnings(hosts, (thread, title) => this.setTitle(thread, title));
  }

  /** What the thread is called as far as was read of it, else by its id. */
  titleOf(thread: ThreadRef): string {
    return this.knownTitle(thread) ?? titleOfId(thread.threadId);
  }

  /** The title of a thread; undefined where only its id is known. */
  knownTitle(thread: ThreadRef): string | undefined {
    return this.#titles.get(threadKey(thread));
  }

  /** Keeps what the thread is called; the titles that were read longest ago are forgotten. */
  setTitle(thread: ThreadRef, title: string): void {
    if (isTitleOfId(title, thread.threadId)) return;
    const key = threadKey(thread);
    const before = this.#titles.get(key);
    this.#titles.delete(key);
    this.#titles.set(key, title);
    const [oldest] = this.#titles.keys();
    if (oldest !== undefined && this.#titles.size > mostTitles) this.#titles.delete(oldest);
    if (title !== before) this.#titled.fire(thread);
  }

  /** Asks a server how those began that have no title, once per change of each; resolves with the titles by id. */
  askTitles(
    server: ConnectedServer,
    threads: readonly Untitled[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    return this.#beginnings.ask(server, threads, signal);
  }

  /** Gives the thread a name, on its server. */
  async rename(thread: ThreadRef, title: string): Promise<void> {
    await this.#hosts.of(thread).rename(thread.threadId, title);
    this.setTitle(thread, title);
    this.notify({ kind: "renamed", threads: [thread] });
  }

  /** Deletes all it can, a few at a time; one that is gone already counts as deleted. Resolves with the others. */
  async delete(threads: readonly ThreadRef[]): Promise<readonly DeleteFailure[]> {
    const failures: DeleteFailure[] = [];
    for (let start = 0; start < threads.length; start += deletedAtOnce) {
      const slice = threads.slice(start, start + deletedAtOnce);
      const results = await Promise.all(slice.map((thread) => this.#delete(thread)));
      const failed = results.filter((result) => result !== undefined);
      failures.push(...failed);
      const deleted = slice.filter((_, index) => results[index] === undefined);
      for (const thread of deleted) this.#titles.delete(threadKey(thread));
      if (deleted.length > 0) this.notify({ kind: "deleted", threads: deleted });
    }
    return failures;
  }

  /** A copy was made of a thread: it has its name, and what is listed of both may be another. */
  copied(thread: ThreadRef, copy: ThreadRef): void {
    const title = this.knownTitle(thread);
    if (title !== undefined) this.setTitle(copy, title);
    this.notify({ kind: "changed", threads: [thread, copy] });
  }

  /** The thread whose tab was in front last. */
  get active(): ThreadRef | undefined {
    return this.#active;
  }

  /** A tab of the thread is in front: its panel, or a document about it. */
  activate(thread: ThreadRef): void {
    if (this.#active !== undefined && isSameThread(this.#active, thread)) return;
    this.#active = thread;
    this.#activated.fire(thread);
  }

  /** A run that is followed here began, ended, or waits: said in a moment, for all threads together. */
  noteRun(thread: ThreadRef): void {
    this.#ran.set(threadKey(thread), thread);
    this.#ranDue ??= setTimeout(() => {
      this.#ranDue = undefined;
      const threads = [...this.#ran.values()];
      this.#ran.clear();
      this.notify({ kind: "run", threads });
    }, runDelayMs);
  }

  /** Another model did something to threads; commands have that done by a model. */
  notify(change: ThreadChange): void {
    this.#changed.fire(change);
  }

  dispose(): void {
    clearTimeout(this.#ranDue);
    this.#changed.dispose();
    this.#titled.dispose();
    this.#activated.dispose();
  }

  async #delete(thread: ThreadRef): Promise<DeleteFailure | undefined> {
    try {
      await this.#hosts.of(thread).delete(thread.threadId);
      return undefined;
    } catch (error) {
      return isGone(error) ? undefined : { thread, error };
    }
  }
}

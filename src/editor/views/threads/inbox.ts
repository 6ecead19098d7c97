/** The Inbox view: what waits for a person on any connection, the oldest first. */

import * as vscode from "vscode";
import { type ConnectionSetting, threadOf, type ThreadRef } from "../../connections/connection.ts";
import { arrangementWords, isFiltered } from "../../inbox/arrangement.ts";
import { setContext } from "../../kit/contexts.ts";
import { CONTEXTS } from "../../kit/ids.ts";
import { sameNodes, type TreeNode } from "../../kit/tree/node.ts";
import { counted } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import { type EditorView, setViewTexts, showRow } from "../platform/laterView.ts";
import { PolledView } from "../platform/polledView.ts";
import { inboxDescription, inboxRows } from "./inboxRows.ts";

/** The view of what `services.inbox` found. */
export class InboxView implements vscode.Disposable {
  readonly polled: PolledView;
  readonly #services: Services;
  readonly #subscriptions: vscode.Disposable;
  #rows: readonly TreeNode[] = [];
  /** The row that the editor is about to select; undefined once it did, or could not. */
  #selecting: Promise<TreeNode | undefined> | undefined;

  constructor(services: Services, view: EditorView) {
    const { inbox, connections, apiKeys, threads, waitingThreads } = services;
    this.#services = services;
    this.polled = new PolledView(services, {
      view,
      refresh: "agentOperations.inbox.refresh",
      emptyContext: CONTEXTS.inboxEmpty,
      roots: () => this.#rows,
      empty: () => this.empty,
      poll: (signal) => inbox.poll(signal),
    });
    this.#subscriptions = vscode.Disposable.from(
      this.polled,
      inbox.onDidChange(() => this.#draw()),
      this.polled.view.onDidChangeVisibility(() => void this.#refreshSeen(false)),
      connections.onDidChange(() => void this.#refreshSeen(true)),
      apiKeys.onDidChange(() => void this.#refreshSeen(true)),
      threads.onDidChange(() => void this.#refreshSeen(false)),
      waitingThreads.onDidChange(() => this.#describe()),
    );
    this.polled.start();
    this.#draw();
    void this.#refreshSeen(false);
  }

  /** Why no rows are shown. */
  get empty(): string | undefined {
    const { connections, inbox } = this.#services;
    if (connections.list().length === 0) return "noConnection";
    if (this.#rows.length > 0) return undefined;
    if (inbox.contents?.isListed !== true) return "unknown";
    if (isFiltered(inbox.arrangement) && inbox.threads.length > 0) return "filtered";
    return inbox.contents.asking ? "unknown" : "nothing";
  }

  /** What is selected, as threads; other rows are left out. */
  get selectedThreads(): readonly ThreadRef[] {
    return this.polled.view.selection.flatMap((node) => threadOf(node) ?? []);
  }

  /**
   * Selects the thread below the selected one, or the first, and gives it; the last is followed by the first. Goes on from
   * the one that is being selected, if any.
   */
  async selectNext(): Promise<ThreadRef | undefined> {
    const next = this.#selectBelow(this.#selecting);
    const selecting = next.catch(() => undefined);
    this.#selecting = selecting;
    try {
      return threadOf(await next);
    } finally {
      if (this.#selecting === selecting) this.#selecting = undefined;
    }
  }

  /** The thread that `selectNext` is still about to select, once it is; undefined for none. */
  async selecting(): Promise<ThreadRef | undefined> {
    return threadOf(await this.#selecting);
  }

  /** Asks now, because a person wants it or did something. */
  async refresh(force = true, signal?: AbortSignal): Promise<void> {
    await this.#services.inbox.load(force, signal);
    this.polled.hurry();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #selectBelow(selecting: Promise<TreeNode | undefined> | undefined): Promise<TreeNode | undefined> {
    const last = (await selecting) ?? this.polled.view.selection.at(-1);
    const rows = this.#rows.flatMap((row) => (threadOf(row) === undefined ? (row.known ?? []) : [row]));
    const threads = rows.filter((row) => threadOf(row) !== undefined);
    const at = threads.findIndex(({ id }) => id === last?.id);
    const next = threads[(at + 1) % threads.length];
    if (next !== undefined) await showRow(this.polled.view, next, { select: true, focus: true });
    return next;
  }

  async #refreshSeen(force: boolean): Promise<void> {
    if (this.polled.view.visible) await this.refresh(force, this.polled.seen);
    else this.polled.nodes.update();
  }

  #draw(): void {
    const { agentServers, connections, inbox, waitingThreads } = this.#services;
    const count = waitingThreads.count();
    const connection = (id: string): ConnectionSetting | undefined => connections.get(id);
    const now = (thread: ThreadRef): number => agentServers.now(thread);
    const newer = inboxRows({ inbox, count, connection, now }, this.polled.host);
    this.#rows = sameNodes(this.#rows, newer);
    this.#describe();
    this.polled.nodes.update();
  }

  /** The same number as in the status bar. */
  #describe(): void {
    const { connections, inbox, waitingThreads } = this.#services;
    const nameOf = (id: string): string => connections.get(id)?.name ?? id;
    const { view } = this.polled;
    const count = waitingThreads.count();
    const words = arrangementWords(inbox.arrangement, nameOf).join(" · ");
    const { threads, rest } = inbox.contents ?? { threads: [], rest: "none" };
    const searched = rest === "more" ? `, of the ${counted(threads.length, "thread")} that were read` : "";
    const isPart = isFiltered(inbox.arrangement);
    setViewTexts(view, {
      description: inbox.contents === undefined ? "" : inboxDescription(inbox.contents, count),
      message: isPart && this.#rows.length > 0 ? `Shown: ${words}${searched}.` : "",
    });
    setContext(CONTEXTS.inboxFiltered, isPart);
    const tooltip = counted(count, "thread waits for you", "threads wait for you");
    view.badge = count === 0 ? undefined : { value: count, tooltip };
  }
}

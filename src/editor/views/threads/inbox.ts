/** The Inbox view: what waits for a person on any connection, the oldest first. */

import * as vscode from "vscode";
import { ApiError } from "../../../api/errors.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import { isSameThread, serverText } from "../../connections/serverRef.ts";
import { CONTEXTS, SECTION, SETTINGS, VIEWS } from "../../kit/ids.ts";
import type { CommandId } from "../../kit/ids.ts";
import { Inbox } from "../../threads/inbox.ts";
import type { InboxContents } from "../../threads/inbox.ts";
import type { Services } from "../../services.ts";
import type { WaitingThread } from "../../threads/waitingThread.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { FailureNode } from "../../kit/tree/failureNode.ts";
import { PollSchedule } from "../../kit/tree/pollSchedule.ts";
import type { PollResult } from "../../kit/tree/pollSchedule.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import { NodeTree } from "../../kit/tree/nodeTree.ts";
import { statusIcon } from "./threadNode.ts";
import { ageOf } from "../../threads/threadRow.ts";
import { adviceFor } from "../../kit/remedies.ts";
import { counted } from "../../kit/words.ts";

/** A row: the thread, and what it asks. */
export type WaitingNode = BranchNode<ThreadRef>;

export class InboxView implements vscode.Disposable {
  readonly nodes: NodeTree;
  readonly #view: vscode.TreeView<TreeNode>;
  readonly #services: Services;
  /** Where the rows come from. */
  readonly inbox: Inbox;
  readonly #schedule: PollSchedule;
  readonly #gone = new AbortController();
  readonly #host: NodeHost;
  readonly #subscriptions: vscode.Disposable;
  #contents: InboxContents | undefined;
  #rows: readonly TreeNode[] = [];
  #looks = 0;
  /** The look that found what is shown. */
  #shown = 0;

  constructor(services: Services) {
    this.#services = services;
    this.inbox = new Inbox(services);
    this.nodes = new NodeTree({ roots: () => this.#rows, empty: () => this.empty });
    this.#host = {
      changed: () => this.nodes.update(),
      isOpen: () => true,
      signal: this.#gone.signal,
      report: services.report,
      refresh: "agentOperations.inbox.refresh",
    };
    this.#view = vscode.window.createTreeView(VIEWS.inbox, { treeDataProvider: this.nodes });
    this.#schedule = new PollSchedule(
      (signal) => this.#look(signal),
      () => 1000 * vscode.workspace.getConfiguration(SECTION).get(SETTINGS.refreshSeconds, 5),
    );
    const again = (): void => void this.refreshSeen();
    const afresh = (): void => void this.refreshSeen(true);
    this.#subscriptions = vscode.Disposable.from(
      this.nodes,
      this.#view,
      this.#schedule,
      this.#view.onDidChangeVisibility(again),
      vscode.window.onDidChangeWindowState(() => this.#watch()),
      services.connections.onDidChange(afresh),
      services.apiKeys.onDidChange(afresh),
      services.threads.onDidChange(again),
    );
    again();
    this.#tell();
  }

  /** Why no rows are shown. */
  get empty(): string | undefined {
    if (this.#services.connections.list().length === 0) return "noConnection";
    if (this.#contents === undefined) return "unknown";
    if (this.#rows.length > 0) return undefined;
    return this.#contents.asking ? "unknown" : "nothing";
  }

  /** What stands beside the view's name. */
  get description(): string {
    return this.#view.description ?? "";
  }

  /** The waiting threads that were found last. */
  get threads(): readonly WaitingThread[] {
    return this.#contents?.threads ?? [];
  }

  /** What is known of a waiting thread. */
  find(thread: ThreadRef): WaitingThread | undefined {
    return this.threads.find(({ ref }) => isSameThread(ref, thread));
  }

  /** Reads on where a server has more that waits than is shown. */
  async loadMore(): Promise<void> {
    this.inbox.most += this.inbox.most;
    await this.refresh();
  }

  /** Looks now, because a person asked for it or did something. */
  async refresh(afresh = true): Promise<void> {
    await this.#look(this.#gone.signal, afresh);
    this.#schedule.hurry();
  }

  /** Looks now if somebody sees the view; `afresh` also at what was looked at a moment ago. */
  async refreshSeen(afresh = false): Promise<void> {
    this.#watch();
    if (this.#view.visible) await this.refresh(afresh);
  }

  dispose(): void {
    this.#gone.abort();
    this.#subscriptions.dispose();
  }

  #watch(): void {
    this.#schedule.watch(this.#view.visible && vscode.window.state.focused);
  }

  async #look(signal: AbortSignal, afresh = false): Promise<PollResult> {
    const before = JSON.stringify(this.threads);
    this.#looks += 1;
    const look = this.#looks;
    const contents = await this.inbox.look(signal, afresh);
    // What a look found that began later is newer.
    if (signal.aborted || look < this.#shown) return { changed: false, busy: true };
    this.#shown = look;
    this.#contents = contents;
    this.#rows = [
      ...contents.failures.map((failure) => this.#failureNode(failure)),
      ...contents.threads.map((thread) => waitingNode(thread, this.#host)),
      ...(contents.rest === "none" ? [] : [moreNode(contents.threads.length)]),
    ];
    this.nodes.update();
    this.#tell();
    const waits = contents.failures.flatMap(({ error }) =>
      error instanceof ApiError ? (error.retryAfterMs ?? []) : [],
    );
    return {
      changed:
        before !== JSON.stringify(contents.threads) || (contents.asking && contents.failures.length === 0),
      busy: contents.threads.length > 0,
      ...(waits.length > 0 && { retryAfterMs: Math.max(...waits) }),
    };
  }

  /** A connection that can't be asked, with the reason below. */
  #failureNode({ connectionId, error }: InboxContents["failures"][number]): TreeNode {
    const { connections } = this.#services;
    const name = connections.get(connectionId)?.name ?? connectionId;
    const item = (): vscode.TreeItem => {
      const row = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
      row.description = "could not be asked";
      row.iconPath = new vscode.ThemeIcon("debug-disconnect");
      return row;
    };
    const load = (parent: TreeNode): Promise<readonly TreeNode[]> =>
      Promise.resolve([new FailureNode(parent, connectionId, error, this.#host)]);
    const snapshot = (): string => `${name}\n${adviceFor(error).message}`;
    return new BranchNode(
      { id: `inbox:${connectionId}`, parent: undefined, ref: { connectionId }, item, snapshot, load },
      this.#host,
    );
  }

  #tell(): void {
    const count = this.threads.length;
    const shown = count === 0 ? [] : [counted(count, "waits", "wait")];
    const rest = this.#contents === undefined ? [] : wordsOfRest(this.#contents);
    this.#view.description = [...shown, ...rest].join(", ");
    void vscode.commands.executeCommand("setContext", CONTEXTS.inboxEmpty, this.empty);
  }
}

function wordsOfRest({ asking, rest, threads }: InboxContents): readonly string[] {
  if (asking) return ["still looking"];
  switch (rest) {
    case "none":
      return [];
    case "perhaps":
      return [threads.length === 0 ? "some may wait" : "more may"];
    case "more":
      return ["more do"];
    default:
      return rest satisfies never;
  }
}

function moreNode(count: number): TreeNode {
  const label = `Load more (${String(count)} shown)`;
  return new MoreNode(undefined, { label, command: "agentOperations.inbox.loadMore", argument: {} });
}

function waitingNode(thread: WaitingThread, host: NodeHost): WaitingNode {
  const { ref, title, place, since, question } = thread;
  const description = [title, place, ageOf(since, Date.now())].filter((part) => part !== "").join(" · ");
  const allowed = question.sole?.request.allowed ?? [];
  const abilities = [
    ref.server.kind === "managedAgent" ? "managed" : "",
    allowed.includes("approve") ? "approvable" : "",
    allowed.includes("reject") ? "rejectable" : "",
  ];
  const contextValue = ["waiting", ...abilities].filter((part) => part !== "").join(" ");
  const item = (): vscode.TreeItem => {
    const row = new vscode.TreeItem(question.label, vscode.TreeItemCollapsibleState.None);
    const open: CommandId = "agentOperations.thread.open";
    row.description = description;
    row.iconPath = statusIcon("interrupted");
    row.contextValue = contextValue;
    row.command = { command: open, title: "Open Thread", arguments: [ref] };
    row.accessibilityInformation = { label: `Waits for you: ${question.label}, ${description}` };
    return row;
  };
  const id = `waiting:${ref.connectionId}/${serverText(ref.server)}/${ref.threadId}`;
  const snapshot = (): string => [question.label, description, contextValue].join("\n");
  return new BranchNode({ id, parent: undefined, ref, item, snapshot, tooltip: () => tooltip(thread) }, host);
}

function tooltip({ title, place, since, question }: WaitingThread): vscode.MarkdownString {
  const date = new Date(since);
  const waits = Number.isNaN(date.getTime()) ? since : `since ${date.toLocaleString()}`;
  const text = new vscode.MarkdownString().appendText(title).appendMarkdown("\n\n");
  text.appendText([place, waits].filter((part) => part !== "").join(" · "));
  return question.details === "" ? text : text.appendCodeblock(question.details, "json");
}

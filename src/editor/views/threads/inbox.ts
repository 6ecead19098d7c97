/** The Inbox view: what waits for a person on any connection, the oldest first. */

import * as vscode from "vscode";
import { CONTEXTS } from "../../kit/ids.ts";
import type { InboxContents } from "../../threads/inbox.ts";
import type { Services } from "../../services.ts";
import type { WaitingThread } from "../../threads/waitingThread.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { FailureNode } from "../../kit/tree/failureNode.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import type { EditorView } from "../platform/laterView.ts";
import { PolledView } from "../platform/polledView.ts";
import { threadLeaf } from "./threadNode.ts";
import { ageOf } from "../../threads/threadFacts.ts";
import { counted, dotted } from "../../kit/words.ts";

/** The view of what `services.inbox` found. */
export class InboxView implements vscode.Disposable {
  readonly polled: PolledView;
  readonly #services: Services;
  readonly #subscriptions: vscode.Disposable;
  #rows: readonly TreeNode[] = [];

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
    return inbox.contents.asking ? "unknown" : "nothing";
  }

  /** Asks now, because a person wants it or did something. */
  async refresh(force = true): Promise<void> {
    await this.#services.inbox.load(force);
    this.polled.hurry();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #refreshSeen(force: boolean): Promise<void> {
    if (this.polled.view.visible) await this.refresh(force);
    else this.polled.nodes.update();
  }

  #draw(): void {
    const { connections, inbox } = this.#services;
    if (inbox.contents === undefined) return;
    const nameOf = (connectionId: string): string => connections.get(connectionId)?.name ?? connectionId;
    this.#rows = inboxRows(inbox.contents, nameOf, this.polled.host);
    this.#describe();
    this.polled.nodes.update();
  }

  /** The same number as in the status bar. */
  #describe(): void {
    const { inbox, waitingThreads } = this.#services;
    const { view } = this.polled;
    const count = waitingThreads.count();
    view.description = inbox.contents === undefined ? "" : inboxDescription(inbox.contents, count);
    const tooltip = counted(count, "thread waits for you", "threads wait for you");
    view.badge = count === 0 ? undefined : { value: count, tooltip };
  }
}

/** The connections that can't be asked, the threads, what leads on where more wait, and where not all were asked. */
export function inboxRows(
  { failures, threads, rest, cut }: InboxContents,
  nameOf: (connectionId: string) => string,
  host: NodeHost,
): readonly TreeNode[] {
  return [
    ...failures.map(({ connectionId, error }) =>
      failedConnection(connectionId, nameOf(connectionId), error, host),
    ),
    ...threads.map((thread) => waitingNode(thread, host)),
    ...(rest === "none" ? [] : [moreNode(threads.length)]),
    ...cut.map(({ connectionId, at }) => cutConnection(connectionId, nameOf(connectionId), at, host)),
  ];
}

/** How many threads wait, and whether there may be more. */
export function inboxDescription(contents: InboxContents, count: number): string {
  const shown = count === 0 ? [] : [counted(count, "waiting", "waiting")];
  return [...shown, ...wordsOfRest(contents, count)].join(", ");
}

/** A connection that can't be asked, with the reason below. */
function failedConnection(connectionId: string, name: string, error: unknown, host: NodeHost): TreeNode {
  const row = (): Row => {
    return { label: name, description: "could not be asked", icon: "debug-disconnect", startsOpen: true };
  };
  const known = (parent: TreeNode): readonly TreeNode[] => [
    new FailureNode(parent, connectionId, error, host),
  ];
  const id = `inbox:${connectionId}`;
  return new BranchNode({ id, parent: undefined, ref: { connectionId }, row, known }, host);
}

/** A platform with more deployments than are asked. */
function cutConnection(connectionId: string, name: string, at: number, host: NodeHost): TreeNode {
  const row = (): Row => ({
    label: name,
    description: `more than ${counted(at, "deployment")}: only the first ${counted(at, "was", "were")} asked`,
    icon: "info",
    tooltip: "Open one of the others in the Deployments view to see which of its threads wait.",
  });
  return new BranchNode(
    { id: `inbox:cut:${connectionId}`, parent: undefined, ref: { connectionId }, row },
    host,
  );
}

function wordsOfRest({ asking, rest, cut, threads }: InboxContents, count: number): readonly string[] {
  const some = count === 0 ? "perhaps some waiting" : "perhaps more";
  if (asking) return ["still looking"];
  switch (rest) {
    case "none":
      return cut.length > 0 ? [some] : [];
    case "perhaps":
      return [some];
    case "more":
      return [count > threads.length ? `${String(threads.length)} shown` : "and more"];
    default:
      return rest satisfies never;
  }
}

function moreNode(count: number): TreeNode {
  const label = `Load more (${String(count)} shown)`;
  return new MoreNode(undefined, { label, command: "agentOperations.inbox.loadMore", argument: {} });
}

function waitingNode(thread: WaitingThread, host: NodeHost): TreeNode {
  const { ref, title, place, since, question } = thread;
  const allowed = question.sole?.request.allowed ?? [];
  const context = [
    "waiting",
    ref.server.kind === "managedAgent" ? "managed" : "",
    allowed.includes("approve") ? "approvable" : "",
    allowed.includes("reject") ? "rejectable" : "",
    question.isBreakpoint === true ? "continuable" : "",
  ];
  const facts = {
    ref,
    kind: "waiting",
    label: question.label,
    spoken: `Waits for you: ${question.label}`,
    facts: [title, place, ageOf(since, Date.now())],
    status: "interrupted",
    context: context.filter((part) => part !== "").join(" "),
    tooltip: () => tooltip(thread),
  } as const;
  return threadLeaf(facts, undefined, host);
}

function tooltip({ title, place, since, question }: WaitingThread): vscode.MarkdownString {
  const date = new Date(since);
  const waits = Number.isNaN(date.getTime()) ? since : `since ${date.toLocaleString()}`;
  const text = new vscode.MarkdownString().appendText(title).appendMarkdown("\n\n");
  text.appendText(dotted([place, waits]));
  return question.details === "" ? text : text.appendCodeblock(question.details, "json");
}

/** A view whose rows come from servers: drawn as they change, polled while somebody sees it. */

import * as vscode from "vscode";
import { type CommandId, SECTION, SETTINGS } from "../../kit/ids.ts";
import type { Services } from "../../services.ts";
import { type NodeHost, type TreeNode, unfolded } from "../../kit/tree/node.ts";
import { NodeTree, type TreeSource } from "../../kit/tree/nodeTree.ts";
import { RememberedRows } from "../../kit/tree/rememberedRows.ts";
import { type PollResult, PollSchedule } from "../../kit/tree/pollSchedule.ts";
import type { EditorView } from "./laterView.ts";

/** What the view shows and how. */
export interface PolledViewOptions extends TreeSource {
  readonly view: EditorView;
  /** Asks anew for everything that is shown. */
  readonly refresh: CommandId;
  /** The context key that gets what `empty` says: which welcome text stands there. */
  readonly emptyContext: string;
  /** Asks the servers what changed; without it nothing is fetched unasked. */
  readonly poll?: ((signal: AbortSignal) => Promise<PollResult>) | undefined;
  /** Asks by small requests for what others do all the time; it is asked soon, also beside another window. */
  readonly follow?: ((signal: AbortSignal) => Promise<PollResult>) | undefined;
  /** Something was fetched or forgotten: set the description and the badge. */
  updated?(): void;
}

/** What it needs of the extension. */
export type PolledViewServices = Pick<
  Services,
  "attention" | "clock" | "connections" | "context" | "localPlatform"
>;

/** A tree view with its pace; for one with a row per connection there is PlatformView. */
export class PolledView implements vscode.Disposable {
  /** The rows as the editor asks for them. */
  readonly nodes: NodeTree;
  readonly view: EditorView;
  /** What rows are handed. */
  readonly host: NodeHost;
  readonly #services: PolledViewServices;
  readonly #options: PolledViewOptions;
  readonly #gone = new AbortController();
  #unseen = new AbortController();
  readonly #polling: PollSchedule | undefined;
  readonly #following: PollSchedule | undefined;
  readonly #subscriptions: vscode.Disposable;
  readonly #remembered: RememberedRows;
  /** The row that was selected before the window was reloaded, until it is there again or another one is selected. */
  #selectAgain: string | undefined;

  constructor(services: PolledViewServices, options: PolledViewOptions) {
    this.#services = services;
    this.#options = options;
    this.#remembered = new RememberedRows(services.context.workspaceState, options.emptyContext);
    this.#selectAgain = this.#remembered.selected;
    this.nodes = new NodeTree({
      roots: () => options.roots(),
      empty: () => options.empty(),
      top: () => options.top?.(),
      opened: (id) => this.#remembered.isOpen(id),
      // What makes it begin so, such as being the only one, may be over after a reload.
      beginsOpen: (id) => this.#remembered.noteOpen(id, true),
    });
    this.host = {
      refresh: options.refresh,
      signal: this.#gone.signal,
      changed: () => this.nodes.update(),
      isOpen: (node) => this.isOpen(node),
    };
    this.view = options.view;
    const { clock, attention } = services;
    this.#polling = options.poll && new PollSchedule(options.poll, fastestMs, clock);
    this.#following =
      options.follow && new PollSchedule(options.follow, fastestMs, clock, attention.slowestMs);
    this.#subscriptions = vscode.Disposable.from(
      this.nodes,
      this.nodes.onDidUpdate(() => this.#updated()),
      this.view.onDidExpandElement(({ element }) => this.#opened(element, true)),
      this.view.onDidCollapseElement(({ element }) => this.#opened(element, false)),
      this.view.onDidChangeSelection(({ selection }) => this.#selected(selection)),
      this.view.onDidChangeVisibility(() => this.#watch()),
      vscode.window.onDidChangeWindowState(() => this.#watch()),
    );
  }

  /** Whether what is below a row is unfolded. */
  isOpen(node: TreeNode): boolean {
    if (node === this.nodes.top) return true;
    return this.nodes.getTreeItem(node).collapsibleState === vscode.TreeItemCollapsibleState.Expanded;
  }

  /** Aborts when nobody sees the view any more: what is asked only because it is seen ends then. */
  get seen(): AbortSignal {
    return this.#unseen.signal;
  }

  /** Something is going on: the next poll comes soon. */
  hurry(): void {
    this.#polling?.hurry();
    this.#following?.hurry();
  }

  /** Another row than `before`, or none, is the one that is not shown: what was seen below it stays open and selected. */
  topChanged(before: TreeNode | undefined): void {
    if (before !== undefined) this.#remembered.noteOpen(before.id, true);
    this.#selectAgain = this.#remembered.selected;
  }

  /** To be called once, when whoever made the view is ready for `updated`. */
  start(): void {
    this.#watch();
    this.#updated();
  }

  dispose(): void {
    this.#gone.abort();
    this.#unseen.abort();
    this.#polling?.dispose();
    this.#following?.dispose();
    this.#subscriptions.dispose();
  }

  #opened(node: TreeNode, open: boolean): void {
    this.#remembered.noteOpen(node.id, open);
    if (open) this.hurry();
  }

  #selected(selection: readonly TreeNode[]): void {
    this.#selectAgain = undefined;
    this.#remembered.noteSelected(selection[0]?.id);
  }

  /** Once the row is known again; nothing is fetched or unfolded for it. */
  #restoreSelection(): void {
    if (this.#selectAgain === undefined || !this.view.visible) return;
    const seen = unfolded(this.#options.roots(), (node) => this.isOpen(node));
    const node = seen.find(({ id }) => id === this.#selectAgain);
    if (node === undefined) return;
    this.#selectAgain = undefined;
    if (node === this.nodes.top) return;
    void this.view.reveal(node, { select: true, focus: false });
  }

  /** A view that is seen also finds a Local Platform that runs already. */
  #watch(): void {
    const { connections, localPlatform } = this.#services;
    if (!this.view.visible) this.#unseen.abort();
    else if (this.#unseen.signal.aborted) this.#unseen = new AbortController();
    this.#polling?.watch(this.view.visible && vscode.window.state.focused);
    this.#following?.watch(this.view.visible);
    const mayRun = this.view.visible && connections.list().some(({ kind }) => kind === "localPlatform");
    if (mayRun) void localPlatform.resume();
  }

  #updated(): void {
    void vscode.commands.executeCommand("setContext", this.#options.emptyContext, this.#options.empty());
    this.#options.updated?.();
    if (this.#options.empty() === undefined) this.#restoreSelection();
  }
}

function fastestMs(): number {
  return 1000 * vscode.workspace.getConfiguration(SECTION).get(SETTINGS.refreshSeconds, 5);
}

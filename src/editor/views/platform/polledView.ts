/** A view whose rows come from servers: drawn as they change, polled while somebody sees it. */

import * as vscode from "vscode";
import { type ContextKey, setContext } from "../../kit/contexts.ts";
import { type CommandId, SECTION, SETTINGS } from "../../kit/ids.ts";
import type { Services } from "../../services.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { NodeTree, TreeSource } from "../../kit/tree/nodeTree.ts";
import { type PollResult, PollSchedule } from "../../kit/fetching/pollSchedule.ts";
import type { EditorView } from "./laterView.ts";
import { ShownRows } from "./shownRows.ts";

/** What the view shows and how. */
export interface PolledViewOptions extends TreeSource {
  readonly view: EditorView;
  /** Asks anew for everything that is shown. */
  readonly refresh: CommandId;
  /** The context key that gets what `empty` says: which welcome text stands there. */
  readonly emptyContext: ContextKey;
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
  readonly #rows: ShownRows;
  #unseen = new AbortController();
  readonly #polling: PollSchedule | undefined;
  readonly #following: PollSchedule | undefined;
  readonly #subscriptions: vscode.Disposable;

  constructor(services: PolledViewServices, options: PolledViewOptions) {
    this.#services = services;
    this.#options = options;
    const { emptyContext: name } = options;
    this.#rows = new ShownRows(services.context.workspaceState, { ...options, name });
    this.nodes = this.#rows.nodes;
    this.host = this.#rows.host;
    this.view = options.view;
    const { clock, attention } = services;
    this.#polling = options.poll && new PollSchedule(options.poll, fastestMs, clock);
    this.#following =
      options.follow && new PollSchedule(options.follow, fastestMs, clock, attention.slowestMs);
    this.#subscriptions = vscode.Disposable.from(
      this.#rows,
      this.nodes.onDidUpdate(() => this.#updated()),
      this.view.onDidExpandElement(() => this.hurry()),
      this.view.onDidChangeVisibility(() => this.#watch()),
      vscode.window.onDidChangeWindowState(() => this.#watch()),
    );
  }

  /** Whether what is below a row is unfolded. */
  isOpen(node: TreeNode): boolean {
    return this.#rows.isOpen(node);
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

  /** Another row, or none, is the one whose children stand at the top. */
  topChanged(before: TreeNode | undefined): void {
    this.#rows.topChanged(before);
  }

  /** To be called once, when whoever made the view is ready for `updated`. */
  start(): void {
    this.#watch();
    this.#updated();
  }

  dispose(): void {
    this.#unseen.abort();
    this.#polling?.dispose();
    this.#following?.dispose();
    this.#subscriptions.dispose();
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
    setContext(this.#options.emptyContext, this.#options.empty());
    this.#options.updated?.();
  }
}

function fastestMs(): number {
  return 1000 * vscode.workspace.getConfiguration(SECTION).get(SETTINGS.refreshSeconds, 5);
}

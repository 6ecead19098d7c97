/** A view with one row per platform and a feature's rows below: when it looks, what it shows when there is nothing. */

import * as vscode from "vscode";
import { SECTION, SETTINGS } from "../kit/ids.ts";
import type { CommandId } from "../kit/ids.ts";
import type { Services } from "../services.ts";
import { BranchNode } from "../kit/tree/branchNode.ts";
import type { BranchHost } from "../kit/tree/branchNode.ts";
import { connectionContext, connectionDescription, connectionItem } from "./deployments/connectionRow.ts";
import { LookSchedule } from "../kit/tree/lookSchedule.ts";
import type { Look } from "../kit/tree/lookSchedule.ts";
import type { TreeNode } from "../kit/tree/node.ts";
import { NodeTree } from "../kit/tree/nodeTree.ts";

/** A platform's row. */
export type PlatformNode = BranchNode<{ readonly connectionId: string }>;

/** What a feature puts into its view. */
export interface PlatformViewOptions {
  readonly viewId: string;
  /** Asks anew for everything that is shown. */
  readonly refresh: CommandId;
  /** The context key that says why the view is empty: "noPlatform", "stopped", or what `empty` gives. */
  readonly emptyContext: string;
  /** What is below a platform; whatever it throws becomes a row with a remedy. */
  children(
    connectionId: string,
    parent: TreeNode,
    host: BranchHost,
    signal: AbortSignal,
  ): Promise<readonly TreeNode[]>;
  /** Why a welcome text stands there although there is a platform. */
  empty?(roots: readonly PlatformNode[]): string | undefined;
  /** Looks for what changed while the view is seen; without it nothing is fetched unasked. */
  readonly look?: (signal: AbortSignal) => Promise<Look>;
  /** Called when something was fetched or forgotten: for the description and the badge. */
  updated?(view: PlatformView): void;
  readonly manageCheckboxStateManually?: boolean;
}

/** One feature's view. */
export class PlatformView implements vscode.Disposable {
  /** The rows as the editor asks for them. */
  readonly nodes: NodeTree;
  readonly view: vscode.TreeView<TreeNode>;
  readonly #services: Services;
  readonly #options: PlatformViewOptions;
  readonly #gone = new AbortController();
  readonly #host: BranchHost;
  readonly #schedule: LookSchedule | undefined;
  readonly #subscriptions: vscode.Disposable;
  #roots: readonly PlatformNode[] | undefined;

  constructor(services: Services, options: PlatformViewOptions) {
    this.#services = services;
    this.#options = options;
    const { report } = services;
    const { refresh } = options;
    this.#host = { changed: () => this.nodes.update(), signal: this.#gone.signal, report, refresh };
    this.nodes = new NodeTree({ roots: () => this.#asked(), empty: () => this.empty });
    this.view = vscode.window.createTreeView(options.viewId, {
      treeDataProvider: this.nodes,
      canSelectMany: true,
      showCollapseAll: true,
      manageCheckboxStateManually: options.manageCheckboxStateManually ?? false,
    });
    const { look } = options;
    this.#schedule = look && new LookSchedule(look, fastestMs);
    this.#subscriptions = vscode.Disposable.from(
      this.nodes,
      this.view,
      this.nodes.onDidUpdate(() => this.#tell()),
      this.view.onDidChangeVisibility(() => this.#watch()),
      vscode.window.onDidChangeWindowState(() => this.#watch()),
      services.connections.onDidChange(() => this.#connectionsChanged()),
      services.apiKeys.onDidChange((connectionId) => this.reset(connectionId)),
    );
    this.#watch();
    this.#tell();
  }

  /** The platforms' rows as far as the view was shown. */
  get roots(): readonly PlatformNode[] {
    return this.#roots ?? [];
  }

  /** Why no rows are shown. */
  get empty(): string | undefined {
    const { platforms, localPlatform } = this.#services;
    const settings = platforms.list();
    if (settings.length === 0) return "noPlatform";
    const stopped = localPlatform.state.kind !== "running";
    if (stopped && settings.every(({ kind }) => kind === "localPlatform")) return "stopped";
    return this.#options.empty?.(this.roots);
  }

  /** Something below changed without a request: draw it. */
  changed(): void {
    this.nodes.update();
  }

  /** Something is going on: the next look comes soon. */
  hurry(): void {
    this.#schedule?.hurry();
  }

  /** Fetches anew what was fetched, because a person asked for it. */
  async refresh(): Promise<void> {
    await Promise.all(this.roots.filter(({ known }) => known !== undefined).map((root) => root.load()));
  }

  /** Forgets what is below one platform or all, and shows what is asked for anew. */
  reset(connectionId?: string): void {
    for (const root of this.roots) {
      if (connectionId === undefined || root.connectionId === connectionId) root.reset();
    }
    this.nodes.redraw();
  }

  dispose(): void {
    this.#gone.abort();
    this.#schedule?.dispose();
    this.#subscriptions.dispose();
  }

  #asked(): readonly PlatformNode[] {
    this.#roots ??= this.#services.platforms.list().map(({ id }) => this.#root(id));
    return this.#roots;
  }

  #root(connectionId: string): PlatformNode {
    const { connections, localPlatform, platforms } = this.#services;
    const row = () => {
      const setting = connections.get(connectionId);
      return setting === undefined ? undefined : { setting, state: localPlatform.state };
    };
    return new BranchNode(
      {
        id: `connection:${connectionId}`,
        parent: undefined,
        ref: { connectionId },
        item: () => {
          const now = row();
          if (now === undefined) return new vscode.TreeItem(connectionId);
          const item = connectionItem(now, platforms.list().length === 1);
          item.contextValue = connectionContext(now);
          return item;
        },
        look: () => {
          const now = row();
          return now === undefined ? "" : `${now.setting.name}\n${connectionDescription(now)}`;
        },
        load: (parent, signal) => this.#options.children(connectionId, parent, this.#host, signal),
      },
      this.#host,
    );
  }

  #connectionsChanged(): void {
    if (this.#roots !== undefined) {
      const before = new Map(this.#roots.map((root) => [root.connectionId, root]));
      this.#roots = this.#services.platforms.list().map(({ id }) => before.get(id) ?? this.#root(id));
      for (const root of this.#roots) root.reset();
    }
    this.nodes.redraw();
  }

  #watch(): void {
    const { platforms, localPlatform } = this.#services;
    this.#schedule?.watch(this.view.visible && vscode.window.state.focused);
    const mayRun = this.view.visible && platforms.list().some(({ kind }) => kind === "localPlatform");
    if (mayRun) void localPlatform.resume();
  }

  #tell(): void {
    void vscode.commands.executeCommand("setContext", this.#options.emptyContext, this.empty);
    this.#options.updated?.(this);
  }
}

function fastestMs(): number {
  return 1000 * vscode.workspace.getConfiguration(SECTION).get(SETTINGS.refreshSeconds, 5);
}

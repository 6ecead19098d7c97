/** A view with one row per connection and a feature's rows below; without connections a welcome text says what to do. */

import * as vscode from "vscode";
import { colorOf } from "../../connections/mark.ts";
import type { ConnectionSetting } from "../../connections/connection.ts";
import type { Services } from "../../services.ts";
import { setContext } from "../../kit/contexts.ts";
import { CONTEXTS } from "../../kit/ids.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import type { Failure } from "../../kit/fetching/fetched.ts";
import { dotted } from "../../kit/words.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { NodeTree } from "../../kit/tree/nodeTree.ts";
import {
  type ConnectionFacts,
  connectionHeading,
  connectionRow,
  connectionTooltip,
} from "./connectionRow.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import { type EditorView, setViewTexts } from "./laterView.ts";
import { PolledView, type PolledViewOptions } from "./polledView.ts";

/** A connection's row. */
export type PlatformNode = BranchNode<{ readonly connectionId: string }>;

/** What a feature puts into its view. */
export interface PlatformViewOptions extends Omit<PolledViewOptions, "roots" | "top" | "empty" | "updated"> {
  /** The connections that have a row: the platforms, unless given. */
  readonly connections?: () => readonly ConnectionSetting[];
  /** The row of the only platform is left out, unless it has a mark: its name and menu stand at the view's title. */
  readonly liftsOnly?: true;
  /** What is below a connection; whatever it throws becomes a row with a remedy. */
  children(
    connectionId: string,
    parent: PlatformNode,
    host: NodeHost,
    signal: AbortSignal,
  ): Promise<readonly TreeNode[] | undefined>;
  /** What is below a connection as a model knows it; then `children` only makes the model fetch. */
  known?(connectionId: string, parent: PlatformNode, host: NodeHost): readonly TreeNode[] | undefined;
  /** Why the model of `known` could not fetch it. */
  failure?(connectionId: string): Failure | undefined;
  /** What the row says in place of what all views say. */
  row?(setting: ConnectionSetting): Row | undefined;
  /** What the row is drawn and filled for, beside its setting: when that changes, what is below is forgotten. */
  madeFor?(setting: ConnectionSetting): unknown;
  tooltip?(connectionId: string): Promise<vscode.MarkdownString | undefined>;
  /** What the row says beside what all views say. */
  facts?(connectionId: string): Pick<ConnectionFacts, "count" | "wantsKey">;
  /** What is known below a connection is out of date: its setting or its key changed, or it went away. */
  forget?(connectionId: string): void;
  /** Which welcome text stands there although there is a connection; undefined for rows. */
  empty?(roots: readonly PlatformNode[]): string | undefined;
  /** Like `empty`, for a view that decides by all its rows, also without a connection. */
  welcome?(roots: readonly PlatformNode[]): string | undefined;
  updated?(view: PlatformView): void;
}

/** One feature's view. */
export class PlatformView implements vscode.Disposable {
  /** The rows as the editor asks for them. */
  readonly nodes: NodeTree;
  readonly view: EditorView;
  readonly #services: Services;
  readonly #options: PlatformViewOptions;
  readonly #polled: PolledView;
  readonly #subscriptions: vscode.Disposable;
  /** Each row with what it was made for: a row is for as long as that stays the same. */
  readonly #rows = new Map<string, { readonly node: PlatformNode; madeFor: string }>();
  #roots: readonly PlatformNode[] | undefined;
  #top: PlatformNode | undefined;
  #description = "";

  constructor(services: Services, options: PlatformViewOptions) {
    this.#services = services;
    this.#options = options;
    this.#polled = new PolledView(services, {
      ...options,
      roots: () => (this.#roots ??= this.#current()),
      empty: () => this.empty,
      top: () => this.#top,
      updated: () => {
        options.updated?.(this);
        this.#setHeading();
      },
    });
    this.nodes = this.#polled.nodes;
    this.view = options.view;
    this.#subscriptions = vscode.Disposable.from(
      this.#polled,
      services.connections.onDidChange(() => this.#connectionsChanged()),
      services.hiddenConnections.onDidChange(() => this.#connectionsChanged()),
      services.apiKeys.onDidChange((connectionId) => this.reset(connectionId)),
      services.transport.onDidChangeConnectionState(() => this.nodes.update()),
    );
    this.#polled.start();
    this.#setHiddenContext();
  }

  /** The connections' rows as far as the view was shown. */
  get roots(): readonly PlatformNode[] {
    return this.#roots ?? [];
  }

  /** Why no rows are shown: "noPlatform", "stopped", or what the feature says. */
  get empty(): string | undefined {
    if (this.#options.welcome !== undefined) return this.#options.welcome(this.roots);
    const settings = this.#settings;
    if (settings.length === 0) return "noPlatform";
    const stopped = this.#services.localPlatform.state.kind !== "running";
    if (stopped && settings.every(({ kind }) => kind === "localPlatform")) return "stopped";
    return this.#options.empty?.(this.roots);
  }

  /** Whether what is below a row is unfolded. */
  isOpen(node: TreeNode): boolean {
    return this.#polled.isOpen(node);
  }

  /** Something below changed without a request: draw it. */
  changed(): void {
    this.nodes.update();
  }

  /** Says beside the view's title what is left out and the like, after the connection whose row is left out. */
  describe(description: string): void {
    this.#description = description;
    this.#setHeading();
  }

  /** Something is going on: the next poll comes soon. */
  hurry(): void {
    this.#polled.hurry();
  }

  /** Fetches anew what was fetched, because a person asked for it. */
  async refresh(): Promise<void> {
    await Promise.all(this.roots.filter(({ known }) => known !== undefined).map((root) => root.load()));
  }

  /** Forgets what is below one connection or all, and shows what is asked for anew. */
  reset(connectionId?: string): void {
    for (const root of this.roots) {
      if (connectionId === undefined || root.ref.connectionId === connectionId) root.reset();
    }
    this.nodes.update();
    this.hurry();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  get #settings(): readonly ConnectionSetting[] {
    const { hiddenConnections, platforms } = this.#services;
    return hiddenConnections.shownOf(this.#options.connections?.() ?? platforms.list());
  }

  /** The rows of the connections there are now; what is below one is forgotten when its setting changed. */
  #current(): readonly PlatformNode[] {
    const settings = this.#settings;
    for (const [id, { node }] of this.#rows) {
      if (settings.some((setting) => setting.id === id)) continue;
      node.reset();
      this.#rows.delete(id);
    }
    // Who just added a connection wants to see what it has.
    const startsOpen = settings.length === 1 || this.#roots !== undefined;
    const rows = settings.map((setting) => {
      const isLocal = setting.kind === "localPlatform";
      const state = isLocal ? this.#services.localPlatform.state : this.#options.madeFor?.(setting);
      const madeFor = JSON.stringify([setting, state]);
      const row = this.#rows.get(setting.id) ?? { node: this.#root(setting, startsOpen), madeFor };
      this.#rows.set(setting.id, row);
      if (row.madeFor !== madeFor) row.node.reset();
      row.madeFor = madeFor;
      return row.node;
    });
    const [only, ...others] = settings;
    // A shield or a color is not cut as a title's description is: such a row stays.
    const isPlain = only !== undefined && others.length === 0 && colorOf(only) === undefined;
    this.#top = this.#options.liftsOnly === true && isPlain ? rows[0] : undefined;
    return rows;
  }

  #root({ id: connectionId }: ConnectionSetting, startsOpen: boolean): PlatformNode {
    const options = this.#options;
    const { host } = this.#polled;
    return new BranchNode(
      {
        id: `connection:${connectionId}`,
        parent: undefined,
        ref: { connectionId },
        row: () => {
          const facts = this.#facts(connectionId);
          if (facts === undefined) return { label: connectionId };
          return { ...(options.row?.(facts.setting) ?? connectionRow(facts)), startsOpen };
        },
        tooltip: async () => {
          const facts = this.#facts(connectionId);
          return (await options.tooltip?.(connectionId)) ?? (facts && connectionTooltip(facts));
        },
        load: (parent, signal) => options.children(connectionId, parent, host, signal),
        ...(options.known && { known: (parent) => options.known?.(connectionId, parent, host) }),
        failure: () => options.failure?.(connectionId),
        reset: () => options.forget?.(connectionId),
      },
      host,
    );
  }

  #facts(connectionId: string): ConnectionFacts | undefined {
    const { connections, localPlatform, transport } = this.#services;
    const setting = connections.get(connectionId);
    if (setting === undefined) return undefined;
    const isStopped = setting.kind === "localPlatform" && localPlatform.state.kind !== "running";
    const seen = isStopped ? undefined : transport.connectionStates.of(setting);
    return { setting, state: localPlatform.state, seen, ...this.#options.facts?.(connectionId) };
  }

  #setHeading(): void {
    if (this.#options.liftsOnly !== true) return;
    const facts = this.#top && this.#facts(this.#top.ref.connectionId);
    const heading = facts === undefined ? "" : connectionHeading(facts);
    setViewTexts(this.view, { description: dotted([heading, this.#description]) });
    const menus = facts === undefined ? "" : connectionRow(facts).contextValue;
    setContext(CONTEXTS.onlyPlatform, menus);
  }

  #setHiddenContext(): void {
    const isHidden = this.#services.hiddenConnections.count > 0;
    setContext(CONTEXTS.connectionsHidden, isHidden);
  }

  #connectionsChanged(): void {
    this.#setHiddenContext();
    const before = this.#top;
    if (this.#roots !== undefined) this.#roots = this.#current();
    if (this.#top !== before) this.#polled.topChanged(before);
    this.nodes.update();
    this.hurry();
  }
}

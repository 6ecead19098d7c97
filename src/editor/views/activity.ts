/** The Activity view: long operations with their steps and timers. */

import * as vscode from "vscode";
import { setContext } from "../kit/contexts.ts";
import { CONTEXTS, VIEWS } from "../kit/ids.ts";
import type { Core } from "../services.ts";
import { activityNode } from "./activityNode.ts";
import { sameNodes, type TreeNode } from "../kit/tree/node.ts";
import type { NodeTree } from "../kit/tree/nodeTree.ts";
import type { EditorView } from "./platform/laterView.ts";
import { ShownRows } from "./platform/shownRows.ts";

/** One row for each operation, the newest first. */
export class ActivityView implements vscode.Disposable {
  readonly nodes: NodeTree;
  readonly view: EditorView;
  readonly #core: Pick<Core, "activity" | "context">;
  readonly #rows: ShownRows;
  readonly #subscriptions: vscode.Disposable;
  #roots: readonly TreeNode[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(core: Pick<Core, "activity" | "context">, view: EditorView) {
    this.#core = core;
    this.#rows = new ShownRows(core.context.workspaceState, {
      view,
      name: VIEWS.activity,
      roots: () => this.#roots,
      empty: () => undefined,
    });
    this.nodes = this.#rows.nodes;
    this.view = view;
    this.#subscriptions = vscode.Disposable.from(
      this.#rows,
      core.activity.onDidChange(() => this.#changed()),
      this.view.onDidChangeVisibility(() => this.#changed()),
    );
    this.#changed();
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#subscriptions.dispose();
  }

  #changed(): void {
    const { entries } = this.#core.activity;
    this.#roots = sameNodes(
      this.#roots,
      entries.map((activity) => activityNode(activity, this.#rows.host)),
    );
    this.nodes.update();
    const ended = entries.some(({ end }) => end !== undefined);
    setContext(CONTEXTS.activityEnded, ended);
    this.#tick(this.view.visible && entries.some(({ end }) => end === undefined));
  }

  /** Timers run only where somebody can see them. */
  #tick(wanted: boolean): void {
    if (wanted === (this.#timer !== undefined)) return;
    clearInterval(this.#timer);
    this.#timer = wanted ? setInterval(() => this.nodes.update(), 1000) : undefined;
  }
}

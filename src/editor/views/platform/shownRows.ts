/** The rows of a view, drawn as they change: what was unfolded and selected is so again after a reload. */

import * as vscode from "vscode";
import type { CommandId } from "../../kit/ids.ts";
import type { Memory } from "../../kit/keptList.ts";
import { type NodeHost, type TreeNode, unfolded } from "../../kit/tree/node.ts";
import { NodeTree, type TreeSource } from "../../kit/tree/nodeTree.ts";
import { RememberedRows } from "../../kit/tree/rememberedRows.ts";
import type { EditorView } from "./laterView.ts";

/** Whose rows they are. */
export interface ShownRowsOptions extends Pick<TreeSource, "roots" | "top" | "empty"> {
  readonly view: EditorView;
  /** The view's own name in the memory. */
  readonly name: string;
  /** Asks anew for everything that is shown; absent where nobody is asked. */
  readonly refresh?: CommandId;
}

/** What every view shows its rows by. */
export class ShownRows implements vscode.Disposable {
  /** The rows as the editor asks for them. */
  readonly nodes: NodeTree;
  /** What rows are handed. */
  readonly host: NodeHost;
  readonly #options: ShownRowsOptions;
  readonly #remembered: RememberedRows;
  readonly #gone = new AbortController();
  readonly #subscriptions: vscode.Disposable;
  /** The row that was selected before the window was reloaded, until it is there again or another one is selected. */
  #selectAgain: string | undefined;

  constructor(memory: Memory, options: ShownRowsOptions) {
    const { view, name, refresh } = options;
    this.#options = options;
    this.#remembered = new RememberedRows(memory, name);
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
      refresh,
      signal: this.#gone.signal,
      changed: () => this.nodes.update(),
      isOpen: (node) => this.isOpen(node),
    };
    this.#subscriptions = vscode.Disposable.from(
      this.nodes,
      this.nodes.onDidUpdate(() => this.#restoreSelection()),
      view.onDidExpandElement(({ element }) => this.#remembered.noteOpen(element.id, true)),
      view.onDidCollapseElement(({ element }) => this.#remembered.noteOpen(element.id, false)),
      view.onDidChangeSelection(({ selection }) => this.#selected(selection)),
    );
  }

  /** Whether what is below a row is unfolded. */
  isOpen(node: TreeNode): boolean {
    if (node === this.nodes.top) return true;
    return this.nodes.getTreeItem(node).collapsibleState === vscode.TreeItemCollapsibleState.Expanded;
  }

  /** Another row than `before`, or none, is the one that is not shown: what was seen below it stays open and selected. */
  topChanged(before: TreeNode | undefined): void {
    if (before !== undefined) this.#remembered.noteOpen(before.id, true);
    this.#selectAgain = this.#remembered.selected;
  }

  dispose(): void {
    this.#gone.abort();
    this.#subscriptions.dispose();
  }

  #selected(selection: readonly TreeNode[]): void {
    this.#selectAgain = undefined;
    this.#remembered.noteSelected(selection[0]?.id);
  }

  /** Once the row is known again; nothing is fetched or unfolded for it. */
  #restoreSelection(): void {
    const { view, roots, empty } = this.#options;
    if (this.#selectAgain === undefined || !view.visible || empty() !== undefined) return;
    const seen = unfolded(roots(), (node) => this.isOpen(node));
    const node = seen.find(({ id }) => id === this.#selectAgain);
    if (node === undefined) return;
    this.#selectAgain = undefined;
    if (node === this.nodes.top) return;
    void view.reveal(node, { select: true, focus: false });
  }
}

/** A tree of nodes as the editor asks for it; what changed is drawn again, and nothing else. */

import * as vscode from "vscode";
import type { TreeNode } from "./node.ts";
import { changedNodes, type Drawing } from "./treeChange.ts";

/** Where the rows come from. */
export interface TreeSource {
  /** The rows at the top, the same objects for as long as they stand for the same things. */
  roots(): readonly TreeNode[];
  /** The row that is not shown: what is below it stands at the top in its place. */
  top?(): TreeNode | undefined;
  /** Why the welcome text stands there instead of the rows; undefined when rows are shown. */
  empty(): string | undefined;
  /** Whether a person unfolded or folded the row with the id; undefined where nobody touched it. */
  opened?(id: string): boolean | undefined;
  /** The row with the id, which nobody touched, begins unfolded. */
  beginsOpen?(id: string): void;
}

/** What the editor asks for the rows of a view. */
export class NodeTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #source: TreeSource;
  readonly #redraw = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.#redraw.event;
  readonly #updated = new vscode.EventEmitter<void>();
  /** Something was fetched or forgotten, drawn again or not. */
  readonly onDidUpdate = this.#updated.event;
  #drawn: Drawing | undefined;

  constructor(source: TreeSource) {
    this.#source = source;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = node.item();
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    const open = item.collapsibleState === None ? undefined : this.#source.opened?.(node.id);
    if (open !== undefined) item.collapsibleState = open ? Expanded : Collapsed;
    else if (item.collapsibleState === Expanded) this.#source.beginsOpen?.(node.id);
    return item;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node !== undefined) return [...((await node.children?.()) ?? node.known ?? [])];
    this.#drawn = this.#draw();
    this.#updated.fire();
    if (this.#source.empty() !== undefined) return [];
    const { top } = this;
    return top === undefined ? [...this.#source.roots()] : this.getChildren(top);
  }

  /** The row whose place at the top is taken by what is below it; undefined when all rows are shown. */
  get top(): TreeNode | undefined {
    return this.#source.top?.();
  }

  getParent({ parent }: TreeNode): TreeNode | undefined {
    return parent === this.top ? undefined : parent;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    const tooltip = await node.tooltip?.();
    if (tooltip !== undefined) item.tooltip = tooltip;
    return item;
  }

  /** Draws what differs from what was drawn before; nothing before the view was first shown. */
  update(): void {
    if (this.#drawn === undefined) return;
    const drawing = this.#draw();
    const ids = new Set(changedNodes(this.#drawn, drawing));
    this.#drawn = drawing;
    if (ids.has("")) this.#redraw.fire(undefined);
    else if (ids.size > 0) this.#redraw.fire(nodesWith(this.#source.roots(), ids));
    this.#updated.fire();
  }

  dispose(): void {
    this.#redraw.dispose();
    this.#updated.dispose();
  }

  #draw(): Drawing {
    const empty = this.#source.empty();
    const roots = this.#source.roots();
    const { top } = this;
    const shown = top === undefined ? roots : top.known;
    return {
      id: "",
      snapshot: `${empty ?? ""} ${top?.id ?? ""}`,
      children: empty === undefined ? shown?.map(draw) : [],
    };
  }
}

function draw(node: TreeNode): Drawing {
  return { id: node.id, snapshot: node.snapshot(), children: node.known?.map(draw) };
}

function nodesWith(nodes: readonly TreeNode[], ids: ReadonlySet<string>): TreeNode[] {
  return nodes.flatMap((node) => (ids.has(node.id) ? [node] : nodesWith(node.known ?? [], ids)));
}

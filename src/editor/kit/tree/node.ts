/** One row of a view; it is the same object for as long as it stands for the same thing. */

import type * as vscode from "vscode";
import type { CommandId } from "../ids.ts";

/** The details of a row; undefined where the row itself says all. */
export type Tooltip = vscode.MarkdownString | string | undefined;

/** A row, with what is below it. */
export interface TreeNode {
  /** Stable over refreshes: selection, expansion and scroll depend on it. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  item(): vscode.TreeItem;
  /** Everything visible of the row as text; the row is drawn again when it changes. */
  snapshot(): string;
  /** What is below as far as it is known; undefined before the first request. */
  readonly known: readonly TreeNode[] | undefined;
  /** What is below, fetched when it is not known yet; never throws. Absent where it is always known. */
  children?(): Promise<readonly TreeNode[]>;
  /** The details of the row, asked for when the pointer rests on it. */
  tooltip?(): Tooltip | Promise<Tooltip>;
  /** Takes over what a newer row with the same id stands for; false when that is another kind of row. */
  update?(newer: TreeNode): boolean;
}

/** What rows need of the view that shows them. */
export interface NodeHost {
  /** Asks anew for everything that the view shows; a view that asks nobody has none. */
  readonly refresh?: CommandId | undefined;
  /** Aborts when the view is gone. */
  readonly signal: AbortSignal;
  /** Something was fetched or failed: draw what changed. */
  changed(): void;
  /** Whether what is below the row is unfolded. */
  isOpen(node: TreeNode): boolean;
}

/** The row with an id, at any depth, as far as rows are known. */
export function findNode(nodes: readonly TreeNode[], id: string): TreeNode | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : findNode(node.known ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The rows that hang below unfolded rows only, at any depth, as far as rows are known. */
export function unfolded(
  nodes: readonly TreeNode[],
  isOpen: (node: TreeNode) => boolean,
): readonly TreeNode[] {
  return nodes.flatMap((node) => [node, ...(isOpen(node) ? unfolded(node.known ?? [], isOpen) : [])]);
}

/** `newer` with each row replaced by the one from `before` that could take over what it stands for. */
export function sameNodes(
  before: readonly TreeNode[] | undefined,
  newer: readonly TreeNode[],
): readonly TreeNode[] {
  const known = new Map((before ?? []).map((node) => [node.id, node]));
  return newer.map((node) => {
    const old = known.get(node.id);
    return old !== undefined && old !== node && old.update?.(node) === true ? old : node;
  });
}

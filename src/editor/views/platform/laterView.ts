/** A view of the sidebar before it is seen: the editor knows it, and its rows' code is loaded when they are asked for. */

import { setTimeout } from "node:timers/promises";
import * as vscode from "vscode";
import { Later, type LaterPart } from "../../kit/later.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import type { NodeTree } from "../../kit/tree/nodeTree.ts";

/** The editor's side of a view, on which its part sets badge and description. */
export type EditorView = vscode.TreeView<TreeNode>;

/** Sets what stands beside the view's title and above its rows, where it is another text: the editor draws what it is given. */
export function setViewTexts(
  view: EditorView,
  { description, message }: Partial<Record<"description" | "message", string>>,
): void {
  if (description !== undefined && view.description !== description) view.description = description;
  if (message !== undefined && view.message !== message) view.message = message;
}

/** Before each attempt to show a row. */
const pausesMs = [0, 300, 1_000];

/**
 * Brings a row into sight, and the view for that. The editor can't while it draws the rows anew: it is asked again then. A
 * row that went away meanwhile is none to show.
 */
export async function showRow(
  view: EditorView,
  node: TreeNode,
  how: { readonly select: boolean; readonly focus?: boolean; readonly expand?: boolean },
): Promise<void> {
  for (const pauseMs of pausesMs) {
    await setTimeout(pauseMs);
    try {
      await view.reveal(node, how);
      return;
    } catch {
      // It is tried again, or given up.
    }
  }
}

/** Registers the view; its part is made when the rows are first asked for. `seen` is told when it comes into sight or goes out of it. */
export function laterView<Part extends LaterPart>(
  viewId: string,
  options: Omit<vscode.TreeViewOptions<TreeNode>, "treeDataProvider">,
  make: (view: EditorView) => Promise<Part>,
  rowsOf: (part: Part) => NodeTree,
  seen: (viewId: string, visible: boolean) => void,
): Later<Part> {
  const changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  const view: EditorView = vscode.window.createTreeView<TreeNode>(viewId, {
    ...options,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (node) => rowsOf(await part.get()).getChildren(node),
      getTreeItem: async (node) => rowsOf(await part.get()).getTreeItem(node),
      getParent: async (node) => rowsOf(await part.get()).getParent(node),
      resolveTreeItem: async (item, node) => rowsOf(await part.get()).resolveTreeItem(item, node),
    },
  });
  const visibility = view.onDidChangeVisibility(({ visible }) => seen(viewId, visible));
  if (view.visible) seen(viewId, true);
  const part: Later<Part> = new Later(
    async () => {
      const made = await make(view);
      rowsOf(made).onDidChangeTreeData((nodes) => changed.fire(nodes));
      return made;
    },
    vscode.Disposable.from(changed, visibility, view),
  );
  return part;
}

/** Going through the rows of a view as far as they are known. */

import { BranchNode } from "./branchNode.ts";
import type { TreeNode } from "./node.ts";

/** The row with an id, at any depth. */
export function findNode(nodes: readonly TreeNode[], id: string): TreeNode | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : findNode(node.known ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Fetches anew what was fetched below a row, and below that. */
export async function reload(node: TreeNode, signal?: AbortSignal): Promise<void> {
  if (!(node instanceof BranchNode) || !node.asked) return;
  await node.load(signal);
  await Promise.all((node.known ?? []).map((child) => reload(child, signal)));
}

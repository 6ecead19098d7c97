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
export async function reload(node: TreeNode): Promise<void> {
  if (!(node instanceof BranchNode) || node.known === undefined) return;
  await node.load();
  const opened = node.known.filter(({ known }) => known !== undefined && known.length > 0);
  await Promise.all(opened.map((child) => reload(child)));
}

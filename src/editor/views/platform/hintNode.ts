/** The row of a list that has nothing to show: why, and on a click what to do about it. */

import type { CommandId } from "../../kit/ids.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";

/** What stands in the row, and what a click on it does; the command is given the row's ref. */
export interface Hint {
  readonly label: string;
  readonly description: string;
  readonly tooltip?: string;
  readonly command: CommandId;
  /** Of the command. */
  readonly title: string;
}

/** The row for a reason, `why`, of which a list has one at a time. */
export function hintNode(
  why: string,
  { command, title, ...shown }: Hint,
  parent: TreeNode,
  ref: object,
  host: NodeHost,
): TreeNode {
  const click = { command, title, arguments: [ref] };
  const row = () => ({ ...shown, icon: "info", contextValue: why, command: click });
  return new BranchNode({ id: `${why}:${parent.id}`, parent, ref, row }, host);
}

/** The rows of the Issues view, made of what they show. */

import { isObject } from "../../../api/shape.ts";
import { hasTexts, refIn, textIn } from "../../kit/ask/meant.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { IssueTarget, RowModel } from "./issueRow.ts";

/** A row with those below it. */
export function issueNode(
  { id, target, click, below, ...shown }: RowModel,
  host: NodeHost,
  parent?: TreeNode,
): BranchNode<IssueTarget> {
  const { label, description, spoken = `${label} ${description}`.trim() } = shown;
  const command = click && { command: click, title: "Open", arguments: [target] };
  const row = { ...shown, spoken, command };
  const known = (self: TreeNode): readonly TreeNode[] =>
    (below ?? []).map((model) => issueNode(model, host, self));
  return new BranchNode({ id, parent, ref: target, row: () => row, ...(below && { known }) }, host);
}

/** What a row stands for; undefined for what is no row of this view. */
export function issueTargetOf(value: unknown): IssueTarget | undefined {
  return refIn(value, (ref) => (isTarget(ref) ? ref : undefined));
}

function isTarget(value: unknown): value is IssueTarget {
  switch (textIn(value, "kind")) {
    case "receiver":
    case "group":
      return true;
    case "subscription":
      return hasTexts(value, "subscription");
    case "gap":
      return hasTexts(value, "gap");
    case "row":
      return hasTexts(value, "row");
    case "trace":
      return isObject(value) && hasTexts(value["trace"], "run_id", "trace_id") && hasTexts(value, "row");
    default:
      return false;
  }
}

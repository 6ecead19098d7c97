/** Which threads a command is about, by the way in which it was started. */

import type { ThreadRef } from "../../connections/connection.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { DeploymentsView } from "../../views/deployments/deployments.ts";
import { BranchNode } from "../../views/branchNode.ts";
import { ThreadNode } from "../../views/threads/threadNode.ts";

/** What can be selected or in front. */
export interface ThreadsInSight {
  readonly view: Pick<DeploymentsView, "selectedThreads">;
  readonly panels: Pick<RunPanels, "active">;
}

/** A thread that a row or another caller stands for. */
export function threadOf(value: unknown): ThreadRef | undefined {
  const named: unknown = value instanceof ThreadNode || value instanceof BranchNode ? value.ref : value;
  return isThreadRef(named) ? named : undefined;
}

/**
 * The threads that a command was started on: the clicked row with all that are selected, a thread itself, the row
 * under a key, or the panel that is in front. Undefined when the command was started on nothing, and empty when a key
 * was pressed on a row that is no thread.
 */
export function threadsMeant(
  { view, panels }: ThreadsInSight,
  args: readonly unknown[],
): readonly ThreadRef[] | undefined {
  const [clicked, selected] = args;
  if (Array.isArray(clicked)) return threadsUnderKey(clicked, view.selectedThreads);
  const named = (Array.isArray(selected) && selected.length > 0 ? selected : [clicked]).flatMap(
    (value: unknown) => threadOf(value) ?? [],
  );
  if (named.length > 0) return named;
  return panels.active === undefined ? undefined : [panels.active];
}

/**
 * A key binding's arguments are an array of one: the mark with which the editor's own title buttons ask for the focused
 * row, put in its place by the editor. A key acts on the focused row, and on all that are selected when that row is
 * one of them. Where the mark means nothing to an editor, the selection is all there is.
 */
function threadsUnderKey([row]: readonly unknown[], selection: readonly ThreadRef[]): readonly ThreadRef[] {
  if (isMark(row)) return selection;
  const focused = threadOf(row);
  if (focused === undefined) return [];
  const others = selection.filter(({ threadId }) => threadId !== focused.threadId);
  return others.length < selection.length ? [focused, ...others] : [focused];
}

function isMark(row: unknown): boolean {
  return typeof row === "object" && row !== null && "$focusedTreeItem" in row;
}

function isThreadRef(value: unknown): value is ThreadRef {
  if (typeof value !== "object" || value === null) return false;
  return (
    "connectionId" in value &&
    "serverId" in value &&
    "threadId" in value &&
    typeof value.threadId === "string"
  );
}

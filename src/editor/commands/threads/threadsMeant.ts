/** Which threads a command is about, by the way in which it was started. */

import type { ThreadRef } from "../../connections/connection.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { ThreadNode } from "../../views/threads/threadNode.ts";
import { rowsUnderKey } from "../../kit/ask/rowKey.ts";
import type { Selection } from "../../kit/ask/rowKey.ts";

/** What can be selected or in front. */
export interface ThreadsInSight {
  readonly selections: readonly Selection<ThreadRef>[];
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
  { selections, panels }: ThreadsInSight,
  args: readonly unknown[],
): readonly ThreadRef[] | undefined {
  const [clicked, selected] = args;
  if (Array.isArray(clicked)) return rowsUnderKey(clicked, selections, threadOf);
  const named = (Array.isArray(selected) && selected.length > 0 ? selected : [clicked]).flatMap(
    (value: unknown) => threadOf(value) ?? [],
  );
  if (named.length > 0) return named;
  return panels.active === undefined ? undefined : [panels.active];
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

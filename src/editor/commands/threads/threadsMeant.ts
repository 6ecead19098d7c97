/** Which threads a command is about, by the way in which it was started. */

import type { ThreadRef } from "../../connections/connection.ts";
import { meant, refOf } from "../../kit/ask/meant.ts";
import type { Selection } from "../../kit/ask/meant.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";

/** What can be selected or in front. */
export interface ThreadsInSight {
  readonly selections: readonly Selection<ThreadRef>[];
  readonly panels: Pick<RunPanels, "active">;
}

/** A thread that a row or another caller stands for. */
export function threadOf(value: unknown): ThreadRef | undefined {
  return refOf(value, "threadId");
}

/**
 * The threads that a command was started on: rows or a thread itself, or the panel that is in front. Undefined when
 * the command was started on nothing, and empty when a key was pressed on a row that is no thread.
 */
export function threadsMeant(
  { selections, panels }: ThreadsInSight,
  args: readonly unknown[],
): readonly ThreadRef[] | undefined {
  return meant(args, "threadId", selections) ?? (panels.active && [panels.active]);
}

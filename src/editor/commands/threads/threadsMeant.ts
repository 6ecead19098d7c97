/** Which threads a command is about, by the way in which it was started. */

import type { ThreadRef } from "../../connections/connection.ts";
import { connectedServerIn } from "../../connections/serverRef.ts";
import { refIn, rowsMeant } from "../../kit/ask/meant.ts";
import type { Selection } from "../../kit/ask/meant.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";

/** What can be selected or in front. */
export interface ThreadsInSight {
  readonly selections: readonly Selection<ThreadRef>[];
  readonly panels: Pick<RunPanels, "active">;
}

/** A thread that a row or another caller stands for. */
export function threadOf(value: unknown): ThreadRef | undefined {
  return refIn(value, threadIn);
}

/**
 * The threads that a command was started on: rows or a thread itself, or the panel that is in front. Undefined when
 * the command was started on nothing, and empty when a key was pressed on a row that is no thread.
 */
export function threadsMeant(
  { selections, panels }: ThreadsInSight,
  args: readonly unknown[],
): readonly ThreadRef[] | undefined {
  return rowsMeant(args, threadOf, selections) ?? (panels.active && [panels.active]);
}

function threadIn(value: unknown): ThreadRef | undefined {
  const server = connectedServerIn(value);
  const { threadId } = Object(value) as Readonly<Record<string, unknown>>;
  return server && typeof threadId === "string" ? { ...server, threadId } : undefined;
}

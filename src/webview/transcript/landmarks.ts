/** Places of a conversation that a reader is led to. */

import { useLayoutEffect } from "preact/hooks";

import type { Entry, InterruptEntry, MessageEntry } from "../../run/panel/transcript.ts";
import { memory } from "../kit/memory.ts";
import { lanesAround, type LaneSummary } from "./lanes.tsx";

/** "waiting": the newest open question; "last": what was said or asked last. */
export type Landmark = "waiting" | "last";

const isAt = { waiting: waits, last: isSaidOrAsked } satisfies Record<
  Landmark,
  (entry: Entry) => entry is MessageEntry | InterruptEntry
>;

/** Whether something in the conversation waits for the reader. */
export function waitsIn(entries: readonly Entry[]): boolean {
  return entries.some(waits);
}

function isSaidOrAsked(entry: Entry): entry is MessageEntry | InterruptEntry {
  return entry.kind === "message" || waits(entry);
}

function waits(entry: Entry): entry is InterruptEntry {
  return entry.kind === "interrupt" && (entry.state === "open" || entry.state === "failed");
}

/** Which landmark to lead the reader to; `onReached` is called once the way is clear. */
export interface Leading {
  readonly landmark: Landmark | undefined;
  readonly onReached: () => void;
}

/** Leads the reader to a landmark, unfolding the lanes around it. */
export function useLeading(
  { landmark, onReached }: Leading,
  entries: readonly Entry[],
  lanes: ReadonlyMap<string, LaneSummary>,
  goTo: (id: string) => void,
): void {
  useLayoutEffect(() => {
    const entry = landmark && entries.findLast<MessageEntry | InterruptEntry>(isAt[landmark]);
    if (entry === undefined) return;
    for (const { id } of lanesAround(lanes, entry)) {
      if (memory.get("folded").includes(id)) memory.toggle("folded", id);
    }
    goTo(entry.id);
    onReached();
  }, [landmark, entries, lanes, goTo, onReached]);
}

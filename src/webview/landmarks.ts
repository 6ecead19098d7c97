/** Places of a conversation that a reader is led to. */

import type { Entry, InterruptEntry, MessageEntry } from "../run/panel/transcript.ts";

/** "waiting": the newest open question; "last": what was said or asked last. */
export type Landmark = "waiting" | "last";

/** The entry at a landmark; undefined when the conversation has none. */
export function landmarkIn(
  entries: readonly Entry[],
  landmark: Landmark,
): MessageEntry | InterruptEntry | undefined {
  switch (landmark) {
    case "waiting":
      return entries.findLast(waits);
    case "last":
      return entries.findLast(isSaidOrAsked);
    default:
      landmark satisfies never;
      return undefined;
  }
}

/** Whether something in the conversation waits for the reader. */
export function waitsIn(entries: readonly Entry[]): boolean {
  return landmarkIn(entries, "waiting") !== undefined;
}

function isSaidOrAsked(entry: Entry): entry is MessageEntry | InterruptEntry {
  return entry.kind === "message" || waits(entry);
}

function waits(entry: Entry): entry is InterruptEntry {
  return entry.kind === "interrupt" && (entry.state === "open" || entry.state === "failed");
}

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";

import { entryAt, type Landmark, waits } from "../../run/panel/landmarks.ts";
import type { Entry, InterruptEntry } from "../../run/panel/transcript.ts";
import { memory } from "../kit/memory.ts";
import { lanesAround, type LaneSummary } from "./lanes.tsx";
import { firstInSight } from "./rowFocus.ts";

/** Which landmark to lead the reader to; `onReached` is called once the way is clear. */
export interface Leading {
  readonly landmark: Landmark | undefined;
  readonly onReached: () => void;
}

/** Leads the reader to a landmark of the transcript in `scroller`, unfolding the lanes around it. */
export function useLeading(
  { landmark, onReached }: Leading,
  entries: readonly Entry[],
  lanes: ReadonlyMap<string, LaneSummary>,
  scroller: { readonly current: HTMLElement | null },
  goTo: (id: string, align?: "start") => void,
): void {
  useLayoutEffect(() => {
    if (landmark === undefined || scroller.current === null) return;
    const focused = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"];
    const from = focused ?? firstInSight(scroller.current);
    const entry = entryAt(landmark, entries, from, focused !== undefined);
    if (entry === undefined) return;
    unfoldAround(entry, lanes);
    goTo(entry.id, entry.kind === "run" ? "start" : undefined);
    onReached();
  }, [landmark, entries, lanes, scroller, goTo, onReached]);
}

/** What is asked and not answered; a list of its own only when that changes, as the composer is drawn anew with it. */
export function useOpenQuestions(entries: readonly Entry[]): readonly InterruptEntry[] {
  const last = useRef<readonly InterruptEntry[]>([]);
  last.current = useMemo(() => {
    const open = entries.filter(waits);
    const before = last.current;
    return open.length === before.length && open.every((entry, at) => entry === before[at]) ? before : open;
  }, [entries]);
  return last.current;
}

/** Unfolds the lanes that hide an entry. */
export function unfoldAround(entry: Entry, lanes: ReadonlyMap<string, LaneSummary>): void {
  if (entry.kind === "run") return;
  const lane = entry.kind === "lane" ? entry.parent : entry.lane;
  for (const { id } of lanesAround(lanes, { runId: entry.runId, lane })) {
    if (memory.get("folded").includes(id)) memory.toggle("folded", id);
  }
}

import { useLayoutEffect } from "preact/hooks";

import type { Entry } from "../../run/panel/transcript.ts";
import { landmarkIn, type Landmark } from "../landmarks.ts";
import { memory } from "../memory.ts";
import { lanesAround, type LaneSummary } from "./lanes.ts";

/** A wish to be led to a landmark; `onReached` is called once the way is clear. */
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
    const entry = landmark && landmarkIn(entries, landmark);
    if (entry === undefined) return;
    for (const { id } of lanesAround(lanes, entry)) {
      if (memory.get("folded").includes(id)) memory.toggle("folded", id);
    }
    goTo(entry.id);
    onReached();
  }, [landmark, entries, lanes, goTo, onReached]);
}

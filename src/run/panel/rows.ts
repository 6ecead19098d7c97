/** A transcript as the flat list of rows that the page shows: each lane's entries below its header. */

import type { Entry, LaneEntry } from "./transcript.ts";

/** One line of the list. */
export interface Row {
  readonly entry: Entry;
  /** How many lanes it is in. */
  readonly depth: number;
  /** Of a lane's header: how many entries the lane has, those of lanes in it included. */
  readonly size?: number;
  /** Of a lane's header: its entries are hidden. */
  readonly collapsed?: boolean;
}

/** Rows from top to bottom; `collapsed` holds the ids of lane entries. */
export function rows(entries: readonly Entry[], collapsed: ReadonlySet<string>): readonly Row[] {
  const lanes = new Map<string, LaneEntry>();
  for (const entry of entries) if (entry.kind === "lane") lanes.set(laneKey(entry.runId, entry.lane), entry);
  if (lanes.size === 0) return entries.map((entry) => ({ entry, depth: 0 }));

  const inside = Map.groupBy(entries, (entry) => lanes.get(laneKey(entry.runId, outerLane(entry))));
  const shown: Row[] = [];
  write(shown, undefined, 0);
  return shown;

  function write(target: Row[], lane: LaneEntry | undefined, depth: number): void {
    for (const entry of inside.get(lane) ?? []) {
      if (entry.kind !== "lane") {
        target.push({ entry, depth });
        continue;
      }
      const hidden = collapsed.has(entry.id);
      const below: Row[] = [];
      write(below, entry, depth + 1);
      target.push({ entry, depth, size: sizeOf(entry), collapsed: hidden });
      if (!hidden) for (const row of below) target.push(row);
    }
  }

  function sizeOf(lane: LaneEntry): number {
    const children = inside.get(lane) ?? [];
    return children.reduce((sum, child) => sum + 1 + (child.kind === "lane" ? sizeOf(child) : 0), 0);
  }
}

/** The lane that an entry is shown in: a lane's header is shown in the lane around it. */
function outerLane(entry: Entry): string {
  if (entry.kind === "lane") return entry.parent;
  return entry.kind === "run" ? "" : entry.lane;
}

/** Names one lane of one run; the lane "" is everybody's. */
export function laneKey(runId: string | undefined, lane: string): string {
  return lane === "" ? "" : `${runId ?? ""} ${lane}`;
}

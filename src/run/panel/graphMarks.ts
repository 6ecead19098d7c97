/** What ran of a graph: its nodes with how they stand, how often and how long they ran, and what they cost. */

import { waitingEntries } from "./landmarks.ts";
import type { Entry, LaneId, StepEntry } from "./transcript.ts";

/** What is known of one node's steps. */
export interface NodeMark {
  /** That of its newest step; "waiting" while it asks something. */
  readonly status: StepEntry["status"] | "waiting";
  readonly times: number;
  /** Milliseconds of all steps that ended and whose times are known; undefined where none are. */
  readonly ms: number | undefined;
  /** All tokens that its messages report, those of its subgraphs with them; undefined where none do. */
  readonly tokens: number | undefined;
  /** The newest step's entry. */
  readonly step: string;
  /** When the newest step began, epoch milliseconds, as long as it runs. */
  readonly runningSince: number | undefined;
}

/** The marks of the newest run, or of all runs of the thread, by the ids that a graph's drawing gives its nodes. */
export function nodeMarks(entries: readonly Entry[], runs: "newest" | "all"): ReadonlyMap<string, NodeMark> {
  const newest = entries.findLast((entry) => entry.kind === "run")?.runId;
  const waiting = waitingEntries(entries);
  const marks = new Map<string, NodeMark>();
  /** Of each lane of each run, the step that what is said below belongs to. */
  const current = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind === "run" || (runs === "newest" && entry.runId !== newest)) continue;
    const lane = `${entry.runId ?? ""} ${entry.lane}`;
    if (entry.kind === "step" && entry.name !== "") {
      const id = nodeId(entry.lane, entry.name);
      current.set(lane, id);
      marks.set(id, withStep(marks.get(id), entry, waiting.has(entry.id)));
    } else if (entry.kind === "message" && entry.usage !== undefined) {
      const id = current.get(lane);
      const around = namesOf(entry.lane).map((_, index, names) => names.slice(0, index + 1).join(":"));
      for (const node of id === undefined ? around : [...around, id]) {
        const mark = marks.get(node);
        if (mark !== undefined) marks.set(node, { ...mark, tokens: (mark.tokens ?? 0) + entry.usage.total });
      }
    }
  }
  return marks;
}

/** The id that a drawing with its subgraphs opened gives a node: `researcher:model`. */
export function nodeId(lane: LaneId, name: string): string {
  return [...namesOf(lane), name].join(":");
}

/** The nodes that a lane is in, the outer one first: of `researcher:<task>|writer:<task>`, researcher and writer. */
export function namesOf(lane: LaneId): readonly string[] {
  if (lane === "") return [];
  return lane.split("|").map((segment) => segment.replace(/:[^:]*$/, ""));
}

function withStep(before: NodeMark | undefined, step: StepEntry, waits: boolean): NodeMark {
  const { status, startedAt, endedAt } = step;
  const ms = startedAt === undefined || endedAt === undefined ? undefined : Math.max(0, endedAt - startedAt);
  return {
    status: waits ? "waiting" : status,
    times: (before?.times ?? 0) + 1,
    ms: ms === undefined ? before?.ms : (before?.ms ?? 0) + ms,
    tokens: before?.tokens,
    step: step.id,
    runningSince: status === "running" ? startedAt : undefined,
  };
}

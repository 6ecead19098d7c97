import type { Entry, LaneEntry, LaneId } from "../../run/transcript.ts";

/** What a lane's head tells while its entries are folded away or far below. */
export interface LaneSummary {
  readonly lane: LaneEntry;
  /** Which of the chart colours the lane has, from 0. */
  readonly colour: number;
  readonly messages: number;
  readonly tools: number;
  /** The last thing that happened in it, on one line. */
  readonly latest: string;
}

/** How many colours the style sheet has for lanes. */
export const laneColours = 6;

/** Sums up every lane, by the lane's id; the same lane of another run is another lane. */
export function summarizeLanes(entries: readonly Entry[]): ReadonlyMap<string, LaneSummary> {
  const sums = new Map<string, LaneSummary>();
  for (const entry of entries) {
    if (entry.kind === "lane") {
      const colour = sums.size % laneColours;
      sums.set(laneKey(entry.runId, entry.lane), { lane: entry, colour, messages: 0, tools: 0, latest: "" });
    } else if ("lane" in entry && entry.lane !== "") {
      const key = laneKey(entry.runId, entry.lane);
      const sum = sums.get(key);
      if (sum !== undefined) sums.set(key, added(sum, entry));
    }
  }
  return sums;
}

/** Names one lane of one run. */
export function laneKey(runId: string | undefined, lane: LaneId): string {
  return `${runId ?? ""}|${lane}`;
}

function added(sum: LaneSummary, entry: Entry): LaneSummary {
  if (entry.kind === "message") {
    return {
      ...sum,
      messages: sum.messages + 1,
      latest: entry.text.trim() === "" ? sum.latest : lastLine(entry.text),
    };
  }
  if (entry.kind === "tool")
    return { ...sum, tools: sum.tools + 1, latest: `${entry.name} (${entry.status})` };
  if (entry.kind === "interrupt" && entry.state === "open") return { ...sum, latest: "Waits for an answer" };
  if (entry.kind === "notice") return { ...sum, latest: entry.text };
  return sum;
}

function lastLine(text: string): string {
  return text.slice(-400).trimEnd().split("\n").at(-1)?.slice(-160) ?? "";
}

/** The lanes of a transcript, one for each subgraph of a run: what they sum up to, and their heads. */

import { useContext } from "preact/hooks";

import type { Entry, LaneEntry, LaneId } from "../../run/panel/transcript.ts";
import { namesOf } from "../../run/panel/graphMarks.ts";
import { laneKey } from "../../run/panel/transcriptCopy.ts";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { OpenCode, SourceContext } from "../controls/openCode.tsx";
import { plural } from "../kit/measures.ts";
import { memory } from "../kit/memory.ts";
import { visibleText } from "../kit/visibleText.ts";
import { stateOf, Status, useElapsed } from "./status.tsx";

interface LaneProps {
  readonly summary: LaneSummary;
  readonly folded: boolean;
}

/** The head of a subgraph's lane; folded, it goes on showing the latest of what is hidden. */
export function Lane({ summary, folded }: LaneProps) {
  const { lane, waits, messages, tools, last } = summary;
  const time = useElapsed(lane.status === "running", lane);
  const head = (
    <button
      type="button"
      class="lane"
      aria-expanded={!folded}
      title={visibleText(lane.lane)}
      onClick={() => memory.toggle("folded", lane.id)}
    >
      <Icon name={folded ? "chevron-right" : "chevron-down"} />
      <span class="lane-dot" aria-hidden="true" />
      <Literal class="lane-name" text={lane.name} />
      <Status status={stateOf(lane.status, waits)} />
      {lane.task !== undefined && <Literal class="preview" text={lane.task} />}
      {time !== undefined && <span class="fact">{time}</span>}
      {messages > 0 && <span class="fact">{plural(messages, "message")}</span>}
      {tools > 0 && <span class="fact">{plural(tools, "tool call")}</span>}
      {folded && <span class="preview">{visibleText(lineOf(last))}</span>}
    </button>
  );
  if (!useContext(SourceContext)) return head;
  return (
    <div class="step-row">
      {head}
      <OpenCode source={{ of: "node", path: namesOf(lane.lane), runId: lane.runId }} />
    </div>
  );
}

/** A subagent is a subgraph that an agent gave a task to. */
export function kindOfLane({ task }: LaneEntry): "subagent" | "subgraph" {
  return task === undefined ? "subgraph" : "subagent";
}

/** What a lane's head shows while its entries are folded away or far below. */
export interface LaneSummary {
  readonly lane: LaneEntry;
  /** A question in it waits for the reader. */
  readonly waits: boolean;
  /** Which of the chart colours the lane has, from 0. */
  readonly colour: number;
  messages: number;
  tools: number;
  /** The last thing that happened in it and that has a line to show. */
  last: Entry | undefined;
}

/** How many colours the style sheet has for lanes. */
const laneColours = 6;

/** Sums up every lane, by the lane's key; the same lane of another run is another lane. */
export function summarizeLanes(
  entries: readonly Entry[],
  waiting: ReadonlySet<string>,
): ReadonlyMap<string, LaneSummary> {
  const lanes = new Map<string, LaneSummary>();
  for (const entry of entries) {
    if (entry.kind === "run") continue;
    const key = laneKey(entry.runId, entry.lane);
    const summary = lanes.get(key);
    if (entry.kind === "lane") {
      lanes.set(key, {
        lane: entry,
        waits: waiting.has(entry.id),
        colour: lanes.size % laneColours,
        messages: 0,
        tools: 0,
        last: undefined,
      });
    } else if (summary !== undefined) {
      if (entry.kind === "message") summary.messages += 1;
      if (entry.kind === "tool") summary.tools += 1;
      if (speaks(entry)) summary.last = entry;
    }
  }
  return lanes;
}

/** The lane that an entry belongs to or heads, with what it says now. */
export function summaryOf(
  lanes: ReadonlyMap<string, LaneSummary>,
  entry: Entry,
  newest: (entry: Entry) => Entry,
): LaneSummary | undefined {
  if (!("lane" in entry) || entry.lane === "") return undefined;
  const summary = lanes.get(laneKey(entry.runId, entry.lane));
  return summary?.last === undefined ? summary : { ...summary, last: newest(summary.last) };
}

/** What a row shows of lanes: the lane that it belongs to or heads, and those of the run that it begins. */
export interface ShownLanes {
  readonly summary: LaneSummary | undefined;
  readonly lanes: readonly LaneSummary[];
}

/** Whether a row looks the same: a run shows its lanes' states, a lane its own counts, and the others only their lane's colour. */
export function showsSameLanes(kind: Entry["kind"], before: ShownLanes, after: ShownLanes): boolean {
  switch (kind) {
    case "run":
      return (
        before.lanes.length === after.lanes.length &&
        before.lanes.every(({ lane, waits }, index) => {
          const now = after.lanes[index];
          return lane === now?.lane && waits === now.waits;
        })
      );
    case "lane":
      return (
        before.summary?.waits === after.summary?.waits &&
        before.summary?.messages === after.summary?.messages &&
        before.summary?.tools === after.summary?.tools &&
        before.summary?.last === after.summary?.last
      );
    default:
      return before.summary?.colour === after.summary?.colour;
  }
}

/** The lanes that an entry is in, the inner one first. */
export function* lanesAround(
  lanes: ReadonlyMap<string, LaneSummary>,
  { runId, lane: inner }: { readonly runId?: string | undefined; readonly lane: LaneId },
): Generator<LaneEntry> {
  for (let lane = inner; lane !== "";) {
    const around = lanes.get(laneKey(runId, lane))?.lane;
    if (around === undefined) return;
    yield around;
    lane = around.parent;
  }
}

/** Whether the entry has a line to show; asked of every entry, so without making the line. */
function speaks(entry: Entry): boolean {
  if (entry.kind === "message") return entry.text !== "";
  return (
    entry.kind === "tool" || entry.kind === "notice" || (entry.kind === "interrupt" && entry.state === "open")
  );
}

function lineOf(entry: Entry | undefined): string {
  switch (entry?.kind) {
    case "message":
      return entry.text.slice(-400).trimEnd().split("\n").at(-1)?.slice(-160) ?? "";
    case "tool":
      return `${entry.name} (${entry.status})`;
    case "interrupt":
      return "Waits for an answer";
    case "notice":
      return entry.text;
    default:
      return "";
  }
}

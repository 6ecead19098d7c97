/** When the steps of a thread ran, which tools they called, where a person was waited for, and what each of them took. */

import type { Prices } from "../panel/messages.ts";
import { waits } from "../panel/landmarks.ts";
import type {
  Entry,
  InterruptEntry,
  LaneId,
  MessageEntry,
  RunEntry,
  StepEntry,
  ToolEntry,
} from "../panel/transcript.ts";
import { nothingSpent, type Spent, spentOn, sumSpent } from "./spent.ts";

/** What took time. */
export interface Span {
  readonly id: string;
  /** The id of the entry that tells of it. */
  readonly row: string;
  /** A gap is time of a run in which no step ran. */
  readonly kind: "step" | "tool" | "wait" | "gap";
  readonly runId: string | undefined;
  readonly lane: LaneId;
  /** The node's, or the tool's; of a wait, the nodes before which a person stopped the run; else empty. */
  readonly name: string;
  readonly status: StepEntry["status"] | ToolEntry["status"] | "waiting" | "answered";
  /** Epoch milliseconds; undefined where that is not known. */
  readonly from: number | undefined;
  /** Undefined as long as it goes on, and where that is not known. */
  readonly to: number | undefined;
  readonly isOn: boolean;
  /** When its model calls gave their first tokens, in milliseconds after its beginning. */
  readonly firstTokens: readonly number[];
  /** What its own model calls took; those of a subgraph in it are that one's. */
  readonly spent: Spent;
}

/** A run of the thread. */
export interface RunSpan {
  readonly id: string;
  readonly runId: string;
  readonly assistantId: string;
  readonly status: RunEntry["status"];
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly isOn: boolean;
  readonly spent: Spent;
}

/** A thread over time; spans stand in the transcript's order. */
export interface Timeline {
  readonly runs: readonly RunSpan[];
  readonly spans: readonly Span[];
  /** The names of lanes by their keys, as `laneName` finds them. */
  readonly names: ReadonlyMap<string, string>;
  readonly spent: Spent;
}

/** A gap that is shorter is none: servers need a moment between two steps. */
const shortestGapMs = 50;
const shortestGapPart = 0.01;

/** Makes a timeline of a transcript. */
export function timelineOf(entries: readonly Entry[], prices: Prices = {}): Timeline {
  const runs: RunEntry[] = [];
  const said = new Map<string, MessageEntry[]>();
  const drafts: (StepEntry | ToolEntry | Asked)[] = [];
  const steps = new Map<string, StepEntry>();
  const names = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind === "run") runs.push(entry);
    if (!("lane" in entry)) continue;
    const key = keyOf(entry.runId, entry.lane);
    if (entry.kind === "lane") names.set(key, entry.name);
    else if (entry.kind === "tool") drafts.push(entry);
    else if (entry.kind === "interrupt") drafts.push({ kind: "asked", entry, step: steps.get(key) });
    else if (entry.kind === "step") {
      steps.set(key, entry);
      drafts.push(entry);
    } else if (entry.kind === "message" && entry.runId !== undefined && isAnswer(entry)) {
      const owner = steps.get(key)?.id ?? `run ${entry.runId}`;
      const others = said.get(owner);
      if (others === undefined) said.set(owner, [entry]);
      else others.push(entry);
    }
  }
  const spentIn = (owner: string): Spent =>
    sumSpent((said.get(owner) ?? []).map((message) => spentOn(message, prices)));
  const spans = drafts.flatMap((draft): readonly Span[] => {
    switch (draft.kind) {
      case "step":
        return [stepSpan(draft, said.get(draft.id) ?? [], spentIn(draft.id))];
      case "tool":
        return [toolSpan(draft)];
      default:
        return waitSpan(draft, runs);
    }
  });
  const ofRun = Map.groupBy(spans, ({ runId }) => runId);
  const runSpans = runs.map((run): RunSpan => {
    const own = ofRun.get(run.runId) ?? [];
    const loose = spentIn(`run ${run.runId}`);
    return runSpan(run, own, sumSpent([loose, ...own.map(({ spent }) => spent)]));
  });
  return {
    runs: runSpans,
    spans: onceEach([...spans, ...runSpans.flatMap((run) => gapsOf(run, ofRun.get(run.runId) ?? []))]),
    names,
    spent: sumSpent(runSpans.map(({ spent }) => spent)),
  };
}

/** A lane as people name it, and the one around it; each of several lanes of one node is another lane. */
export function laneName(
  { names }: Pick<Timeline, "names">,
  runId: string | undefined,
  lane: LaneId,
): string {
  const own = names.get(keyOf(runId, lane));
  return own ?? lane.slice(lane.lastIndexOf("|") + 1).replace(/:[^:]*$/, "");
}

/** The names of the lanes around a lane, and its own; none for the thread's own graph. */
export function lanePath(timeline: Timeline, runId: string | undefined, lane: LaneId): readonly string[] {
  if (lane === "") return [];
  const bar = lane.lastIndexOf("|");
  return [...lanePath(timeline, runId, bar < 0 ? "" : lane.slice(0, bar)), laneName(timeline, runId, lane)];
}

interface Asked {
  readonly kind: "asked";
  readonly entry: InterruptEntry;
  readonly step: StepEntry | undefined;
}

function keyOf(runId: string | undefined, lane: LaneId): string {
  return `${runId ?? ""} ${lane}`;
}

/** What a run was given is no answer of its models. */
function isAnswer({ role, id }: MessageEntry): boolean {
  return role === "ai" && !id.startsWith("input:");
}

function stepSpan(step: StepEntry, messages: readonly MessageEntry[], spent: Spent): Span {
  const { id, runId, lane, name, status, startedAt, endedAt } = step;
  return {
    ...{ kind: "step", id, row: id, runId, lane, name, status, spent },
    from: startedAt,
    to: endedAt,
    isOn: status === "running",
    firstTokens: messages.flatMap(({ firstTokenMs }) => firstTokenMs ?? []),
  };
}

function toolSpan(tool: ToolEntry): Span {
  const { id, runId, lane, name, status, startedAt, endedAt } = tool;
  return {
    ...{ kind: "tool", id, row: id, runId, lane, name, status, firstTokens: [], spent: nothingSpent },
    from: startedAt,
    to: endedAt,
    isOn: status === "running",
  };
}

/** From when the step stopped until the next run of the thread began, which brought the answer. */
function waitSpan({ entry, step }: Asked, runs: readonly RunEntry[]): readonly Span[] {
  const { id, runId, lane, next = [] } = entry;
  const index = runs.findIndex((run) => run.runId === runId);
  const from = step?.endedAt ?? runs[index]?.endedAt;
  const isOn = waits(entry);
  if (entry.state === "sending" && index === runs.length - 1) return [];
  return [
    {
      ...{
        kind: "wait",
        id,
        row: id,
        runId,
        lane,
        name: next.join(", "),
        firstTokens: [],
        spent: nothingSpent,
      },
      status: isOn ? "waiting" : "answered",
      from,
      to: isOn || index < 0 ? undefined : runs[index + 1]?.startedAt,
      isOn,
    },
  ];
}

function runSpan(run: RunEntry, own: readonly Span[], spent: Spent): RunSpan {
  const { id, runId, assistantId, status, startedAt, endedAt } = run;
  const times = own.flatMap(({ kind, from }) => (kind === "step" && from !== undefined ? [from] : []));
  const isOn = status === "running" || status === "pending";
  const from = startedAt ?? (times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b)));
  return { id, runId, assistantId, status, from, to: isOn ? undefined : endedAt, isOn, spent };
}

/** When no step of the thread's own graph ran: before the first, between two, and after the last. */
function gapsOf({ id, runId, from, to }: RunSpan, own: readonly Span[]): readonly Span[] {
  if (from === undefined || to === undefined) return [];
  const shortest = Math.max(shortestGapMs, (to - from) * shortestGapPart);
  const steps = own.flatMap(({ kind, lane, from: start, to: end }) =>
    kind === "step" && lane === "" && start !== undefined && end !== undefined ? [{ start, end }] : [],
  );
  if (steps.length === 0) return [];
  const gaps: Span[] = [];
  let until = from;
  for (const { start, end } of [...steps.toSorted((a, b) => a.start - b.start), { start: to, end: to }]) {
    if (start - until >= shortest) {
      gaps.push({
        ...{
          kind: "gap",
          id: `${id} ${until}`,
          row: id,
          runId,
          lane: "",
          name: "",
          status: "done",
          isOn: false,
        },
        ...{ from: until, to: start, firstTokens: [], spent: nothingSpent },
      });
    }
    until = Math.max(until, end);
  }
  return gaps;
}

/** Several questions of one step are one wait. */
function onceEach(spans: readonly Span[]): readonly Span[] {
  const seen = new Set<string>();
  return spans.filter(({ kind, runId, lane, from }) => {
    if (kind !== "wait") return true;
    const key = `${keyOf(runId, lane)} ${from}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** What a run or a whole thread did, step by step, as far as it can be told apart from what another one did. */

import type { Prices } from "../panel/messages.ts";
import type { Entry, LaneId, RunEntry } from "../panel/transcript.ts";
import { nothingSpent, type Spent } from "../timeline/spent.ts";
import { lanePath, type Span, timelineOf } from "../timeline/timeline.ts";

/** In what two steps can differ. */
export type Difference = "input" | "status" | "state" | "messages" | "tools" | "questions" | "errors";

/** A step, or what a run was given, or, where a server tells no steps, what came of it. */
export interface ComparedStep {
  /** The entry's that tells of it. */
  readonly id: string;
  readonly kind: "input" | "step" | "answer";
  /** The node's; empty where that is not known. */
  readonly name: string;
  /** The names of the lanes that it ran in, from the outside; empty for the thread's own graph. */
  readonly lane: readonly string[];
  readonly status: string;
  readonly isOn: boolean;
  /** Milliseconds by the server's clock; undefined where that is not known. */
  readonly tookMs: number | undefined;
  readonly spent: Spent;
  /** What it did, as text, by what can differ. */
  readonly did: ReadonlyMap<Difference, string>;
  /** Whether its states can be compared. */
  readonly hasStates: boolean;
  /** Steps with the same one ran beside each other: their order means nothing. */
  readonly beside: string | undefined;
}

/** A run, or all runs of a thread together. */
export interface ComparedSide {
  /** Of the newest run; undefined where there is none. */
  readonly status: RunEntry["status"] | undefined;
  readonly isOn: boolean;
  readonly tookMs: number | undefined;
  readonly spent: Spent;
  readonly steps: readonly ComparedStep[];
}

interface Draft extends Omit<ComparedStep, "did"> {
  readonly did: Map<Difference, string>;
}

/** What a transcript tells of a run, or of all runs where none is named. */
export function sideOf(all: readonly Entry[], runId: string | undefined, prices: Prices = {}): ComparedSide {
  const entries = runId === undefined ? all : all.filter((entry) => entry.runId === runId);
  const timeline = timelineOf(entries, prices);
  const spans = new Map(timeline.spans.map((span) => [span.id, span]));
  const drafts: Draft[] = [];
  /** The step that an entry of a lane belongs to. */
  const current = new Map<string, Draft>();
  const runs = entries.filter((entry) => entry.kind === "run");
  const byId = new Map<string | undefined, RunEntry>(runs.map((run) => [run.runId, run]));
  const begin = (draft: Omit<Draft, "did">, run: string | undefined, lane: LaneId): Draft => {
    const begun = { ...draft, did: new Map<Difference, string>() };
    drafts.push(begun);
    current.set(`${run ?? ""} ${lane}`, begun);
    return begun;
  };
  const ownerOf = (run: string | undefined, lane: LaneId): Draft | undefined => {
    const own = current.get(`${run ?? ""} ${lane}`);
    if (own !== undefined || lane === "") return own;
    return ownerOf(run, lane.slice(0, Math.max(0, lane.lastIndexOf("|"))));
  };
  for (const entry of entries) {
    if (entry.kind === "run") {
      begin(inputOf(entry), entry.runId, "");
    } else if (entry.kind === "step") {
      const lane = lanePath(timeline, entry.runId, entry.lane);
      const step = begin(stepOf(entry, lane, spans.get(entry.id)), entry.runId, entry.lane);
      add(step, "state", [...entry.keys.toSorted(), entry.wrote ?? ""].join("\n"));
    } else if ("lane" in entry) {
      const owner = ownerOf(entry.runId, entry.lane);
      const difference = differenceIn(entry);
      if (difference === undefined) continue;
      const run = byId.get(entry.runId);
      // Where a server tells neither steps nor runs, what was said begins a row.
      const begins = isInput(entry) ? run === undefined && owner?.kind === "answer" : owner?.kind === "input";
      const draft = isInput(entry) ? inputOf(entry) : answerOf(run, entry.id);
      const to = owner === undefined || begins ? begin(draft, entry.runId, "") : owner;
      add(to, to.kind === "input" ? "input" : difference, textOf(entry));
    }
  }
  const times = timeline.runs.map(({ from, to }) =>
    from === undefined || to === undefined ? undefined : to - from,
  );
  return {
    status: runs.at(-1)?.status,
    isOn: timeline.runs.some(({ isOn }) => isOn),
    tookMs: times.length === 0 ? undefined : sumOf(times),
    spent: timeline.spent,
    steps: drafts,
  };
}

function sumOf(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce<number | undefined>(
    (sum, time) => (sum === undefined || time === undefined ? undefined : sum + time),
    0,
  );
}

function inputOf({ id }: Pick<Entry, "id">): Omit<Draft, "did"> {
  const nothing = { tookMs: undefined, spent: nothingSpent, hasStates: false, beside: undefined };
  return { ...nothing, id, kind: "input", name: "", lane: [], status: "done", isOn: false };
}

function answerOf(run: RunEntry | undefined, id: string): Omit<Draft, "did"> {
  const nothing = { tookMs: undefined, spent: nothingSpent, hasStates: false, beside: undefined };
  const isOn = run?.status === "running" || run?.status === "pending";
  return { ...nothing, id, kind: "answer", name: "", lane: [], status: isOn ? "running" : "done", isOn };
}

function stepOf(
  { id, name, checkpoints }: Extract<Entry, { kind: "step" }>,
  lane: readonly string[],
  span: Span | undefined,
): Omit<Draft, "did"> {
  const { status = "done", from, to, isOn = false, spent = nothingSpent } = span ?? {};
  return {
    ...{ id, kind: "step", name, lane, status, isOn, spent },
    tookMs: from === undefined || to === undefined ? undefined : to - from,
    hasStates: checkpoints !== undefined,
    beside: checkpoints?.before,
  };
}

/** A run is given what stands before its first step: what people and programs say to it, but no answer of a model. */
function isInput(entry: Entry): boolean {
  if (entry.kind === "message") return entry.role !== "ai" || entry.id.startsWith("input:");
  return entry.kind === "values" && entry.of === "input";
}

function differenceIn(entry: Entry): Difference | undefined {
  switch (entry.kind) {
    case "message":
      return "messages";
    case "tool":
      return "tools";
    case "interrupt":
      return "questions";
    case "notice":
      // What is told of the whole thread is nothing that a run did.
      return entry.level === "error" && entry.runId !== undefined ? "errors" : undefined;
    case "values":
      return entry.of === "input" ? "input" : undefined;
    default:
      return undefined;
  }
}

/** Without ids and times: those differ from run to run. */
function textOf(entry: Entry): string {
  switch (entry.kind) {
    case "message":
      return `${entry.role}: ${entry.text}`;
    case "tool":
      return `${entry.name}(${entry.args}) ${entry.status === "done" ? "" : entry.status} ${entry.result ?? ""}`;
    case "interrupt":
      return JSON.stringify(entry.requests.length > 0 ? entry.requests : (entry.next ?? entry.value));
    case "notice":
    case "values":
      return entry.text;
    default:
      return "";
  }
}

function add({ did }: Draft, difference: Difference, text: string): void {
  const before = did.get(difference);
  did.set(difference, before === undefined ? text : `${before}\n${text}`);
}

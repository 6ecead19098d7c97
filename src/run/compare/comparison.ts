/** Two runs or threads beside each other: which steps belong together, and where they first went different ways. */

import type { Spent } from "../timeline/spent.ts";
import { align, mostAligned } from "./align.ts";
import type { ComparedSide, ComparedStep, Difference } from "./steps.ts";

/** A step of one side as a row shows it. */
export interface StepFacts extends Omit<ComparedStep, "did" | "kind" | "name" | "lane" | "beside"> {
  /** What it did, from shortly before where that differs from its partner's; absent where nothing does. */
  readonly excerpt?: string;
}

/** Steps that belong together, or one that has no partner. */
export interface ComparedRow extends Pick<ComparedStep, "kind" | "name" | "lane"> {
  readonly left: StepFacts | undefined;
  readonly right: StepFacts | undefined;
  /** In what both differ; empty for one without a partner. */
  readonly differs: readonly Difference[];
  /** Both sides go different ways here. */
  readonly isDifferent: boolean;
}

/** One side in sum. */
export type SideSums = Omit<ComparedSide, "steps"> & { readonly spent: Spent; readonly steps: number };

/** Rows stand in the order in which the steps ran. */
export interface Comparison {
  readonly left: SideSums;
  readonly right: SideSums;
  readonly rows: readonly ComparedRow[];
  /** The index of the row where both first went different ways; undefined where they did not. */
  readonly first: number | undefined;
  /** A side has more steps than are compared: what comes after them is left out. */
  readonly isCut: boolean;
  /** Both have steps, and none of one is a step of the other: they are of different graphs. */
  readonly isForeign: boolean;
}

const longestExcerpt = 240;
/** How much of what both have in common stands before it. */
const before = 24;
const noLane = "";

/** Compares two sides. As long as one goes on, what is over already is compared, and nothing is missed at its end. */
export function compare(left: ComparedSide, right: ComparedSide): Comparison {
  const [ours, theirs] = [left.steps.slice(0, mostAligned), right.steps.slice(0, mostAligned)];
  const pairs = pairsOf(ordered(ours), ordered(theirs));
  const end = pairs.findLastIndex((pair) => pair.left !== undefined && pair.right !== undefined);
  const isOpen = left.isOn || right.isOn;
  const rows = pairs.map((pair, at) => rowOf(pair, isOpen && at > end));
  const first = rows.findIndex(({ isDifferent }) => isDifferent);
  const steps = rows.filter(({ kind }) => kind === "step");
  const has = (side: "left" | "right"): boolean => steps.some((row) => row[side] !== undefined);
  return {
    left: sums(left),
    right: sums(right),
    rows,
    first: first < 0 ? undefined : first,
    isCut: Math.max(left.steps.length, right.steps.length) > mostAligned,
    isForeign: has("left") && has("right") && !steps.some((row) => row.left && row.right),
  };
}

function sums({ steps, ...side }: ComparedSide): SideSums {
  return { ...side, steps: steps.filter(({ kind }) => kind === "step").length };
}

/** Steps that ran beside each other in one lane stand in the order of their names: which came first is chance. */
function ordered(steps: readonly ComparedStep[]): readonly ComparedStep[] {
  const groups: ComparedStep[][] = [];
  for (const step of steps) {
    const group = groups.at(-1);
    const [other] = group ?? [];
    const isBeside =
      step.beside !== undefined && other?.beside === step.beside && laneOf(other) === laneOf(step);
    if (isBeside) group?.push(step);
    else groups.push([step]);
  }
  const textOf = ({ name, did }: ComparedStep): string => JSON.stringify([name, ...did.values()]);
  return groups.flatMap((group) => (group.length === 1 ? group : group.toSorted(by(textOf))));
}

function by(textOf: (step: ComparedStep) => string): (one: ComparedStep, other: ComparedStep) => number {
  return (one, other) => {
    const [a, b] = [textOf(one), textOf(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  };
}

function laneOf({ lane }: ComparedStep): string {
  return lane.join(" › ");
}

interface StepPair {
  readonly left: ComparedStep | undefined;
  readonly right: ComparedStep | undefined;
}

/**
 * Lanes run beside each other, so each is aligned alone; its rows stand below the row of the thread's own graph after
 * which it was seen.
 */
function pairsOf(left: readonly ComparedStep[], right: readonly ComparedStep[]): readonly StepPair[] {
  const [ours, theirs] = [Map.groupBy(left, laneOf), Map.groupBy(right, laneOf)];
  const inLane = (lane: string): readonly StepPair[] => {
    const [a, b] = [ours.get(lane) ?? [], theirs.get(lane) ?? []];
    return align(a.map(keyOf), b.map(keyOf)).map((pair) => ({
      left: pair.left === undefined ? undefined : a[pair.left],
      right: pair.right === undefined ? undefined : b[pair.right],
    }));
  };
  const root = inLane(noLane);
  const indexes = new Map<ComparedStep | undefined, number>();
  for (const [at, pair] of root.entries()) indexes.set(pair.left, at).set(pair.right, at);
  for (const steps of [left, right]) {
    let above = 0;
    for (const step of steps) indexes.set(step, (above = indexes.get(step) ?? above));
  }
  const lanes = [...new Set([...left, ...right].map(laneOf))].filter((lane) => lane !== noLane);
  const placed = lanes.flatMap((lane) => {
    let at = 0;
    return inLane(lane).map((pair) => {
      at = Math.max(at, indexes.get(pair.left ?? pair.right) ?? 0);
      return { pair, at };
    });
  });
  const below = Map.groupBy(placed, ({ at }) => at);
  if (root.length === 0) return placed.map(({ pair }) => pair);
  return root.flatMap((pair, at) => [pair, ...(below.get(at) ?? []).map((one) => one.pair)]);
}

function keyOf({ kind, name }: ComparedStep): string {
  return `${kind} ${name}`;
}

/** `isOpen` where a partner may still come. */
function rowOf({ left, right }: StepPair, isOpen: boolean): ComparedRow {
  const { kind = "step", name = "", lane = [] } = left ?? right ?? {};
  const isPaired = left !== undefined && right !== undefined;
  const differs = isPaired ? differences(left, right) : [];
  const [difference] = differs.filter((one) => one !== "status");
  const [one, other] = [textIn(left, difference), textIn(right, difference)];
  const shared = sharedLength(one ?? "", other ?? "");
  const facts = (step: ComparedStep | undefined, text: string | undefined): StepFacts | undefined => {
    if (step === undefined) return undefined;
    const { id, status, isOn, tookMs, spent, hasStates } = step;
    const shown = { id, status, isOn, tookMs, spent, hasStates };
    return text === undefined ? shown : { ...shown, excerpt: excerptOf(text, shared) };
  };
  const isDifferent = isPaired ? differs.length > 0 : !isOpen;
  return { kind, name, lane, left: facts(left, one), right: facts(right, other), differs, isDifferent };
}

/** What goes on may still become the same. */
function differences(left: ComparedStep, right: ComparedStep): readonly Difference[] {
  if (left.isOn || right.isOn) return [];
  const all: readonly Difference[] = ["input", "errors", "questions", "messages", "tools", "state"];
  const differing = all.filter((one) => left.did.get(one) !== right.did.get(one));
  return left.status === right.status ? differing : ["status", ...differing];
}

/** What of a step is shown: that in which it differs. */
function textIn(step: ComparedStep | undefined, difference: Difference | undefined): string | undefined {
  if (step === undefined) return undefined;
  return difference === undefined ? undefined : (step.did.get(difference) ?? "");
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one[length] === other[length]) length++;
  return length;
}

function excerptOf(text: string, shared: number): string {
  const start = Math.max(0, shared - before);
  const end = start + longestExcerpt;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

/** Places of a transcript that a person is led to: what waits, what failed, what was said last, where a run begins. */

import { laneKey, rows } from "./transcriptCopy.ts";
import type { Entry, InterruptEntry, LaneEntry, MessageEntry, RunEntry } from "./transcript.ts";

/** Where to: what was said or asked last, the newest open question, or the next of a kind after the place that is read. */
export type Landmark = "last" | "waiting" | "nextQuestion" | "nextError" | { readonly entry: string };

/** Whether it asks something that nobody has answered. */
export function waits(entry: Entry): entry is InterruptEntry {
  return entry.kind === "interrupt" && (entry.state === "open" || entry.state === "failed");
}

/** The ids of the runs that wait for a person. */
export function waitingRuns(entries: readonly Entry[]): ReadonlySet<string | undefined> {
  return new Set(entries.filter(waits).map(({ runId }) => runId));
}

/** The ids of all entries that wait for a person: runs, and in them the lanes and steps whose question is open. */
export function waitingEntries(entries: readonly Entry[]): ReadonlySet<string> {
  const waiting = new Set<string>();
  const runs = new Map<string, string>();
  const lanes = new Map<string, LaneEntry>();
  const steps = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind === "run") runs.set(entry.runId, entry.id);
    else if (entry.kind === "step") steps.set(laneKey(entry.runId, entry.lane), entry.id);
    else if (entry.kind === "lane") lanes.set(laneKey(entry.runId, entry.lane), entry);
    if (!waits(entry)) continue;
    const { runId } = entry;
    waiting.add(runs.get(runId ?? "") ?? "");
    for (let lane: string | undefined = entry.lane; lane !== undefined;) {
      const key = laneKey(runId, lane);
      const head = lanes.get(key);
      for (const id of [steps.get(key), head?.id]) if (id !== undefined) waiting.add(id);
      lane = head?.parent;
    }
  }
  return waiting;
}

/** The ids of the runs that were started while an earlier one went on: only for them it matters what was to become of it. */
export function overlappingRuns(entries: readonly Entry[]): ReadonlySet<string> {
  const overlapping = new Set<string>();
  /** When all runs before were over; Infinity while one is not. */
  let over = -Infinity;
  for (const entry of entries) {
    if (entry.kind !== "run") continue;
    const { runId, status, startedAt = Infinity, endedAt } = entry;
    if (startedAt < over) overlapping.add(runId);
    const isOn = status === "running" || status === "pending";
    over = Math.max(over, isOn ? Infinity : (endedAt ?? -Infinity));
  }
  return overlapping;
}

/** What failed, each failure once: a notice tells it where it happened, else the run's heading does. */
export function failuresIn(entries: readonly Entry[]): readonly Entry[] {
  const withNotice = new Set(entries.flatMap((entry) => (isErrorNotice(entry) ? [entry.runId] : [])));
  return entries.filter((entry) => {
    switch (entry.kind) {
      case "run":
        return (entry.status === "error" || entry.status === "timeout") && !withNotice.has(entry.runId);
      case "step":
        return entry.status === "error" && entry.lane !== "";
      case "tool":
        return entry.status === "error";
      default:
        return isErrorNotice(entry);
    }
  });
}

/** What failed last in the newest run, where that ended so and the thread did not leave it behind. */
export function lastFailure(entries: readonly Entry[]): Entry | undefined {
  const run = entries.findLast((entry) => entry.kind === "run");
  if ((run?.status !== "error" && run?.status !== "timeout") || run.left === "whole") return undefined;
  return failuresIn(entries.filter(({ runId }) => runId === run.runId)).at(-1);
}

/**
 * The entry that a landmark means. `from` is the entry that is read, and `isPassed` whether what begins there was
 * seen already: the next of a kind is the first one after it as the page shows them, wrapping around at the end.
 */
export function entryAt(
  landmark: Landmark,
  entries: readonly Entry[],
  from?: string,
  isPassed = true,
): Entry | undefined {
  if (typeof landmark !== "string") return entries.find(({ id }) => id === landmark.entry);
  if (landmark === "waiting") return entries.findLast(waits);
  if (landmark === "last") return entries.findLast(isSaidOrAsked);
  const wanted = new Set<Entry>(landmark === "nextError" ? failuresIn(entries) : entries.filter(waits));
  const order = rows(entries, new Set()).map(({ entry }) => entry);
  const start = order.findIndex(({ id }) => id === from) + (isPassed ? 1 : 0);
  return (
    order.find((entry, index) => index >= start && wanted.has(entry)) ??
    order.find((entry) => wanted.has(entry))
  );
}

/** The runs of a thread, the oldest first, each with what it was asked first: in words, else as its whole input. */
export function runsIn(
  entries: readonly Entry[],
): readonly { readonly run: RunEntry; readonly asked: string | undefined }[] {
  const words = new Map<string | undefined, string>();
  const inputs = new Map<string | undefined, string>();
  for (const entry of entries) {
    if (!("lane" in entry) || entry.lane !== "") continue;
    const { runId } = entry;
    if (entry.kind === "message" && entry.role === "human" && !words.has(runId)) words.set(runId, entry.text);
    if (entry.kind === "values" && entry.of === "input") inputs.set(runId, entry.text);
  }
  return entries
    .filter((entry): entry is RunEntry => entry.kind === "run")
    .map((run) => ({ run, asked: words.get(run.runId) ?? inputs.get(run.runId) }));
}

function isErrorNotice(entry: Entry): boolean {
  return entry.kind === "notice" && entry.level === "error";
}

function isSaidOrAsked(entry: Entry): entry is MessageEntry | InterruptEntry {
  return entry.kind === "message" || waits(entry);
}

/** What happened in a thread, as an ordered list of facts: all that must not depend on who looks when, and how. */

import { rows } from "../../src/run/panel/transcriptCopy.ts";
import type { Entry, MessageEntry, StepEntry, Usage } from "../../src/run/panel/transcript.ts";

/** The facts of a transcript from top to bottom, each set in by the lanes it is in. */
export function threadFacts(entries: readonly Entry[]): readonly string[] {
  return rows(entries, new Set()).flatMap(({ entry, depth }) => {
    const fact = factOf(entry);
    return fact === undefined ? [] : [`${"  ".repeat(depth)}${fact}`];
  });
}

/** Those that a server tells of a thread whose events it has no more: what only streamed is not among them. */
export function keptFacts(entries: readonly Entry[]): readonly string[] {
  const unknown = new Set(
    entries.flatMap((entry) => {
      if (entry.kind === "step") return hasLostError(entry) ? [entry.runId] : [];
      // A run that failed in no step fails with what only its stream tells.
      return entry.kind === "notice" && entry.level === "error" && entry.node === undefined
        ? [entry.runId]
        : [];
    }),
  );
  const steps = new Map<string, StepEntry>();
  return threadFacts(
    entries.flatMap((entry) => {
      if (entry.kind === "custom") return [];
      if (entry.kind === "step") steps.set(entry.lane, entry);
      // What a stopped run had begun to say, or a step that was stopped, is kept nowhere: the run's head and the step say so.
      if (entry.kind === "message" && (entry.partial === true || isOfStopped(entry, steps))) return [];
      // Some steps say themselves that what they wrote, or why they failed, is not kept.
      if (entry.kind === "step" && entry.unkept !== undefined) return [{ ...entry, keys: [], wrote: "" }];
      if (entry.kind === "run" && unknown.has(entry.runId)) return [{ ...entry, error: "" }];
      const tellsWhy = entry.kind === "notice" && entry.level === "error" && unknown.has(entry.runId ?? "");
      return [tellsWhy ? { ...entry, text: "", detail: "" } : entry];
    }),
  );
}

function isOfStopped({ lane, runId }: MessageEntry, steps: ReadonlyMap<string, StepEntry>): boolean {
  const step = steps.get(lane);
  return step?.runId === runId && step?.unkept?.includes("keeps nothing") === true;
}

function hasLostError({ unkept = "" }: StepEntry): boolean {
  return /does not keep why|failed with last/.test(unkept);
}

/** Times of tools, feedback addresses and who answered are known only to those who were there: they are no facts. */
function factOf(entry: Entry): string | undefined {
  switch (entry.kind) {
    case "run":
      return [
        `run ${entry.status} of ${entry.assistantId}${interval(entry)}${costs(entry)}`,
        entry.strategy === undefined ? "" : `, ${entry.strategy}`,
        entry.error === undefined ? "" : `: ${entry.error}`,
        entry.left === undefined ? "" : `, left ${entry.left}`,
      ].join("");
    case "message":
      // One that was said without an id is named by each window itself.
      return [
        `${entry.role} ${entry.name ?? ""}: ${entry.text}${entry.streaming ? " …" : ""}`,
        entry.partial === true ? ", partial" : "",
        entry.pictures === undefined ? "" : JSON.stringify(entry.pictures),
        costs(entry),
      ].join("");
    case "tool":
      // Calls of several runs with one id are counted as they are read.
      return `tool ${entry.id.replace(/#\d+$/, "")} ${entry.name} ${sorted(entry.args)} ${entry.status}: ${entry.result ?? ""} ${entry.artifact ?? ""}`;
    case "interrupt":
      return `question ${entry.state} ${JSON.stringify([entry.next ?? entry.value, entry.requests, entry.question])}: ${entry.answer ?? ""}`;
    case "notice":
      return `${entry.level} ${entry.node ?? ""}: ${entry.text} ${entry.detail ?? ""}`;
    case "lane":
      return `lane ${entry.name} ${entry.status}${interval(entry)}: ${entry.task ?? ""}`;
    case "step":
      return `step ${entry.name} ${entry.status}, wrote ${entry.keys.join(", ")} ${entry.wrote ?? ""}${times(entry)}`;
    case "values":
      return `${entry.of} ${entry.keys.join(", ")} ${entry.text}`;
    case "custom":
      return `progress ${entry.count} ${JSON.stringify(entry.latest)}`;
    case "feedback":
      return undefined;
    default:
      return entry satisfies never;
  }
}

/** By the server's clock, of steps whose checkpoints it keeps; what of them can be compared, or why nothing can. */
function times(step: StepEntry): string {
  const { checkpoints, unkept = "" } = step;
  if (checkpoints === undefined) return unkept;
  return `${interval(step)}, ${JSON.stringify(checkpoints)}${unkept}`;
}

function interval({
  startedAt,
  endedAt,
}: {
  readonly startedAt?: number;
  readonly endedAt?: number;
}): string {
  return `, from ${startedAt} to ${endedAt}`;
}

function costs({ usage }: { readonly usage?: Usage }): string {
  return usage === undefined ? "" : `, ${JSON.stringify(usage)}`;
}

/** Arguments of a tool come as they were written, or as the server writes them. */
function sorted(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args));
  } catch {
    return args;
  }
}

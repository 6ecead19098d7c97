/** What happened in a thread, as an ordered list of facts: all that must not depend on who looks when, and how. */

import { rows } from "../../src/run/panel/rows.ts";
import type { Entry, StepEntry } from "../../src/run/panel/transcript.ts";

/** The facts of a transcript from top to bottom, each set in by the lanes it is in. */
export function threadFacts(entries: readonly Entry[]): readonly string[] {
  return rows(entries, new Set()).flatMap(({ entry, depth }) => {
    const fact = factOf(entry);
    return fact === undefined ? [] : [`${"  ".repeat(depth)}${fact}`];
  });
}

/** Custom events, times of tools and feedback addresses are known only to those who were there: they are no facts. */
function factOf(entry: Entry): string | undefined {
  switch (entry.kind) {
    case "run":
      return [
        `run ${entry.status} of ${entry.assistantId}`,
        entry.error === undefined ? "" : `: ${entry.error}`,
        entry.left === undefined ? "" : `, left ${entry.left}`,
      ].join("");
    case "message":
      return `${entry.role} ${entry.id} ${entry.name ?? ""}: ${entry.text}${entry.streaming ? " …" : ""}`;
    case "tool":
      return `tool ${entry.id} ${entry.name} ${sorted(entry.args)} ${entry.status}: ${entry.result ?? ""}`;
    case "interrupt":
      return `question ${entry.state} ${JSON.stringify(entry.next ?? entry.value)}: ${entry.answer ?? ""}`;
    case "notice":
      return `${entry.level} ${entry.node ?? ""}: ${entry.text} ${entry.detail ?? ""}`;
    case "lane":
      return `lane ${entry.name} ${entry.status}: ${entry.task ?? ""}`;
    case "step":
      return `step ${entry.name} ${entry.status}, wrote ${entry.keys.join(", ")}${times(entry)}`;
    case "values":
      return `${entry.of} ${entry.text}`;
    case "custom":
    case "feedback":
      return undefined;
    default:
      return entry satisfies never;
  }
}

/** By the server's clock, of steps whose checkpoints it keeps; what of them can be compared, or why nothing can. */
function times({ checkpoints, unkept = "", startedAt, endedAt }: StepEntry): string {
  if (checkpoints === undefined) return unkept;
  return `, from ${startedAt} to ${endedAt}, ${JSON.stringify(checkpoints)}${unkept}`;
}

/** Arguments of a tool come as they were written, or as the server writes them. */
function sorted(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args));
  } catch {
    return args;
  }
}

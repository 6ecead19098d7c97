/** The header of a run: who ran, how it stands, what it cost. */

import type { RunStatus } from "../../../api/agentServer/wire.ts";
import type { Draft, Ledger, Section } from "./ledger.ts";
import type { LaneId, RunEntry, Usage } from "../../panel/transcript.ts";

/** What is known of a run before its events. */
export type RunFacts = Omit<RunEntry, "kind" | "id" | "usage">;

const endings: readonly RunStatus[] = ["success", "error", "timeout", "interrupted"];

/** Whether a run with this status is over; an unknown status is taken as still going on. */
export function isOver(status: RunStatus): boolean {
  return endings.includes(status);
}

/** Keeps what is known of the run, and sums up the tokens of its messages. */
export class RunDraft implements Draft {
  readonly id: string;
  readonly lane = "";
  /** The messages whose token counts make up the run's. */
  readonly counted = new Set<{ readonly usage: Usage | undefined; readonly runId: string | undefined }>();
  #facts: RunFacts;

  constructor(facts: RunFacts) {
    this.id = `run:${facts.runId}`;
    this.#facts = facts;
  }

  get runId(): string {
    return this.#facts.runId;
  }

  get status(): RunStatus {
    return this.#facts.status;
  }

  /** Epoch milliseconds. */
  get startedAt(): number | undefined {
    return this.#facts.startedAt;
  }

  get assistantId(): string {
    return this.#facts.assistantId;
  }

  /** False when that changed nothing. */
  assign(fields: Partial<Omit<RunFacts, "runId">>): boolean {
    const next = { ...this.#facts, ...fields };
    if (JSON.stringify(next) === JSON.stringify(this.#facts)) return false;
    this.#facts = next;
    return true;
  }

  build(): RunEntry {
    let usage: Usage | undefined;
    for (const message of this.counted)
      if (message.usage !== undefined && message.runId === this.runId) usage = addUsage(usage, message.usage);
    const { unread, ...facts } = this.#facts;
    return {
      kind: "run",
      id: this.id,
      ...facts,
      ...(unread === true && { unread }),
      ...(usage !== undefined && { usage }),
    };
  }
}

/** The sum of token counts. */
export function addUsage(a: Usage | undefined, b: Usage): Usage {
  if (a === undefined) return b;
  return { input: a.input + b.input, output: a.output + b.output, total: a.total + b.total };
}

/** The section, the run and the lane; for what belongs to no run, the thread's. */
export interface Scope {
  readonly section: Section;
  readonly run: RunDraft | undefined;
  readonly lane: LaneId;
  /** Epoch milliseconds; undefined when it does not happen now but is replayed. */
  readonly at: number | undefined;
  /** The row that it stands below: that of a step, of a lane or of a run. */
  readonly head?: Draft | undefined;
  /** When its step began, by the clock of `at`. */
  readonly begunAt?: number | undefined;
  /**
   * Where that was read, if not in an event about the message itself. Whole states tell what was said but not where;
   * the history of the thread knows that better.
   */
  readonly from?: "values" | "state" | "history";
}

/** A row that can turn out to stand elsewhere. */
export interface MovableRow extends Draft {
  readonly runId: string | undefined;
  /** What said last where it stands. */
  positionFrom: "stream" | "state" | "history";
  moveTo(lane: LaneId, runId: string | undefined): void;
}

/** Moves a known row to where its event or the history of the thread puts it; whole states say nothing about that. */
export function moveRow(ledger: Ledger, scope: Scope, row: MovableRow): void {
  const { section, run, lane, head, from } = scope;
  if (from === "values" || from === "state") return;
  // The first run that had it, and the innermost lane, is where it was said.
  const isOuter = row.positionFrom === "history" && row.runId !== run?.runId && !isWithin(lane, row.lane);
  if (isOuter || (from === undefined && row.positionFrom === "stream")) return;
  const isInner = row.runId === run?.runId && row.lane !== lane && isWithin(row.lane, lane);
  row.positionFrom = from ?? "stream";
  if (isInner) return;
  const isThere = ledger.sectionOf(row) === section && row.lane === lane && row.runId === run?.runId;
  if (from === "history" && isThere && ledger.headOf(row) === head) return;
  const isShown = ledger.sectionOf(row) !== undefined;
  row.moveTo(lane, run?.runId);
  if (isShown && head !== undefined) ledger.putBelow(section, head, row);
  else if (isShown) ledger.putLast(section, row);
  ledger.touch(row);
}

/** Whether one lane is in the other, at any depth. */
export function isWithin(inner: LaneId, outer: LaneId): boolean {
  return (outer === "" && inner !== "") || inner.startsWith(`${outer}|`);
}

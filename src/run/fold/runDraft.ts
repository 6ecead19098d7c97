/** The header of a run: who ran, how it stands, what it cost. */

import type { RunStatus } from "../../api/agentServer/wire.ts";
import { addUsage } from "./chatMessage.ts";
import type { Draft, Section } from "./ledger.ts";
import type { LaneId, RunEntry, Usage } from "../panel/transcript.ts";

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
  readonly counted = new Set<{ readonly usage: Usage | undefined }>();
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
      if (message.usage !== undefined) usage = addUsage(usage, message.usage);
    return { kind: "run", id: this.id, ...this.#facts, ...(usage !== undefined && { usage }) };
  }
}

/** The section, the run and the lane; for what belongs to no run, the thread's. */
export interface Scope {
  readonly section: Section;
  readonly run: RunDraft | undefined;
  readonly lane: LaneId;
  /** Epoch milliseconds; undefined when it does not happen now but is replayed. */
  readonly at: number | undefined;
  /** Read from the thread's state, which knows what was said but not where in the stream. */
  readonly settled?: boolean;
}

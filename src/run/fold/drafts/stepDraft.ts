/** One step of a run: what is known of it, from its events and from what the server keeps. */

import type { JsonObject } from "../../../api/agentServer/wire.ts";
import type { KeptStep } from "../../history/keptSteps.ts";
import { preview } from "../../json/preview.ts";
import { redact } from "../../json/redact.ts";
import type { LaneId, StepEntry } from "../../panel/transcript.ts";
import type { Draft } from "./ledger.ts";

export type StepStatus = StepEntry["status"];
export type StepFields = Pick<
  StepDraft,
  "status" | "startedAt" | "endedAt" | "keys" | "wrote" | "checkpoints" | "unkept"
>;

/** One step, which its task's id names once it is known. */
export class StepDraft implements Draft {
  readonly id: string;
  readonly lane: LaneId;
  readonly name: string;
  taskId: string | undefined;
  status: StepStatus = "running";
  startedAt: number | undefined;
  endedAt: number | undefined;
  keys: readonly string[] = [];
  wrote: string | undefined;
  checkpoints: StepEntry["checkpoints"] | undefined;
  unkept: string | undefined;
  /** When it began by this window's clock, as far as more is known than when it was first heard of. */
  begunHere: number | undefined;
  /** An event told that it began. */
  startKnown = false;
  /** An event named it. */
  seen = false;
  /** Its node's result was streamed. */
  reported = false;
  /** The server keeps how it ended. */
  kept = false;
  /** The server keeps what it wrote. */
  wroteKept = false;
  readonly #runId: string;

  constructor(id: string, runId: string, lane: LaneId, name: string) {
    this.id = id;
    this.#runId = runId;
    this.lane = lane;
    this.name = name;
  }

  /** False when that changed nothing. */
  assign(fields: Partial<StepFields>): boolean {
    const { status, startedAt, endedAt, keys, wrote, checkpoints, unkept } = this;
    const before = { status, startedAt, endedAt, keys, wrote, checkpoints, unkept };
    if (JSON.stringify({ ...before, ...fields }) === JSON.stringify(before)) return false;
    Object.assign(this, fields);
    return true;
  }

  build(): StepEntry {
    const { id, lane, name, status, startedAt, endedAt, keys, wrote, checkpoints, unkept } = this;
    return {
      kind: "step",
      id,
      runId: this.#runId,
      lane,
      name,
      status,
      keys,
      ...(startedAt !== undefined && { startedAt }),
      ...(endedAt !== undefined && { endedAt }),
      ...(wrote !== undefined && { wrote }),
      ...(checkpoints !== undefined && { checkpoints }),
      ...(unkept !== undefined && { unkept }),
    };
  }
}

/** What the server keeps of a step. */
export function keptFields(kept: KeptStep, step: StepDraft): StepFields {
  const { status, startedAt, endedAt, before, after, outcome, taskId } = kept;
  const ended = { before, ...(after !== undefined && { after }) };
  const left = outcome.length === 0 ? undefined : { before, outcome: { taskId, fields: outcome } };
  return {
    status,
    startedAt,
    endedAt,
    ...writtenIn(kept, step),
    checkpoints: after === undefined ? left : ended,
    unkept: unkeptOf(kept, step.name),
  };
}

function writtenIn(
  { status, node, wrote, wroteTogether }: KeptStep,
  step: StepDraft,
): Pick<StepFields, "keys" | "wrote"> {
  if (status !== "done" && status !== "running") return { keys: [], wrote: undefined };
  // Its events told more than a server can tell of a graph that it does not know, or of what ran beside others.
  const streamKnowsMore = node === "" ? step.keys.length > 0 : wroteTogether && step.reported;
  if (streamKnowsMore || wrote === undefined) return { keys: step.keys, wrote: step.wrote };
  return { keys: wrote.keys, wrote: wrote.text === undefined ? undefined : redact(wrote.text) };
}

const lostErrorText =
  "The server does not keep why this step failed here, nor what it left: it failed again later.";

/** What the server does not keep of a step, in words. */
function unkeptOf(
  { status, lostQuestion, lostError, isErrorUnsure, after, outcome, wroteTogether }: KeptStep,
  name: string,
): string | undefined {
  if (name === "") return "The server does not keep which node this was: a node called its graph by itself.";
  if (after !== undefined && wroteTogether)
    return "The server keeps what this step wrote only together with what ran beside it.";
  if (lostError) return lostErrorText;
  if (isErrorUnsure)
    return "The server keeps what this step failed with last: that may have been in a later run, which was stopped.";
  if (status === "running" || lostQuestion || after !== undefined || outcome.length > 0) return undefined;
  return status === "done"
    ? "The server keeps no state after this step to compare."
    : "The server keeps nothing that this step left before it ended: the state stayed as it was.";
}

/** What a step wrote, as its event tells. */
export function writtenOf(delta: JsonObject): Partial<StepFields> {
  const keys = Object.keys(delta);
  const rest = Object.entries(delta).filter(([key]) => key !== "messages");
  if (rest.length === 0) return { keys };
  return { keys, wrote: redact(preview(Object.fromEntries(rest))) };
}

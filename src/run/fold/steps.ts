/** The steps of a run: a row for each node that ran, below which stands what it said. */

import type { Json } from "../../api/agentServer/wire.ts";
import type { KeptStep } from "../history/keptSteps.ts";
import { isObject } from "../json/json.ts";
import type { LaneId } from "../panel/transcript.ts";
import type { Draft, Ledger, Section } from "./drafts/ledger.ts";
import type { RunDraft } from "./drafts/runDraft.ts";
import { keptFields, StepDraft, type StepFields, type StepStatus, writtenOf } from "./drafts/stepDraft.ts";

/** Who tells of a step. */
type Source = "stream" | "history";

/** Keeps one run's steps, of all its lanes. */
export class Steps {
  readonly #ledger: Ledger;
  readonly #section: Section;
  readonly #steps: StepDraft[] = [];
  /** By the namespace that a step's messages name. */
  readonly #byPath = new Map<string, StepDraft | undefined>();
  /** Of each lane, the steps that go on. */
  readonly #running = new Map<LaneId, Set<StepDraft>>();

  /** Of each lane, those that the server keeps, in its order. */
  readonly #kept = new Map<LaneId, readonly StepDraft[]>();
  /** Of each lane, when a step ended last, as far as that was seen. */
  readonly #ends = new Map<LaneId, number | undefined>();
  readonly #run: RunDraft;

  constructor(ledger: Ledger, section: Section, run: RunDraft) {
    this.#ledger = ledger;
    this.#section = section;
    this.#run = run;
  }

  /** The step that a namespace names, `tools:<id>|model:<task>`: of the node `model` in the lane `tools:<id>`. */
  at(path: string, at: number | undefined, from: Source = "stream"): StepDraft | undefined {
    const known = this.#byPath.get(path);
    if (known !== undefined || this.#byPath.has(path)) return known;
    const bar = path.lastIndexOf("|");
    const [lane, segment] = bar < 0 ? ["", path] : [path.slice(0, bar), path.slice(bar + 1)];
    const [, node, taskId] = /^(.+):([^:]+)$/.exec(segment) ?? [];
    if (node === undefined || taskId === undefined) return undefined;
    const step = this.#open(lane, node, taskId, at, from);
    // What the stream names first is its own from then on.
    if (from === "stream") this.#byPath.set(path, step);
    return step;
  }

  /** A task of the lane started. */
  started(lane: LaneId, node: string, taskId: string, at: number | undefined): void {
    const step = this.at(childLane(lane, node, taskId), at);
    if (step === undefined || step.kept || step.startKnown || at === undefined) return;
    step.startKnown = true;
    step.begunHere = at;
    this.#assign(step, { startedAt: at });
  }

  /** Whether any step of the lane is known. */
  has(lane: LaneId): boolean {
    return this.#running.has(lane);
  }

  /** The last of the lane's steps that the server keeps, or that came. */
  lastIn(lane: LaneId): StepDraft | undefined {
    return this.#kept.get(lane)?.at(-1) ?? this.#steps.findLast((step) => step.lane === lane);
  }

  /** The only step of the lane that goes on. */
  current(lane: LaneId): StepDraft | undefined {
    const running = this.#running.get(lane);
    if (running?.size !== 1) return undefined;
    const [only] = running;
    return only;
  }

  /** The step of a node that reports what it wrote; `rows` are known to be what it said. */
  reported(
    lane: LaneId,
    node: string,
    rows: readonly (Draft | undefined)[],
    at: number | undefined,
  ): StepDraft {
    const same = this.#steps.filter((step) => step.lane === lane && step.name === node && !step.reported);
    const heads = new Set(rows.map((row) => row && this.#ledger.headOf(row)));
    const said = new Set(rows.map((row) => row?.lane));
    const mayReport = same.filter(({ kept, status }) => !kept || status === "done");
    const known =
      same.find((step) => heads.has(step) || said.has(childLane(lane, node, step.taskId ?? ""))) ??
      mayReport.find(({ status }) => status === "running") ??
      mayReport[0] ??
      same[0];
    const step = known ?? this.#add(lane, node, undefined, at);
    // It is first seen at its end: when it began is unknown.
    if (known === undefined) step.startedAt = step.begunHere;
    step.reported = true;
    step.seen = true;
    this.#adopt(step);
    if (this.#running.get(lane)?.has(step) === true) this.end(step, "done", at);
    return step;
  }

  wrote(step: StepDraft, delta: Json): void {
    const mayTell = !step.kept || (step.status === "done" && !step.wroteKept);
    if (mayTell && isObject(delta)) this.#assign(step, writtenOf(delta));
  }

  end(step: StepDraft, status: StepStatus, at: number | undefined): void {
    this.#running.get(step.lane)?.delete(step);
    this.#ends.set(step.lane, at);
    if (step.kept) return;
    this.#assign(step, { status, ...(at !== undefined && step.startedAt !== undefined && { endedAt: at }) });
  }

  /** What goes on in a lane ended so, if that is known of one step only. */
  endCurrent(lane: LaneId, status: StepStatus, at: number | undefined): void {
    const step = this.current(lane);
    if (step !== undefined) this.end(step, status, at);
  }

  /** The run failed: what went on in the lane, or else ended just now and left nothing behind. */
  fail(lane: LaneId, at: number | undefined): void {
    const newest = this.#steps.findLast((step) => step.lane === lane);
    const step = this.current(lane) ?? (newest?.keys.length === 0 ? newest : undefined);
    if (step !== undefined) this.end(step, "error", at);
  }

  /** The run is over, and so are its steps. */
  settle(status: StepStatus, at: number | undefined): void {
    for (const running of this.#running.values()) for (const step of [...running]) this.end(step, status, at);
  }

  /**
   * Brings a lane's steps into agreement with those that the server keeps; the rows of these, in their order. A step
   * whose node is not kept has a row only where no stream can tell the node: `isLost` says that none will come.
   */
  keep(lane: LaneId, kept: readonly KeptStep[], isLost: boolean): readonly (StepDraft | undefined)[] {
    const rows = new Map(kept.map((one) => [one, this.#keptRow(lane, one, isLost)]));
    const taken = new Set(rows.values());
    // Steps that no event named are as the server keeps them now: the run may have stopped before they ran.
    this.#removeAll(this.#steps.filter((step) => step.lane === lane && !taken.has(step) && !step.seen));
    const free = this.#steps.filter((step) => step.lane === lane && !taken.has(step) && !isLost);
    const nameless = kept.filter((one) => rows.get(one) === undefined);
    // Side by side nodes are one step of the server's: they can't be told apart.
    if (free.length === nameless.length)
      for (const [index, one] of nameless.entries()) rows.set(one, free[index]);
    for (const [one, step] of rows) {
      if (step === undefined) continue;
      if (one.status !== "running") this.#running.get(lane)?.delete(step);
      step.kept = one.status !== "running";
      step.wroteKept = one.wrote !== undefined && !one.wroteTogether;
      this.#assign(step, keptFields(one, step));
    }
    const steps = kept.map((one) => rows.get(one));
    const shown = steps.filter((step) => step !== undefined);
    this.#kept.set(lane, shown);
    this.#ledger.arrange(this.#section, shown);
    return steps;
  }

  #removeAll(steps: readonly StepDraft[]): void {
    for (const step of steps) {
      this.#steps.splice(this.#steps.indexOf(step), 1);
      this.#running.get(step.lane)?.delete(step);
      this.#ledger.remove(step);
    }
  }

  #keptRow(lane: LaneId, { node, taskId }: KeptStep, isLost: boolean): StepDraft | undefined {
    if (node === "" && !isLost) return undefined;
    const free = this.#steps.filter((step) => step.lane === lane && step.name === node);
    const known =
      free.find((step) => step.taskId === taskId) ?? free.find((step) => step.taskId === undefined);
    const step = known ?? this.#add(lane, node, taskId, undefined, "history");
    step.taskId = taskId;
    return step;
  }

  /** The server keeps no states of this lane, or of any: steps that are over say so. */
  setUnkept(lane?: LaneId): void {
    for (const step of this.#steps)
      if ((lane === undefined || step.lane === lane) && !step.kept && step.status !== "running")
        this.#assign(step, { unkept: "The server keeps no states of this step to compare." });
  }

  #open(lane: LaneId, node: string, taskId: string, at: number | undefined, from: Source): StepDraft {
    const step = this.#steps.find((one) => one.lane === lane && one.taskId === taskId && one.name === node);
    if (step === undefined) return this.#add(lane, node, taskId, at, from);
    if (from === "history") return step;
    step.seen = true;
    this.#adopt(step);
    // Its events are replayed: until it reports, what comes is its own again.
    if (!step.reported) this.#runningIn(lane).add(step);
    return step;
  }

  #runningIn(lane: LaneId): Set<StepDraft> {
    const running = this.#running.get(lane) ?? new Set();
    this.#running.set(lane, running);
    return running;
  }

  #add(
    lane: LaneId,
    node: string,
    taskId: string | undefined,
    at: number | undefined,
    from: Source = "stream",
  ): StepDraft {
    const name =
      taskId === undefined ? `${lane}|${node}#${this.#steps.length}` : childLane(lane, node, taskId);
    const id = `step:${this.#run.runId}:${name}`;
    const step = new StepDraft(id, this.#run.runId, lane, node);
    step.taskId = taskId;
    step.begunHere = at === undefined ? undefined : this.#begun(lane);
    step.startedAt = step.begunHere ?? at;
    this.#steps.push(step);
    this.#runningIn(lane).add(step);
    step.seen = from === "stream";
    // Behind it comes what the server keeps and the stream has not come to yet.
    const next = from === "stream" ? this.#kept.get(lane)?.find(({ seen }) => !seen) : undefined;
    this.#ledger.addHead(this.#section, step, next);
    return step;
  }

  /** Streams tell of a step when it says or did something: it began when what ran before it in its graph had ended. */
  #begun(lane: LaneId): number | undefined {
    if (this.#ends.has(lane)) return this.#ends.get(lane);
    return lane === "" ? this.#run.startedAt : this.#byPath.get(lane)?.begunHere;
  }

  /** What came since the last step, and names none, belongs to this one. */
  #adopt(step: StepDraft): void {
    for (const row of [...(this.#section.loose.get(step.lane) ?? [])]) {
      this.#ledger.putBelow(this.#section, step, row);
    }
  }

  #assign(step: StepDraft, fields: Partial<StepFields>): void {
    if (step.assign(fields)) this.#ledger.touch(step);
  }
}

/** The path of the lane that contains this one; the root is its own parent. */
export function parentLane(lane: LaneId): LaneId {
  const bar = lane.lastIndexOf("|");
  return bar < 0 ? "" : lane.slice(0, bar);
}

/** The lane of what a task does, should it be a subgraph. */
export function childLane(parent: LaneId, name: string, taskId: string): LaneId {
  return `${parent === "" ? "" : `${parent}|`}${name}:${taskId}`;
}

/** The lanes of a run: one for each subgraph, told apart by its namespace. */

import { isObject, parseJson, textOf } from "../json/json.ts";
import type { Draft, Ledger, Section } from "./drafts/ledger.ts";
import { childLane, parentLane, type Steps } from "./steps.ts";
import type { ToolDraft } from "./drafts/toolDraft.ts";
import type { ToolCalls } from "./toolCalls.ts";
import type { LaneEntry, LaneId } from "../panel/transcript.ts";

type LaneStatus = LaneEntry["status"];

interface Parts {
  readonly ledger: Ledger;
  readonly conversation: { readonly tools: ToolCalls };
}

/** Keeps one run's lanes and how they stand. */
export class Lanes {
  readonly #ledger: Ledger;
  readonly #tools: ToolCalls;
  readonly #steps: Steps;
  readonly #section: Section;
  readonly #runId: string;
  readonly #lanes = new Map<LaneId, LaneDraft>();
  /** When tasks started, for lanes that show up later. */
  readonly #starts = new Map<LaneId, number>();

  constructor({ ledger, conversation }: Parts, section: Section, runId: string, steps: Steps) {
    this.#ledger = ledger;
    this.#tools = conversation.tools;
    this.#steps = steps;
    this.#section = section;
    this.#runId = runId;
  }

  /** Opens the lane, and those that contain it, when they are new. */
  open(lane: LaneId, at: number | undefined, from: "stream" | "history" = "stream"): void {
    const known = this.#lanes.get(lane);
    if (known !== undefined && !known.seen && from === "stream") this.#mention(known, at);
    if (lane === "" || known !== undefined) return;
    this.open(parentLane(lane), at, from);
    const draft = new LaneDraft(this.#runId, lane, this.#starts.get(lane) ?? at);
    draft.call = this.#freeCall(lane);
    draft.seen = from === "stream";
    this.#lanes.set(lane, draft);
    this.#ledger.add(this.#section, draft, this.#steps.at(lane, at, from));
  }

  get(lane: LaneId): Draft | undefined {
    return this.#lanes.get(lane);
  }

  /** The lane that a row begins; undefined for any other row. */
  begunBy(draft: Draft): LaneId | undefined {
    return draft instanceof LaneDraft ? draft.path : undefined;
  }

  /** The paths of all lanes so far. */
  paths(): readonly LaneId[] {
    return [...this.#lanes.keys()];
  }

  /**
   * Adds what the server keeps of a lane: its times, its status, and the tool call that it belongs to. Without an
   * answer to that call, it is found by its task.
   */
  keep(
    lane: LaneId,
    facts: Pick<LaneDraft, "status" | "startedAt" | "endedAt">,
    { callId, task }: { readonly callId: string | undefined; readonly task: string | undefined },
  ): void {
    this.open(lane, undefined, "history");
    const draft = this.#lanes.get(lane);
    if (draft === undefined) return;
    Object.assign(draft, facts);
    const step = this.#steps.at(lane, undefined, "history");
    if (step !== undefined) this.#ledger.putFirstBelow(this.#section, step, draft);
    const answered = callId === undefined ? undefined : this.#tools.inRun(callId, this.#runId);
    const asking = answered ?? (task === undefined ? undefined : this.#callFor(draft, task));
    if (asking !== undefined && asking !== draft.call) {
      // The two were mixed up: the other lane gets the call of this one.
      const other = [...this.#lanes.values()].find(({ call }) => call === asking);
      if (other !== undefined) {
        other.call = draft.call;
        this.#ledger.touch(other);
      }
      draft.call = asking;
    }
    this.#ledger.touch(draft);
  }

  /** The call that asks for a task, unless another lane was given the same one. */
  #callFor(draft: LaneDraft, task: string): ToolDraft | undefined {
    draft.task = task;
    if (draft.call !== undefined && taskIn(draft.call) === task) return draft.call;
    const calls = this.#tools.named("task", this.#runId, draft.lane);
    const taken = new Set([...this.#lanes.values()].flatMap((one) => (one.task === task ? [one.call] : [])));
    return calls.find((call) => taskIn(call) === task && !taken.has(call));
  }

  /** The server keeps nothing of a lane in this run, and so not when it went on: this window's clock is no other's. */
  setUnkept(lane: LaneId): void {
    const draft = this.#lanes.get(lane);
    if (draft?.endedAt === undefined) return;
    Object.assign(draft, { startedAt: undefined, endedAt: undefined });
    this.#ledger.touch(draft);
  }

  /** A lane that is known from history comes up in a stream that is replayed: among what came up there before. */
  #mention(draft: LaneDraft, at: number | undefined): void {
    draft.seen = true;
    const step = this.#steps.at(draft.path, at);
    if (step !== undefined) this.#ledger.putBelow(this.#section, step, draft);
  }

  /** Subagents work in the order in which they were called, as long as nobody says which is which. */
  #freeCall(lane: LaneId): ToolDraft | undefined {
    const parent = parentLane(lane);
    if (!/^(tools|task):/.test(lane.slice(parent.length + (parent === "" ? 0 : 1)))) return undefined;
    const taken = new Set([...this.#lanes.values()].map(({ call }) => call));
    return this.#tools.named("task", this.#runId, parent).find((call) => !taken.has(call));
  }

  /** Notes that a message was written in a lane: it tells apart lanes of the same name. */
  wrote(lane: LaneId, messageId: string): void {
    this.#lanes.get(lane)?.messages.add(messageId);
  }

  /** A task of the lane started; it may turn out to be a subgraph. */
  taskStarted(parent: LaneId, name: string, taskId: string, at: number | undefined): void {
    if (at !== undefined) this.#starts.set(childLane(parent, name, taskId), at);
  }

  taskEnded(parent: LaneId, name: string, taskId: string, status: LaneStatus, at: number | undefined): void {
    const lane = this.#lanes.get(childLane(parent, name, taskId));
    if (lane !== undefined) this.#end(lane, status, at);
  }

  /** A node of the parent lane reported its result: the lane that it ran in is done. */
  nodeEnded(parent: LaneId, name: string, messages: readonly string[], at: number | undefined): void {
    const running = [...this.#lanes.values()].filter(
      (lane) => lane.lane === parent && lane.status === "running" && laneName(lane.path) === name,
    );
    const lane = running.find(({ messages: own }) => messages.some((id) => own.has(id))) ?? running[0];
    if (lane !== undefined) this.#end(lane, "done", at);
  }

  /** The lane, and those that contain it, wait for a person. */
  interrupted(lane: LaneId, at: number | undefined): void {
    for (let path = lane; path !== ""; path = parentLane(path)) {
      const draft = this.#lanes.get(path);
      if (draft !== undefined) this.#end(draft, "interrupted", at);
    }
  }

  failed(lane: LaneId, at: number | undefined): void {
    const draft = this.#lanes.get(lane);
    if (draft !== undefined) this.#end(draft, "error", at);
  }

  /** The run is over, and so are its lanes. */
  settle(status: "done" | "stopped", at: number | undefined): void {
    for (const lane of this.#lanes.values()) if (lane.status === "running") this.#end(lane, status, at);
  }

  #end(lane: LaneDraft, status: LaneStatus, at: number | undefined): void {
    lane.status = status;
    if (at !== undefined && lane.startedAt !== undefined) lane.endedAt = at;
    this.#ledger.touch(lane);
  }
}

class LaneDraft implements Draft {
  readonly id: string;
  /** The lane around it: that is where its header is a row. */
  readonly lane: LaneId;
  readonly path: LaneId;
  startedAt: number | undefined;
  /** An event named it. */
  seen = false;
  /** Of a subagent: the tool call that it works on. */
  call: ToolDraft | undefined;
  /** What it was given, as far as that is kept. */
  task: string | undefined;
  readonly messages = new Set<string>();
  status: LaneStatus = "running";
  endedAt: number | undefined;
  readonly #runId: string;

  constructor(runId: string, path: LaneId, startedAt: number | undefined) {
    this.id = `lane:${runId}:${path}`;
    this.#runId = runId;
    this.path = path;
    this.lane = parentLane(path);
    this.startedAt = startedAt;
  }

  build(): LaneEntry {
    const { id, path, lane: parent, status, startedAt, endedAt } = this;
    return {
      kind: "lane",
      id,
      runId: this.#runId,
      lane: path,
      parent,
      ...this.#subagent(),
      status,
      ...(startedAt !== undefined && { startedAt }),
      ...(endedAt !== undefined && { endedAt }),
    };
  }

  #subagent(): Pick<LaneEntry, "name" | "task"> {
    const args = parseJson(this.call?.build().args ?? "");
    const name = isObject(args) ? textOf(args["subagent_type"]) : undefined;
    const task = this.call && taskIn(this.call);
    return { name: name ?? laneName(this.path), ...(task !== undefined && { task }) };
  }
}

/** What a call of a subagent asks for. */
function taskIn(call: ToolDraft): string | undefined {
  const args = parseJson(call.build().args);
  return isObject(args) ? textOf(args["description"]) : undefined;
}

/** The node that a lane's subgraph runs in: `a:1|web_researcher:<id>` is "web_researcher". */
function laneName(lane: LaneId): string {
  const named = lane.split("|").findLast((segment) => !/^\d+$/.test(segment)) ?? lane;
  const colon = named.indexOf(":");
  return colon < 0 ? named : named.slice(0, colon);
}

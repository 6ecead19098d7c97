/** The lanes of a run: one for each subgraph, told apart by its namespace. */

import type { Draft, Ledger, Section } from "./ledger.ts";
import type { LaneEntry, LaneId } from "../panel/transcript.ts";

type LaneStatus = LaneEntry["status"];

/** Keeps one run's lanes and how they stand. */
export class Lanes {
  readonly #ledger: Ledger;
  readonly #section: Section;
  readonly #runId: string;
  readonly #lanes = new Map<LaneId, LaneDraft>();
  /** When tasks started, for lanes that show up later. */
  readonly #starts = new Map<LaneId, number>();

  constructor(ledger: Ledger, section: Section, runId: string) {
    this.#ledger = ledger;
    this.#section = section;
    this.#runId = runId;
  }

  /** Opens the lane, and those that contain it, when they are new. */
  open(lane: LaneId, at: number | undefined): void {
    if (lane === "" || this.#lanes.has(lane)) return;
    this.open(parentLane(lane), at);
    const draft = new LaneDraft(this.#runId, lane, this.#starts.get(lane) ?? at);
    this.#lanes.set(lane, draft);
    this.#ledger.add(this.#section, draft);
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
  readonly startedAt: number | undefined;
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
      name: laneName(path),
      status,
      ...(startedAt !== undefined && { startedAt }),
      ...(endedAt !== undefined && { endedAt }),
    };
  }
}

/** The path of the lane that contains this one; the root is its own parent. */
export function parentLane(lane: LaneId): LaneId {
  const bar = lane.lastIndexOf("|");
  return bar < 0 ? "" : lane.slice(0, bar);
}

/** The node that a lane's subgraph runs in: `a:1|web_researcher:<id>` is "web_researcher". */
function laneName(lane: LaneId): string {
  const named = lane.split("|").findLast((segment) => !/^\d+$/.test(segment)) ?? lane;
  const colon = named.indexOf(":");
  return colon < 0 ? named : named.slice(0, colon);
}

function childLane(parent: LaneId, name: string, taskId: string): LaneId {
  return `${parent === "" ? "" : `${parent}|`}${name}:${taskId}`;
}

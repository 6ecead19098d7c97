/** The row of a tool call, while it still changes: from its first piece to its result. */

import { parseJson, sameJson } from "../../json/json.ts";
import { samePictures } from "../../json/pictures.ts";
import type { LaneId, ToolEntry } from "../../panel/transcript.ts";
import type { ToolAnswer } from "./messageDraft.ts";
import type { MovableRow } from "./runDraft.ts";

type ToolFields = Omit<ToolEntry, "kind" | "id" | "runId" | "lane">;

/** Named by the tool call's id, which pairs the call with its result, and counted where several calls have the same. */
export class ToolDraft implements MovableRow {
  readonly id: string;
  runId: string | undefined;
  lane: LaneId;
  positionFrom: MovableRow["positionFrom"] = "stream";
  /** The thread's state has it. */
  inState = false;
  /** The row of the message that makes it. */
  caller: string | undefined;
  #fields: ToolFields;
  #handed = -1;

  constructor(callId: string, count: number, name: string, lane: LaneId, runId: string | undefined) {
    this.id = count === 1 ? callId : `${callId}#${count}`;
    this.lane = lane;
    this.runId = runId;
    this.#fields = { name, args: "", status: "pending" };
  }

  get name(): string {
    return this.#fields.name;
  }

  get status(): ToolEntry["status"] {
    return this.#fields.status;
  }

  get isAnswered(): boolean {
    return this.status === "done" || this.status === "error";
  }

  extend(name: string | undefined, args: string): void {
    if (name !== undefined && this.#fields.name !== name)
      this.#set({ name: this.#fields.args === "" ? name : this.#fields.name });
    this.#fields = { ...this.#fields, args: this.#fields.args + args };
  }

  /** Replaces the arguments of a call that is still streaming; false when that changed nothing. */
  replaceArgs(args: string): boolean {
    if (this.#fields.status !== "pending" || this.#fields.args === args) return false;
    this.#set({ args });
    return true;
  }

  /** The call is complete and starts to run. */
  call(name: string, args: string, at: number | undefined): boolean {
    const known = this.#fields.args === args || saysTheSame(this.#fields.args, args);
    if (this.#fields.status !== "pending" && known && this.#fields.name === name) return false;
    const status = this.#fields.status === "pending" ? "running" : this.#fields.status;
    this.#set({
      name,
      status,
      ...(!known && { args }),
      ...(at !== undefined && this.#fields.startedAt === undefined && { startedAt: at }),
    });
    return true;
  }

  finish(answer: ToolAnswer, failed: boolean, at: number | undefined): boolean {
    const { result, artifact, pictures = [] } = answer;
    const status = failed ? "error" : "done";
    const known = this.#fields;
    const isKnown = known.result === result && known.artifact === artifact;
    if (isKnown && known.status === status && samePictures(known.pictures ?? [], pictures)) return false;
    const timed =
      at !== undefined && this.#fields.startedAt !== undefined && this.#fields.endedAt === undefined;
    this.#set({ ...answer, status, ...(timed && { endedAt: at }) });
    return true;
  }

  /** The run ended, or waits for a person, before the tool did. */
  leave(status: "pending" | "stopped"): boolean {
    if (
      this.#fields.status === status ||
      (this.#fields.status !== "running" && this.#fields.status !== "pending")
    )
      return false;
    const { name, args } = this.#fields;
    this.#fields = { name, args, status };
    this.#handed = -1;
    return true;
  }

  /** A call that was taken for stopped waits for a person. */
  wait(): boolean {
    if (this.#fields.status !== "stopped") return false;
    this.#fields = { ...this.#fields, status: "pending" };
    this.#handed = -1;
    return true;
  }

  moveTo(lane: LaneId, runId: string | undefined): void {
    this.lane = lane;
    this.runId = runId;
    this.#handed = -1;
  }

  growth(): string | undefined {
    return this.#handed < 0 ? undefined : this.#fields.args.slice(this.#handed);
  }

  handedOut(): void {
    this.#handed = this.#fields.args.length;
  }

  build(): ToolEntry {
    const { id, lane, runId } = this;
    return { kind: "tool", id, lane, ...this.#fields, ...(runId !== undefined && { runId }) };
  }

  #set(fields: Partial<ToolFields>): void {
    this.#fields = { ...this.#fields, ...fields };
    this.#handed = -1;
  }
}

function saysTheSame(one: string, other: string): boolean {
  const value = parseJson(one);
  return value !== undefined && sameJson(value, parseJson(other));
}

/** A tool call while its arguments and its result come in. */

import { parseJson, sameJson } from "../json/json.ts";
import type { Draft } from "./ledger.ts";
import type { LaneId, ToolEntry } from "../panel/transcript.ts";

type ToolFields = Omit<ToolEntry, "kind" | "id" | "runId" | "lane">;

/** Named by the tool call's id, which pairs the call with its result. */
export class ToolDraft implements Draft {
  readonly id: string;
  runId: string | undefined;
  lane: LaneId;
  provisional = false;
  #fields: ToolFields;
  #handed = -1;

  constructor(id: string, name: string, lane: LaneId, runId: string | undefined) {
    this.id = id;
    this.lane = lane;
    this.runId = runId;
    this.#fields = { name, args: "", status: "pending" };
  }

  get status(): ToolEntry["status"] {
    return this.#fields.status;
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

  finish(result: string, failed: boolean, at: number | undefined): boolean {
    const status = failed ? "error" : "done";
    if (this.#fields.result === result && this.#fields.status === status) return false;
    const timed =
      at !== undefined && this.#fields.startedAt !== undefined && this.#fields.endedAt === undefined;
    this.#set({ result, status, ...(timed && { endedAt: at }) });
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

  /** The stream told where a call belongs that was known from the thread's state. */
  moveTo(lane: LaneId, runId: string | undefined): void {
    this.provisional = false;
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

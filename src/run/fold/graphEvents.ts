/** Events about what a graph does: its steps, its state, its tasks and tools, and what it asks. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { chatMessage, chatMessages } from "./chatMessage.ts";
import type { Conversation } from "./conversation.ts";
import type { MessageDraft } from "./drafts/messageDraft.ts";
import type { Interrupts } from "./interrupts.ts";
import { fieldOf, isList, isObject, textOf } from "../json/json.ts";
import type { Lanes } from "./lanes.ts";
import type { Draft } from "./drafts/ledger.ts";
import type { Notice } from "./notices.ts";
import { isWithin, type Scope } from "./drafts/runDraft.ts";
import { childLane, type Steps } from "./steps.ts";
import { interruptOf } from "./threadState.ts";
import type { LaneId } from "../panel/transcript.ts";

interface Parts {
  readonly conversation: Conversation;
  readonly interrupts: Interrupts;
}

/** The run that the events belong to. */
interface Run {
  readonly lanes: Lanes;
  readonly steps: Steps;
  scope(lane: LaneId): Scope;
  /** Writes a message in a lane, which is opened if it is new. */
  say(lane: LaneId, write: (scope: Scope) => MessageDraft | undefined): void;
  notice(notice: Notice): void;
  /** The row below which stands what comes before the first step. */
  headOf(lane: LaneId): Draft | undefined;
}

/** Folds the modes `updates`, `values`, `tasks`, `debug` and `tools`. */
export class GraphEvents {
  readonly #run: Run;
  readonly #parts: Parts;
  /** The subgraphs whose first state came. */
  readonly #given = new Set<LaneId>();

  constructor(run: Run, parts: Parts) {
    this.#run = run;
    this.#parts = parts;
  }

  /** Whether something happens in a subgraph; false where a run only reaches a question that is still open. */
  isNews(mode: string, lane: LaneId, data: JsonObject): boolean {
    const asked = data["__interrupt__"];
    if (mode !== "values" && mode !== "updates") return true;
    if (isList(asked) && asked.length > 0 && Object.keys(data).length === 1) {
      const { section } = this.#run.scope(lane);
      const interrupts = asked.map(interruptOf);
      return !interrupts.every((one) => one !== undefined && this.#parts.interrupts.waitsOn(section, one));
    }
    // The first state of a subgraph is what it was given.
    const isFirst = mode === "values" && !this.#given.has(lane);
    this.#given.add(lane);
    return !isFirst;
  }

  /** False when the data has a shape that the mode never has. */
  apply(mode: string, lane: LaneId, data: JsonObject): boolean {
    switch (mode) {
      case "updates":
        return this.#updates(lane, data);
      case "values":
        return this.#values(lane, data);
      case "tasks":
        return this.#task(lane, data);
      case "debug":
        return (
          data["type"] === "checkpoint" || !isObject(data["payload"]) || this.#task(lane, data["payload"])
        );
      default:
        return this.#tool(lane, data);
    }
  }

  #updates(lane: LaneId, data: JsonObject): boolean {
    const metadata = data["__metadata__"];
    const cached = isObject(metadata) && metadata["cached"] === true;
    for (const [node, delta] of Object.entries(data)) {
      if (node === "__metadata__" || delta === undefined) continue;
      if (node === "__interrupt__") this.#interrupted(lane, delta);
      else for (const one of isList(delta) ? delta : [delta]) this.#update(lane, node, one, cached);
    }
    return true;
  }

  #update(lane: LaneId, node: string, delta: Json, cached: boolean): void {
    const { conversation } = this.#parts;
    const messages = isObject(delta) ? chatMessages(delta["messages"]) : [];
    const { at, run } = this.#run.scope(lane);
    // What an earlier run did is told again; where it had no id it has none, or one that is made up.
    if (cached) {
      const { messages: known } = conversation;
      for (const message of messages.filter(({ id }) => id !== undefined)) {
        const said =
          known.find(message, lane, run?.runId, new Set()) ??
          (at === undefined ? known.keptSaying(message, lane, new Set()) : undefined);
        if (said === undefined || said.serverId === message.id)
          this.#run.say(lane, (scope) => conversation.whole({ ...scope, from: "values" }, message));
      }
      return;
    }
    const rows = messages.map((message) => conversation.messages.find(message, lane, run?.runId));
    const step = this.#run.steps.reported(lane, node, rows, at);
    this.#run.steps.wrote(step, delta);
    for (const message of messages)
      this.#run.say(lane, (scope) => conversation.whole({ ...scope, head: step }, message));
    const ids = messages.flatMap(({ id }) => id ?? []);
    this.#run.lanes.nodeEnded(lane, node, ids, at);
  }

  #values(lane: LaneId, data: JsonObject): boolean {
    if (data["__interrupt__"] !== undefined) this.#interrupted(lane, data["__interrupt__"]);
    const used = new Set<MessageDraft>();
    const { run, at } = this.#run.scope(lane);
    const messages = chatMessages(data["messages"]);
    const isNew = lane !== "" && this.#run.lanes.get(lane) === undefined;
    // A whole state repeats what earlier runs said: it says nothing about where that belongs.
    for (const message of messages) {
      // Messages of the parent graph are passed into a subgraph; they stay where they were said.
      const known =
        lane === "" ? undefined : this.#parts.conversation.messages.find(message, lane, undefined);
      if (known !== undefined && known.lane !== lane && !isWithin(known.lane, lane)) continue;
      // A run that only comes to a subgraph's question again is told what an earlier one said there.
      if (known !== undefined && known.runId !== run?.runId) continue;
      // Of a run that is replayed, what the earlier one said may not be read yet.
      if (known === undefined && isNew && at === undefined && message.role === "ai") continue;
      this.#run.say(lane, (scope) => {
        // Messages from before the first step belong to no step.
        const head = this.#run.steps.has(lane) ? {} : { head: this.#run.headOf(lane) };
        return this.#parts.conversation.whole({ ...scope, ...head, from: "values" }, message, used);
      });
    }
    return true;
  }

  #interrupted(lane: LaneId, value: Json): void {
    const { section, run, at } = this.#run.scope(lane);
    const interrupts = isList(value) ? value.map(interruptOf).filter((one) => one !== undefined) : [];
    for (const interrupt of interrupts) {
      this.#parts.interrupts.add(section, run?.runId, lane, interrupt);
      this.#run.lanes.interrupted(lane, at);
      this.#run.steps.endCurrent(lane, "interrupted", at);
    }
    if (isList(value) && value.length === 0 && lane === "" && run !== undefined)
      this.#parts.interrupts.stopped(section, run.runId);
  }

  #task(lane: LaneId, task: JsonObject): boolean {
    const [id, node] = [textOf(task["id"]), textOf(task["name"])];
    if (id === undefined || node === undefined) return false;
    const { section, run, at } = this.#run.scope(lane);
    if (task["result"] === undefined && task["error"] === undefined) {
      this.#run.lanes.taskStarted(lane, node, id, at);
      if (node !== "__start__") this.#run.steps.started(lane, node, id, at);
      return true;
    }
    if (node === "__start__") return true;
    const step = this.#run.steps.at(childLane(lane, node, id), at);
    for (const message of resultMessages(task["result"]))
      this.#parts.conversation.whole({ ...this.#run.scope(lane), head: step }, message);
    const interrupts = isList(task["interrupts"]) ? task["interrupts"].map(interruptOf) : [];
    for (const interrupt of interrupts) {
      if (interrupt !== undefined) this.#parts.interrupts.add(section, run?.runId, lane, interrupt);
    }
    const failed = task["error"] !== undefined && task["error"] !== null;
    const status = failed ? "error" : interrupts.length > 0 ? "interrupted" : "done";
    if (step !== undefined) this.#run.steps.end(step, status, at);
    this.#run.lanes.taskEnded(lane, node, id, status, at);
    return true;
  }

  #tool(lane: LaneId, data: JsonObject): boolean {
    const id = textOf(fieldOf(data, "toolCallId", "tool_call_id"));
    const name = textOf(fieldOf(data, "name", "tool_name")) ?? "tool";
    if (id === undefined) return false;
    const scope = this.#run.scope(lane);
    if (data["event"] === "on_tool_start") {
      this.#parts.conversation.tools.call(scope, { id, name, args: argsText(data["input"]) });
      return true;
    }
    const output = data["output"] ?? data["error"];
    if (output === undefined) return true;
    const message = chatMessage(output) ?? chatMessage({ type: "tool", content: argsText(output) });
    const failed = data["event"] === "on_tool_error" || message?.failed === true;
    if (message !== undefined) this.#parts.conversation.tools.result(scope, { ...message, name, failed }, id);
    return true;
  }
}

/** A task's result: the channels it wrote, as an object or as pairs. */
function resultMessages(result: Json | undefined): ReturnType<typeof chatMessages> {
  if (isObject(result)) return chatMessages(result["messages"]);
  if (!isList(result)) return [];
  return result.flatMap((pair) => (isList(pair) && pair[0] === "messages" ? chatMessages(pair[1]) : []));
}

function argsText(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? {});
}

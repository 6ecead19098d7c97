/** Events that tell of a graph's tasks and of tools: how lanes and tool calls stand. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { chatMessage, chatMessages } from "./chatMessage.ts";
import type { Conversation } from "./conversation.ts";
import type { EventName } from "../raw/eventName.ts";
import { interruptOf } from "./interrupts.ts";
import type { Interrupts } from "./interrupts.ts";
import { fieldOf, isList, isObject, textOf } from "../json/json.ts";
import type { Lanes } from "./lanes.ts";
import type { Scope } from "./scope.ts";
import type { LaneId } from "../panel/transcript.ts";

interface Parts {
  readonly conversation: Conversation;
  readonly interrupts: Interrupts;
}

/** Folds the modes `tasks`, `debug` and `tools`. */
export class TaskEvents {
  readonly #lanes: Lanes;
  readonly #scope: (lane: LaneId) => Scope;
  readonly #parts: Parts;

  constructor(lanes: Lanes, scope: (lane: LaneId) => Scope, parts: Parts) {
    this.#lanes = lanes;
    this.#scope = scope;
    this.#parts = parts;
  }

  /** False when the data has a shape that the mode never has. */
  apply(name: EventName, data: JsonObject, at: number | undefined): boolean {
    switch (name.mode) {
      case "tasks":
        return this.#task(name.lane, data, at);
      case "debug":
        return (
          data["type"] === "checkpoint" ||
          !isObject(data["payload"]) ||
          this.#task(name.lane, data["payload"], at)
        );
      default:
        return this.#tool(name.lane, data);
    }
  }

  #task(lane: LaneId, task: JsonObject, at: number | undefined): boolean {
    const [id, node] = [textOf(task["id"]), textOf(task["name"])];
    if (id === undefined || node === undefined) return false;
    if (task["result"] === undefined && task["error"] === undefined) {
      this.#lanes.taskStarted(lane, node, id, at);
      return true;
    }
    for (const message of resultMessages(task["result"]))
      this.#parts.conversation.whole(this.#scope(lane), message);
    const interrupts = isList(task["interrupts"]) ? task["interrupts"].map(interruptOf) : [];
    for (const interrupt of interrupts) {
      const { section, run } = this.#scope(lane);
      if (interrupt !== undefined) this.#parts.interrupts.add(section, run?.runId, lane, interrupt);
    }
    const failed = task["error"] !== undefined && task["error"] !== null;
    this.#lanes.taskEnded(
      lane,
      node,
      id,
      failed ? "error" : interrupts.length > 0 ? "interrupted" : "done",
      at,
    );
    return true;
  }

  #tool(lane: LaneId, data: JsonObject): boolean {
    const id = textOf(fieldOf(data, "toolCallId", "tool_call_id"));
    const name = textOf(fieldOf(data, "name", "tool_name")) ?? "tool";
    if (id === undefined) return false;
    const scope = this.#scope(lane);
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

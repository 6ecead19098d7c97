/** Message events of the protocol as the pieces of messages that agent servers stream. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { isObject, textOf } from "../json/json.ts";

interface OpenMessage {
  readonly id: string | undefined;
  readonly role: string;
  /** Blocks that were started, with what became of them. */
  readonly blocks: Map<number, JsonObject>;
  /** Blocks of which some text was passed on. */
  readonly sent: Set<number>;
}

/** The messages that one run writes, each told apart by where it is written. */
export class MessageBlocks {
  readonly #open = new Map<string, OpenMessage>();

  /** The pieces that an event adds; `source` is its namespace and node. Undefined for an unknown event. */
  pieces(source: string, data: Json): readonly JsonObject[] | undefined {
    if (!isObject(data)) return undefined;
    const message = this.#open.get(source);
    switch (data["event"]) {
      case "message-start":
        this.#begin(source, data);
        return [];
      case "content-block-start":
        return message === undefined ? [] : begin(message, data);
      case "content-block-delta":
        return message === undefined ? [] : extend(message, data);
      case "content-block-finish":
        return message === undefined ? [] : finish(message, data);
      case "usage":
        return usage(message, data["usage"]);
      case "message-finish":
        this.#open.delete(source);
        return usage(message, data["usage"]);
      default:
        return undefined;
    }
  }

  #begin(source: string, data: JsonObject): void {
    // The hosted server's documentation nests the fields.
    const fields = isObject(data["message"]) ? data["message"] : data;
    const role = textOf(fields["role"]) ?? "ai";
    this.#open.set(source, {
      id: textOf(fields["id"]),
      role: roles.get(role) ?? role,
      blocks: new Map(),
      sent: new Set(),
    });
  }
}

const roles = new Map([
  ["assistant", "ai"],
  ["user", "human"],
]);

function begin(message: OpenMessage, data: JsonObject): readonly JsonObject[] {
  const { content } = data;
  if (!isObject(content)) return [];
  message.blocks.set(indexOf(data), content);
  return say(message, indexOf(data), content);
}

function extend(message: OpenMessage, data: JsonObject): readonly JsonObject[] {
  const index = indexOf(data);
  const delta = isObject(data["delta"]) ? data["delta"] : data["content"];
  if (!isObject(delta)) return [];
  if (isObject(delta["fields"])) {
    message.blocks.set(index, { ...message.blocks.get(index), ...delta["fields"] });
    return [];
  }
  return say(message, index, delta);
}

/** Tool calls are passed on when they are complete: their arguments may be replaced until then. */
function finish(message: OpenMessage, data: JsonObject): readonly JsonObject[] {
  const index = indexOf(data);
  const content = isObject(data["content"]) ? data["content"] : (message.blocks.get(index) ?? {});
  const type = textOf(content["type"]) ?? "";
  if (/^(tool_call|tool_call_chunk|invalid_tool_call)$/.test(type)) {
    const args = content["args"] ?? {};
    const call = {
      index,
      id: content["id"] ?? null,
      name: content["name"] ?? null,
      args: typeof args === "string" ? args : JSON.stringify(args),
    };
    return [piece(message, { content: "", tool_call_chunks: [call] })];
  }
  if (message.sent.has(index)) return [];
  return say(message, index, content);
}

/** Text and reasoning as they come; other blocks only when they are complete. */
function say(message: OpenMessage, index: number, block: JsonObject): readonly JsonObject[] {
  const text = textOf(block["text"]);
  const reasoning = textOf(block["reasoning"]);
  if (text === undefined && reasoning === undefined) return [];
  message.sent.add(index);
  const content = text ?? [{ type: "reasoning", reasoning: reasoning ?? "" }];
  return [piece(message, { content })];
}

function usage(message: OpenMessage | undefined, counts: Json | undefined): readonly JsonObject[] {
  return message === undefined || !isObject(counts)
    ? []
    : [piece(message, { content: "", usage_metadata: counts })];
}

function piece({ id, role }: OpenMessage, fields: JsonObject): JsonObject {
  const type = role === "ai" ? "AIMessageChunk" : role;
  return { type, ...(id === undefined ? {} : { id }), ...fields };
}

function indexOf({ index }: JsonObject): number {
  return typeof index === "number" ? index : 0;
}

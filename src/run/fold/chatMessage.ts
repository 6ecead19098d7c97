/** Chat messages in the many spellings of servers, read as one. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { contentText } from "./drafts/messageDraft.ts";
import { fieldOf, isList, isObject, textOf } from "../json/json.ts";
import type { Usage } from "../panel/transcript.ts";

/** A message, however it was spelled. */
export interface ChatMessage {
  readonly id: string | undefined;
  /** "human", "ai", "tool", "system", or whatever the server says. */
  readonly role: string;
  readonly name: string | undefined;
  readonly content: Json | undefined;
  readonly calls: readonly ChatToolCall[];
  /** Of a tool's answer: the call that it answers. */
  readonly callId: string | undefined;
  readonly failed: boolean;
  /** Of a tool's answer: what is for programs beside its content. */
  readonly artifact: Json | undefined;
  readonly usage: Usage | undefined;
  /** The model that said it. */
  readonly model: string | undefined;
}

/** A tool call in it; its arguments may still be incomplete JSON. */
export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

/** A piece of a tool call; `index` tells the calls of one message apart. */
export interface ChatToolCallChunk {
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly args: string;
}

const roles = new Map(
  Object.entries({
    user: "human",
    assistant: "ai",
    HumanMessage: "human",
    HumanMessageChunk: "human",
    AIMessage: "ai",
    AIMessageChunk: "ai",
    ToolMessage: "tool",
    ToolMessageChunk: "tool",
    SystemMessage: "system",
    SystemMessageChunk: "system",
  }),
);

/** Reads a message; undefined when the value is none. */
export function chatMessage(value: Json): ChatMessage | undefined {
  if (typeof value === "string") return chatMessage({ role: "human", content: value });
  if (isList(value) && value.length === 2) {
    const [role = null, content = null] = value;
    return chatMessage({ role, content });
  }
  if (!isObject(value)) return undefined;
  const fields = value["lc"] === 1 && isObject(value["kwargs"]) ? constructed(value, value["kwargs"]) : value;
  const role = textOf(fieldOf(fields, "type", "role"));
  if (role === undefined || role === "remove") return undefined;
  return {
    id: textOf(fields["id"]),
    role: roles.get(role) ?? role,
    name: textOf(fields["name"]),
    content: fields["content"],
    calls: toolCalls(fields),
    callId: textOf(fieldOf(fields, "tool_call_id", "toolCallId")),
    failed: fields["status"] === "error",
    artifact: fields["artifact"] ?? undefined,
    usage: usageOf(fields["usage_metadata"]),
    model: modelOf(fields["response_metadata"]),
  };
}

/** The messages of a state or of a node's delta: one message or a list of them. */
export function chatMessages(value: Json | undefined): readonly ChatMessage[] {
  if (value === undefined || value === null) return [];
  if (isObject(value)) return [chatMessage(value)].filter((message) => message !== undefined);
  if (!isList(value)) return [];
  return value.map(chatMessage).filter((message) => message !== undefined);
}

/** The pieces of tool calls in a streamed chunk. */
export function toolCallChunks(chunk: JsonObject): readonly ChatToolCallChunk[] {
  const chunks = chunk["tool_call_chunks"];
  if (!isList(chunks)) return [];
  return chunks.filter(isObject).map((piece, position) => ({
    index: typeof piece["index"] === "number" ? piece["index"] : position,
    id: textOf(piece["id"]),
    name: textOf(piece["name"]),
    args: textOf(piece["args"]) ?? "",
  }));
}

/** Token counts, if the value has any. */
export function usageOf(value: Json | undefined): Usage | undefined {
  if (!isObject(value)) return undefined;
  const count = (name: string): number => (typeof value[name] === "number" ? value[name] : 0);
  const [input, output] = [count("input_tokens"), count("output_tokens")];
  const total = Math.max(count("total_tokens"), input + output);
  return total === 0 ? undefined : { input, output, total };
}

/** The name of the model, if the metadata of its answer tells it; providers spell that in many ways. */
export function modelOf(metadata: Json | undefined): string | undefined {
  if (!isObject(metadata)) return undefined;
  return textOf(fieldOf(metadata, "model_name", "model", "modelId", "model_id"));
}

/** What is compared when a message has no id: who said what. */
export function fingerprint(message: ChatMessage): string {
  return `${message.role}\n${contentText(message.content)}`;
}

function toolCalls(fields: JsonObject): readonly ChatToolCall[] {
  const calls = fields["tool_calls"];
  if (!isList(calls)) return [];
  return calls.filter(isObject).map((call, position) => {
    const inner = isObject(call["function"]) ? call["function"] : call;
    const args = fieldOf(inner, "args", "arguments") ?? {};
    return {
      id: textOf(call["id"]) ?? `${textOf(fields["id"]) ?? "message"}:${position}`,
      name: textOf(inner["name"]) ?? "tool",
      args: typeof args === "string" ? args : JSON.stringify(args),
    };
  });
}

/** Messages that were serialized as constructor calls carry their class's name as the last part of their id. */
function constructed(value: JsonObject, fields: JsonObject): JsonObject {
  const path = value["id"];
  const type = isList(path) ? path.at(-1) : undefined;
  return { ...fields, type: fields["type"] ?? type };
}

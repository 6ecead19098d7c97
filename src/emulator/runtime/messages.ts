import { uuid7 } from "../kit/ids.ts";
import { isObject, type JsonObject } from "../kit/json.ts";

/** A finished call of a tool, as an AI message carries it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly type: "tool_call";
}

/** A message in the shape agents' states hold. Members this platform does not know are kept. */
export interface Message {
  readonly type: string;
  readonly id: string;
  readonly content: unknown;
  readonly name?: string | undefined;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
  readonly usage_metadata?: Usage;
  readonly [member: string]: unknown;
}

/** Tokens that a model call used. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
}

/** The values of a thread: a message list, and whatever else the agent keeps. */
export interface State {
  readonly messages: readonly Message[];
  readonly [member: string]: unknown;
}

/** The input of a run does not fit its agent. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";
}

/** Every name of a kind of message: types, roles, and the classes that clients serialize. */
const kinds = new Map([
  ...["human", "user", "HumanMessage"].map((name) => [name, "human"] as const),
  ...["ai", "assistant", "AIMessage", "AIMessageChunk"].map((name) => [name, "ai"] as const),
  ...["system", "developer", "SystemMessage"].map((name) => [name, "system"] as const),
  ...["tool", "ToolMessage"].map((name) => [name, "tool"] as const),
  ...["function", "FunctionMessage"].map((name) => [name, "function"] as const),
  ...["remove", "RemoveMessage"].map((name) => [name, "remove"] as const),
]);

/**
 * Messages from what clients send: a text, one message, or a list of both. A message is an object with a `type` or a
 * `role`, or what a message of a client's library becomes as JSON; in a list it may be a pair of a role and a content.
 */
export function toMessages(input: unknown): Message[] {
  if (input === undefined || input === null) return [];
  return (Array.isArray(input) ? input : [input]).map(toMessage);
}

/** The list after an update: same id replaces, `remove` deletes, everything else is appended. */
function mergeMessages(current: readonly Message[], update: readonly Message[]): readonly Message[] {
  if (update.length === 0) return current;
  let merged = [...current];
  for (const message of update) {
    if (message.type === "remove") {
      merged = message.id === "__remove_all__" ? [] : merged.filter(({ id }) => id !== message.id);
      continue;
    }
    const index = merged.findIndex(({ id }) => id === message.id);
    if (index === -1) merged.push(message);
    else merged[index] = message;
  }
  return merged;
}

/** The state after an update of some of its members. */
export function applyUpdate(state: State, update: JsonObject): State {
  const { messages, ...rest } = update;
  if (messages === undefined) return { ...state, ...rest };
  return { ...state, ...rest, messages: mergeMessages(state.messages, toMessages(messages)) };
}

/** The text of a message, also when its content is a list of blocks. */
export function textOf(message: Message | undefined): string {
  if (message === undefined) return "";
  if (typeof message.content === "string") return message.content;
  if (!Array.isArray(message.content)) return "";
  return message.content
    .map((block: unknown) => (isObject(block) && typeof block.text === "string" ? block.text : ""))
    .join("");
}

/** The text of the newest human message. */
export function lastHumanText(state: State): string {
  return textOf(state.messages.findLast(({ type }) => type === "human"));
}

function toMessage(input: unknown): Message {
  if (typeof input === "string") return toMessage({ type: "human", content: input });
  if (Array.isArray(input)) {
    const pair: readonly unknown[] = input;
    return toMessage({ type: pair[0], content: pair[1] });
  }
  if (!isObject(input)) throw new InvalidInputError("A message must be a text or an object.");
  if (input.type === "constructor" && Array.isArray(input.id) && isObject(input.kwargs)) {
    const path: readonly unknown[] = input.id;
    return toMessage({ ...input.kwargs, type: path.at(-1) });
  }
  const { role, type, id, content, ...rest } = input;
  const name = typeof type === "string" ? type : role;
  if (typeof name !== "string") throw new InvalidInputError("A message needs a `type` or a `role`.");
  const kind = kinds.get(name);
  if (kind === undefined) throw new InvalidInputError(`There is no kind of message named ${name}.`);
  if (content !== undefined && content !== null && typeof content !== "string" && !Array.isArray(content)) {
    throw new InvalidInputError("A message's `content` must be a text or a list of blocks.");
  }
  return {
    additional_kwargs: {},
    response_metadata: {},
    ...rest,
    type: kind,
    id: typeof id === "string" && id !== "" ? id : uuid7(),
    content: content ?? "",
  };
}

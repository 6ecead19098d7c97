import type { Speech } from "./agent.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Message, ToolCall } from "./messages.ts";

/** Where the pieces of a streamed message go, and the clock that paces them. */
export interface MessageSink {
  readonly pause: (tokens: number) => Promise<void>;
  readonly piece: (chunk: Message, whole: () => Message, first: boolean, last: boolean) => void;
}

/** Streams a message's text, then its tool calls' arguments, then its usage; answers the message whole. */
export async function streamMessage(id: string, speech: Speech, sink: MessageSink): Promise<Message> {
  const calls = speech.toolCalls ?? [];
  let text = "";
  const args: string[] = [];
  let complete = false;
  const whole = (): Message =>
    complete ? finished(id, speech) : unfinishedMessage(id, speech, text, calls, args);

  let first = true;
  for (const token of tokens(speech.text)) {
    await sink.pause(1);
    text += token;
    sink.piece(piece(id, speech, token, []), whole, first, false);
    first = false;
  }
  for (const [index, call] of calls.entries()) {
    for (const [part, fragment] of ["", ...fragments(JSON.stringify(call.args))].entries()) {
      await sink.pause(1);
      args[index] = (args[index] ?? "") + fragment;
      const head = part === 0 ? { id: call.id, name: call.name } : {};
      const chunk = { ...head, index, args: fragment, type: "tool_call_chunk" };
      sink.piece(piece(id, speech, "", [chunk]), whole, first, false);
      first = false;
    }
  }
  complete = true;
  const usage = usageOf(speech);
  sink.piece({ ...piece(id, speech, "", []), usage_metadata: usage }, whole, first, true);
  return finished(id, speech);
}

/** The text in pieces about as long as a model's tokens; together they are the text. */
function tokens(text: string): string[] {
  return text.match(/\s*\S{1,7}|\s+$/g) ?? [];
}

function fragments(text: string): string[] {
  return text.match(/.{1,12}/gsu) ?? [];
}

/** What all pieces of a message and the whole one share. */
function message(id: string, speech: Speech, content: string): Message {
  const name = speech.name === undefined ? {} : { name: speech.name };
  const empty = { tool_calls: [], invalid_tool_calls: [], additional_kwargs: {}, response_metadata: {} };
  return { type: "ai", id, content, ...name, ...empty };
}

function piece(id: string, speech: Speech, content: string, toolCallChunks: JsonObject[]): Message {
  return { ...message(id, speech, content), tool_call_chunks: toolCallChunks };
}

function finished(id: string, speech: Speech): Message {
  const finish_reason = speech.toolCalls?.length ? "tool_calls" : "stop";
  return {
    ...message(id, speech, speech.text),
    tool_calls: speech.toolCalls ?? [],
    usage_metadata: usageOf(speech),
    response_metadata: { model_name: "sample", finish_reason },
  };
}

/** A message cut short: calls whose arguments did not arrive in full are kept as invalid ones. */
function unfinishedMessage(
  id: string,
  speech: Speech,
  text: string,
  calls: readonly ToolCall[],
  args: readonly string[],
): Message {
  const begun = calls.slice(0, args.length);
  const whole = begun.filter((call, index) => args[index] === JSON.stringify(call.args));
  const cut = begun.flatMap((call, index) =>
    whole.includes(call)
      ? []
      : [{ id: call.id, name: call.name, args: args[index], error: "Malformed args." }],
  );
  return {
    ...message(id, speech, text),
    tool_calls: whole,
    invalid_tool_calls: cut.map((call) => ({ ...call, type: "invalid_tool_call" })),
  };
}

function usageOf(speech: Speech): NonNullable<Speech["usage"]> {
  if (speech.usage !== undefined) return speech.usage;
  const output = tokens(speech.text).length + tokens(JSON.stringify(speech.toolCalls ?? [])).length;
  return { input_tokens: 24, output_tokens: output, total_tokens: 24 + output };
}

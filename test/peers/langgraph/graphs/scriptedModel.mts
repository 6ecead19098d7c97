/** A chat model that says what it is told to, token by token, with ids, tool call chunks and usage. */

import { setTimeout as delay } from "node:timers/promises";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";

export interface Line {
  readonly text: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly args: object }[];
}

export class ScriptedModel extends BaseChatModel {
  readonly #line: (messages: readonly BaseMessage[]) => Line;
  readonly #tokenMs: number;

  constructor(line: (messages: readonly BaseMessage[]) => Line, tokenMs = 5) {
    super({});
    this.#line = line;
    this.#tokenMs = tokenMs;
  }

  override _llmType(): string {
    return "scripted";
  }

  /** Its lines name their tools themselves. */
  override bindTools(): this {
    return this;
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const id = `msg_${crypto.randomUUID()}`;
    const { text, toolCalls = [] } = this.#line(messages);
    const tokens = text.match(/\s*\S+/g) ?? [];
    const chunk = async (fields: ConstructorParameters<typeof AIMessageChunk>[0] & object, token = "") => {
      const generation = new ChatGenerationChunk({
        text: token,
        message: new AIMessageChunk({ id, ...fields }),
      });
      await run?.handleLLMNewToken(token, undefined, undefined, undefined, undefined, { chunk: generation });
      return generation;
    };
    for (const token of tokens) {
      if (this.#tokenMs > 0) await delay(this.#tokenMs, undefined, { signal: options.signal });
      yield await chunk({ content: token }, token);
    }
    for (const [index, call] of toolCalls.entries()) {
      const parts = JSON.stringify(call.args).match(/.{1,8}/gs) ?? [];
      yield await chunk({
        content: "",
        tool_call_chunks: [{ index, id: call.id, name: call.name, args: "", type: "tool_call_chunk" }],
      });
      for (const args of parts)
        yield await chunk({ content: "", tool_call_chunks: [{ index, args, type: "tool_call_chunk" }] });
    }
    const input = messages.reduce((sum, message) => sum + message.text.split(/\s+/).length, 0);
    const usage = { input_tokens: input, output_tokens: tokens.length, total_tokens: input + tokens.length };
    yield await chunk({ content: "", usage_metadata: usage });
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    run?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    let whole: ChatGenerationChunk | undefined;
    for await (const chunk of this._streamResponseChunks(messages, options, run)) {
      whole = whole === undefined ? chunk : whole.concat(chunk);
    }
    return { generations: whole === undefined ? [] : [whole] };
  }
}

/** The text of the newest human message. */
export function question(messages: readonly BaseMessage[]): string {
  return messages.findLast((message) => message.getType() === "human")?.text ?? "";
}

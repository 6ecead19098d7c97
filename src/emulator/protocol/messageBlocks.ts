import { isObject } from "../kit/json.ts";
import type { MessageEvent } from "../runtime/graphEvent.ts";
import { type Message, textOf, type ToolCall } from "../runtime/messages.ts";

/** The data of one event of the channel `messages`. */
export type MessageData = Readonly<Record<string, unknown>>;

interface OpenBlock {
  readonly index: number;
  readonly type: "text" | "tool_call";
  text: string;
  readonly id: string;
  readonly name: string;
}

/**
 * One AI message as content blocks: started, filled and finished one after the other, never two at a time. A
 * tool call's arguments are repeated as far as they have come; the finished block holds them parsed.
 */
export class MessageBlocks {
  readonly #write: (data: MessageData) => void;
  #next = 0;
  #open: OpenBlock | undefined;

  constructor(message: MessageEvent, write: (data: MessageData) => void) {
    const { run_id, thread_id, ls_model_name: model } = message.metadata;
    this.#write = (data) => write({ ...data, run_id });
    const metadata = { provider: "local", model, run_id, thread_id };
    this.#write({ event: "message-start", role: "ai", id: message.chunk.id, metadata });
  }

  /** Adds a piece of the message. */
  add({ chunk, first, last, whole }: MessageEvent): void {
    const text = textOf(chunk);
    if (text !== "") this.#addText(text);
    const chunks = Array.isArray(chunk.tool_call_chunks) ? (chunk.tool_call_chunks as unknown[]) : [];
    for (const call of chunks) if (isObject(call)) this.#addCall(call);
    if (first && last) for (const call of chunk.tool_calls ?? []) this.#addWholeCall(call);
    if (last) this.#finish(whole());
  }

  /** Ends a message that was cut short. */
  fail(message: string): void {
    this.#write({ event: "error", message });
  }

  #addText(text: string): void {
    if (this.#open?.type !== "text")
      this.#start({ type: "text", id: "", name: "" }, { type: "text", text: "" });
    if (this.#open !== undefined) this.#open.text += text;
    this.#delta({ type: "text-delta", text });
  }

  #addCall({ id, name, args }: Readonly<Record<string, unknown>>): void {
    if (typeof id === "string" && typeof name === "string") {
      const content = { type: "tool_call_chunk", id, name, args: "" };
      this.#start({ type: "tool_call", id, name }, content);
    }
    const open = this.#open;
    if (open?.type !== "tool_call" || typeof args !== "string" || args === "") return;
    open.text += args;
    const fields = { type: "tool_call_chunk", id: open.id, name: open.name, args: open.text };
    this.#delta({ type: "block-delta", fields });
  }

  #addWholeCall({ id, name, args }: ToolCall): void {
    this.#addCall({ id, name, args: JSON.stringify(args) });
  }

  #start(block: Pick<OpenBlock, "type" | "id" | "name">, content: MessageData): void {
    this.#close();
    this.#open = { ...block, index: this.#next++, text: "" };
    this.#write({ event: "content-block-start", index: this.#open.index, content });
  }

  #delta(delta: MessageData): void {
    this.#write({ event: "content-block-delta", index: this.#open?.index ?? 0, delta });
  }

  #close(): void {
    const open = this.#open;
    if (open === undefined) return;
    const { index, type, id, name, text } = open;
    const content =
      type === "text" ? { type, text } : { type, id, name, args: JSON.parse(text || "{}") as unknown };
    this.#write({ event: "content-block-finish", index, content });
    this.#open = undefined;
  }

  #finish(whole: Message): void {
    this.#close();
    const { usage_metadata: usage, response_metadata: metadata } = whole;
    const reason = isObject(metadata) && metadata.finish_reason === "tool_calls" ? "tool_use" : "stop";
    this.#write({ event: "message-finish", reason, ...(usage === undefined ? {} : { usage }) });
  }
}

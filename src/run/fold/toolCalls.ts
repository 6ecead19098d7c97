/** The tool calls of a thread, each once, paired with their results. */

import type { JsonObject } from "../../api/agentServer/wire.ts";
import { toolCallChunks } from "./chatMessage.ts";
import type { ChatMessage, ChatToolCall, ChatToolCallChunk } from "./chatMessage.ts";
import { contentText } from "./content.ts";
import type { Ledger } from "./ledger.ts";
import type { RunDraft } from "./runDraft.ts";
import type { Scope } from "./scope.ts";
import { ToolDraft } from "./toolDraft.ts";

/** Keeps a row for each call, from its first piece to its result. */
export class ToolCalls {
  readonly #ledger: Ledger;
  readonly #tools = new Map<string, ToolDraft>();
  /** The calls of the messages that are streaming, by message and index. */
  readonly #streaming = new Map<string, ToolDraft>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  get(callId: string): ToolDraft | undefined {
    return this.#tools.get(callId);
  }

  /** The tool calls in a streamed chunk of a message; `settled` when the message is known as a whole. */
  pieces(scope: Scope, messageId: string, chunk: JsonObject, settled: boolean): void {
    for (const piece of toolCallChunks(chunk)) this.#piece(scope, messageId, piece, settled);
  }

  /** A complete call. */
  call(scope: Scope, call: ChatToolCall): void {
    const tool = this.#open(scope, call.id, call.name);
    if (tool.call(call.name, call.args, scope.at)) this.#ledger.touch(tool);
  }

  /** A call as far as it is known, with all its arguments so far. */
  partialCall(scope: Scope, call: ChatToolCall): void {
    const tool = this.#open(scope, call.id, call.name);
    if (tool.replaceArgs(call.args)) this.#ledger.touch(tool);
  }

  /** A tool's answer; one without call is shown by itself. */
  result(scope: Scope, message: ChatMessage, callId: string): void {
    const tool = this.#open(scope, callId, message.name ?? "tool");
    if (tool.finish(contentText(message.content), message.failed, scope.at)) this.#ledger.touch(tool);
  }

  /** The run is over, or waits for a person. */
  settle(run: RunDraft, waiting: boolean): void {
    for (const tool of this.#tools.values()) {
      if (tool.runId === run.runId && tool.leave(waiting ? "pending" : "stopped")) this.#ledger.touch(tool);
    }
    this.#streaming.clear();
  }

  /** What only the thread's state knows of and has no result does not run any more. */
  settleState(waiting: boolean): void {
    for (const tool of this.#tools.values()) {
      if (tool.provisional && tool.leave(waiting ? "pending" : "stopped")) this.#ledger.touch(tool);
    }
  }

  #piece(scope: Scope, messageId: string, piece: ChatToolCallChunk, settled: boolean): void {
    const place = `${messageId}#${piece.index}`;
    let tool = this.#streaming.get(place);
    if (tool === undefined || (piece.id !== undefined && piece.id !== tool.id)) {
      tool = this.#open(scope, piece.id ?? place, piece.name ?? "tool");
      this.#streaming.set(place, tool);
    }
    if (settled || tool.status !== "pending") return;
    tool.extend(piece.name, piece.args);
    this.#ledger.touch(tool);
  }

  #open(scope: Scope, id: string, name: string): ToolDraft {
    const known = this.#tools.get(id);
    if (known === undefined) {
      const tool = new ToolDraft(id, name, scope.lane, scope.run?.runId);
      tool.provisional = scope.settled === true;
      this.#tools.set(id, tool);
      this.#ledger.add(scope.section, tool);
      return tool;
    }
    if (known.provisional && scope.settled !== true) {
      known.moveTo(scope.lane, scope.run?.runId);
      this.#ledger.putLast(scope.section, known);
      this.#ledger.touch(known);
    }
    return known;
  }
}

/** The tool calls of a thread, each once, paired with their results. */

import type { JsonObject } from "../../api/agentServer/wire.ts";
import {
  type ChatMessage,
  type ChatToolCall,
  type ChatToolCallChunk,
  toolCallChunks,
} from "./chatMessage.ts";
import type { Ledger } from "./drafts/ledger.ts";
import { toolAnswer } from "./drafts/messageDraft.ts";
import { moveRow, type RunDraft, type Scope } from "./drafts/runDraft.ts";
import { ToolDraft } from "./drafts/toolDraft.ts";
import type { LaneId } from "../panel/transcript.ts";

/** Keeps a row for each call, from its first piece to its result. A model may give calls of several runs the same id. */
export class ToolCalls {
  readonly #ledger: Ledger;
  readonly #tools: ToolDraft[] = [];
  /** Those that had no answer when they were looked at last. */
  readonly #unanswered = new Set<ToolDraft>();
  /** By id; more than one where several runs called by the same. */
  readonly #byId = new Map<string, ToolDraft[]>();
  /** By id, the call that was told of last: where a whole state is read, the one that the next answer is for. */
  readonly #latest = new Map<string, ToolDraft>();
  /** The calls of the messages that are streaming, by message and index. */
  readonly #streaming = new Map<string, ToolDraft>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** The call that a message makes, or that was told of last. */
  get(callId: string, message?: string): ToolDraft | undefined {
    return this.#calledBy(callId, message) ?? this.#latest.get(callId);
  }

  /** The call with an id in one run. */
  inRun(callId: string, runId: string): ToolDraft | undefined {
    return this.#byId.get(callId)?.find((tool) => tool.runId === runId);
  }

  /** The calls of a tool in one lane of a run, the oldest first. */
  named(name: string, runId: string, lane: LaneId): readonly ToolDraft[] {
    return this.#tools.filter((tool) => tool.runId === runId && tool.lane === lane && tool.name === name);
  }

  /** The tool calls in a streamed chunk of a message; `settled` when the message is known as a whole. */
  pieces(scope: Scope, message: Caller, chunk: JsonObject, settled: boolean): void {
    for (const piece of toolCallChunks(chunk)) this.#piece(scope, message, piece, settled);
  }

  /** A complete call, and the row of the message that makes it. */
  call(scope: Scope, call: ChatToolCall, message?: Caller): void {
    const tool = this.#called(scope, call.id, call.name, message);
    // What is replayed is older than what the thread's state says of a call that was answered.
    if (scope.from === "state") tool.inState = true;
    else if (tool.inState && scope.at === undefined && tool.isAnswered) return;
    if (tool.call(call.name, call.args, scope.at)) this.#ledger.touch(tool);
  }

  /** A call of a message that is known: only where it belongs may be news. */
  placed(scope: Scope, call: ChatToolCall, message: Caller): void {
    this.#called(scope, call.id, call.name, message);
  }

  /** The server does not keep any more where a message made its calls. */
  unkept(message: Caller): void {
    for (const tool of this.#tools) if (tool.caller === message.id) tool.positionFrom = "stream";
  }

  /** A call as far as it is known, with all its arguments so far. */
  partialCall(scope: Scope, call: ChatToolCall, message: Caller): void {
    const tool = this.#called(scope, call.id, call.name, message);
    if (tool.replaceArgs(call.args)) this.#ledger.touch(tool);
  }

  /** A tool's answer; one without call is shown by itself. */
  result(scope: Scope, message: ChatMessage, callId: string): void {
    const tool = this.#answered(scope, callId) ?? this.#open(scope, callId, message.name ?? "tool");
    if (tool.finish(toolAnswer(message), message.failed, scope.at)) this.#ledger.touch(tool);
  }

  /** The run is over, or waits for a person. */
  settle(run: RunDraft, waiting: boolean): void {
    for (const tool of this.#waiting()) {
      if (tool.runId === run.runId && tool.leave(waiting ? "pending" : "stopped")) this.#ledger.touch(tool);
    }
    for (const [key, { runId }] of this.#streaming)
      if (runId === undefined || runId === run.runId) this.#streaming.delete(key);
  }

  /** No run goes on: calls without an answer stopped, except in runs that ask something. */
  settleBut(asking: ReadonlySet<string | undefined>): void {
    for (const tool of this.#waiting())
      if (!asking.has(tool.runId) && tool.leave("stopped")) this.#ledger.touch(tool);
  }

  /** These runs turn out to ask something: calls of theirs that seemed stopped wait. */
  settleAsking(asking: ReadonlySet<string | undefined>): void {
    for (const tool of this.#waiting())
      if (tool.runId !== undefined && asking.has(tool.runId) && tool.wait()) this.#ledger.touch(tool);
  }

  /** Calls that only the state of the thread knows, and that have no result, run no more. */
  settleState(waiting: boolean): void {
    for (const tool of this.#waiting()) {
      if (tool.positionFrom !== "stream" && tool.leave(waiting ? "pending" : "stopped"))
        this.#ledger.touch(tool);
    }
  }

  /** The calls without an answer; one that has it keeps it. */
  #waiting(): Iterable<ToolDraft> {
    for (const tool of this.#unanswered) if (tool.isAnswered) this.#unanswered.delete(tool);
    return this.#unanswered;
  }

  #piece(scope: Scope, message: Caller, piece: ChatToolCallChunk, settled: boolean): void {
    const key = `${message.id}#${piece.index}`;
    let tool = this.#streaming.get(key);
    if (tool === undefined || (piece.id !== undefined && piece.id !== tool.id)) {
      tool = this.#called(scope, piece.id ?? key, piece.name ?? "tool", message);
      this.#streaming.set(key, tool);
    }
    if (settled || tool.status !== "pending") return;
    tool.extend(piece.name, piece.args);
    this.#ledger.touch(tool);
  }

  /** A message says that it calls a tool, and so where the call belongs; its answer may come in another step. */
  #called(scope: Scope, id: string, name: string, message?: Caller): ToolDraft {
    const runId = message === undefined ? scope.run?.runId : message.runId;
    const known =
      this.#calledBy(id, message?.id) ??
      (runId === undefined ? undefined : this.inRun(id, runId)) ??
      (message === undefined ? this.#answered(scope, id) : this.#byId.get(id)?.find(isNobodys));
    const tool = known ?? this.#open(scope, id, name);
    tool.caller ??= message?.id;
    this.#latest.set(id, tool);
    if (known !== undefined) moveRow(this.#ledger, scope, known);
    return tool;
  }

  #calledBy(id: string, message: string | undefined): ToolDraft | undefined {
    return message === undefined ? undefined : this.#byId.get(id)?.find(({ caller }) => caller === message);
  }

  /** The call that an answer is for: of the same run, else of the last one before it. */
  #answered({ section, run, from }: Scope, id: string): ToolDraft | undefined {
    if (from === "values" || from === "state") return this.#latest.get(id);
    const known = run === undefined ? undefined : this.inRun(id, run.runId);
    if (known !== undefined) return known;
    let last: ToolDraft | undefined;
    for (const tool of this.#byId.get(id) ?? []) {
      const [its, of] = [this.#ledger.sectionOf(tool), last && this.#ledger.sectionOf(last)];
      const isEarlier = its !== undefined && this.#ledger.isBefore(its, section);
      if (isEarlier && (of === undefined || this.#ledger.isBefore(of, its))) last = tool;
    }
    return last;
  }

  #open(scope: Scope, id: string, name: string): ToolDraft {
    const same = this.#byId.get(id) ?? [];
    const tool = new ToolDraft(id, same.length + 1, name, scope.lane, scope.run?.runId);
    if (scope.from === "state" || scope.from === "history") tool.positionFrom = scope.from;
    this.#tools.push(tool);
    this.#unanswered.add(tool);
    this.#byId.set(id, [...same, tool]);
    this.#latest.set(id, tool);
    this.#ledger.add(scope.section, tool, scope.head);
    return tool;
  }
}

/** The row of a message that calls tools. */
type Caller = Pick<ToolDraft, "id" | "runId">;

/** No message is known that makes this call, and no run in which it was made. */
function isNobodys({ caller, runId }: ToolDraft): boolean {
  return caller === undefined && runId === undefined;
}

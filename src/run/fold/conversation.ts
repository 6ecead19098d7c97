/** The messages of a thread, each once, by whatever stream modes they arrive. */

import type { JsonObject } from "../../api/agentServer/wire.ts";
import { chatMessage, type ChatMessage, modelOf, toolCallChunks, usageOf } from "./chatMessage.ts";
import { isList, textOf } from "../json/json.ts";
import type { Draft, Ledger } from "./drafts/ledger.ts";
import { moveRow, type RunDraft, type Scope } from "./drafts/runDraft.ts";
import { MessageDraft } from "./drafts/messageDraft.ts";
import { KnownMessages } from "./knownMessages.ts";
import { ToolCalls } from "./toolCalls.ts";

/** Takes messages from every stream mode and from the thread's state, and keeps one row for each. */
export class Conversation {
  readonly tools: ToolCalls;
  readonly #ledger: Ledger;
  /** The messages so far. */
  readonly messages = new KnownMessages();
  /** Streams of pieces without message ids, by where they come from. */
  readonly #anonymous = new Map<string, MessageDraft>();
  /** Messages that still grow. */
  readonly #growing = new Set<MessageDraft>();
  /** By id, the runs whose tokens were counted. */
  readonly #runs = new Map<string, RunDraft>();
  #next = 1;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.tools = new ToolCalls(ledger);
  }

  /** A message that a person sends with a run; `index` counts the run's input messages. */
  input(scope: Scope, message: ChatMessage, index: number): void {
    if (this.messages.get(message.id) !== undefined) return;
    const draft = new MessageDraft(`input:${scope.section.key}:${index}`, message.role, "", scope.run?.runId);
    draft.replace(message.content);
    draft.name = message.name;
    draft.whole = true;
    this.messages.addGiven(scope.run?.runId ?? "", draft, message.id);
    this.#ledger.add(scope.section, draft, scope.head);
  }

  /** A message that the server keeps as given to a run. */
  given(scope: Scope, message: ChatMessage): MessageDraft | undefined {
    const other = this.messages.giveTo(scope.run?.runId ?? "", message);
    if (other !== undefined) this.#remove(other);
    return this.whole(scope, message);
  }

  /** A piece of a message; `stream` tells apart the streams of pieces that have no message id. */
  piece(scope: Scope, chunk: JsonObject, stream: string): MessageDraft | undefined {
    const id = textOf(chunk["id"]);
    const known = id === undefined ? this.#anonymous.get(stream) : this.messages.get(id);
    const draft = known ?? this.#begin(scope, chunk, id, stream);
    if (draft === undefined) return undefined;
    this.#mention(scope, draft);
    if (!draft.whole) this.#extend(scope, draft, chunk);
    else if (!draft.finished) this.#growing.add(draft);
    this.tools.pieces(scope, draft, chunk, draft.whole);
    const { tool_calls: calls, tool_call_chunks: pieces } = chunk;
    if (isList(calls) && calls.length > 0 && !(isList(pieces) && pieces.length > 0)) {
      for (const call of chatMessage(chunk)?.calls ?? []) this.tools.call(scope, call, draft);
    }
    return draft;
  }

  /** More text of a message that grows; false when it is not known to grow where it stands. */
  grow(draft: MessageDraft, text: string): boolean {
    if (draft.whole || draft.positionFrom !== "stream" || draft.isEmpty) return false;
    draft.extend(text);
    this.messages.reworded(draft);
    this.#ledger.touch(draft);
    return true;
  }

  /** A complete message; `used` lists those matched before, where a whole state is read. */
  whole(
    scope: Scope,
    message: ChatMessage,
    used?: Set<MessageDraft>,
    known?: MessageDraft,
  ): MessageDraft | undefined {
    if (message.role === "tool" && message.callId !== undefined) {
      this.tools.result(scope, message, message.callId);
      return undefined;
    }
    const draft = this.#known(scope, message, used, known);
    used?.add(draft);
    // It may have been edited after the step that wrote it.
    const isOld = scope.from === "history" && draft.confirmed;
    draft.confirmed = true;
    if (isOld) {
      for (const call of message.calls) this.tools.placed(scope, call, draft);
      return draft;
    }
    // A thread's state keeps what a stopped run had said, so it does not say that a message is complete.
    if (!isKept(scope)) {
      draft.finished = true;
      this.#growing.delete(draft);
    }
    this.#update(scope, draft, message, false);
    if (draft.text !== "" || message.calls.length === 0)
      this.#ledger.addOnce(scope.section, draft, scope.head);
    for (const call of message.calls) this.tools.call(scope, call, draft);
    return draft;
  }

  /** A message that the server keeps of a task: the same one however often that is read, and whatever a stream told first. */
  kept(scope: Scope, message: ChatMessage, task: string): MessageDraft | undefined {
    const returned = this.messages.ofTask(task);
    if (message.id !== undefined && returned !== undefined) {
      this.#named(returned, message.id);
      this.messages.named(task);
    }
    const known = message.id === undefined ? returned : this.messages.get(message.id);
    const its = message.id !== undefined || known !== undefined;
    const draft = its ? this.whole(scope, message, undefined, known) : undefined;
    if (its && (draft === undefined || draft.streamed)) return draft;
    const streamed = this.messages.streamedIn(scope.run?.runId, message, scope.lane, draft);
    if (draft === undefined) {
      if (streamed !== undefined) this.messages.unbind(streamed);
      const first = this.whole(scope, message, undefined, streamed);
      if (first !== undefined) this.messages.returnedBy(task, first);
      return first;
    }
    if (streamed === undefined) return draft;
    // The stream sent it under another id, or without one.
    draft.streamed = true;
    this.#remove(streamed);
    return draft;
  }

  /** What a task returned without an id has one, since it is in the thread's state. */
  #named(draft: MessageDraft, id: string): void {
    const other = this.messages.get(id);
    if (other === draft) return;
    if (other !== undefined && this.messages.isReturned(other)) this.messages.unbind(other);
    else if (other !== undefined) this.#remove(other);
    this.messages.unbind(draft);
    this.messages.bind(draft, id);
  }

  /** The server does not keep any more that it was said there. */
  unkept(draft: MessageDraft): void {
    draft.positionFrom = "stream";
    this.tools.unkept(draft);
  }

  /** A row turns out to show what another one shows. */
  #remove(draft: MessageDraft): void {
    this.messages.remove(draft);
    const run = this.#runs.get(draft.runId ?? "");
    if (run?.counted.delete(draft) === true) this.#ledger.touch(run);
    this.#ledger.remove(draft);
  }

  /** A message as far as it is known, with all its text so far. */
  partial(scope: Scope, message: ChatMessage): MessageDraft | undefined {
    if (message.role !== "ai") return this.whole(scope, message);
    const draft = this.#known(scope, message, undefined);
    if (draft.whole) {
      for (const call of message.calls) this.tools.placed(scope, call, draft);
      return draft;
    }
    this.#growing.add(draft);
    this.#update(scope, draft, message, true);
    if (draft.text !== "") this.#ledger.addOnce(scope.section, draft, scope.head);
    for (const call of message.calls) this.tools.partialCall(scope, call, draft);
    return draft;
  }

  /** The run is over or waits: nothing of it streams any more. */
  settle(run: RunDraft, stopped: boolean, waiting: boolean): void {
    for (const draft of this.#growing) {
      if (draft.runId !== run.runId) continue;
      this.#growing.delete(draft);
      if (draft.assign({ streaming: false, partial: stopped })) this.#ledger.touch(draft);
    }
    for (const [stream, draft] of this.#anonymous)
      if (draft.runId === run.runId) this.#anonymous.delete(stream);
    this.tools.settle(run, waiting);
  }

  /** A step was stopped: what its node was saying then was cut. */
  cutBelow(step: Draft): void {
    for (const draft of this.messages.streamed.all()) {
      const isCut = !draft.finished && !draft.streaming && this.#ledger.headOf(draft) === step;
      if (isCut && draft.assign({ partial: true })) this.#ledger.touch(draft);
    }
  }

  #begin(scope: Scope, chunk: JsonObject, id: string | undefined, stream: string): MessageDraft | undefined {
    const message = chatMessage(chunk);
    if (message === undefined) return undefined;
    if (message.role !== "ai") return this.whole(scope, message);
    const draft = this.#create(scope, id, message.role);
    draft.streaming = true;
    draft.streamed = true;
    draft.name = message.name;
    this.#growing.add(draft);
    if (id === undefined) this.#anonymous.set(stream, draft);
    return draft;
  }

  #extend(scope: Scope, draft: MessageDraft, chunk: JsonObject): void {
    draft.extend(chunk["content"]);
    this.messages.reworded(draft);
    const isToken = !draft.isEmpty || toolCallChunks(chunk).length > 0;
    if (isToken && scope.at !== undefined && scope.begunAt !== undefined)
      draft.firstTokenMs ??= Math.max(0, scope.at - scope.begunAt);
    draft.model ??= modelOf(chunk["response_metadata"]);
    if (!draft.isEmpty) this.#ledger.addOnce(scope.section, draft, scope.head);
    const usage = usageOf(chunk["usage_metadata"]);
    if (usage !== undefined) {
      draft.addUsage(usage);
      this.#counted(scope, draft);
    }
    this.#ledger.touch(draft);
  }

  #known(
    scope: Scope,
    message: ChatMessage,
    used: Set<MessageDraft> | undefined,
    known?: MessageDraft,
  ): MessageDraft {
    const draft =
      known ??
      this.messages.find(message, scope.lane, scope.run?.runId, used) ??
      this.#kept(scope, message, used) ??
      this.#create(scope, message.id, message.role);
    this.messages.bind(draft, message.id);
    this.#mention(scope, draft);
    draft.streamed ||= !isKept(scope) && draft.runId === scope.run?.runId;
    return draft;
  }

  /** A whole state that is replayed may tell what had no id yet when it was new. */
  #kept(
    { from, at, lane }: Scope,
    message: ChatMessage,
    used: ReadonlySet<MessageDraft> | undefined,
  ): MessageDraft | undefined {
    const isReplayed = from === "values" && at === undefined;
    return isReplayed && used !== undefined ? this.messages.keptSaying(message, lane, used) : undefined;
  }

  #create(scope: Scope, id: string | undefined, role: string): MessageDraft {
    const key = id ?? `${scope.section.key}:${this.#next++}`;
    const draft = new MessageDraft(`message:${key}`, role, scope.lane, scope.run?.runId);
    draft.positionFrom = isKept(scope) ? scope.from : "stream";
    this.messages.add(draft, id, !isKept(scope));
    return draft;
  }

  #update(scope: Scope, draft: MessageDraft, message: ChatMessage, streaming: boolean): void {
    const replaced = draft.replace(message.content);
    if (replaced) this.messages.reworded(draft);
    const usage = message.usage ?? draft.usage;
    const name = message.name ?? draft.name;
    const model = message.model ?? draft.model;
    const partial = draft.partial && (isKept(scope) || !replaced);
    const changed = draft.assign({ usage, name, streaming, partial, model });
    draft.whole = !streaming;
    if (replaced || changed) this.#ledger.touch(draft);
    if (message.usage !== undefined) this.#counted(scope, draft);
  }

  /** Counts the tokens of a message for its run, and shows that. */
  #counted({ run }: Scope, draft: MessageDraft): void {
    if (run !== undefined && draft.runId === run.runId) {
      run.counted.add(draft);
      this.#runs.set(run.runId, run);
    }
    const counting = this.#runs.get(draft.runId ?? "");
    if (counting !== undefined) this.#ledger.touch(counting);
  }

  /** Moves a message whose position was not known. */
  #mention(scope: Scope, draft: MessageDraft): void {
    if (draft.positionFrom === "stream" && scope.from === undefined) return;
    const before = this.#runs.get(draft.runId ?? "");
    moveRow(this.#ledger, scope, draft);
    if (draft.usage !== undefined) this.#counted(scope, draft);
    if (before !== undefined && before.runId !== draft.runId) this.#ledger.touch(before);
  }
}

function isKept(scope: Scope): scope is Scope & { readonly from: "state" | "history" } {
  return scope.from === "state" || scope.from === "history";
}

/** Folds the events of one run into the rows of its section. */

import type { SseEvent } from "../../api/exchange.ts";
import type { Json, JsonObject, RunStatus } from "../../api/agentServer/wire.ts";
import { chatMessage, chatMessages } from "./chatMessage.ts";
import type { Conversation } from "./conversation.ts";
import type { MessageDraft } from "./drafts/messageDraft.ts";
import type { FeedbackKeys } from "./feedbackKeys.ts";
import { GraphEvents } from "./graphEvents.ts";
import type { Interrupts } from "./interrupts.ts";
import { fieldOf, isList, isObject, parseJson, textOf } from "../json/json.ts";
import { Lanes } from "./lanes.ts";
import type { Draft, Ledger, Section } from "./drafts/ledger.ts";
import { Customs, type Notice, type Notices } from "./notices.ts";
import { Outcome } from "./outcome.ts";
import { isOver, RunDraft, type RunFacts, type Scope } from "./drafts/runDraft.ts";
import { parentLane, Steps } from "./steps.ts";
import type { RawEvents } from "../raw/rawEvents.ts";
import { type EventName, EventNames, MessageTuples } from "../raw/tokenEvents.ts";
import type { LaneId } from "../panel/transcript.ts";

const silentModes: ReadonlySet<string> = new Set(["checkpoints", "events", "end"]);
const structuredModes: ReadonlySet<string> = new Set([
  "metadata",
  "feedback",
  ...["messages/metadata", "messages/partial", "messages/complete"],
  ...["updates", "values", "tasks", "debug", "tools"],
]);

/** What all runs of a thread share. */
export interface ThreadParts {
  readonly ledger: Ledger;
  readonly raw: RawEvents;
  readonly conversation: Conversation;
  readonly interrupts: Interrupts;
  readonly notices: Notices;
  readonly feedback: FeedbackKeys;
}

/** One run: its section, its lanes, and what each of its events says. */
export class RunFold {
  readonly header: RunDraft;
  readonly section: Section;
  /** At least one of its events was folded. */
  streamed = false;
  readonly #parts: ThreadParts;
  readonly lanes: Lanes;
  readonly steps: Steps;
  readonly outcome: Outcome;
  readonly customs: Customs;
  readonly #names = new EventNames();
  readonly #tuples = new MessageTuples();
  /** The messages that pieces belong to, by what the pieces have in common. */
  readonly #grown = new WeakMap<object, MessageDraft>();
  readonly #graph: GraphEvents;
  /** Of mode "messages": the namespace that each message comes from. */
  readonly #messagePaths = new Map<string, string>();
  #said: ReadonlySet<MessageDraft | undefined> = new Set();
  #at: number | undefined;

  constructor(parts: ThreadParts, facts: RunFacts) {
    this.#parts = parts;
    this.section = parts.ledger.open(facts.runId);
    this.header = new RunDraft(facts);
    parts.ledger.addHead(this.section, this.header);
    this.outcome = new Outcome(parts, this.section, this.header);
    this.steps = new Steps(parts.ledger, this.section, this.header);
    this.lanes = new Lanes(parts, this.section, facts.runId, this.steps);
    this.customs = new Customs(parts.ledger, this.section, facts.runId);
    this.#graph = new GraphEvents(this, parts);
  }

  get runId(): string {
    return this.header.runId;
  }

  /** Shows what the run was started with. */
  input(input: Json | undefined): void {
    if (input === undefined || input === null) return;
    const values = isObject(input) ? input : { input };
    this.outcome.given(values);
    if (!isObject(input)) return;
    chatMessages(input["messages"]).forEach((message, index) => {
      this.#parts.conversation.input({ ...this.scope(""), head: this.header }, message, index);
    });
  }

  /** Folds events; `at` is when they arrived, in epoch milliseconds. */
  apply(events: readonly SseEvent[], at: number, replayed = false): void {
    const hasSecrets = events.some(({ event }) => event === "feedback");
    let index = this.#parts.raw.add(hasSecrets ? events.map(masked) : events, at);
    this.streamed ||= events.length > 0;
    this.#at = replayed ? undefined : at;
    for (const event of events) this.#apply(event, index++);
  }

  /**
   * The run is over, or its status is known better. To settle a run that is over is to end all that streamed in it:
   * its messages, tool calls and lanes grow no more and say how they ended.
   */
  settle(status: RunStatus, facts: Partial<RunFacts> = {}, at?: number): void {
    // Not every server keeps when a run ended: then it is when its last event came, if that was seen.
    const endedAt = isOver(status) && this.header.startedAt !== undefined ? this.#at : undefined;
    const seen = endedAt !== undefined && { endedAt };
    if (this.header.assign({ ...seen, ...facts, status })) this.#parts.ledger.touch(this.header);
    if (!isOver(status)) return;
    this.#parts.interrupts.ended(this.runId, status);
    const stopped = status !== "success";
    const waiting = this.#parts.interrupts.open().some(({ runId }) => runId === this.runId);
    const asked = this.#parts.interrupts.askedBy(this.runId).length > 0;
    this.#parts.conversation.settle(this.header, stopped && !asked, waiting);
    this.lanes.settle(stopped ? "stopped" : "done", at);
    this.steps.settle(waiting ? "interrupted" : stopped ? "stopped" : "done", at);
  }

  notice(notice: Notice): void {
    this.#parts.notices.add(this.section, this.runId, notice);
  }

  /** Where and when what an event says happens; `path` names the step, if the event does. */
  scope(lane: LaneId, path?: string): Scope {
    const step = path === undefined ? undefined : this.steps.at(path, this.#at);
    const head = step?.lane === lane ? step : this.steps.current(lane);
    return {
      section: this.section,
      run: this.header,
      lane,
      at: this.#at,
      head,
      begunAt: head?.begunHere,
    };
  }

  #apply(event: SseEvent, index: number): void {
    const name = this.#names.of(event.event);
    if (name.mode === "custom") {
      if (name.lane !== "") this.lanes.open(name.lane, this.#at);
      this.customs.add(name.lane, event.data, index, this.steps.current(name.lane));
    } else if (name.mode === "messages") this.#tuple(event, name);
    else this.#structured(event, name);
  }

  #tuple(event: SseEvent, name: EventName): void {
    const tuple = this.#tuples.read(event.event, event.data);
    if (tuple === undefined) {
      this.#unreadable(event, name.mode);
      return;
    }
    const { conversation } = this.#parts;
    const { path, more } = tuple;
    const known = more === undefined ? undefined : this.#grown.get(more.like);
    if (more !== undefined && known !== undefined && conversation.grow(known, more.content)) return;
    const lane = path === undefined ? name.lane : parentLane(path);
    const stream = `${this.runId}#${path ?? lane}`;
    this.say(
      lane,
      (scope) => {
        const draft = conversation.piece(scope, tuple.chunk, stream);
        if (more !== undefined && draft?.serverId !== undefined) this.#grown.set(more.like, draft);
        return draft;
      },
      path,
    );
  }

  /** The row below which stands what comes before the first step of a lane. */
  headOf(lane: LaneId): Draft | undefined {
    return lane === "" ? this.header : this.lanes.get(lane);
  }

  /** What the server keeps of what was said in it; what it does not keep any more may turn out to be a later run's. */
  keepSaid(said: ReadonlySet<MessageDraft | undefined>): void {
    for (const draft of this.#said)
      if (draft?.positionFrom === "history" && draft.runId === this.runId && !said.has(draft))
        this.#parts.conversation.unkept(draft);
    this.#said = said;
  }

  /** Writes a message in a lane, which is opened if it is new. */
  say(lane: LaneId, write: (scope: Scope) => MessageDraft | undefined, path?: string): void {
    if (lane !== "") this.lanes.open(lane, this.#at);
    const draft = write(this.scope(lane, path));
    if (lane !== "" && draft?.serverId !== undefined) this.lanes.wrote(lane, draft.serverId);
  }

  #structured(event: SseEvent, { mode, lane }: EventName): void {
    if (mode === "error") this.#fail(event, lane);
    else if (structuredModes.has(mode)) {
      const data = parseJson(event.data);
      if (data === undefined || !this.#fold(mode, lane, data)) this.#unreadable(event, mode);
    } else if (!silentModes.has(mode)) {
      this.notice({ lane: "", level: "info", text: `Unknown event “${event.event}”`, detail: event.data });
    }
  }

  /** Folds parsed data; false when it has a shape that the mode never has. */
  #fold(mode: string, lane: LaneId, data: Json): boolean {
    if (isList(data)) return mode.startsWith("messages/") && this.#messages(mode, lane, data);
    if (!isObject(data)) return false;
    switch (mode) {
      case "metadata":
        return this.#started(data);
      case "feedback":
        return this.#feedback(data);
      case "messages/metadata":
        return this.#messageMetadata(data);
      default:
        if (lane !== "" && this.#graph.isNews(mode, lane, data)) this.lanes.open(lane, this.#at);
        return this.#graph.apply(mode, lane, data);
    }
  }

  #started(data: JsonObject): boolean {
    const attempt = data["attempt"];
    if (this.header.status === "pending") this.settle("running");
    if (typeof attempt === "number" && attempt > 1) {
      this.notice({ level: "warning", text: `The server started the run again (attempt ${attempt}).` });
    }
    return true;
  }

  #messages(mode: string, eventLane: LaneId, data: readonly Json[]): boolean {
    for (const value of data) {
      const message = chatMessage(value);
      if (message === undefined) return false;
      const path = this.#messagePaths.get(message.id ?? "");
      const lane = path === undefined ? eventLane : parentLane(path);
      const { conversation } = this.#parts;
      const write = mode === "messages/partial" ? "partial" : "whole";
      this.say(lane, (scope) => conversation[write](scope, message), path);
    }
    return true;
  }

  #messageMetadata(data: JsonObject): boolean {
    for (const [id, about] of Object.entries(data)) {
      const metadata = isObject(about) && isObject(about["metadata"]) ? about["metadata"] : {};
      const path = textOf(fieldOf(metadata, "langgraph_checkpoint_ns", "checkpoint_ns"));
      if (path !== undefined) this.#messagePaths.set(id, path);
    }
    return true;
  }

  #feedback(data: JsonObject): boolean {
    const urls = Object.entries(data).filter((pair): pair is [string, string] => typeof pair[1] === "string");
    if (urls.length === 0) return false;
    this.#parts.feedback.add(this.section, this.runId, new Map(urls));
    return true;
  }

  #fail(event: SseEvent, lane: LaneId): void {
    const text = this.outcome.failed(parseJson(event.data) ?? event.data);
    this.lanes.failed(lane, this.#at);
    this.steps.fail(lane, this.#at);
    this.settle("error", { error: text });
  }

  #unreadable(event: SseEvent, mode: string): void {
    this.notice({
      level: "warning",
      text: `The server sent “${mode}” data that can't be read.`,
      detail: event.data,
    });
  }
}

/** A pre-signed address lets anyone send feedback: the raw list keeps the keys only. */
function masked(event: SseEvent): SseEvent {
  if (event.event !== "feedback") return event;
  const data = parseJson(event.data);
  const keys = isObject(data) ? Object.keys(data) : [];
  return { ...event, data: JSON.stringify(Object.fromEntries(keys.map((key) => [key, "•••"]))) };
}

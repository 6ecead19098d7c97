/** Folds the events of one run into the rows of its section. */

import type { SseEvent } from "../../api/sse.ts";
import type { Json, JsonObject, RunStatus } from "../../api/agentServer/wire.ts";
import { chatMessage, chatMessages } from "./chatMessage.ts";
import type { Conversation, MessageDraft } from "./conversation.ts";
import { Customs } from "./customs.ts";
import type { FeedbackKeys } from "./feedbackKeys.ts";
import { GraphEvents } from "./graphEvents.ts";
import type { Interrupts } from "./interrupts.ts";
import { endOfString, fieldOf, isList, isObject, parseJson, textOf } from "../json/json.ts";
import { Lanes, parentLane } from "./lanes.ts";
import type { Ledger, Section } from "./ledger.ts";
import type { Notice, Notices } from "./notices.ts";
import { isOver, RunDraft, type RunFacts, type Scope } from "./runDraft.ts";
import { failureText } from "./runFailure.ts";
import { copyOf, endsWith, remember } from "../raw/sharedText.ts";
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
  readonly conversation: Conversation;
  readonly interrupts: Interrupts;
  readonly notices: Notices;
  readonly feedback: FeedbackKeys;
}

/** One run: its section, its lanes, and what each of its events says. */
export class RunFold {
  readonly header: RunDraft;
  readonly section: Section;
  /** Its failure is shown. */
  failed = false;
  /** At least one of its events was folded. */
  streamed = false;
  readonly #parts: ThreadParts;
  readonly lanes: Lanes;
  readonly #customs: Customs;
  readonly #names = new EventNames();
  readonly #tuples = new MessageTuples();
  readonly #graph: GraphEvents;
  /** Of mode "messages": where each message comes from. */
  readonly #messageLanes = new Map<string, LaneId>();
  #at: number | undefined;

  constructor(parts: ThreadParts, facts: RunFacts) {
    this.#parts = parts;
    this.section = parts.ledger.open(facts.runId);
    this.header = new RunDraft(facts);
    parts.ledger.add(this.section, this.header);
    this.lanes = new Lanes(parts.ledger, this.section, facts.runId);
    this.#customs = new Customs(parts.ledger, this.section, facts.runId);
    this.#graph = new GraphEvents(this, parts);
  }

  get runId(): string {
    return this.header.runId;
  }

  /** Shows the messages that the run was started with. */
  input(input: Json | undefined): void {
    if (!isObject(input)) return;
    chatMessages(input["messages"]).forEach((message, index) => {
      this.#parts.conversation.input(this.scope(""), message, index);
    });
  }

  /** Folds one event; `at` is when it arrived, undefined for a replayed one. */
  apply(event: SseEvent, index: number, at: number | undefined): void {
    this.#at = at;
    this.streamed = true;
    const name = this.#names.of(event.event);
    if (name.mode === "custom") {
      if (name.lane !== "") this.lanes.open(name.lane, at);
      this.#customs.add(name.lane, event.data, index);
    } else if (name.mode === "messages") this.#tuple(event, name);
    else this.#structured(event, name);
  }

  /**
   * The run is over, or its status is known better. To settle a run that is over is to end all that streamed in it:
   * its messages, tool calls and lanes grow no more and say how they ended.
   */
  settle(status: RunStatus, facts: Partial<RunFacts> = {}, at?: number): void {
    if (this.header.assign({ ...facts, status })) this.#parts.ledger.touch(this.header);
    if (!isOver(status)) return;
    const stopped = status !== "success";
    const waiting = this.#parts.interrupts.open().some(({ runId }) => runId === this.runId);
    this.#parts.conversation.settle(this.header, stopped && !waiting, waiting);
    this.lanes.settle(stopped ? "stopped" : "done", at);
  }

  notice(notice: Notice): void {
    this.#parts.notices.add(this.section, this.runId, notice);
  }

  /** Where and when what an event says happens. */
  scope(lane: LaneId): Scope {
    return { section: this.section, run: this.header, lane, at: this.#at };
  }

  #tuple(event: SseEvent, name: EventName): void {
    const tuple = this.#tuples.read(event.event, event.data);
    if (tuple === undefined) {
      this.#unreadable(event, name.mode);
      return;
    }
    const path = textOf(fieldOf(tuple.metadata, "langgraph_checkpoint_ns", "checkpoint_ns"));
    const lane = path === undefined ? name.lane : parentLane(path);
    this.say(lane, (scope) =>
      this.#parts.conversation.piece(scope, tuple.chunk, `${this.runId}#${path ?? lane}`),
    );
  }

  /** Writes a message in a lane, which is opened if it is new. */
  say(lane: LaneId, write: (scope: Scope) => MessageDraft | undefined): void {
    if (lane !== "") this.lanes.open(lane, this.#at);
    const draft = write(this.scope(lane));
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
        if (lane !== "") this.lanes.open(lane, this.#at);
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
      const lane = this.#messageLanes.get(message.id ?? "") ?? eventLane;
      const { conversation } = this.#parts;
      const write = mode === "messages/partial" ? "partial" : "whole";
      this.say(lane, (scope) => conversation[write](scope, message));
    }
    return true;
  }

  #messageMetadata(data: JsonObject): boolean {
    for (const [id, about] of Object.entries(data)) {
      const metadata = isObject(about) && isObject(about["metadata"]) ? about["metadata"] : {};
      const path = textOf(fieldOf(metadata, "langgraph_checkpoint_ns", "checkpoint_ns"));
      if (path !== undefined) this.#messageLanes.set(id, parentLane(path));
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
    const failure = failureText(parseJson(event.data) ?? event.data);
    this.failed = true;
    this.lanes.failed(lane, this.#at);
    this.notice({ level: "error", ...failure });
    this.settle("error", { error: failure.text });
  }

  #unreadable(event: SseEvent, mode: string): void {
    this.notice({
      level: "warning",
      text: `The server sent “${mode}” data that can't be read.`,
      detail: event.data,
    });
  }
}

/** `updates|researcher:<id>` is the mode `updates` in the lane `researcher:<id>`. */
interface EventName {
  readonly mode: string;
  readonly lane: LaneId;
}

/** Splits event names, each only once. */
class EventNames {
  readonly #known = new Map<string, EventName>();
  #lastEvent = "";
  #lastName: EventName = { mode: "", lane: "" };

  of(event: string): EventName {
    // Events of one name come in long rows.
    if (event === this.#lastEvent) return this.#lastName;
    const name = this.#known.get(event) ?? this.#split(copyOf(event));
    this.#lastEvent = event;
    this.#lastName = name;
    return name;
  }

  #split(event: string): EventName {
    const bar = event.indexOf("|");
    const lane = bar < 0 ? "" : event.slice(bar + 1);
    const name = { mode: bar < 0 ? event : event.slice(0, bar), lane };
    this.#known.set(event, name);
    return name;
  }
}

/** The data of mode messages-tuple: a piece of a message, and the metadata of where it comes from. */
interface MessageTuple {
  readonly chunk: JsonObject;
  readonly metadata: JsonObject;
}

interface Tail {
  /** The text of the metadata, from the comma to the closing bracket. */
  readonly text: string;
  readonly metadata: JsonObject;
}

/**
 * Reads tuples. The metadata is most of the text and is the same from token to token,
 * so it is parsed once and recognized by its text afterwards.
 */
class MessageTuples {
  readonly #tails = new Map<string, Tail>();

  /** Undefined when the data is no tuple; `event` tells apart the streams that have different metadata. */
  read(event: string, data: string): MessageTuple | undefined {
    const tail = this.#tails.get(event);
    if (tail !== undefined && endsWith(data, tail.text)) {
      const chunk = parseJson(data.slice(1, data.length - tail.text.length));
      if (isObject(chunk)) return { chunk, metadata: tail.metadata };
    }
    const value: Json | undefined = parseJson(data);
    if (!isList(value)) return undefined;
    const [chunk, metadata] = value;
    if (!isObject(chunk)) return undefined;
    if (!isObject(metadata)) return { chunk, metadata: {} };
    const comma = endOfFirst(data);
    if (comma > 0) remember(this.#tails, event, { text: copyOf(data.slice(comma)), metadata });
    return { chunk, metadata };
  }
}

/** The index of the comma behind an array's first element, which is an object; 0 when there is none. */
function endOfFirst(data: string): number {
  let depth = 0;
  for (let at = 0; at < data.length; at += 1) {
    const character = data[at];
    if (character === '"') at = endOfString(data, at);
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    else if (character === "," && depth === 1) return data[0] === "[" ? at : 0;
  }
  return 0;
}

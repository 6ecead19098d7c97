/** Folds the events of one run into the rows of its section. */

import type { SseEvent } from "../../api/sse.ts";
import type { Json, JsonObject, RunStatus } from "../../api/agentServer/wire.ts";
import { chatMessage, chatMessages } from "./chatMessage.ts";
import type { Conversation } from "./conversation.ts";
import { Customs } from "./customs.ts";
import { parentLane } from "../raw/eventName.ts";
import type { EventName, EventNames } from "../raw/eventName.ts";
import { interruptOf } from "./interrupts.ts";
import type { Interrupts } from "./interrupts.ts";
import { fieldOf, isList, isObject, parseJson, textOf } from "../json/json.ts";
import { Lanes } from "./lanes.ts";
import type { Ledger, Section } from "./ledger.ts";
import { MessageTuples } from "./messageTuple.ts";
import type { MessageDraft } from "./messageDraft.ts";
import type { Notice, Notices } from "./notices.ts";
import { isOver, RunDraft } from "./runDraft.ts";
import type { RunFacts } from "./runDraft.ts";
import { failureText } from "./runFailure.ts";
import type { Scope } from "./scope.ts";
import { TaskEvents } from "./taskEvents.ts";
import type { LaneId } from "../panel/transcript.ts";

/** What all runs of a thread share. */
export interface ThreadParts {
  readonly ledger: Ledger;
  readonly names: EventNames;
  readonly conversation: Conversation;
  readonly interrupts: Interrupts;
  readonly notices: Notices;
  /** Takes the pre-signed addresses of a run's feedback keys. */
  readonly feedback: (section: Section, runId: string, urls: ReadonlyMap<string, string>) => void;
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
  readonly #lanes: Lanes;
  readonly #customs: Customs;
  readonly #tuples = new MessageTuples();
  readonly #tasks: TaskEvents;
  /** Of mode "messages": where each message comes from. */
  readonly #messageLanes = new Map<string, LaneId>();
  #at: number | undefined;

  constructor(parts: ThreadParts, facts: RunFacts) {
    this.#parts = parts;
    this.section = parts.ledger.open(facts.runId);
    this.header = new RunDraft(facts);
    parts.ledger.add(this.section, this.header);
    this.#lanes = new Lanes(parts.ledger, this.section, facts.runId);
    this.#customs = new Customs(parts.ledger, this.section, facts.runId);
    this.#tasks = new TaskEvents(this.#lanes, (lane) => this.#scope(lane), parts);
  }

  get runId(): string {
    return this.header.runId;
  }

  /** Shows the messages that the run was started with. */
  input(input: Json | undefined): void {
    if (!isObject(input)) return;
    chatMessages(input["messages"]).forEach((message, place) => {
      this.#parts.conversation.input(this.#scope(""), message, place);
    });
  }

  /** Folds one event; `at` is when it arrived, undefined for a replayed one. */
  apply(event: SseEvent, index: number, at: number | undefined): void {
    this.#at = at;
    this.streamed = true;
    const name = this.#parts.names.of(event.event);
    if (name.mode === "custom") {
      if (name.lane !== "") this.#lanes.open(name.lane, at);
      this.#customs.add(name.lane, event.data, index);
    } else if (name.mode === "messages") this.#tuple(event, name);
    else this.#structured(event, name);
  }

  /** The run is over, or its status is known better. */
  settle(status: RunStatus, facts: Partial<RunFacts> = {}, at?: number): void {
    if (this.header.assign({ ...facts, status })) this.#parts.ledger.touch(this.header);
    if (!isOver(status)) return;
    const stopped = status !== "success";
    const waiting = this.#parts.interrupts.open().some(({ runId }) => runId === this.runId);
    this.#parts.conversation.settle(this.header, stopped && !waiting, waiting);
    this.#lanes.settle(stopped ? "stopped" : "done", at);
  }

  notice(notice: Notice): void {
    this.#parts.notices.add(this.section, this.runId, notice);
  }

  #scope(lane: LaneId): Scope {
    return { section: this.section, run: this.header, lane, at: this.#at };
  }

  #tuple(event: SseEvent, name: EventName): void {
    const tuple = this.#tuples.read(event.event, event.data);
    if (tuple === undefined) {
      this.#unreadable(event, name);
      return;
    }
    const path = textOf(fieldOf(tuple.metadata, "langgraph_checkpoint_ns", "checkpoint_ns"));
    const lane = path === undefined ? name.lane : parentLane(path);
    this.#say(lane, (scope) =>
      this.#parts.conversation.piece(scope, tuple.chunk, `${this.runId}#${path ?? lane}`),
    );
  }

  #say(lane: LaneId, write: (scope: Scope) => MessageDraft | undefined): void {
    if (lane !== "") this.#lanes.open(lane, this.#at);
    const draft = write(this.#scope(lane));
    if (lane !== "" && draft?.serverId !== undefined) this.#lanes.wrote(lane, draft.serverId);
  }

  #structured(event: SseEvent, name: EventName): void {
    switch (name.mode) {
      case "checkpoints":
      case "events":
      case "end":
        return;
      case "error":
        this.#fail(event, name.lane);
        return;
      case "metadata":
      case "messages/metadata":
      case "messages/partial":
      case "messages/complete":
      case "updates":
      case "values":
      case "tasks":
      case "debug":
      case "tools":
      case "feedback":
        break;
      default:
        this.notice({ lane: "", level: "info", text: `Unknown event “${event.event}”`, detail: event.data });
        return;
    }
    const data = parseJson(event.data);
    if (data === undefined || !this.#fold(name, data)) this.#unreadable(event, name);
  }

  /** Folds parsed data; false when it has a shape that the mode never has. */
  #fold(name: EventName, data: Json): boolean {
    if (isList(data)) return name.mode.startsWith("messages/") && this.#messages(name, data);
    if (!isObject(data)) return false;
    if (name.mode === "metadata") return this.#started(data);
    if (name.mode === "feedback") return this.#feedback(data);
    if (name.mode === "messages/metadata") return this.#messageMetadata(data);
    if (name.lane !== "") this.#lanes.open(name.lane, this.#at);
    if (name.mode === "updates") return this.#updates(name.lane, data);
    if (name.mode === "values") return this.#values(name.lane, data);
    return this.#tasks.apply(name, data, this.#at);
  }

  #started(data: JsonObject): boolean {
    const attempt = data["attempt"];
    if (this.header.status === "pending") this.settle("running");
    if (typeof attempt === "number" && attempt > 1) {
      this.notice({ level: "warning", text: `The server started the run again (attempt ${attempt}).` });
    }
    return true;
  }

  #messages(name: EventName, data: readonly Json[]): boolean {
    for (const value of data) {
      const message = chatMessage(value);
      if (message === undefined) return false;
      const lane = this.#messageLanes.get(message.id ?? "") ?? name.lane;
      const { conversation } = this.#parts;
      const write = name.mode === "messages/partial" ? "partial" : "whole";
      this.#say(lane, (scope) => conversation[write](scope, message));
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

  #updates(lane: LaneId, data: JsonObject): boolean {
    const metadata = data["__metadata__"];
    const cached = isObject(metadata) && metadata["cached"] === true;
    for (const [node, delta] of Object.entries(data)) {
      if (node === "__metadata__" || delta === undefined) continue;
      if (node === "__interrupt__") this.#interrupted(lane, delta);
      else for (const one of isList(delta) ? delta : [delta]) this.#update(lane, node, one, cached);
    }
    return true;
  }

  #update(lane: LaneId, node: string, delta: Json, cached: boolean): void {
    const messages = isObject(delta) ? chatMessages(delta["messages"]) : [];
    for (const message of messages)
      this.#say(lane, (scope) => this.#parts.conversation.whole(scope, message));
    this.#lanes.nodeEnded(
      lane,
      node,
      messages.flatMap(({ id }) => (id === undefined ? [] : [id])),
      this.#at,
    );
    if (messages.length === 0 && !cached) this.#state(lane, node, delta);
  }

  #values(lane: LaneId, data: JsonObject): boolean {
    if (data["__interrupt__"] !== undefined) this.#interrupted(lane, data["__interrupt__"]);
    const used = new Set<MessageDraft>();
    const messages = chatMessages(data["messages"]);
    for (const message of messages) {
      this.#say(lane, (scope) => this.#parts.conversation.whole(scope, message, used));
    }
    if (messages.length === 0) this.#state(lane, "State", data);
    return true;
  }

  /** State that is no conversation is shown as what it is. */
  #state(lane: LaneId, title: string, state: Json): void {
    if (!isObject(state)) return;
    const keys = Object.keys(state).filter((key) => key !== "__interrupt__" && key !== "messages");
    if (keys.length === 0) return;
    this.notice({ lane, level: "info", text: `${title}: ${keys.join(", ")}`, detail: JSON.stringify(state) });
  }

  #interrupted(lane: LaneId, value: Json): void {
    const interrupts = isList(value) ? value.map(interruptOf).filter((one) => one !== undefined) : [];
    for (const interrupt of interrupts) {
      this.#parts.interrupts.add(this.section, this.runId, lane, interrupt);
      this.#lanes.interrupted(lane, this.#at);
    }
    if (isList(value) && value.length === 0 && lane === "") {
      this.notice({
        level: "info",
        text: "The run stopped at a breakpoint. Start a run with the JSON input null to go on.",
      });
    }
  }

  #feedback(data: JsonObject): boolean {
    const urls = Object.entries(data).filter((pair): pair is [string, string] => typeof pair[1] === "string");
    if (urls.length === 0) return false;
    this.#parts.feedback(this.section, this.runId, new Map(urls));
    return true;
  }

  #fail(event: SseEvent, lane: LaneId): void {
    const failure = failureText(parseJson(event.data) ?? event.data);
    this.failed = true;
    this.#lanes.failed(lane, this.#at);
    this.notice({
      level: "error",
      text: failure.text,
      ...(failure.detail !== undefined && { detail: failure.detail }),
    });
    this.settle("error", { error: failure.text });
  }

  #unreadable(event: SseEvent, name: EventName): void {
    this.notice({
      level: "warning",
      text: `The server sent “${name.mode}” data that can't be read.`,
      detail: event.data,
    });
  }
}

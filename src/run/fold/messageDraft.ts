/** A message while it is being written. */

import type { Json } from "../../api/agentServer/wire.ts";
import { addUsage } from "./chatMessage.ts";
import { extendContent } from "./content.ts";
import type { Content } from "./content.ts";
import type { Draft } from "./ledger.ts";
import type { LaneId, MessageEntry, Usage } from "../panel/transcript.ts";

type MessageFields = Pick<MessageDraft, "name" | "streaming" | "partial" | "usage" | "lane">;

/** Grows by pieces, or is replaced as a whole. */
export class MessageDraft implements Draft {
  readonly id: string;
  readonly role: string;
  runId: string | undefined;
  /** The server's id, once it is known. */
  serverId: string | undefined;
  lane: LaneId;
  name: string | undefined;
  streaming = false;
  partial = false;
  /** The whole message arrived: pieces of it that still come say nothing new. */
  whole = false;
  /** The stream brought all of it; the thread's state alone does not tell whether it was cut short. */
  finished = false;
  /** A node's update reported it, so that a second one with the same words is another message. */
  confirmed = false;
  /** Its place came from the thread's state; the stream knows better. */
  provisional = false;
  usage: Usage | undefined;
  /** The text up to the last hand-out: joining it with each piece would copy a long message with each patch. */
  #before = "";
  /** The text since then. */
  #content: Content = { text: "", last: "none" };
  /** What was handed out still holds, so that the text since then is all there is to tell. */
  #grows = false;

  constructor(id: string, role: string, lane: LaneId, runId: string | undefined) {
    this.id = id;
    this.role = role;
    this.lane = lane;
    this.runId = runId;
  }

  get text(): string {
    return this.#before + this.#content.text;
  }

  extend(piece: Json | undefined): void {
    this.#content = extendContent(this.#content, piece);
  }

  /** Sets the whole content; false when that changed nothing. */
  replace(content: Json | undefined): boolean {
    const next = extendContent({ text: "", last: "none" }, content);
    if (next.text === this.text) return false;
    this.#before = "";
    this.#content = next;
    this.#grows = false;
    return true;
  }

  addUsage(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
    this.#grows = false;
  }

  /** Sets fields other than the text; false when that changed nothing. */
  assign(fields: Partial<MessageFields>): boolean {
    const next = { ...this.#state(), ...fields };
    if (JSON.stringify(next) === JSON.stringify(this.#state())) return false;
    Object.assign(this, fields);
    this.#grows = false;
    return true;
  }

  /** The stream told where a message belongs that was known from the thread's state. */
  moveTo(lane: LaneId, runId: string | undefined): void {
    this.provisional = false;
    this.lane = lane;
    this.runId = runId;
    this.#grows = false;
  }

  growth(): string | undefined {
    return this.#grows ? this.#content.text : undefined;
  }

  handedOut(): void {
    this.#before += this.#content.text;
    this.#content = { text: "", last: this.#content.last };
    this.#grows = true;
  }

  build(): MessageEntry {
    return {
      kind: "message",
      id: this.id,
      lane: this.lane,
      role: this.role,
      text: this.text,
      streaming: this.streaming,
      ...(this.runId !== undefined && { runId: this.runId }),
      ...(this.name !== undefined && { name: this.name }),
      ...(this.partial && { partial: true }),
      ...(this.usage !== undefined && { usage: this.usage }),
    };
  }

  #state(): MessageFields {
    const { name, streaming, partial, usage, lane } = this;
    return { name, streaming, partial, usage, lane };
  }
}

/** One message of a transcript, while it still changes, and what messages hold as text: a string, or blocks of many kinds. */

import type { Json, JsonObject } from "../../../api/agentServer/wire.ts";
import { fieldOf, isList, isObject, textOf } from "../../json/json.ts";
import { addUsage, type MovableRow } from "./runDraft.ts";
import { type Picture, pictureIn, samePictures, withoutPictures } from "../../json/pictures.ts";
import type { LaneId, MessageEntry, ToolEntry, Usage } from "../../panel/transcript.ts";

/** Which kind of block the text ends in, so that pieces that belong together stay together. */
export type BlockKind = "none" | "text" | "reasoning" | "other";

/** Text so far, and which kind of block it ends in. */
export interface Content {
  readonly text: string;
  readonly last: BlockKind;
  readonly pictures: readonly Picture[];
}

const empty: Content = { text: "", last: "none", pictures: [] };

const longestBlock = 4000;

/** The text of a whole content. */
export function contentText(content: Json | undefined): string {
  return contentOf(content).text;
}

/** A whole content. */
function contentOf(content: Json | undefined): Content {
  return extendContent(empty, content);
}

/** The content with another piece of it appended, as streams deliver it. */
export function extendContent(before: Content, piece: Json | undefined): Content {
  if (piece === undefined || piece === null || piece === "") return before;
  if (typeof piece === "string") return join(before, "text", piece);
  if (!isList(piece)) return join(before, "other", fenced(piece));
  let content = before;
  for (const block of piece) content = extendBlock(content, block);
  return content;
}

type MessageFields = Pick<MessageDraft, "name" | "streaming" | "partial" | "usage" | "model">;

/** Grows by pieces, or is replaced as a whole. */
export class MessageDraft implements MovableRow {
  readonly id: string;
  readonly role: string;
  runId: string | undefined;
  /** The server's id, once it is known. */
  serverId: string | undefined;
  /** An event of its own run told of it. */
  streamed = false;
  lane: LaneId;
  name: string | undefined;
  streaming = false;
  partial = false;
  /** The whole message arrived: pieces of it that still come say nothing new. */
  whole = false;
  /** The stream brought all of it; the thread's state alone does not say whether it was cut short. */
  finished = false;
  /** A node's update reported it, so that a second one with the same words is another message. */
  confirmed = false;
  positionFrom: MovableRow["positionFrom"] = "stream";
  usage: Usage | undefined;
  model: string | undefined;
  firstTokenMs: number | undefined;
  /** The text up to the last hand-out: joining it with each piece would copy a long message with each patch. */
  #before = "";
  /** The text since then. */
  #content = empty;
  /** Only text was appended since the last hand-out. */
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

  /** Has no text yet. */
  get isEmpty(): boolean {
    return this.#before === "" && this.#content.text === "" && this.#content.pictures.length === 0;
  }

  extend(piece: Json | undefined): void {
    const { pictures } = this.#content;
    this.#content = extendContent(this.#content, piece);
    if (this.#content.pictures !== pictures) this.#grows = false;
  }

  /** Sets the whole content; false when that changed nothing. */
  replace(content: Json | undefined): boolean {
    const next = contentOf(content);
    if (next.text === this.text && samePictures(next.pictures, this.#content.pictures)) return false;
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
    const { name, streaming, partial, usage, model } = this;
    const before = { name, streaming, partial, usage, model };
    if (JSON.stringify({ ...before, ...fields }) === JSON.stringify(before)) return false;
    Object.assign(this, fields);
    this.#grows = false;
    return true;
  }

  moveTo(lane: LaneId, runId: string | undefined): void {
    this.lane = lane;
    this.runId = runId;
    this.#grows = false;
  }

  growth(): string | undefined {
    return this.#grows ? this.#content.text : undefined;
  }

  handedOut(): void {
    this.#before += this.#content.text;
    this.#content = { ...this.#content, text: "" };
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
      ...(this.model !== undefined && { model: this.model }),
      ...(this.firstTokenMs !== undefined && { firstTokenMs: this.firstTokenMs }),
      ...(this.#content.pictures.length > 0 && { pictures: this.#content.pictures }),
    };
  }
}

function extendBlock(before: Content, block: Json): Content {
  if (!isObject(block)) return extendContent(before, block);
  switch (block["type"]) {
    case "text":
    case "output_text":
    case "text_delta":
      return extendContent(before, block["text"]);
    case "reasoning":
    case "thinking": {
      const text = reasoningText(block);
      return text === undefined ? before : join(before, "reasoning", text);
    }
    case "tool_use":
    case "tool_call":
    case "tool_call_chunk":
    case "function_call":
    case "input_json_delta":
      return before;
    default: {
      const reading = pictureIn(block);
      if (reading === undefined) return join(before, "other", fenced(block));
      if ("refused" in reading) return join(before, "other", reading.refused);
      return { ...before, last: "other", pictures: [...before.pictures, reading.picture] };
    }
  }
}

function join(before: Content, kind: BlockKind, text: string): Content {
  const opening = kind === "reasoning" ? `*Reasoning:* ${text}` : text;
  if (before.last === "none") return { ...before, text: opening, last: kind };
  if (before.last === kind && kind !== "other") return { ...before, text: before.text + text };
  const gap = before.text === "" ? "" : "\n\n";
  return { ...before, text: `${before.text}${gap}${opening}`, last: kind };
}

function reasoningText(block: JsonObject): string | undefined {
  const text = textOf(fieldOf(block, "reasoning", "thinking", "text"));
  if (text !== undefined) return text;
  const summary = block["summary"];
  if (!isList(summary)) return undefined;
  const parts = summary.map((part) => (isObject(part) ? (textOf(part["text"]) ?? "") : ""));
  return textOf(parts.join("\n\n"));
}

function fenced(value: Json): string {
  const text = JSON.stringify(value, null, 2);
  const cut = text.length <= longestBlock ? text : `${text.slice(0, longestBlock)}…`;
  return `\`\`\`json\n${cut}\n\`\`\``;
}

const longestArtifact = 200_000;

export type ToolAnswer = Pick<ToolEntry, "artifact" | "pictures"> & { readonly result: string };

/** What a tool answered, its pictures and what it hands to programs. */
export function toolAnswer({
  content,
  artifact,
}: {
  readonly content: Json | undefined;
  readonly artifact?: Json | undefined;
}): ToolAnswer {
  const { text, pictures: said } = contentOf(content);
  const { rest, pictures: more } = withoutPictures(artifact ?? null);
  const pictures = [...said, ...more.filter(({ data }) => said.every((picture) => picture.data !== data))];
  const shown = JSON.stringify(rest);
  return {
    result: text,
    ...(artifact !== undefined && {
      artifact: shown.length > longestArtifact ? `${shown.slice(0, longestArtifact)}…` : shown,
    }),
    ...(pictures.length > 0 && { pictures }),
  };
}

/**
 * Events as they come token by token: their names, and the data of mode messages-tuple. Nearly all of both is the same
 * from one token to the next, and is read once.
 */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { endOfString, fieldOf, isList, isObject, parseJson, textOf } from "../json/json.ts";
import { copyOf, endsWith, remember } from "./sharedText.ts";

/** `updates|researcher:<id>` is the mode `updates` in the lane `researcher:<id>`. */
export interface EventName {
  readonly mode: string;
  readonly lane: string;
}

/** Splits event names, each only once. */
export class EventNames {
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

/** A piece of a message, and where it comes from. */
export interface MessageTuple {
  readonly chunk: JsonObject;
  /** The namespace of what wrote it, if the metadata says so. */
  readonly path: string | undefined;
  /** When only its content differs from that of pieces before, and is all that it brings. */
  readonly more?: More | undefined;
}

/** What a piece brings that is like others. */
export interface More {
  readonly content: string;
  /** The same one for all pieces that are like each other. */
  readonly like: object;
}

interface Known {
  /** The text of the metadata, from the comma to the closing bracket. */
  readonly tail: string;
  readonly path: string | undefined;
  /** The last piece whose content was a text. */
  form?: Form;
}

/** A piece but for its content, with the text before and after that. */
interface Form {
  /** Up to the content's opening quote, which is part of it. */
  readonly start: string;
  /** From the content's closing quote on. */
  readonly end: string;
  readonly chunk: JsonObject;
  /** Nothing else in it says anything new. */
  readonly plain: boolean;
}

/**
 * Reads tuples. The metadata is most of the text and is the same from token to token, so it is parsed once and
 * recognized by its text afterwards; so is the piece, of which only the content is new.
 */
export class MessageTuples {
  readonly #known = new Map<string, Known>();

  /** Undefined when the data is no tuple; `event` tells apart the streams that have different metadata. */
  read(event: string, data: string): MessageTuple | undefined {
    const known = this.#known.get(event);
    if (known === undefined) return this.#parse(event, data);
    const { tail, path, form } = known;
    const content = form === undefined ? undefined : contentIn(data, form);
    if (form !== undefined && content !== undefined) return new LikeTuple(form, content, path);
    if (!endsWith(data, tail)) return this.#parse(event, data);
    const chunk = parseJson(data.slice(1, data.length - tail.length));
    if (!isObject(chunk)) return this.#parse(event, data);
    const next = formOf(data, chunk, tail);
    if (next !== undefined) known.form = next;
    return { chunk, path };
  }

  #parse(event: string, data: string): MessageTuple | undefined {
    const value = parseJson(data);
    if (!isList(value)) return undefined;
    const [chunk, metadata] = value;
    if (!isObject(chunk)) return undefined;
    if (!isObject(metadata)) return { chunk, path: undefined };
    const path = textOf(fieldOf(metadata, "langgraph_checkpoint_ns", "checkpoint_ns"));
    const comma = endOfFirst(data);
    if (comma > 0) remember(this.#known, event, { tail: copyOf(data.slice(comma)), path });
    return { chunk, path };
  }
}

/** A piece that is assembled only when it is read as a whole. */
class LikeTuple implements MessageTuple {
  readonly path: string | undefined;
  readonly #form: Form;
  readonly #content: string;

  constructor(form: Form, content: string, path: string | undefined) {
    this.#form = form;
    this.#content = content;
    this.path = path;
  }

  get chunk(): JsonObject {
    return { ...this.#form.chunk, content: this.#content };
  }

  get more(): More | undefined {
    return this.#form.plain ? { content: this.#content, like: this.#form } : undefined;
  }
}

/** A shorter piece of a string is a string of its own by itself. */
const shortestShared = 13;

/** The content of a piece that is like the known one in all else; undefined when it is not. */
function contentIn(data: string, { start, end }: Form): string | undefined {
  const [from, to] = [start.length, data.length - end.length];
  if (to < from || data.slice(0, from) !== start || data.slice(to) !== end) return undefined;
  if (data.indexOf('"', from) === to) {
    const text = data.slice(from, to);
    if (!text.includes("\\")) return text.length < shortestShared ? text : copyOf(text);
  }
  const content = parseJson(data.slice(from - 1, to + 1));
  return typeof content === "string" ? content : undefined;
}

const contentName = '"content":"';

/** How pieces like this one begin and end; undefined when its content is no text. */
function formOf(data: string, chunk: JsonObject, tail: string): Form | undefined {
  if (typeof chunk["content"] !== "string" || chunk["content"] === "") return undefined;
  const from = data.indexOf(contentName) + contentName.length;
  const to = endOfString(data, from - 1);
  const [start, end] = [data.slice(0, from), data.slice(to)];
  // A field of that name may also stand deeper, or in a text.
  const tried = parseJson(`${start.slice(1)}?${end.slice(0, -tail.length)}`);
  if (!isObject(tried) || tried["content"] !== "?") return undefined;
  const { tool_calls: calls, tool_call_chunks: pieces, usage_metadata: usage } = chunk;
  const plain = isNothing(calls) && isNothing(pieces) && isNothing(usage);
  return { start: copyOf(start), end: copyOf(end), chunk, plain };
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || (isList(value) && value.length === 0);
}

/** The index of the comma after an array's first element, which is an object; 0 when there is none. */
function endOfFirst(data: string): number {
  let depth = 0;
  for (let at = 0; at < data.length; at += 1) {
    const character = data[at];
    if (character === '"') at = endOfString(data, at);
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    else if (character === "," && depth === 1) return at;
  }
  return 0;
}

/** The data of mode messages-tuple: a piece of a message, and the metadata of where it comes from. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { endOfString, isList, isObject, parseJson } from "../json/json.ts";
import { copyOf, endsWith, remember } from "../raw/sharedText.ts";

/** One event of the mode. */
export interface MessageTuple {
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
export class MessageTuples {
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

/** The place of the comma behind an array's first element, which is an object; 0 when there is none. */
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

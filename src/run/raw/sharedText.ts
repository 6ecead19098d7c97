/** What many events have in common: kept once, and read once. */

import type { SseEvent } from "../../api/exchange.ts";

/**
 * Event names repeat, and events of one name often end alike: with each token comes the same metadata,
 * five times its size.
 */
export class SharedText {
  readonly #names = new Map<string, string>();
  readonly #ends = new Map<string, { readonly text: string; readonly previous: string }>();
  #lastName = "";

  name({ event }: SseEvent): string {
    if (event === this.#lastName) return this.#lastName;
    let name = this.#names.get(event);
    if (name === undefined) {
      name = copyOf(event);
      this.#names.set(name, name);
    }
    this.#lastName = name;
    return name;
  }

  /** The end that an event's data shares with the ones before it; "" when there is none worth sharing. */
  end({ event, data }: SseEvent): string {
    if (data.length < shortestEnd || data.length > longestData) return "";
    const known = this.#ends.get(event);
    if (known !== undefined && known.text !== "" && endsWith(data, known.text)) return known.text;
    const length = known === undefined ? 0 : commonEnd(known.previous, data);
    const text = length < shortestEnd ? "" : copyOf(data.slice(-length));
    remember(this.#ends, event, { text, previous: copyOf(data) });
    return text;
  }
}

const shortestEnd = 200;
const longestData = 10_000;
/** Each task of a graph names its events in its own way, and a graph may have thousands of tasks. */
const mostNames = 200;

/** Keeps a value for an event name; the names that were noted first are forgotten when there are too many. */
export function remember<T>(values: Map<string, T>, event: string, value: T): void {
  values.delete(event);
  values.set(copyOf(event), value);
  for (const oldest of values.keys()) {
    if (values.size <= mostNames) break;
    values.delete(oldest);
  }
}

/** Comparing slices is many times faster than `endsWith`, which looks at one character after the other. */
export function endsWith(text: string, end: string): boolean {
  return text.length >= end.length && text.slice(text.length - end.length) === end;
}

/** A copy that can be kept: a piece of a string holds on to the whole chunk of the stream it was cut from. */
export function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

function commonEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length))
    length += 1;
  return length;
}

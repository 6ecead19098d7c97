/** Many events in few objects: a run of 100,000 events must be light to keep, and is seldom read. */

import type { SseEvent } from "../api/sse.ts";
import type { RawEvent } from "./messages.ts";
import type { SharedText } from "./sharedText.ts";

export class EventPack {
  /** Index of the first event in the raw list. */
  readonly first: number;
  /** Index behind the last event. */
  readonly end: number;
  /** Characters that are kept. */
  readonly size: number;
  /** The events' data without their tails. */
  readonly #heads: string;
  /** Where each event's head ends. */
  readonly #ends: Uint32Array;
  readonly #names: string[] = [];
  /** Each event's place in `names`. */
  readonly #named: Uint16Array;
  readonly #tails: string[] = [""];
  /** Each event's place in `tails`. */
  readonly #tailed: Uint16Array;
  /** The events' ids, one per line; undefined when no event has one. */
  readonly #ids: string | undefined;
  readonly #times: Float64Array;

  constructor(first: number, events: readonly SseEvent[], times: readonly number[], shared: SharedText) {
    this.first = first;
    this.end = first + events.length;
    this.#ends = new Uint32Array(events.length);
    this.#named = new Uint16Array(events.length);
    this.#tailed = new Uint16Array(events.length);
    this.#times = Float64Array.from(times);
    const heads: string[] = [];
    let [length, name, tail, hasIds] = [0, 0, 0, false];
    for (const [place, event] of events.entries()) {
      const called = shared.name(event);
      if (this.#names[name] !== called) name = placeOf(called, this.#names);
      this.#named[place] = name;
      const end = shared.end(event);
      if (this.#tails[tail] !== end) tail = placeOf(end, this.#tails);
      this.#tailed[place] = tail;
      const head = end === "" ? event.data : event.data.slice(0, -end.length);
      heads.push(head);
      this.#ends[place] = length += head.length;
      hasIds ||= event.id !== undefined;
    }
    // Joined text is a copy: it holds on to none of the chunks that the pieces were cut from.
    this.#heads = heads.join("");
    this.#ids = hasIds ? events.map(({ id }) => id ?? "").join("\n") : undefined;
    this.size = length;
  }

  /** The event of an index that this pack has. */
  event(index: number): RawEvent {
    const place = index - this.first;
    const id = this.#ids?.split("\n")[place];
    const head = this.#heads.slice(place === 0 ? 0 : this.#ends[place - 1], this.#ends[place]);
    return {
      index,
      event: this.#names[this.#named[place] ?? 0] ?? "",
      data: head + (this.#tails[this.#tailed[place] ?? 0] ?? ""),
      at: this.#times[place] ?? 0,
      ...(id !== undefined && id !== "" && { id }),
    };
  }

  /** The events whose name or data contains the text, whatever its case, from an index on. */
  *matching(text: string, from: number): Iterable<RawEvent> {
    const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
    // A match may reach from a head into its tail: only a pack of heads can be ruled out as a whole.
    const without = this.#tails.length === 1 && !pattern.test(this.#heads);
    if (without && !this.#names.some((name) => pattern.test(name))) return;
    for (let index = Math.max(from, this.first); index < this.end; index += 1) {
      const event = this.event(index);
      if (pattern.test(event.event) || pattern.test(event.data)) yield event;
    }
  }
}

function placeOf(text: string, texts: string[]): number {
  const known = texts.indexOf(text);
  return known < 0 ? texts.push(text) - 1 : known;
}

/** Many events in few objects: a run of 100,000 events must be light to keep, and is seldom read. */

import type { SseEvent } from "../api/sse.ts";
import type { RawEvent } from "./messages.ts";

export class EventPack {
  /** Index of the first event in the raw list. */
  readonly first: number;
  /** Index behind the last event. */
  readonly end: number;
  /** Characters of data. */
  readonly size: number;
  private readonly data: string;
  /** Where each event's data ends. */
  private readonly ends: Uint32Array;
  private readonly names: string[] = [];
  /** Each event's place in `names`. */
  private readonly named: Uint16Array;
  /** The events' ids, one per line; undefined when no event has one. */
  private readonly ids: string | undefined;
  private readonly times: Float64Array;

  constructor(first: number, events: readonly SseEvent[], times: readonly number[]) {
    this.first = first;
    this.end = first + events.length;
    this.ends = new Uint32Array(events.length);
    this.named = new Uint16Array(events.length);
    this.times = Float64Array.from(times);
    const parts: string[] = [];
    let [size, last, hasIds] = [0, 0, false];
    for (let place = 0; place < events.length; place += 1) {
      const event = events[place];
      if (event === undefined) break;
      parts.push(event.data);
      this.ends[place] = size += event.data.length;
      if (this.names[last] !== event.event) last = this.nameOf(event.event);
      this.named[place] = last;
      hasIds ||= event.id !== undefined;
    }
    this.size = size;
    // Joined text is a copy: it holds on to none of the chunks that the pieces were cut from.
    this.data = parts.join("");
    this.ids = hasIds ? events.map(({ id }) => id ?? "").join("\n") : undefined;
  }

  /** The event of an index that this pack has. */
  event(index: number): RawEvent {
    const place = index - this.first;
    const id = this.ids?.split("\n")[place];
    return {
      index,
      event: this.names[this.named[place] ?? 0] ?? "",
      data: this.data.slice(place === 0 ? 0 : this.ends[place - 1], this.ends[place]),
      at: this.times[place] ?? 0,
      ...(id !== undefined && id !== "" && { id }),
    };
  }

  /** False when no event of the pack contains the pattern. */
  mayContain(pattern: RegExp): boolean {
    return pattern.test(this.data) || this.names.some((name) => pattern.test(name));
  }

  private nameOf(name: string): number {
    const known = this.names.indexOf(name);
    return known < 0 ? this.names.push(name) - 1 : known;
  }
}

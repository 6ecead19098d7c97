/** The events as they were received, bounded, for the raw list. */

import type { SseEvent } from "../api/sse.ts";
import type { RawEvent } from "./messages.ts";
import { EventPack } from "./eventPack.ts";
import { redact } from "./redact.ts";
import { SharedText } from "./sharedText.ts";

export interface RawBounds {
  readonly events: number;
  /** Characters of data. */
  readonly size: number;
}

export interface RawPage {
  readonly total: number;
  readonly events: readonly RawEvent[];
  /** Older events that are kept no more. */
  readonly dropped: number;
}

interface Search {
  readonly text: string;
  readonly matches: number[];
  upTo: number;
}

const defaultBounds: RawBounds = { events: 250_000, size: 64 * 1024 * 1024 };
const packed = 512;

/** Keeps events in packs, and drops the oldest packs first. */
export class RawEvents {
  readonly #bounds: RawBounds;
  readonly #shared = new SharedText();
  #packs: EventPack[] = [];
  #loose: SseEvent[] = [];
  #looseTimes: number[] = [];
  #size = 0;
  #first = 0;
  #next = 0;
  #last: Search = { text: "", matches: [], upTo: 0 };

  constructor(bounds: RawBounds = defaultBounds) {
    this.#bounds = bounds;
  }

  /** How many events came in, dropped ones included. */
  get count(): number {
    return this.#next;
  }

  /** Takes events over as they are; returns the index of the first of them. */
  add(events: readonly SseEvent[], at: number): number {
    const first = this.#next;
    for (const event of events) {
      this.#loose.push(event);
      this.#looseTimes.push(at);
    }
    this.#next += events.length;
    if (this.#loose.length >= packed) {
      this.#pack();
      this.#trim();
    }
    return first;
  }

  /** Those of the kept events that contain the text, in their name or data; all of them for an empty text. */
  search(text: string, offset: number, limit: number): RawPage {
    this.#pack();
    const dropped = this.#first;
    if (text === "") {
      const from = dropped + offset;
      const length = Math.max(0, Math.min(limit, this.#next - from));
      const indexes = Array.from({ length }, (_, place) => from + place);
      return { total: this.#next - dropped, events: this.#read(indexes), dropped };
    }
    const matches = this.#matches(text);
    return { total: matches.length, events: this.#read(matches.slice(offset, offset + limit)), dropped };
  }

  #matches(text: string): readonly number[] {
    if (this.#last.text !== text) this.#last = { text, matches: [], upTo: 0 };
    const { matches } = this.#last;
    for (const pack of this.#packs) {
      if (pack.end <= this.#last.upTo) continue;
      for (const event of pack.matching(text, this.#last.upTo))
        if (isShown(event, text)) matches.push(event.index);
    }
    this.#last.upTo = this.#next;
    return matches.filter((index) => index >= this.#first);
  }

  #read(indexes: readonly number[]): readonly RawEvent[] {
    return indexes.flatMap((index) => {
      const event = this.#packOf(index)?.event(index);
      return event === undefined ? [] : [{ ...event, data: redact(event.data) }];
    });
  }

  #packOf(index: number): EventPack | undefined {
    let [low, high] = [0, this.#packs.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#packs[middle]?.first ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return this.#packs[low];
  }

  #pack(): void {
    if (this.#loose.length === 0) return;
    const pack = new EventPack(this.#next - this.#loose.length, this.#loose, this.#looseTimes, this.#shared);
    this.#packs.push(pack);
    this.#size += pack.size;
    this.#loose = [];
    this.#looseTimes = [];
  }

  /** Goes a tenth below the bounds, so that a full list isn't copied for each new pack. */
  #trim(): void {
    if (this.#next - this.#first <= this.#bounds.events && this.#size <= this.#bounds.size) return;
    let drop = 0;
    for (const pack of this.#packs.slice(0, -1)) {
      const fits =
        this.#next - this.#first <= this.#bounds.events * 0.9 && this.#size <= this.#bounds.size * 0.9;
      if (fits) break;
      drop += 1;
      this.#size -= pack.size;
      this.#first = pack.end;
    }
    this.#packs = this.#packs.slice(drop);
  }
}

/** What is masked can't be found either. */
function isShown({ event, data }: RawEvent, text: string): boolean {
  const shown = redact(data);
  return shown === data || `${event} ${shown}`.toLowerCase().includes(text.toLowerCase());
}

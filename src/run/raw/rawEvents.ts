/** The events as they were received, bounded, for the raw list. */

import type { SseEvent } from "../../api/exchange.ts";
import type { RawEvent } from "../panel/messages.ts";
import { EventPack } from "./eventPack.ts";
import { redact } from "../json/redact.ts";
import { SharedText } from "./sharedText.ts";

/** How much of the events is kept. */
export interface RawBounds {
  readonly events: number;
  /** Characters of data. */
  readonly size: number;
}

/** A part of the kept events, or of those that a search found. */
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

/** Keeps events in packs, and drops the oldest packs first. */
export class RawEvents {
  readonly #bounds: RawBounds;
  readonly #shared = new SharedText();
  /** From the oldest to the one that still takes events. */
  #packs: EventPack[] = [];
  #open = new EventPack(0);
  /** Characters in the full packs. */
  #size = 0;
  #last: Search = { text: "", matches: [], upTo: 0 };

  constructor(bounds: RawBounds = defaultBounds) {
    this.#bounds = bounds;
    this.#packs.push(this.#open);
  }

  /** How many events came in, dropped ones included. */
  get count(): number {
    return this.#open.end;
  }

  /** Takes over what the events say; returns the index of the first of them. */
  add(events: readonly SseEvent[], at: number): number {
    const first = this.count;
    for (let taken = 0; taken < events.length;) {
      taken = this.#open.add(events, taken, at, this.#shared);
      if (this.#open.full) this.#close();
    }
    return first;
  }

  /** Those of the kept events that contain the text, in their name or data; all of them for an empty text. */
  search(text: string, offset: number, limit: number): RawPage {
    const dropped = this.#first;
    if (text === "") {
      const from = dropped + offset;
      const length = Math.max(0, Math.min(limit, this.count - from));
      const indexes = Array.from({ length }, (_, index) => from + index);
      return { total: this.count - dropped, events: this.#read(indexes), dropped };
    }
    const matches = this.#matches(text);
    return { total: matches.length, events: this.#read(matches.slice(offset, offset + limit)), dropped };
  }

  get #first(): number {
    return this.#packs[0]?.first ?? 0;
  }

  #matches(text: string): readonly number[] {
    if (this.#last.text !== text) this.#last = { text, matches: [], upTo: 0 };
    const { matches } = this.#last;
    for (const pack of this.#packs) {
      if (pack.end <= this.#last.upTo) continue;
      for (const event of pack.matching(text, this.#last.upTo))
        if (isShown(event, text)) matches.push(event.index);
    }
    this.#last.upTo = this.count;
    return matches.filter((index) => index >= this.#first);
  }

  /** Reads events whose indexes ascend: those of one pack are decoded together. */
  #read(indexes: readonly number[]): readonly RawEvent[] {
    let at = 0;
    return this.#packs.flatMap((pack) => {
      const from = at;
      while ((indexes[at] ?? Infinity) < pack.end) at += 1;
      if (at === from) return [];
      const events = pack.read(indexes.slice(from, at));
      return Array.from(events, (event) => ({ ...event, data: redact(event.data) }));
    });
  }

  #close(): void {
    this.#size += this.#open.size;
    this.#open = new EventPack(this.count);
    this.#packs.push(this.#open);
    this.#trim();
  }

  /** Goes a tenth below the bounds, so that a full list isn't copied for each new pack. */
  #trim(): void {
    const { events, size } = this.#bounds;
    if (this.count - this.#first <= events && this.#size <= size) return;
    let drop = 0;
    for (const pack of this.#packs.slice(0, -2)) {
      if (this.count - pack.first <= events * 0.9 && this.#size <= size * 0.9) break;
      drop += 1;
      this.#size -= pack.size;
    }
    this.#packs = this.#packs.slice(drop);
  }
}

/** What is masked can't be found either. */
function isShown({ event, data }: RawEvent, text: string): boolean {
  const shown = redact(data);
  return shown === data || `${event} ${shown}`.toLowerCase().includes(text.toLowerCase());
}

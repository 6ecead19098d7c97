/** The events as they were received, bounded, for the raw list. */

import type { SseEvent } from "../api/sse.ts";
import type { RawEvent } from "./messages.ts";
import { redact } from "./redact.ts";

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

interface Batch {
  readonly first: number;
  readonly at: number;
  readonly events: readonly SseEvent[];
  readonly size: number;
}

interface Search {
  readonly text: string;
  readonly matches: number[];
  upTo: number;
}

const defaultBounds: RawBounds = { events: 250_000, size: 64 * 1024 * 1024 };

/** Keeps whole batches and drops the oldest ones first. */
export class RawEvents {
  private batches: Batch[] = [];
  private readonly bounds: RawBounds;
  private size = 0;
  private first = 0;
  private next = 0;
  private last: Search = { text: "", matches: [], upTo: 0 };

  constructor(bounds: RawBounds = defaultBounds) {
    this.bounds = bounds;
  }

  /** How many events came in, dropped ones included. */
  get count(): number {
    return this.next;
  }

  /** How many of the oldest events were dropped. */
  get dropped(): number {
    return this.first;
  }

  /** Takes the events over as they are; returns the index of the first of them. */
  add(events: readonly SseEvent[], at: number): number {
    const first = this.next;
    let size = 0;
    for (const event of events) size += event.data.length;
    this.batches.push({ first, at, events, size });
    this.size += size;
    this.next += events.length;
    this.trim();
    return first;
  }

  /** Replaces one event, for data that must not be kept. */
  replace(index: number, event: SseEvent): void {
    const place = this.batchOf(index);
    const batch = this.batches[place];
    if (batch === undefined) return;
    const events = [...batch.events];
    events[index - batch.first] = event;
    this.batches[place] = { ...batch, events };
  }

  /** Those of the kept events that contain the text, in their name or data; all of them for an empty text. */
  search(text: string, offset: number, limit: number): RawPage {
    const { dropped } = this;
    if (text === "") {
      const from = dropped + offset;
      const indexes = Array.from(
        { length: Math.max(0, Math.min(limit, this.next - from)) },
        (_, n) => from + n,
      );
      return { total: this.next - dropped, events: this.read(indexes), dropped };
    }
    const matches = this.matches(text);
    return { total: matches.length, events: this.read(matches.slice(offset, offset + limit)), dropped };
  }

  private matches(text: string): readonly number[] {
    if (this.last.text !== text) this.last = { text, matches: [], upTo: 0 };
    const { matches } = this.last;
    const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
    for (const batch of this.batches) {
      if (batch.first + batch.events.length <= this.last.upTo) continue;
      batch.events.forEach((event, place) => {
        const index = batch.first + place;
        if (index >= this.last.upTo && found(pattern, event)) matches.push(index);
      });
    }
    this.last.upTo = this.next;
    return matches.filter((index) => index >= this.first);
  }

  private read(indexes: readonly number[]): readonly RawEvent[] {
    return indexes.flatMap((index) => {
      const batch = this.batches[this.batchOf(index)];
      const event = batch?.events[index - batch.first];
      return batch === undefined || event === undefined
        ? []
        : [{ index, ...event, data: redact(event.data), at: batch.at }];
    });
  }

  private batchOf(index: number): number {
    let [low, high] = [0, this.batches.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.batches[middle]?.first ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Goes a tenth below the bounds, so that a full list isn't copied for each new batch. */
  private trim(): void {
    const over = this.next - this.first > this.bounds.events || this.size > this.bounds.size;
    if (!over) return;
    let drop = 0;
    for (const batch of this.batches.slice(0, -1)) {
      const fits = this.next - this.first <= this.bounds.events * 0.9 && this.size <= this.bounds.size * 0.9;
      if (fits) break;
      drop += 1;
      this.size -= batch.size;
      this.first = batch.first + batch.events.length;
    }
    this.batches = this.batches.slice(drop);
  }
}

/** What is masked can't be found either. */
function found(pattern: RegExp, event: SseEvent): boolean {
  if (pattern.test(event.event)) return true;
  return pattern.test(event.data) && pattern.test(redact(event.data));
}

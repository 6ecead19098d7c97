/** Many events in few objects: a run of 100,000 events must be light to keep, and is seldom read. */

import type { SseEvent } from "../../api/exchange.ts";
import type { RawEvent } from "../panel/messages.ts";
import type { SharedText } from "./sharedText.ts";

/** Events that a pack takes at most; a few large ones fill it as well, so that it never outgrows the list's bounds. */
const capacity = 512;
const fullSize = 1024 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Takes events until it is full. What it keeps of a batch lies outside the garbage-collected heap: text that lives
 * as long as the run makes the collector enlarge the space for what lives for milliseconds.
 */
export class EventPack {
  /** Index of the first event in the raw list. */
  readonly first: number;
  /** The events' data without their tails, encoded batch by batch. */
  readonly #heads = new KeptText();
  /** Characters of all heads. */
  #size = 0;
  /** The character where each event's head ends. */
  readonly #ends = new Uint32Array(capacity);
  readonly #names: string[] = [];
  /** Each event's index in `names`. */
  readonly #named = new Uint16Array(capacity);
  readonly #tails: string[] = [""];
  /** Each event's index in `tails`. */
  readonly #tailed = new Uint16Array(capacity);
  /** The events' ids, one per line, encoded batch by batch. */
  readonly #ids = new KeptText();
  readonly #times = new Float64Array(capacity);
  #count = 0;

  constructor(first: number) {
    this.first = first;
  }

  /** Index after the last event. */
  get end(): number {
    return this.first + this.#count;
  }

  /** Characters that are kept. */
  get size(): number {
    return this.#size;
  }

  get full(): boolean {
    return this.#count === capacity || this.#size >= fullSize;
  }

  /** Takes as many events as still fit, from an index on; returns the index of the first that did not. */
  add(events: readonly SseEvent[], from: number, at: number, shared: SharedText): number {
    const to = Math.min(events.length, from + capacity - this.#count);
    const heads: string[] = [];
    const ids: string[] = [];
    let [name, tail] = [0, 0];
    for (let index = from; index < to; index += 1) {
      const event = events[index];
      if (event === undefined) break;
      const called = shared.name(event);
      if (this.#names[name] !== called) name = indexIn(called, this.#names);
      this.#named[this.#count] = name;
      const end = shared.end(event);
      if (this.#tails[tail] !== end) tail = indexIn(end, this.#tails);
      this.#tailed[this.#count] = tail;
      const head = end === "" ? event.data : event.data.slice(0, -end.length);
      heads.push(head);
      ids.push(event.id ?? "");
      this.#size += head.length;
      this.#ends[this.#count] = this.#size;
      this.#times[this.#count] = at;
      this.#count += 1;
    }
    this.#heads.add(heads.join(""));
    this.#ids.add(`${ids.join("\n")}\n`);
    if (this.full) {
      this.#heads.close();
      this.#ids.close();
    }
    return to;
  }

  /** The events of indexes that this pack has. */
  *read(indexes: Iterable<number>): Iterable<RawEvent> {
    const heads = this.#heads.read();
    const ids = this.#ids.read().split("\n");
    for (const index of indexes) {
      const offset = index - this.first;
      const head = heads.slice(offset === 0 ? 0 : this.#ends[offset - 1], this.#ends[offset]);
      const id = ids[offset] ?? "";
      yield {
        index,
        event: this.#names[this.#named[offset] ?? 0] ?? "",
        data: head + (this.#tails[this.#tailed[offset] ?? 0] ?? ""),
        at: this.#times[offset] ?? 0,
        ...(id !== "" && { id }),
      };
    }
  }

  /** The events whose name or data contains the text, whatever its case, from an index on. */
  *matching(text: string, from: number): Iterable<RawEvent> {
    const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
    // A match may reach from a head into its tail: only a pack of heads can be ruled out as a whole.
    const without = this.#tails.length === 1 && !pattern.test(this.#heads.read());
    if (without && !this.#names.some((name) => pattern.test(name))) return;
    const start = Math.max(from, this.first);
    const indexes = Array.from({ length: this.end - start }, (_, offset) => start + offset);
    for (const event of this.read(indexes))
      if (pattern.test(event.event) || pattern.test(event.data)) yield event;
  }
}

function indexIn(text: string, texts: string[]): number {
  const known = texts.indexOf(text);
  return known < 0 ? texts.push(text) - 1 : known;
}

/** Text that grows, outside the garbage-collected heap. */
class KeptText {
  #bytes = new Uint8Array(1024);
  #length = 0;

  add(text: string): void {
    const most = this.#length + 3 * text.length;
    if (most > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(most, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
  }

  /** No more is added: gives back the room for it. */
  close(): void {
    this.#bytes = this.#bytes.slice(0, this.#length);
  }

  read(): string {
    return decoder.decode(this.#bytes.subarray(0, this.#length));
  }
}

/** Events of a thread in the order of their sequence numbers, each once, however they arrive. */

import type { ProtocolEvent } from "../../api/threadProtocol/wire.ts";
import { isObject } from "../json/json.ts";
import { SeenNumbers } from "./seenNumbers.ts";

/** That many events came after a hole: the missing one is not merely late. */
const mostHeld = 64;
/** Of events that have an id and no number. */
const mostIds = 100_000;

/**
 * Where a run's events begin: after a number; "start" in a thread that has none yet, where servers count from 0 or
 * from 1; undefined when nothing is known of those before.
 */
export type OrderBegin = number | "start" | undefined;

/** Holds back what comes too early, drops what came before, and counts what never comes. */
export class ProtocolOrder {
  readonly #after: number;
  readonly #fresh: boolean;
  readonly #numbers = new SeenNumbers();
  readonly #countedIds = new SeenNumbers();
  readonly #ids = new Set<string>();
  /** By their numbers; one without a number stays after the one that it came after. */
  readonly #held: ProtocolEvent[] = [];
  #last: number | undefined;
  #guessed = false;
  #missing = 0;
  #late = 0;

  constructor(begin?: OrderBegin) {
    this.#fresh = begin === "start";
    this.#last = begin === "start" ? undefined : begin;
    this.#after = this.#last ?? -Infinity;
  }

  /** What was collected of a thread's events, each once and in their order. */
  static sorted(events: readonly ProtocolEvent[]): readonly ProtocolEvent[] {
    const order = new ProtocolOrder();
    for (const event of events) if (order.#isNew(event)) order.#hold(event);
    return order.#held;
  }

  /** The highest number that was let through. */
  get last(): number | undefined {
    return this.#last;
  }

  /** Behind which number to ask again; undefined, for everything, while the first event may not have come. */
  get resumeAfter(): number | undefined {
    return this.#guessed ? undefined : this.#last;
  }

  /** Whether events wait for one that was skipped, or that may come before all others. */
  get holding(): boolean {
    return this.#held.length > 0;
  }

  /** Whether so many wait that what they wait for is not merely late. */
  get crowded(): boolean {
    return this.#held.length > mostHeld;
  }

  /** Whether something is known to be missing before those that wait; else only the first event is in doubt. */
  get gapped(): boolean {
    const [first] = this.#held;
    return first !== undefined && (this.#last !== undefined || this.#skipped(first) > 0);
  }

  /** How many events never came in time. */
  get missing(): number {
    return this.#missing;
  }

  /** Whether the events that were let through are not all of them, or not in their order. */
  get disturbed(): boolean {
    return this.#missing > 0 || this.#late > 0;
  }

  /** The events that are next; those after a hole wait until it is filled. None is dropped that was not seen. */
  accept(events: readonly ProtocolEvent[]): readonly ProtocolEvent[] {
    const next: ProtocolEvent[] = [];
    for (const event of events) {
      if (!this.#isNew(event)) continue;
      if (this.#held.length === 0 && this.#follows(event)) next.push(this.#pass(event));
      else {
        this.#hold(event);
        next.push(...this.#following());
      }
    }
    return next;
  }

  /** Takes the lowest of those that wait for the thread's first event: none came before it in good time. */
  settle(): readonly ProtocolEvent[] {
    const first = this.#held.shift();
    if (first === undefined) return [];
    this.#guessed ||= this.#last === undefined;
    return [this.#pass(first), ...this.#following()];
  }

  /** Lets go what waits: what is missing does not come. */
  flush(): readonly ProtocolEvent[] {
    const all: ProtocolEvent[] = [];
    while (this.#held[0] !== undefined) {
      this.#missing += this.#skipped(this.#held[0]);
      all.push(...this.settle());
    }
    return all;
  }

  #hold(event: ProtocolEvent): void {
    const { seq } = event;
    let index = this.#held.length;
    if (seq !== undefined) {
      index = this.#held.findLastIndex((held) => held.seq !== undefined && held.seq < seq) + 1;
      while (index < this.#held.length && this.#held[index]?.seq === undefined) index += 1;
    }
    this.#held.splice(index, 0, event);
  }

  #following(): readonly ProtocolEvent[] {
    const next: ProtocolEvent[] = [];
    while (this.#held[0] !== undefined && this.#follows(this.#held[0])) {
      next.push(this.#pass(this.#held[0]));
      this.#held.shift();
    }
    return next;
  }

  #pass(event: ProtocolEvent): ProtocolEvent {
    const { seq } = event;
    if (seq !== undefined && this.#last !== undefined && seq < this.#last) this.#late += 1;
    else this.#last = seq ?? this.#last;
    return event;
  }

  /** One without a number has no order; one that comes late waits for nothing any more. */
  #follows(event: ProtocolEvent): boolean {
    const { seq } = event;
    if (seq === undefined) return true;
    if (this.#last !== undefined) return seq <= this.#last + 1;
    return seq <= 0 || beginsRun(event);
  }

  /** How many are missing right before an event; in a thread's first events a 0 may or may not be. */
  #skipped({ seq = 0 }: ProtocolEvent): number {
    if (this.#last === undefined && !this.#fresh) return 0;
    return Math.max(0, seq - (this.#last ?? 0) - 1);
  }

  #isNew({ event_id: id, seq }: ProtocolEvent): boolean {
    if (seq !== undefined) return seq > this.#after && this.#numbers.add(seq);
    if (id === undefined) return true;
    if (/^\d{1,15}$/.test(id)) return this.#countedIds.add(Number(id));
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > mostIds && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }
}

/** Nothing of a run comes before the event that says so. */
function beginsRun({ method, params: { namespace, data } }: ProtocolEvent): boolean {
  if (method !== "lifecycle" || namespace.length > 0 || !isObject(data)) return false;
  return data["event"] === "running" || data["event"] === "started";
}

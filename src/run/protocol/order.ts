/** Events of a thread in the order of their sequence numbers, each once, however they arrive. */

import type { ProtocolEvent } from "../../api/threadProtocol/wire.ts";

/** That many events came behind a hole: the missing one is not merely late. */
const mostHeld = 64;

export class ProtocolOrder {
  /** Ids of events that have no number. */
  readonly #seen = new Set<string>();
  #held: ProtocolEvent[] = [];
  #last: number | undefined;
  #missing = 0;

  /** Only events behind `after` are let through. */
  constructor(after?: number) {
    this.#last = after;
  }

  /** The number of the last event that was let through. */
  get last(): number | undefined {
    return this.#last;
  }

  /** Whether events wait for one that was skipped. */
  get holding(): boolean {
    return this.#held.length > 0;
  }

  /** Whether so many wait that the one that was skipped is not merely late. */
  get crowded(): boolean {
    return this.#held.length > mostHeld;
  }

  /** How many events never came. */
  get missing(): number {
    return this.#missing;
  }

  /** The events that are next; those behind a hole wait until it is filled. */
  accept(events: readonly ProtocolEvent[]): readonly ProtocolEvent[] {
    for (const event of events) if (this.#isNew(event)) this.#held.push(event);
    this.#held.sort((a, b) => (a.seq ?? -1) - (b.seq ?? -1));
    const next: ProtocolEvent[] = [];
    while (this.#held[0] !== undefined && this.#follows(this.#held[0])) next.push(...this.#take());
    return next;
  }

  /** Lets go what waits: what is missing does not come. */
  flush(): readonly ProtocolEvent[] {
    const all: ProtocolEvent[] = [];
    while (this.#held[0] !== undefined) {
      if (!this.#follows(this.#held[0])) this.#missing += (this.#held[0].seq ?? 0) - (this.#last ?? 0) - 1;
      all.push(...this.#take());
    }
    return all;
  }

  #take(): readonly ProtocolEvent[] {
    const event = this.#held.shift();
    if (event?.seq !== undefined) this.#last = event.seq;
    return event === undefined ? [] : [event];
  }

  /** The first event begins wherever it does; one without a number has no order. */
  #follows({ seq }: ProtocolEvent): boolean {
    return seq === undefined || this.#last === undefined || seq === this.#last + 1;
  }

  #isNew({ event_id: id, seq }: ProtocolEvent): boolean {
    if (seq !== undefined) {
      const passed = this.#last !== undefined && seq <= this.#last;
      return !passed && !this.#held.some((held) => held.seq === seq);
    }
    if (id === undefined) return true;
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    return true;
  }
}

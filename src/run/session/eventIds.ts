/** The ids of a run's events: where to go on after a cut, and what was seen before. */

import type { SseEvent } from "../../api/sse.ts";

/** Servers count ids up, as "12" or as "1718000000000-3"; other ids are compared with all that were seen. */
export class EventIds {
  readonly #opaque = new Set<string>();
  #newest: string | undefined;
  #skipped = false;

  /** The id to go on from; undefined when no event had one. */
  get last(): string | undefined {
    return this.#newest;
  }

  /** Whether ids were left out: events are missing. */
  get gap(): boolean {
    return this.#skipped;
  }

  /** Notes the ids of events that are known to be new. */
  note(events: readonly SseEvent[]): void {
    for (let place = events.length - 1; place >= 0; place -= 1) {
      const id = events[place]?.id;
      if (id === undefined) continue;
      if (!isCounted(id)) for (const event of events) if (event.id !== undefined) this.#opaque.add(event.id);
      this.#newest = id;
      return;
    }
  }

  /** Those of the events that are new, after a re-join; notes them. */
  fresh(events: readonly SseEvent[]): readonly SseEvent[] {
    const fresh = events.filter(({ id }) => id === undefined || this.#isNew(id));
    const first = fresh[0]?.id;
    if (
      first !== undefined &&
      /^\d+$/.test(first) &&
      this.#newest !== undefined &&
      /^\d+$/.test(this.#newest)
    ) {
      if (Number(first) > Number(this.#newest) + 1) this.#skipped = true;
    }
    this.note(fresh);
    return fresh;
  }

  #isNew(id: string): boolean {
    if (this.#newest === undefined) return true;
    if (!isCounted(id) || !isCounted(this.#newest)) return !this.#opaque.has(id) && id !== this.#newest;
    const [count = 0, more = 0] = parts(id);
    const [lastCount = 0, lastMore = 0] = parts(this.#newest);
    return count > lastCount || (count === lastCount && more > lastMore);
  }
}

function isCounted(id: string): boolean {
  return /^\d{1,15}(-\d{1,15})?$/.test(id);
}

function parts(id: string): readonly number[] {
  return id.split("-").map(Number);
}

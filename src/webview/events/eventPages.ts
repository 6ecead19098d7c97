import type { RawEvent, ToWebview } from "../../run/panel/messages.ts";

type RawPage = Extract<ToWebview, { type: "rawPage" }>;

const pageSize = 100;
const mostPages = 30;

/** How the list asks the host for `limit` matches of `search` from `offset`. */
export type AskForPage = (search: string, offset: number, limit: number) => void;

/** The part of the raw event list that is here: pages come from the host when they come into sight. */
export class EventPages {
  readonly #pages = new Map<number, readonly RawEvent[]>();
  readonly #asked = new Set<number>();
  readonly #ask: AskForPage;
  #search = "";
  #matches = 0;
  #lost = 0;
  #searching = false;

  constructor(ask: AskForPage) {
    this.#ask = ask;
  }

  /** How many events match the search, as far as is known. */
  get total(): number {
    return this.#matches;
  }

  /** Whether a search has begun of which nothing is known yet. */
  get searching(): boolean {
    return this.#searching;
  }

  /** How many of the oldest events the host has let go, as far as is known. */
  get dropped(): number {
    return this.#lost;
  }

  /** Starts over with another search. */
  find(search: string): void {
    this.#search = search;
    this.#pages.clear();
    this.#asked.clear();
    this.#matches = 0;
    this.#searching = search !== "";
    this.#fetch(0);
  }

  /** The host has `events` events now: without a search all of them match, with one the last page says. */
  grew(events: number): void {
    if (this.#search === "") this.#matches = events - this.#lost;
    else if (events > 0) this.#fetch(this.#pageOf(Math.max(0, this.#matches - 1)));
  }

  /** The event in a row, once its page is here. */
  at(row: number): RawEvent | undefined {
    return this.#pages.get(this.#pageOf(row))?.[row % pageSize];
  }

  /** Asks for what is missing between two rows. */
  want(first: number, last: number): void {
    for (let page = this.#pageOf(first); page <= this.#pageOf(last); page++) {
      const here = this.#pages.get(page)?.length ?? 0;
      if (here < Math.min(pageSize, this.#matches - page * pageSize)) this.#fetch(page);
    }
  }

  /** Takes a page; false when it answers an earlier search. */
  receive(message: RawPage): boolean {
    if (message.search !== this.#search) return false;
    const page = this.#pageOf(message.offset);
    const lost = message.dropped ?? 0;
    // What was let go at the beginning moves every event to another row.
    if (lost !== this.#lost) this.#pages.clear();
    this.#asked.delete(page);
    this.#pages.delete(page);
    this.#pages.set(page, message.events);
    this.#matches = message.total;
    this.#searching = false;
    this.#lost = lost;
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= mostPages) break;
      this.#pages.delete(oldest);
    }
    return true;
  }

  #fetch(page: number): void {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    this.#ask(this.#search, page * pageSize, pageSize);
  }

  #pageOf(row: number): number {
    return Math.floor(row / pageSize);
  }
}

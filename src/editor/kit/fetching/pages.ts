/** A list that is read page by page by its cursors: the next page on demand, and all that was read again on a refresh. */

import type { Page } from "../../../api/managedAgents/page.ts";

/** Asks for the page at a cursor; the first has none. */
export type ReadPage<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;

/** Grows with what was read. */
export class Pages<T extends { readonly id: string }> {
  readonly #read: ReadPage<T>;
  #items: readonly T[] = [];
  #next: string | null = null;
  #count = 0;
  #wanted = false;
  #loading: Promise<unknown> = Promise.resolve();

  constructor(read: ReadPage<T>) {
    this.#read = read;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  /** Whether there is more than was read. */
  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** Makes the next `load` add a page. */
  wantMore(): void {
    this.#wanted = this.hasMore;
  }

  /**
   * Reads as many pages as were read before, at least one, or one more after `wantMore`. Loads run one after the
   * other, so that a refresh in the middle of "load more" keeps the page that was just read.
   */
  load(signal: AbortSignal): Promise<readonly T[]> {
    const load = () => this.#load(signal);
    const loading = this.#loading.then(load, load);
    this.#loading = loading;
    return loading;
  }

  async #load(signal: AbortSignal): Promise<readonly T[]> {
    if (this.#wanted && this.#next !== null) {
      this.#wanted = false;
      const { items, next_cursor } = await this.#read(this.#next, signal);
      this.#keep([...this.#items, ...items], next_cursor, this.#count + 1);
      return this.#items;
    }
    let items: readonly T[] = [];
    let next: string | null = null;
    let count = 0;
    do {
      const page = await this.#read(next ?? undefined, signal);
      items = [...items, ...page.items];
      next = page.next_cursor;
      count += 1;
    } while (count < this.#count && next !== null);
    this.#keep(items, next, count);
    return this.#items;
  }

  /** What moved between two pages while they were read stands where it came first. */
  #keep(items: readonly T[], next: string | null, count: number): void {
    this.#items = [...new Map(items.map((item) => [item.id, item] as const)).values()];
    this.#next = next;
    this.#count = count;
  }
}

/** Page after page of what waits on a server; a long list is read anew only when something of it changed. */

const waiting = { status: "interrupted", sort_by: "updated_at" } as const;

/** What a server is asked for. */
export type WaitingPage = typeof waiting & {
  readonly sort_order: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
};

/** How one server is asked. */
export interface WaitingSource<T> {
  readonly search: (page: WaitingPage) => Promise<readonly T[]>;
  /** Undefined where it counts no threads. */
  readonly count: () => Promise<number | undefined>;
  readonly idOf: (thread: T) => string;
}

/** What was read of one server. */
export interface WaitingRead<T> {
  readonly threads: readonly T[];
  readonly hasMore: boolean;
  /** How many wait there; undefined where the server does not count and not all were read. */
  readonly total: number | undefined;
}

/** How much is wanted. */
interface Wanted {
  /** At most this many threads. */
  readonly most: number;
  /** Whether all is read anew, whatever changed. */
  readonly force: boolean;
}

/** Remembers the lists that took more than a page. */
export class WaitingPages<T extends { readonly updated_at?: string | null | undefined }> {
  readonly #pageSize: number;
  /** By server, with what told it from others before it was read. */
  readonly #long = new Map<string, { readonly mark: string | undefined; readonly read: WaitingRead<T> }>();

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  async of(server: string, source: WaitingSource<T>, { most, force }: Wanted): Promise<WaitingRead<T>> {
    const known = this.#long.get(server);
    const mark = known === undefined ? undefined : await this.#mark(source, most);
    if (!force && mark !== undefined && mark === known?.mark) return known.read;
    const read = await this.#read(source, most);
    if (read.threads.length > this.#pageSize) this.#long.set(server, { mark, read });
    else this.#long.delete(server);
    return read;
  }

  /**
   * A mark that changes when a thread begins to wait, or waits for something else (it is the newest then), or waits
   * no more (the count is smaller).
   */
  async #mark({ search, count, idOf }: WaitingSource<T>, most: number): Promise<string | undefined> {
    const newest = search({ ...waiting, sort_order: "desc", limit: 1, offset: 0 });
    const [[thread], total] = await Promise.all([newest, count()]);
    if (thread === undefined || total === undefined) return undefined;
    return JSON.stringify([most, total, idOf(thread), thread.updated_at]);
  }

  /** Until a server has no more or `most` are read; what moved to a later page comes once. */
  async #read({ search, count, idOf }: WaitingSource<T>, most: number): Promise<WaitingRead<T>> {
    const read = new Map<string, T>();
    for (let offset = 0; ; offset += this.#pageSize) {
      const page = await search({ ...waiting, sort_order: "asc", limit: this.#pageSize, offset });
      const known = read.size;
      for (const thread of page) read.set(idOf(thread), thread);
      const isLast = page.length < this.#pageSize || read.size === known;
      if (isLast) return { threads: [...read.values()], hasMore: false, total: read.size };
      if (read.size >= most) return { threads: [...read.values()], hasMore: true, total: await count() };
    }
  }
}

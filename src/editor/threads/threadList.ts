/** The threads that answer one query: loaded page by page, newest first, and kept up to date. */

import type { ThreadQuery } from "./threadFilter.ts";
import type { Thread } from "../../api/agentServer/wire.ts";
import { factsOf, listedFields, sameFacts, type ThreadFacts } from "./threadFacts.ts";
import type { ThreadSource } from "./threadSource.ts";

const largestPage = 1000;
/** How many threads one step of a title search reads before it shows what it has. */
const scanAtOnce = 5000;
/** How many threads are read at once where each title needs a request of its own. */
const entitledAtOnce = 500;
const entitledPage = 100;

/** Grows with what was loaded, not with what the server has. */
export class ThreadList {
  readonly #source: ThreadSource;
  readonly #query: ThreadQuery;
  readonly #pageSize: number;
  #rows: readonly ThreadFacts[] = [];
  #read = 0;
  #total: number | undefined;
  #complete = false;
  #loaded = false;

  constructor(source: ThreadSource, query: ThreadQuery, pageSize: number) {
    this.#source = source;
    this.#query = query;
    this.#pageSize = Math.min(Math.max(1, pageSize), largestPage);
  }

  get rows(): readonly ThreadFacts[] {
    return this.#rows;
  }

  /** How many threads the server has for the query, the compared titles left aside. */
  get total(): number | undefined {
    return this.#total;
  }

  /** How many threads were read; more than there are rows when titles are compared. */
  get read(): number {
    return this.#read;
  }

  /** Whether every thread of the query is among the rows. */
  get complete(): boolean {
    return this.#complete;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  /** Reads the first page, or again as many threads as were read before. */
  async load(signal?: AbortSignal): Promise<void> {
    const wanted = Math.max(this.#pageSize, this.#query.keep === undefined ? this.#rows.length : this.#read);
    const fresh = new ThreadList(this.#source, this.#query, this.#pageSize);
    do await fresh.#page(fresh.#pageLimit(wanted), signal);
    while (
      !fresh.#complete &&
      (fresh.#query.keep === undefined ? fresh.#read < wanted : fresh.#scanning(0, 0))
    );
    if (fresh.#complete) fresh.#total = fresh.#read;
    else fresh.#total = await this.#count(signal);
    this.#rows = fresh.#rows;
    this.#read = fresh.#read;
    this.#total = fresh.#total;
    this.#complete = fresh.#complete;
    this.#loaded = true;
  }

  /** Adds the next page. */
  async loadMore(signal?: AbortSignal): Promise<void> {
    const [rows, read] = [this.#rows.length, this.#read];
    do await this.#page(this.#pageLimit(this.#pageSize), signal);
    while (!this.#complete && this.#query.keep !== undefined && this.#scanning(rows, read));
    this.#total = this.#complete ? Math.max(this.#total ?? 0, this.#read) : await this.#count(signal);
  }

  /**
   * Asks for the newest threads; as a rule whatever changed on the server is among them, else what was read is read again.
   * True when a row changed.
   */
  async poll(signal?: AbortSignal): Promise<boolean> {
    const before = { rows: this.#rows, total: this.#total };
    const limit = this.#pageSize;
    const { threads, hasMore } = await this.#search(0, limit, signal);
    const newest = await this.#factsOf(threads);
    if (!hasMore) this.#replace(newest);
    else {
      const total = await this.#count(signal);
      const rows = this.#merged(newest);
      if (this.#explains(newest, rows, total)) this.#take(rows, newest.length, total);
      else await this.load(signal);
    }
    return before.total !== this.#total || !sameRows(before.rows, this.#rows);
  }

  /** Puts in what is known of one thread from elsewhere; it may not belong to the query any more. */
  put(row: ThreadFacts): void {
    const known = this.#rows.some(({ id }) => id === row.id);
    const others = this.#rows.filter(({ id }) => id !== row.id);
    const wanted = this.#wants(row);
    const index = others.findIndex((other) => other.updatedAt <= row.updatedAt);
    this.#rows = wanted ? others.toSpliced(index === -1 ? others.length : index, 0, row) : others;
    this.#shift(Number(wanted) - Number(known));
  }

  /** Takes a deleted thread out. */
  remove(id: string): void {
    const others = this.#rows.filter((row) => row.id !== id);
    this.#shift(others.length - this.#rows.length);
    this.#rows = others;
  }

  #shift(by: number): void {
    this.#read = Math.max(0, this.#read + by);
    if (this.#total !== undefined) this.#total = Math.max(0, this.#total + by);
  }

  async #page(limit: number, signal: AbortSignal | undefined): Promise<void> {
    const { threads, hasMore } = await this.#search(this.#read, limit, signal);
    const known = new Set(this.#rows.map(({ id }) => id));
    const facts = await this.#factsOf(threads);
    const rows = facts.filter((row) => !known.has(row.id) && (this.#query.keep?.(row) ?? true));
    this.#rows = [...this.#rows, ...rows];
    this.#read += threads.length;
    this.#complete = !hasMore;
  }

  /** Titles that are compared have to be known. */
  async #factsOf(threads: readonly Thread[]): Promise<readonly ThreadFacts[]> {
    const { facts, entitled } = this.#source;
    const rows = threads.map((thread) => facts?.(thread) ?? factsOf(thread));
    return this.#asksForTitles && entitled !== undefined ? entitled(rows) : rows;
  }

  get #asksForTitles(): boolean {
    return this.#query.byTitle === true && this.#source.entitled !== undefined;
  }

  #pageLimit(wanted: number): number {
    if (this.#query.keep !== undefined) return this.#asksForTitles ? entitledPage : largestPage;
    return Math.min(largestPage, Math.max(this.#pageSize, wanted - this.#read));
  }

  /** Whether a title search goes on by itself: not a page of finds yet, and not too much read. */
  #scanning(rowsBefore: number, readBefore: number): boolean {
    const most = this.#asksForTitles ? entitledAtOnce : scanAtOnce;
    return this.#rows.length - rowsBefore < this.#pageSize && this.#read - readBefore < most;
  }

  #replace(newest: readonly ThreadFacts[]): void {
    this.#rows = newest.filter((row) => this.#query.keep?.(row) ?? true);
    this.#read = newest.length;
    this.#total = newest.length;
    this.#complete = true;
  }

  /** Rows newer than the page's last that are not on it were deleted, or no longer answer the query. */
  #merged(newest: readonly ThreadFacts[]): readonly ThreadFacts[] {
    const last = newest.at(-1)?.updatedAt ?? "";
    const fresh = new Set(newest.map(({ id }) => id));
    const older = this.#rows.filter((row) => !fresh.has(row.id) && row.updatedAt <= last);
    return [...newest.filter((row) => this.#query.keep?.(row) ?? true), ...older];
  }

  #take(rows: readonly ThreadFacts[], onPage: number, total: number): void {
    this.#read = this.#query.keep === undefined ? rows.length : Math.max(this.#read, onPage);
    this.#rows = rows;
    this.#total = total;
  }

  /**
   * Whether the page explains all that happened: it reaches down to a thread that nothing happened to, and the server has
   * as many more, or less, as the rows. Of rows whose titles are compared that can't be told.
   */
  #explains(newest: readonly ThreadFacts[], rows: readonly ThreadFacts[], total: number): boolean {
    if (this.#query.keep !== undefined) return true;
    if (this.#complete && total !== rows.length) return false;
    if (rows.length <= newest.length) return true;
    const known = new Map(this.#rows.map(({ id, updatedAt }) => [id, updatedAt]));
    const reaches = newest.some(({ id, updatedAt }) => known.get(id) === updatedAt);
    return reaches && rows.length - this.#rows.length === total - (this.#total ?? 0);
  }

  #wants(row: ThreadFacts): boolean {
    const { status, ids, metadata, keep } = this.#query;
    if (status !== undefined && row.status !== status) return false;
    if (ids !== undefined && !ids.includes(row.id)) return false;
    if (
      metadata !== undefined &&
      !Object.entries(metadata).every(([key, value]) => row.metadata[key] === value)
    ) {
      return false;
    }
    return keep?.(row) ?? true;
  }

  #search(
    offset: number,
    limit: number,
    signal: AbortSignal | undefined,
  ): ReturnType<ThreadSource["search"]> {
    const { status, metadata, ids } = this.#query;
    const asked = { ...defined({ status, metadata, ids }), limit, offset, select: listedFields };
    return this.#source.search({ ...asked, sort_by: "updated_at", sort_order: "desc" }, { signal });
  }

  #count(signal: AbortSignal | undefined): Promise<number> {
    const { status, metadata } = this.#query;
    return this.#source.count(defined({ status, metadata }), { signal });
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

function sameRows(a: readonly ThreadFacts[], b: readonly ThreadFacts[]): boolean {
  return a.length === b.length && a.every((row, index) => sameFacts(row, b[index] ?? row));
}

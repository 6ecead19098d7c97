/** What the Deployments view knows of one agent server's threads: a list, or groups by status. */

import { isFiltering, queryOf, type ThreadFilter, type ThreadQuery } from "./threadFilter.ts";
import { ThreadList } from "./threadList.ts";
import type { ThreadSource } from "./threadSource.ts";
import type { ThreadFacts } from "./threadFacts.ts";

/** Statuses that every server has, those that want a person first. */
export const KNOWN_STATUSES = ["interrupted", "busy", "error", "idle"] as const;

/** The group of statuses that are not known beforehand, when they can't be told apart yet. */
export const OTHER = "";

/** The threads that have one status. */
export interface ThreadGroup {
  /** A status as the server spells it, or `OTHER`. */
  readonly status: string;
  readonly count: number;
}

/** How much of a list is shown. */
export interface ListProgress {
  readonly shown: number;
  readonly total: number;
  /** How many threads were read for a title search; absent for other queries. */
  readonly read?: number;
}

/** Which threads are listed, and how. */
export interface ServerThreadsOptions {
  readonly filter: ThreadFilter;
  readonly grouped: boolean;
  readonly pageSize: number;
}

/** A server whose threads fit on a page costs one request; a larger one is counted and listed status by status. */
export class ServerThreads {
  readonly #source: ThreadSource;
  readonly #query: ThreadQuery;
  readonly #options: ServerThreadsOptions;
  readonly #all: ThreadList;
  readonly #lists = new Map<string, ThreadList>();
  #counts: ReadonlyMap<string, number> = new Map();
  #needing: number | undefined;
  #everything: number | undefined;

  constructor(source: ThreadSource, options: ServerThreadsOptions) {
    this.#source = source;
    this.#options = options;
    this.#query = queryOf(options.filter);
    this.#all = new ThreadList(source, this.#query, options.pageSize);
  }

  /** Whether rows hang below status groups; one status alone needs no group. */
  get grouped(): boolean {
    return this.#options.grouped && this.#query.status === undefined;
  }

  /** How many threads answer the filter, as far as that is known. */
  get matching(): number {
    return this.#query.keep === undefined
      ? (this.#all.total ?? this.#all.rows.length)
      : this.#all.rows.length;
  }

  /** Whether only some of the threads are wanted. */
  get filtered(): boolean {
    return isFiltering(this.#options.filter);
  }

  /** How many threads the server has, filter or not. */
  get everything(): number | undefined {
    return this.filtered ? this.#everything : this.#all.total;
  }

  /** How many threads wait for a person, filter or not. */
  get needing(): number | undefined {
    return this.#needing;
  }

  /** Something runs or waits among the rows that were fetched. */
  get busy(): boolean {
    return this.rows().some(({ status }) => status === "busy");
  }

  get loaded(): boolean {
    return this.#all.loaded;
  }

  /** Whether each group goes on by itself, rather than all of them together. */
  get groupsGoOn(): boolean {
    return this.#listsApply;
  }

  /** Whether the group's rows are there. */
  hasGroup(group: string): boolean {
    return !this.#listsApply || this.#lists.has(group);
  }

  get groups(): readonly ThreadGroup[] {
    const counts = this.#listsApply ? this.#counts : tally(this.#all.rows);
    const known: readonly string[] = KNOWN_STATUSES;
    const others = [...counts.keys()].filter((status) => !known.includes(status)).toSorted();
    return [...known, ...others]
      .map((status) => ({ status, count: counts.get(status) ?? 0 }))
      .filter(({ count }) => count > 0);
  }

  /** The rows of a group; without one, all rows that were fetched. */
  rows(group?: string): readonly ThreadFacts[] {
    if (group === undefined) {
      if (!this.#listsApply) return this.#all.rows;
      return [...this.#lists.values()].flatMap((list) => list.rows);
    }
    if (this.#listsApply) return this.#lists.get(group)?.rows ?? [];
    return this.#all.rows.filter(({ status }) => status === group);
  }

  /** What "Load more" would go on with; undefined when everything is shown. */
  rest(group?: string): ListProgress | undefined {
    if (group !== undefined && !this.#listsApply) return undefined;
    const list = group === undefined ? this.#all : this.#lists.get(group);
    if (list === undefined || !list.loaded || list.complete) return undefined;
    const scanning = this.#query.keep !== undefined || group === OTHER;
    const total = list.total ?? list.read;
    return { shown: list.rows.length, total, ...(scanning ? { read: list.read } : {}) };
  }

  /** Reads what is shown from the start. */
  async load(signal?: AbortSignal): Promise<void> {
    await this.#all.load(signal);
    await Promise.all([this.#count(signal), ...[...this.#lists.values()].map((list) => list.load(signal))]);
  }

  /** Reads a group's first page, once; it is asked for when the group is opened. */
  async loadGroup(group: string, signal?: AbortSignal): Promise<void> {
    if (!this.#listsApply || this.#lists.has(group)) return;
    const list = new ThreadList(this.#source, this.#groupQuery(group), this.#options.pageSize);
    await list.load(signal);
    this.#lists.set(group, list);
  }

  async loadMore(group?: string, signal?: AbortSignal): Promise<void> {
    await (group === undefined ? this.#all : this.#lists.get(group))?.loadMore(signal);
  }

  /** Asks for the newest threads and, when one of them changed, for the groups; true when a row changed. */
  async poll(signal?: AbortSignal): Promise<boolean> {
    const changed = await this.#all.poll(signal);
    if (!changed) return false;
    await Promise.all([this.#count(signal), ...[...this.#lists.values()].map((list) => list.poll(signal))]);
    return true;
  }

  /** Puts in what is known of one thread from elsewhere. */
  put(row: ThreadFacts): void {
    this.#recount(row.id, row.status);
    for (const list of this.#everyList) list.put(row);
    if (!this.#counted) this.#needing = tally(this.#all.rows).get("interrupted") ?? 0;
  }

  /** Takes a deleted thread out. */
  remove(id: string): void {
    this.#recount(id, undefined);
    for (const list of this.#everyList) list.remove(id);
    if (!this.#counted) this.#needing = tally(this.#all.rows).get("interrupted") ?? 0;
  }

  get #everyList(): readonly ThreadList[] {
    return [this.#all, ...this.#lists.values()];
  }

  /** Moves a thread from the count of its old status to that of its new one, if there is one. */
  #recount(id: string, status: string | undefined): void {
    const old = this.#everyList.flatMap(({ rows }) => rows).find((row) => row.id === id);
    const counts = new Map(this.#counts);
    for (const [changed, by] of [
      [old?.status, -1],
      [status, 1],
    ] as const) {
      const group = changed === undefined || counts.has(changed) ? changed : OTHER;
      if (group !== undefined) counts.set(group, Math.max(0, (counts.get(group) ?? 0) + by));
    }
    this.#counts = counts;
    if (!this.#counted || this.#needing === undefined) return;
    this.#needing = Math.max(
      0,
      this.#needing + Number(status === "interrupted") - Number(old?.status === "interrupted"),
    );
  }

  /** Groups have lists of their own where one page does not hold everything and the server can tell statuses apart. */
  get #listsApply(): boolean {
    return (
      this.grouped && this.#query.keep === undefined && this.#query.ids === undefined && !this.#all.complete
    );
  }

  /** Whether the server had to be asked how many threads wait. */
  get #counted(): boolean {
    return isFiltering(this.#options.filter) || !this.#all.complete;
  }

  async #count(signal: AbortSignal | undefined): Promise<void> {
    const { metadata } = this.#query;
    const below = (status?: string) => ({
      ...(metadata === undefined ? {} : { metadata }),
      ...(status === undefined ? {} : { status }),
    });
    if (this.#listsApply) {
      const counts = await Promise.all(
        KNOWN_STATUSES.map(
          async (status) => [status, await this.#source.count(below(status), { signal })] as const,
        ),
      );
      const others = (this.#all.total ?? 0) - counts.reduce((sum, [, count]) => sum + count, 0);
      this.#counts = new Map<string, number>([...counts, [OTHER, Math.max(0, others)]]);
    }
    if (isFiltering(this.#options.filter)) this.#everything = await this.#source.count({}, { signal });
    this.#needing = await this.#countNeeding(signal);
  }

  async #countNeeding(signal: AbortSignal | undefined): Promise<number> {
    if (!this.#counted) return tally(this.#all.rows).get("interrupted") ?? 0;
    if (this.#listsApply && !isFiltering(this.#options.filter)) return this.#counts.get("interrupted") ?? 0;
    return this.#source.count({ status: "interrupted" }, { signal });
  }

  #groupQuery(group: string): ThreadQuery {
    if (group !== OTHER) return { ...this.#query, status: group };
    const known: readonly string[] = KNOWN_STATUSES;
    return { ...this.#query, keep: ({ status }) => !known.includes(status) };
  }
}

function tally(rows: readonly ThreadFacts[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

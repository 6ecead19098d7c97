/** Where in a table a text stands: all cells of the rows that are shown are gone through, step by step. */

import { patternOf, type Sought } from "../../run/panel/search.ts";
import type { FoundCell, FoundSoFar } from "../messages.ts";
import type { RowValue } from "../parquetColumn.ts";
import { cellOf, type ParquetTable } from "../parquetTable.ts";
import { mostSearched } from "./rowFilter.ts";

/** The most cells that are held. */
export const mostFound = 20_000;
/** How many are searched in one step, unless a row has more. */
const mostStepCells = 2 ** 20;
const fewestStepRows = 64;

/** Goes through a table in the file's order; what it holds is bounded. */
export class Finding {
  readonly #table: ParquetTable;
  readonly #pattern: RegExp | undefined;
  readonly #columns: readonly number[];
  /** The rows that are shown, in the file's order, each times `#count` and with its index; undefined for all. */
  readonly #order: Float64Array | undefined;
  readonly #count: number;
  readonly #unread = new Set<number>();
  #read = 0;
  #found = 0;
  #cut = false;

  /** `shown` are the rows of the file as they are shown; all of them unless given. */
  constructor(table: ParquetTable, sought: Sought, shown?: Uint32Array) {
    this.#table = table;
    this.#pattern = patternOf(sought);
    this.#columns = table.facts.columns.map((_, index) => index);
    this.#count = shown?.length ?? table.facts.rows;
    this.#order = shown && Float64Array.from(shown, (row, index) => row * this.#count + index).toSorted();
  }

  /** Looks through the next rows, of `end` at most; what can't be read is left out and named. */
  async step(end: number): Promise<FoundSoFar> {
    const from = this.#read;
    const until = this.#stepEnd(from, Math.min(end, this.#count));
    const found: (FoundCell & { readonly at: number })[] = [];
    const first = this.#row(from);
    for (const column of until > from ? this.#columns : []) {
      const values = await this.#values(column, first, this.#row(until - 1) + 1);
      for (let at = from; at < until; at++) {
        if (this.#fits(values[this.#row(at) - first])) found.push({ at, row: this.#shownRow(at), column });
      }
    }
    const room = mostFound - this.#found;
    const left = found.length > room ? found.sort((a, b) => a.at - b.at)[room] : undefined;
    this.#read = left?.at ?? until;
    const cells = found.slice(0, room).map(({ row, column }) => ({ row, column }));
    this.#found += cells.length;
    const isFull = left !== undefined;
    return { cells, read: this.#read, full: isFull, cut: this.#cut, unread: [...this.#unread] };
  }

  #stepEnd(from: number, end: number): number {
    if (from >= end) return from;
    const most = Math.max(fewestStepRows, Math.floor(mostStepCells / Math.max(1, this.#columns.length)));
    const last = Math.min(end, from + most);
    const fileEnd = this.#table.stepEnd(this.#row(from), this.#columns);
    let until = from + 1;
    while (until < last && this.#row(until) < fileEnd) until++;
    return until;
  }

  async #values(column: number, start: number, end: number): Promise<readonly RowValue[]> {
    try {
      return await this.#table.values(column, start, end);
    } catch {
      this.#unread.add(column);
      return [];
    }
  }

  #fits(value: RowValue | undefined): boolean {
    if (value === undefined || this.#pattern === undefined) return false;
    const { text, cut } = cellOf(value, mostSearched);
    this.#cut ||= cut === true;
    return text.search(this.#pattern) >= 0;
  }

  /** Which row of the file comes at that step of the way through. */
  #row(at: number): number {
    return this.#order === undefined ? at : Math.floor((this.#order[at] ?? 0) / this.#count);
  }

  /** Where it is shown. */
  #shownRow(at: number): number {
    return this.#order === undefined ? at : (this.#order[at] ?? 0) % this.#count;
  }
}

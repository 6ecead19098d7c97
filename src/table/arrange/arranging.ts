/** Which rows of a table are shown in which order: found by going through the columns that say so, step by step. */

import type { Arrangement, ArrangedRows, ArrangingSoFar, Cell } from "../messages.ts";
import { cellOf, type ParquetTable } from "../parquetTable.ts";
import { cellTest, columnsOf, mostSearched } from "./rowFilter.ts";
import { SortedRows } from "./sortedRows.ts";

/** Rows that fit and are in the file's order are held up to so many. */
const mostHeld = 2_000_000;

/** Goes through a table from its first row on; what it holds is bounded. */
export class Arranging {
  readonly #table: ParquetTable;
  readonly #how: Arrangement;
  readonly #tests: readonly { readonly column: number; readonly fits: (cell: Cell) => boolean }[];
  readonly #sorted = new SortedRows();
  /** Those that fit, where the order stays the file's. */
  readonly #fitting: number[] = [];
  #read = 0;
  #cut = 0;

  constructor(table: ParquetTable, how: Arrangement) {
    this.#table = table;
    this.#how = how;
    this.#tests = (how.filters ?? []).map((filter) => {
      const kind = table.facts.columns[filter.column]?.kind ?? "text";
      return { column: filter.column, fits: cellTest(filter, kind) };
    });
  }

  /** Reads on, up to the row `end` at most; throws what can't be read. */
  async step(end: number): Promise<ArrangingSoFar> {
    const { sort } = this.#how;
    const start = this.#read;
    const until = Math.min(end, this.#table.stepEnd(start, columnsOf(this.#how)));
    const rows = await this.#fittingRows(start, until);
    if (sort === undefined) for (const row of rows) this.#fitting.push(row);
    else if (rows.length > 0) {
      const values = await this.#table.values(sort.column, start, until);
      for (const row of rows) {
        const value = values[row - start];
        if (value !== undefined) this.#sorted.take(row, value);
      }
    }
    this.#read = until;
    return { read: until, full: this.#sorted.full || this.#fitting.length >= mostHeld };
  }

  /** The rows so far, in their order. */
  rows(): ArrangedRows {
    const { sort } = this.#how;
    if (sort === undefined) return { rows: Uint32Array.from(this.#fitting), cut: this.#cut };
    const cuts = [this.#cut, this.#sorted.cut].filter((cut) => cut > 0);
    return { rows: this.#sorted.inOrder(sort.descending), cut: cuts.length === 0 ? 0 : Math.min(...cuts) };
  }

  async #fittingRows(start: number, until: number): Promise<readonly number[]> {
    let rows = Array.from({ length: until - start }, (_, index) => start + index);
    for (const { column, fits } of this.#tests) {
      if (rows.length === 0) break;
      const values = await this.#table.values(column, start, until);
      rows = rows.filter((row) => {
        const value = values[row - start];
        if (value === undefined) return false;
        const cell = cellOf(value, mostSearched);
        if (cell.cut === true) this.#cut = mostSearched;
        return fits(cell);
      });
    }
    return rows;
  }
}

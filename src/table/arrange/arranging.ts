/** Which rows of a table are shown in which order: found by going through the columns that say so, step by step. */

import type { Arrangement, ArrangedRows, ArrangingSoFar } from "../messages.ts";
import type { ParquetTable } from "../parquetTable.ts";
import { SortedRows } from "./sortedRows.ts";

/** Goes through a table from its first row on; what it holds is bounded. */
export class Arranging {
  readonly #table: ParquetTable;
  readonly #how: Arrangement;
  readonly #sorted = new SortedRows();
  #read = 0;

  constructor(table: ParquetTable, how: Arrangement) {
    this.#table = table;
    this.#how = how;
  }

  /** Reads on, up to the row `end` at most; throws what can't be read. */
  async step(end: number): Promise<ArrangingSoFar> {
    const { sort } = this.#how;
    const start = this.#read;
    const until = Math.min(end, this.#table.stepEnd(start, [sort.column]));
    const values = await this.#table.values(sort.column, start, until);
    values.forEach((value, index) => this.#sorted.take(start + index, value));
    this.#read = until;
    return { read: until, full: this.#sorted.full };
  }

  /** The rows so far, in their order. */
  rows(): ArrangedRows {
    return { rows: this.#sorted.inOrder(this.#how.sort.descending), cut: this.#sorted.cut };
  }
}

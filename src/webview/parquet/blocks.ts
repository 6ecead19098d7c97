/** The cells that were read, in blocks of rows; blocks far from view are forgotten. */

import type { Cell, CellRange, ColumnCells } from "../../table/messages.ts";
import { range, type Span } from "./geometry.ts";

const blockRows = 64;
const mostBlocks = 48;

/** What is known of one cell: its content, why it can't be read, or nothing yet. */
export type CellView = { readonly cell: Cell } | { readonly problem: string } | undefined;

type BlockColumn = readonly Cell[] | { readonly problem: string };

/** A part of the table's cells, as much as was looked at lately. */
export class Blocks {
  /** By block number, in the order of use; each by column. */
  readonly #blocks = new Map<number, Map<number, BlockColumn>>();
  /** By block number: which rows of the file are in it. */
  readonly #numbers = new Map<number, readonly number[]>();

  cell(row: number, column: number): CellView {
    const known = this.#blocks.get(Math.floor(row / blockRows))?.get(column);
    if (known === undefined) return undefined;
    if ("problem" in known) return known;
    const cell = known[row % blockRows];
    return cell === undefined ? undefined : { cell };
  }

  /** Which row of the file is shown there, as far as it was read. */
  number(row: number): number | undefined {
    return this.#numbers.get(Math.floor(row / blockRows))?.[row % blockRows];
  }

  /** The range of whole blocks that has to be read for these rows and columns; undefined when all is there. */
  missing(rows: Span, columns: Span, totalRows: number): CellRange | undefined {
    const wanted = range(columns);
    const missing = this.#blocksOf(rows).filter((number) => {
      const block = this.#use(number);
      return wanted.some((column) => block?.has(column) !== true);
    });
    const [first, last = first] = [missing[0], missing.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    return {
      rowStart: first * blockRows,
      rowEnd: Math.min(totalRows, (last + 1) * blockRows),
      columns: wanted.filter((column) =>
        missing.some((number) => this.#blocks.get(number)?.has(column) !== true),
      ),
    };
  }

  /** Keeps what was read for a range that `missing` gave. */
  take({ rowStart, rowEnd }: CellRange, columns: readonly ColumnCells[], numbers: readonly number[]): void {
    for (const number of this.#blocksOf({ start: rowStart, end: rowEnd })) {
      const block = this.#use(number) ?? new Map<number, BlockColumn>();
      this.#blocks.set(number, block);
      const start = number * blockRows - rowStart;
      this.#numbers.set(number, numbers.slice(start, start + blockRows));
      for (const read of columns) {
        const { column } = read;
        block.set(column, "problem" in read ? read : read.cells.slice(start, start + blockRows));
      }
    }
    for (const number of this.#blocks.keys()) {
      if (this.#blocks.size <= mostBlocks) break;
      this.#blocks.delete(number);
      this.#numbers.delete(number);
    }
  }

  clear(): void {
    this.#blocks.clear();
    this.#numbers.clear();
  }

  #use(number: number): Map<number, BlockColumn> | undefined {
    const block = this.#blocks.get(number);
    if (block === undefined) return undefined;
    this.#blocks.delete(number);
    this.#blocks.set(number, block);
    return block;
  }

  #blocksOf({ start, end }: Span): readonly number[] {
    return range({ start: Math.floor(start / blockRows), end: Math.ceil(end / blockRows) });
  }
}

/** What the table's page draws, and what it remembers. */

import type {
  Arranged,
  Arrangement,
  Cell,
  Filter,
  ShownRange,
  Sort,
  TableFacts,
  ToTable,
} from "../../table/messages.ts";
import type { ColumnWidths, CellPosition } from "./geometry.ts";

/** The whole value of one cell; `cell` is missing while it is read. */
export interface OpenedCell extends CellPosition {
  readonly cell?: Cell;
  readonly length: number;
  /** Why it can't be read. */
  readonly problem?: string;
}

/** The value of a cell, or why it can't be read. */
export function openedFrom(message: ToTable & { type: "cell" | "cellFailed" }): OpenedCell {
  const { row, column } = message;
  return message.type === "cell"
    ? { row, column, cell: message.cell, length: message.length }
    : { row, column, length: 0, problem: message.problem };
}

/** What outlives the page for as long as its tab exists. */
export interface TableMemory extends CellPosition {
  readonly widths: ColumnWidths;
  readonly sort?: Sort;
  readonly filters?: readonly Filter[];
}

/** An order that is being made, or that can't be. */
export interface ArrangingView {
  readonly how: Arrangement;
  /** How many rows were gone through. */
  readonly read: number;
  readonly problem?: string;
}

/** What the page draws. */
export interface TableView {
  readonly facts: TableFacts | undefined;
  /** The number of the order that is shown; 0 is the file's. */
  readonly order: number;
  /** How many rows are shown. */
  readonly rows: number;
  /** How they are shown; undefined is as in the file. */
  readonly arranged: Arranged | undefined;
  readonly arranging: ArrangingView | undefined;
  /** What rows have to fit that are wanted. */
  readonly filters: readonly Filter[];
  /** The column for which a person says what its cells must be. */
  readonly filtering: number | undefined;
  readonly failure: Omit<Extract<ToTable, { type: "failed" }>, "type"> | undefined;
  readonly active: CellPosition;
  /** More cells than the active one that are selected. */
  readonly selected: ShownRange | undefined;
  /** What came of copying them, in words. */
  readonly copied: string;
  readonly opened: OpenedCell | undefined;
  readonly widths: ColumnWidths;
}

const atTheTop: TableMemory = { row: 0, column: 0, widths: {} };

/** What is drawn before anything is known of the file. */
export function viewFrom({ row, column, widths, filters = [] }: TableMemory = atTheTop): TableView {
  return {
    facts: undefined,
    order: 0,
    rows: 0,
    arranged: undefined,
    arranging: undefined,
    filters,
    filtering: undefined,
    failure: undefined,
    active: { row, column },
    selected: undefined,
    copied: "",
    opened: undefined,
    widths,
  };
}

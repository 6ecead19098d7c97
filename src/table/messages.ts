/** Everything that passes between a table's host and its page: facts and cells down, requests up. */

import type { Sought } from "../run/panel/search.ts";

/** What a column holds, as far as it decides how its cells look. */
export type ColumnKind = "text" | "json" | "time" | "number" | "boolean" | "binary";

/** A column of the table. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The type in the file's own words, for example "timestamp µs UTC". */
  readonly type: string;
  /** As they are stored, of all rows. */
  readonly bytes: number;
}

/** What is known of a table before any row is read. */
export interface TableFacts {
  readonly file: string;
  readonly rows: number;
  readonly columns: readonly Column[];
  readonly rowGroups: number;
  readonly bytes: number;
  /** The codecs in use, for example "ZSTD". */
  readonly compression: string;
  readonly createdBy: string;
}

/** What a cell holds; a text that looks like JSON is "json" whatever its column is. */
export type CellKind = "null" | ColumnKind;

/** A cell as it is drawn: the beginning of its value on one line. */
export interface Cell {
  readonly kind: CellKind;
  readonly text: string;
  /** There is more of it than `text`. */
  readonly cut?: true;
}

/** The cells of one column for a range of rows, or why they can't be read. */
export type ColumnCells =
  | { readonly column: number; readonly cells: readonly Cell[] }
  | { readonly column: number; readonly problem: string };

/** Rows of the file from `rowStart` up to `rowEnd`, or of them only `rows`, in the file's order. */
export interface WantedRows {
  readonly rowStart: number;
  readonly rowEnd: number;
  readonly rows?: readonly number[];
}

/** Rows of these columns by their index. */
export interface CellRange extends WantedRows {
  readonly columns: readonly number[];
}

/** The column that rows are in the order of. */
export interface Sort {
  readonly column: number;
  readonly descending: boolean;
}

/** Which cells of a column a row must have to be shown; texts are found in any case, and "is" of a time is its beginning. */
export interface Filter {
  readonly column: number;
  readonly how: "contains" | "is" | "below" | "above" | "null" | "notNull";
  /** As it was typed; "" where nothing is compared. */
  readonly value: string;
}

/** Which rows are shown in which order: those that fit every filter, in the file's order unless sorted. */
export interface Arrangement {
  readonly sort?: Sort;
  readonly filters?: readonly Filter[];
}

/** Rows and columns next to each other, as they are shown; ends are not part of it. */
export interface ShownRange {
  readonly rowStart: number;
  readonly rowEnd: number;
  readonly columnStart: number;
  readonly columnEnd: number;
}

/** As fields between tabs, which spreadsheets take, as CSV with the columns' names, or as a JSON list of objects. */
export type CopyForm = "text" | "csv" | "json";

/** A range as text. */
export interface CopiedRange {
  readonly text: string;
  /** How many texts begin as a formula does. */
  readonly formulas: number;
}

/** How far the rows were read. */
export interface ArrangingSoFar {
  readonly read: number;
  /** No more can be held. */
  readonly full: boolean;
}

/** Rows of the file in the order in which they are shown. */
export interface ArrangedRows {
  readonly rows: Uint32Array;
  /** Of longer texts so many characters were compared; 0 when none was longer. */
  readonly cut: number;
}

/** A cell that has what is looked for; its row counts as it is shown. */
export interface FoundCell {
  readonly row: number;
  readonly column: number;
}

/** What a search of the shown rows found so far. */
export interface FoundSoFar {
  /** Those of the last step. */
  readonly cells: readonly FoundCell[];
  /** How many rows were looked through in all. */
  readonly read: number;
  /** No more can be held. */
  readonly full: boolean;
  /** Of a longer text only the beginning was looked through. */
  readonly cut: boolean;
  /** Columns of which some cells can't be read. */
  readonly unread: readonly number[];
}

/** Why reading stopped: at the end, after enough for a first view, by a person, or because no more can be held. */
export type GoneThrough = "all" | "first" | "stopped" | "full";

/** What is shown of a table that is not as in the file. */
export interface Arranged {
  readonly how: Arrangement;
  /** How many rows are shown. */
  readonly rows: number;
  /** How many rows of the file were gone through for that. */
  readonly read: number;
  readonly end: GoneThrough;
  /** As they are stored, of all rows: what going through all of them reads. */
  readonly bytes: number;
  /** Of longer texts so many characters were compared; 0 when none was longer. */
  readonly cut: number;
}

/**
 * What the host sends to the page. Rows count as they are shown; `id` says in which order, as the page gave it: 0 is
 * that of the file.
 */
export type ToTable =
  | { readonly type: "table"; readonly facts: TableFacts }
  /** `refused`: by the store that has the file, which wants other keys. */
  | { readonly type: "failed"; readonly message: string; readonly remedy: string; readonly refused: boolean }
  | {
      readonly type: "cells";
      readonly id: number;
      readonly range: CellRange;
      /** Which rows of the file these are. */
      readonly numbers: readonly number[];
      readonly columns: readonly ColumnCells[];
    }
  | {
      readonly type: "cell";
      readonly row: number;
      readonly column: number;
      readonly cell: Cell;
      /** How many characters the whole value has. */
      readonly length: number;
    }
  | { readonly type: "cellFailed"; readonly row: number; readonly column: number; readonly problem: string }
  | { readonly type: "arranging"; readonly id: number; readonly read: number }
  | { readonly type: "arranged"; readonly id: number; readonly arranged: Arranged }
  | { readonly type: "notArranged"; readonly id: number; readonly problem: string }
  /** What came of copying, in words. */
  | { readonly type: "copied"; readonly words: string }
  /** Cells of the search with the page's number `search`. */
  | ({ readonly type: "found"; readonly search: number } & FoundSoFar)
  /** `bytes` as they are stored, of all rows: what looking through all of them reads. */
  | { readonly type: "findEnded"; readonly search: number; readonly end: GoneThrough; readonly bytes: number }
  | { readonly type: "findFailed"; readonly search: number; readonly problem: string };

/** Asks for other keys of the store that has the file; what could not be read is read with them. */
export interface KeysRequest {
  readonly type: "otherKeys";
}

/** What the page asks of the host about the table. */
export type FromTable =
  | { readonly type: "ready" }
  /** Answered by `cells` before the next is sent. */
  | ({ readonly type: "read"; readonly id: number } & Omit<CellRange, "rows">)
  /** Asks for one whole value. */
  | { readonly type: "open"; readonly id: number; readonly row: number; readonly column: number }
  | { readonly type: "copy"; readonly id: number; readonly row: number; readonly column: number }
  | ({ readonly type: "copyRange"; readonly id: number; readonly form: CopyForm } & ShownRange)
  /** Shows the rows in another order under a new `id`; `all` is as many rows as can be held. */
  | {
      readonly type: "arrange";
      readonly id: number;
      readonly how: Arrangement;
      readonly all: boolean;
    }
  /** Shows the rows as they are in the file. */
  | { readonly type: "reset" }
  /** Ends what is going through the rows; what was read by then is shown. */
  | { readonly type: "stop" }
  /** Looks for a text in the rows that are shown; `all` is in all of them, however much that reads. */
  | {
      readonly type: "find";
      readonly id: number;
      readonly search: number;
      readonly sought: Sought;
      readonly all: boolean;
    }
  /** Ends the search; what was found stays. */
  | { readonly type: "endFind" };

/** Everything that passes between a table's host and its page: facts and cells down, requests up. */

/** What a column holds, as far as it decides how its cells look. */
export type ColumnKind = "text" | "json" | "time" | "number" | "boolean" | "binary";

/** A column of the table. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The type in the file's own words, for example "timestamp µs UTC". */
  readonly type: string;
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

/** Rows from `rowStart` up to `rowEnd`, of these columns by their index. */
export interface CellRange {
  readonly rowStart: number;
  readonly rowEnd: number;
  readonly columns: readonly number[];
}

/** What the host sends to the page. */
export type ToTable =
  | { readonly type: "table"; readonly facts: TableFacts }
  | { readonly type: "failed"; readonly message: string; readonly remedy: string }
  | { readonly type: "cells"; readonly range: CellRange; readonly columns: readonly ColumnCells[] }
  | {
      readonly type: "cell";
      readonly row: number;
      readonly column: number;
      readonly cell: Cell;
      /** How many characters the whole value has. */
      readonly length: number;
    }
  | { readonly type: "cellFailed"; readonly row: number; readonly column: number; readonly problem: string };

/** What the page asks of the host. */
export type FromTable =
  | { readonly type: "ready" }
  /** Answered by `cells` before the next is sent. */
  | ({ readonly type: "read" } & CellRange)
  /** Asks for one whole value. */
  | { readonly type: "open"; readonly row: number; readonly column: number }
  | { readonly type: "copy"; readonly row: number; readonly column: number };

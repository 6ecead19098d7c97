/** The search of the table's page: what is looked for, which cells have it, and where the reader is led. */

import type { Sought } from "../../run/panel/search.ts";
import type { FoundCell, FromTable, GoneThrough, ToTable } from "../../table/messages.ts";
import type { CellPosition } from "./geometry.ts";
import type { TableView } from "./tableView.ts";

interface FindHost {
  post(request: FromTable): void;
  draw(): void;
}

/** What the search needs of the table. */
interface FoundIn {
  readonly view: Pick<TableView, "active" | "arranged" | "order">;
  move(cell: CellPosition): void;
}

/** What came of one search so far. */
export interface FindResult {
  /** As they are shown, row by row. */
  readonly cells: readonly FoundCell[];
  readonly read: number;
  readonly cut: boolean;
  readonly unread: readonly number[];
  /** Undefined while rows are looked through. */
  readonly end?: GoneThrough;
  /** What looking through all rows reads. */
  readonly bytes: number;
  readonly problem?: string;
}

const nothing: FindResult = { cells: [], read: 0, cut: false, unread: [], bytes: 0 };

/** Asks for one search at a time; what belongs to an earlier one is left. */
export class TableFind {
  readonly #host: FindHost;
  readonly #table: FoundIn;
  /** What is looked for; it stays for the next time. */
  sought: Sought = { text: "", matchCase: false };
  result = nothing;
  /** Changes when the caret is wanted in the box again; 0 while nobody searches. */
  asked = 0;
  #search = 0;
  #found = new Set<string>();
  /** The reader was not led to a cell yet. */
  #leads = false;

  constructor(host: FindHost, table: FoundIn) {
    this.#host = host;
    this.#table = table;
  }

  /** Whether the cell is one of those that were found. */
  has(row: number, column: number): boolean {
    return this.#found.has(`${row} ${column}`);
  }

  open(): void {
    const isNew = this.asked === 0;
    this.asked++;
    if (isNew) this.#begin(true);
    this.#host.draw();
  }

  close(): void {
    this.asked = 0;
    this.#begin(false);
    this.#host.draw();
  }

  seek(sought: Sought): void {
    this.sought = sought;
    this.#begin(true);
    this.#host.draw();
  }

  /** Looks through all rows, however much that reads; the reader stays where they are. */
  searchAll(): void {
    this.#begin(false, true);
    this.#host.draw();
  }

  stop(): void {
    this.#host.post({ type: "endFind" });
  }

  /** The rows are others, or in another order. */
  anew(): void {
    if (this.asked > 0) this.#begin(false);
  }

  /** Leads to the next cell, or the one before, and around the ends. */
  next(direction: 1 | -1): void {
    const { cells } = this.result;
    const { active } = this.#table.view;
    const next =
      direction === 1
        ? (cells.find((cell) => order(cell, active) > 0) ?? cells[0])
        : (cells.findLast((cell) => order(cell, active) < 0) ?? cells.at(-1));
    if (next !== undefined) this.#table.move(next);
  }

  take(message: ToTable & { type: "found" | "findEnded" | "findFailed" }): void {
    if (message.search !== this.#search || this.asked === 0) return;
    if (message.type === "found") {
      const { cells, read, cut, unread } = message;
      for (const { row, column } of cells) this.#found.add(`${row} ${column}`);
      const all = cells.length === 0 ? this.result.cells : [...this.result.cells, ...cells].sort(order);
      this.result = { ...this.result, cells: all, read, cut, unread };
      // In another order a nearer one may still come.
      if (this.#table.view.arranged?.how.sort === undefined) this.#lead(false);
    } else if (message.type === "findEnded") {
      this.result = { ...this.result, end: message.end, bytes: message.bytes };
      this.#lead(true);
    } else {
      this.result = { ...this.result, end: "stopped", problem: message.problem };
    }
    this.#host.draw();
  }

  /** Leads to the first cell from where the reader is on; `around` the end when there is none. */
  #lead(around: boolean): void {
    if (!this.#leads) return;
    const { cells } = this.result;
    const { active } = this.#table.view;
    const first = cells.find((cell) => order(cell, active) >= 0) ?? (around ? cells[0] : undefined);
    if (first === undefined) return;
    this.#leads = false;
    this.#table.move(first);
  }

  #begin(leads: boolean, all = false): void {
    const { text } = this.sought;
    const isWanted = this.asked > 0 && text.trim() !== "";
    if (this.#search > 0) this.#host.post({ type: "endFind" });
    this.#search++;
    this.#found = new Set();
    this.#leads = leads;
    this.result = isWanted ? nothing : { ...nothing, end: "all" };
    if (!isWanted) return;
    const { order: id } = this.#table.view;
    this.#host.post({ type: "find", id, search: this.#search, sought: this.sought, all });
  }
}

/** Below 0 when the first is shown before the second. */
function order(one: CellPosition, other: CellPosition): number {
  return one.row - other.row || one.column - other.column;
}

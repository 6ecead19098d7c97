/** What the table's page knows and where the person is; asks for cells as they come into view, one range at a time. */

import type { Cell, FromTable, TableFacts, ToTable } from "../../table/messages.ts";
import { Blocks, type CellView } from "./blocks.ts";
import { possibleWidth, type ColumnWidths, type Place, type Span } from "./geometry.ts";

/** The whole value of one cell; `cell` is missing while it is read. */
export interface OpenedCell extends Place {
  readonly cell?: Cell;
  readonly length: number;
  /** Why it can't be read. */
  readonly problem?: string;
}

/** What outlives the page for as long as its tab exists. */
export interface TableMemory extends Place {
  readonly widths: ColumnWidths;
}

/** What the page draws. */
export interface TableView {
  readonly facts: TableFacts | undefined;
  readonly failure: { readonly message: string; readonly remedy: string } | undefined;
  readonly active: Place;
  readonly opened: OpenedCell | undefined;
  readonly widths: ColumnWidths;
}

interface TableDoor {
  post(request: FromTable): void;
  save(memory: TableMemory): void;
  draw(): void;
}

const atTheTop: TableMemory = { row: 0, column: 0, widths: {} };

/** The page's state; it draws again after each change. */
export class TableStore {
  readonly #door: TableDoor;
  readonly #blocks = new Blocks();
  #view: TableView;
  #inView: { readonly rows: Span; readonly columns: Span } | undefined;
  #reading = false;

  constructor(door: TableDoor, { row, column, widths }: TableMemory = atTheTop) {
    this.#door = door;
    const active = { row, column };
    this.#view = { facts: undefined, failure: undefined, active, opened: undefined, widths };
  }

  get view(): TableView {
    return this.#view;
  }

  cell(row: number, column: number): CellView {
    return this.#blocks.cell(row, column);
  }

  receive(message: ToTable): void {
    switch (message.type) {
      case "table":
        this.#blocks.clear();
        this.#reading = false;
        this.#change({ facts: message.facts, failure: undefined, opened: undefined });
        this.move(this.#view.active);
        return;
      case "failed":
        this.#reading = false;
        this.#change({ failure: message });
        return;
      case "cells":
        this.#reading = false;
        this.#blocks.take(message.range, message.columns);
        this.#read();
        this.#door.draw();
        return;
      case "cell": {
        const { row, column, cell, length } = message;
        if (this.#isOpened({ row, column })) this.#change({ opened: { row, column, cell, length } });
        return;
      }
      case "cellFailed": {
        const { row, column, problem } = message;
        if (this.#isOpened(message)) this.#change({ opened: { row, column, length: 0, problem } });
        return;
      }
      default:
        message satisfies never;
    }
  }

  /** Says what is on the screen, so that it is read. */
  setInView(rows: Span, columns: Span): void {
    this.#inView = { rows, columns };
    this.#read();
  }

  /** Goes to a cell, or to the nearest one that there is; the open value follows. */
  move({ row, column }: Place): void {
    const { facts, opened } = this.#view;
    if (facts === undefined) return;
    const active = {
      row: Math.max(0, Math.min(facts.rows - 1, row)),
      column: Math.max(0, Math.min(facts.columns.length - 1, column)),
    };
    this.#change({ active });
    this.#save();
    if (opened !== undefined && !this.#isOpened(active)) this.open();
  }

  /** Shows the whole value of the active cell. */
  open(): void {
    const { active, facts } = this.#view;
    if (facts === undefined || facts.rows === 0) return;
    this.#change({ opened: { ...active, length: 0 } });
    this.#door.post({ type: "open", ...active });
  }

  close(): void {
    this.#change({ opened: undefined });
  }

  /** Gives a column this width, or the nearest that it can have. */
  resize(column: number, width: number): void {
    const name = this.#view.facts?.columns[column]?.name;
    if (name === undefined) return;
    this.#change({ widths: { ...this.#view.widths, [name]: possibleWidth(width) } });
    this.#save();
  }

  copy(): void {
    const { active, facts } = this.#view;
    if (facts !== undefined && facts.rows > 0) this.#door.post({ type: "copy", ...active });
  }

  /** Reads the file again after it could not be read. */
  retry(): void {
    this.#door.post({ type: "ready" });
  }

  #save(): void {
    const { active, widths } = this.#view;
    this.#door.save({ ...active, widths });
  }

  #isOpened({ row, column }: Place): boolean {
    return this.#view.opened?.row === row && this.#view.opened.column === column;
  }

  /** While an answer is awaited the view may move on; then only what is seen at its end is asked for. */
  #read(): void {
    const { facts } = this.#view;
    if (this.#reading || facts === undefined || this.#inView === undefined) return;
    const range = this.#blocks.missing(this.#inView.rows, this.#inView.columns, facts.rows);
    if (range === undefined) return;
    this.#reading = true;
    this.#door.post({ type: "read", ...range });
  }

  #change(change: Partial<TableView>): void {
    this.#view = { ...this.#view, ...change };
    this.#door.draw();
  }
}

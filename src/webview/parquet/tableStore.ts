/** What the table's page knows and where the person is; asks for cells as they come into view, one range at a time. */

import type {
  Arranged,
  Arrangement,
  CopyForm,
  Filter,
  FromTable,
  KeysRequest,
  Sort,
  ToTable,
} from "../../table/messages.ts";
import { Blocks, type CellView } from "./blocks.ts";
import { nearestCell, possibleWidth, rangeBetween, type CellPosition, type Span } from "./geometry.ts";
import { TableFind } from "./tableFind.ts";
import { type ArrangingView, openedFrom, type TableMemory, type TableView, viewFrom } from "./tableView.ts";

interface TableHost {
  post(request: FromTable | KeysRequest): void;
  save(memory: TableMemory): void;
  draw(): void;
}

/** The page's state; it draws again after each change. */
export class TableStore {
  readonly #host: TableHost;
  readonly #blocks = new Blocks();
  #view: TableView;
  #inView: { readonly rows: Span; readonly columns: Span } | undefined;
  #reading = false;
  /** The order that was asked for last; 0 is that of the file. */
  #asked = 0;
  /** What was asked for when the order of the file was wanted again: the host reads in none of before. */
  #reset = 0;
  /** What was asked for when the tab was shown again, where the reader stays where they were. */
  #restored = 0;
  #sort: Sort | undefined;
  /** Where the selection began. */
  #anchor: CellPosition = { row: 0, column: 0 };
  readonly find: TableFind;

  constructor(host: TableHost, memory?: TableMemory) {
    this.#host = host;
    this.find = new TableFind(host, this);
    this.#sort = memory?.sort;
    this.#view = viewFrom(memory);
  }

  get view(): TableView {
    return this.#view;
  }

  cell(row: number, column: number): CellView {
    return this.#blocks.cell(row, column);
  }

  /** Which row of the file is shown there, counted from 0; undefined until it is read. */
  number(row: number): number | undefined {
    return this.#view.arranged === undefined ? row : this.#blocks.number(row);
  }

  receive(message: ToTable): void {
    switch (message.type) {
      case "table":
        this.#view = { ...this.#view, facts: message.facts, failure: undefined, arranging: undefined };
        this.#shows(0, undefined, this.#view.active);
        if (this.#how !== undefined) this.#arrange(this.#how, false);
        this.#restored = this.#asked;
        return;
      case "failed":
        this.#reading = false;
        this.#change({ failure: message });
        return;
      case "cells":
        if (message.id !== this.#view.order) return;
        this.#reading = false;
        this.#blocks.take(message.range, message.columns, message.numbers);
        this.#read();
        this.#host.draw();
        return;
      case "cell":
      case "cellFailed":
        if (this.#isOpened(message)) this.#change({ opened: openedFrom(message) });
        return;
      case "found":
      case "findEnded":
      case "findFailed":
        this.find.take(message);
        return;
      case "arranging":
        this.#arrangingIs(message, { read: message.read });
        return;
      case "arranged":
        this.#takeOrder(message.id, message.arranged);
        return;
      case "copied":
        this.#change({ copied: message.words });
        return;
      case "notArranged":
        this.#arrangingIs(message, { problem: message.problem });
        return;
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
  move(cell: CellPosition): void {
    const { facts, opened, rows } = this.#view;
    if (facts === undefined) return;
    const active = nearestCell(cell, rows, facts.columns.length);
    this.#change({ active, selected: undefined, copied: "" });
    this.#anchor = active;
    this.#save();
    if (opened !== undefined && !this.#isOpened(active)) this.open();
  }

  /** Goes to a cell, and selects all cells from where the selection began. */
  selectTo(cell: CellPosition): void {
    if (this.#view.rows === 0) return;
    const anchor = this.#anchor;
    this.move(cell);
    this.#anchor = anchor;
    const { active } = this.#view;
    const isOne = anchor.row === active.row && anchor.column === active.column;
    this.#change({ selected: isOne ? undefined : rangeBetween(anchor, active) });
  }

  /** Selects every cell that is shown; the reader stays where they are. */
  selectAll(): void {
    const { rows, facts } = this.#view;
    const last = { row: rows - 1, column: (facts?.columns.length ?? 0) - 1 };
    if (rows > 0) this.#change({ selected: rangeBetween({ row: 0, column: 0 }, last), copied: "" });
  }

  /** Shows the whole value of the active cell. */
  open(): void {
    const { active, rows } = this.#view;
    if (rows === 0) return;
    this.#change({ opened: { ...active, length: 0 } });
    this.#host.post({ type: "open", id: this.#view.order, ...active });
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

  /** Copies what is selected, or else the whole value of the active cell. */
  copy(form: CopyForm = "text"): void {
    const { active, rows, selected } = this.#view;
    if (selected !== undefined) {
      this.#change({ copied: "Copying…" });
      this.#host.post({ type: "copyRange", id: this.#view.order, form, ...selected });
      return;
    }
    if (rows > 0) this.#host.post({ type: "copy", id: this.#view.order, ...active });
  }

  /** Puts the rows in the order of a column: ascending, then descending, then as in the file. */
  sortBy(column: number): void {
    if (this.#sort?.column !== column) this.sort({ column, descending: false });
    else this.sort(this.#sort.descending ? undefined : { column, descending: true });
  }

  /** Puts the rows in an order; undefined is that of the file. */
  sort(sort: Sort | undefined): void {
    this.#sort = sort;
    this.#arrangeAnew();
  }

  /** Lets a person filter by a column; undefined when they are done. */
  askFilter(column: number | undefined): void {
    this.#change({ filtering: column });
  }

  /** Shows only rows that fit, beside what they have to fit already. */
  addFilter(filter: Filter): void {
    this.#change({ filters: [...this.#view.filters, filter], filtering: undefined });
    this.#arrangeAnew();
  }

  removeFilter(filter: Filter): void {
    this.#change({ filters: this.#view.filters.filter((other) => other !== filter) });
    this.#arrangeAnew();
  }

  showAsInFile(): void {
    this.#change({ filters: [] });
    this.sort(undefined);
  }

  #arrangeAnew(): void {
    this.#save();
    if (this.#how !== undefined) {
      this.#arrange(this.#how, false);
      return;
    }
    this.#reset = ++this.#asked;
    this.#change({ arranging: undefined });
    this.#host.post({ type: "reset" });
    if (this.#view.order !== 0) this.#shows(0, undefined, undefined);
  }

  /** Goes through as many rows as can be held. */
  readAll(): void {
    const how = this.#view.arranged?.how;
    if (how !== undefined) this.#arrange(how, true);
  }

  /** Shows what comes of the rows that were gone through so far. */
  stop(): void {
    this.#host.post({ type: "stop" });
  }

  /** Reads the file again after it could not be read; a person is asked for `otherKeys` where the store wants some. */
  retry(otherKeys = false): void {
    this.#host.post({ type: otherKeys ? "otherKeys" : "ready" });
  }

  /** How the rows are wanted; undefined is as in the file. */
  get #how(): Arrangement | undefined {
    const { filters } = this.#view;
    if (filters.length === 0) return this.#sort && { sort: this.#sort };
    return { ...(this.#sort !== undefined && { sort: this.#sort }), filters };
  }

  #save(): void {
    const { active, widths } = this.#view;
    this.#host.save({ ...active, widths, ...this.#how });
  }

  #arrange(how: Arrangement, all: boolean): void {
    const columns = this.#view.facts?.columns.length ?? 0;
    const wanted = [...(how.filters ?? []), ...(how.sort === undefined ? [] : [how.sort])];
    if (wanted.some(({ column }) => column >= columns)) return;
    const id = ++this.#asked;
    this.#change({ arranging: { how, read: 0 } });
    this.#host.post({ type: "arrange", id, how, all });
  }

  /** Also when another one is wanted by now: it is the one that the host reads in, until that comes. */
  #takeOrder(id: number, arranged: Arranged): void {
    if (this.#view.arranging === undefined || id <= this.#reset) return;
    if (id === this.#asked) this.#change({ arranging: undefined });
    this.#shows(id, arranged, this.#restored === id ? this.#view.active : undefined);
  }

  #arrangingIs({ id }: { readonly id: number }, change: Partial<ArrangingView>): void {
    const { arranging } = this.#view;
    if (arranging !== undefined && id === this.#asked)
      this.#change({ arranging: { ...arranging, ...change } });
  }

  /** Forgets what was read: the rows are others, or in another order, of which a person is shown the beginning. */
  #shows(id: number, arranged: Arranged | undefined, cell: CellPosition | undefined): void {
    const { facts, active } = this.#view;
    this.#blocks.clear();
    this.#reading = false;
    this.#change({ order: id, arranged, rows: arranged?.rows ?? facts?.rows ?? 0, opened: undefined });
    this.move(cell ?? { row: 0, column: active.column });
    this.#read();
    this.find.anew();
  }

  #isOpened({ row, column }: CellPosition): boolean {
    return this.#view.opened?.row === row && this.#view.opened.column === column;
  }

  /** While an answer is awaited the view may move on; then only what is seen at its end is asked for. */
  #read(): void {
    if (this.#reading || this.#view.facts === undefined || this.#inView === undefined) return;
    const { rows, columns } = this.#inView;
    const there = { start: rows.start, end: Math.min(rows.end, this.#view.rows) };
    const range = this.#blocks.missing(there, columns, this.#view.rows);
    if (range === undefined) return;
    this.#reading = true;
    this.#host.post({ type: "read", id: this.#view.order, ...range });
  }

  #change(change: Partial<TableView>): void {
    this.#view = { ...this.#view, ...change };
    this.#host.draw();
  }
}

/** One file as one tab shows it: in the order that its page asked for last. */

import { columnsOf } from "../../table/arrange/rowFilter.ts";
import type { FoundSoFar, FromTable, GoneThrough, TableFacts, ToTable } from "../../table/messages.ts";
import { adviceFor, adviceText } from "../kit/remedies.ts";
import type { TableReader } from "./tableReader.ts";

/** A whole value is shown up to so many characters. */
const longestValue = 2_000_000;

/** Cells that are copied at once; their text is bounded, too. */
const mostCopied = 500_000;

/** Rows that are put in order are held: their numbers here, what they are compared by in the reader's process. */
const mostArranged = 2_000_000;
/** Of a file in a bucket so many bytes are read before a person wants more. */
const firstBytes = 16 * 2 ** 20;

/** How it talks to the page and to the person. */
export interface TablePage {
  send(message: ToTable): void;
  copy(text: string): Promise<void>;
}

/** Answers the page. */
export class ShownTable {
  readonly reader: TableReader;
  readonly #facts: TableFacts;
  readonly #page: TablePage;
  /** Undefined while the order is the file's. */
  #rows: Uint32Array | undefined;
  #id = 0;
  /** What goes through the rows for this tab; another one when something else is wanted. */
  #arranging: { stopped: boolean } | undefined;
  /** What looks for a text; another one for another text or another order. */
  #finding: { stopped: boolean } | undefined;

  constructor(reader: TableReader, facts: TableFacts, page: TablePage) {
    this.reader = reader;
    this.#facts = facts;
    this.#page = page;
  }

  /** Throws what says that the file can't be read. */
  async answer(request: FromTable): Promise<void> {
    switch (request.type) {
      case "ready":
        this.reset();
        this.#page.send({ type: "table", facts: await this.reader.facts() });
        return;
      case "read":
        if (request.id === this.#id) await this.#read(request);
        return;
      case "open":
      case "copy":
        if (request.id === this.#id) await this.#value(request);
        return;
      case "copyRange":
        if (request.id === this.#id) await this.#copyRange(request);
        return;
      case "arrange":
        await this.#arrange(request);
        return;
      case "reset":
        this.reset();
        return;
      case "stop":
        if (this.#arranging !== undefined) this.#arranging.stopped = true;
        return;
      case "find":
        if (request.id === this.#id) await this.#find(request);
        return;
      case "endFind":
        if (this.#finding !== undefined) this.#finding.stopped = true;
        return;
      default:
        request satisfies never;
    }
  }

  /** Shows the rows as they are in the file, and ends what goes through them. */
  reset(): void {
    this.#arranging = undefined;
    this.#finding = undefined;
    this.#rows = undefined;
    this.#id = 0;
  }

  async #read({ id, rowStart, rowEnd, columns }: FromTable & { type: "read" }): Promise<void> {
    const range = { rowStart, rowEnd, columns };
    const numbers = Array.from({ length: rowEnd - rowStart }, (_, index) => this.#rowOf(rowStart + index));
    if (this.#rows === undefined) {
      this.#page.send({ type: "cells", id, range, numbers, columns: await this.reader.read(range) });
      return;
    }
    // Of each column the rows are read in the file's order, and then put into the one that is shown.
    const { rows, indexes } = inFileOrder(numbers);
    const wanted = { rowStart: rows[0] ?? 0, rowEnd: (rows.at(-1) ?? 0) + 1, rows, columns };
    const read = (await this.reader.read(wanted)).map((column) => {
      if ("problem" in column) return column;
      const cells = indexes.flatMap((index) => column.cells[index] ?? []);
      return { column: column.column, cells };
    });
    this.#page.send({ type: "cells", id, range, numbers, columns: read });
  }

  async #value({ type, row, column }: FromTable & { type: "open" | "copy" }): Promise<void> {
    try {
      const value = await this.reader.value(this.#rowOf(row), column, longestValue);
      if (type === "open") this.#page.send({ type: "cell", row, column, ...value });
      else await this.#page.copy(value.cell.text);
    } catch (error) {
      this.#page.send({ type: "cellFailed", row, column, problem: adviceFor(error).message });
    }
  }

  async #copyRange(range: FromTable & { type: "copyRange" }): Promise<void> {
    const { rowStart, rowEnd, columnStart, columnEnd, form } = range;
    const [height, width] = [rowEnd - rowStart, columnEnd - columnStart];
    if (height * width > mostCopied) {
      const most = mostCopied.toLocaleString("en-US");
      this.#page.send({
        type: "copied",
        words: `More than ${most} cells are not copied at once: select less.`,
      });
      return;
    }
    const columns = Array.from({ length: width }, (_, index) => columnStart + index);
    const numbers = Array.from({ length: height }, (_, index) => this.#rowOf(rowStart + index));
    const { rows, indexes } = inFileOrder(numbers);
    const wanted = { rowStart: rows[0] ?? 0, rowEnd: (rows.at(-1) ?? 0) + 1, rows, columns };
    try {
      const { text, formulas } = await this.reader.copied(wanted, indexes, form);
      await this.#page.copy(text);
      const cells = `Copied ${(height * width).toLocaleString("en-US")} cells.`;
      const warning =
        formulas === 0
          ? ""
          : ` ${formulas.toLocaleString("en-US")} of them begin as a formula does: a spreadsheet may run them.`;
      this.#page.send({ type: "copied", words: cells + (form === "json" ? "" : warning) });
    } catch (error) {
      this.#page.send({ type: "copied", words: `Nothing was copied. ${adviceText(adviceFor(error))}` });
    }
  }

  async #arrange({ id, how, all }: FromTable & { type: "arrange" }): Promise<void> {
    const arranging = { stopped: false };
    this.#arranging = arranging;
    const isWanted = (): boolean => this.#arranging === arranging;
    const { rows: inFile } = this.#facts;
    // Rows that only have to fit are not held before they do.
    const most = how.sort === undefined ? inFile : Math.min(inFile, mostArranged);
    const bytes = columnsOf(how).reduce((sum, column) => sum + (this.#facts.columns[column]?.bytes ?? 0), 0);
    const end = all ? most : Math.min(most, this.#firstRows(inFile, bytes));
    const onProgress = (read: number): boolean => {
      if (!isWanted()) throw new Error("another order is wanted");
      this.#page.send({ type: "arranging", id, read });
      return !arranging.stopped;
    };
    try {
      const { rows, read, cut } = await this.reader.arrange(how, end, onProgress);
      if (!isWanted()) return;
      this.#finding = undefined;
      this.#rows = rows;
      this.#id = id;
      const why = read === inFile ? "all" : endOf(read, { end, most, stopped: arranging.stopped });
      const arranged = { how, rows: rows.length, read, end: why, bytes, cut } as const;
      this.#page.send({ type: "arranged", id, arranged });
    } catch (error) {
      if (isWanted()) this.#page.send({ type: "notArranged", id, problem: adviceFor(error).message });
    }
  }

  async #find({ search, sought, all }: FromTable & { type: "find" }): Promise<void> {
    const finding = { stopped: false };
    this.#finding = finding;
    const most = this.#rows?.length ?? this.#facts.rows;
    const bytes = this.#facts.columns.reduce((sum, column) => sum + column.bytes, 0);
    const end = all ? most : this.#firstRows(most, bytes);
    let read = 0;
    const onProgress = (found: FoundSoFar): boolean => {
      if (this.#finding !== finding) throw new Error("another text is wanted");
      ({ read } = found);
      this.#page.send({ type: "found", search, ...found });
      return !finding.stopped;
    };
    try {
      await this.reader.find(sought, { shown: this.#rows, end }, onProgress);
      const why = read === most ? "all" : endOf(read, { end, most, stopped: finding.stopped });
      this.#page.send({ type: "findEnded", search, end: why, bytes });
    } catch (error) {
      if (this.#finding !== finding) return;
      this.#page.send({ type: "findFailed", search, problem: adviceFor(error).message });
    }
  }

  /** Near files are read as a whole: that takes a moment, and a person can stop it. */
  #firstRows(rows: number, bytes: number): number {
    return this.reader.far && bytes > firstBytes ? Math.ceil((rows * firstBytes) / bytes) : rows;
  }

  #rowOf(row: number): number {
    return this.#rows === undefined ? row : (this.#rows[row] ?? 0);
  }
}

/** Rows as they follow each other in the file, and where each of the given ones is among them. */
function inFileOrder(numbers: readonly number[]): {
  readonly rows: readonly number[];
  readonly indexes: readonly number[];
} {
  const rows = numbers.toSorted((a, b) => a - b);
  const found = new Map(rows.map((row, index) => [row, index]));
  return { rows, indexes: numbers.map((row) => found.get(row) ?? -1) };
}

function endOf(
  read: number,
  { end, most, stopped }: { readonly end: number; readonly most: number; readonly stopped: boolean },
): GoneThrough {
  if (stopped) return "stopped";
  return read < end || end === most ? "full" : "first";
}

/** A Parquet file as the extension host sees it: read in a process of its own, which may fail without consequences. */

import type { Dispatcher } from "undici";
import type { Sought } from "../../run/panel/search.ts";
import type {
  ArrangedRows,
  Arrangement,
  Cell,
  CellRange,
  ColumnCells,
  CopiedRange,
  CopyForm,
  FoundSoFar,
  TableFacts,
  WantedRows,
} from "../../table/messages.ts";
import { ParquetError } from "../../table/parquetError.ts";
import { adviceFor, adviceText } from "../kit/remedies.ts";
import { type ReaderHost, ReaderProcess, type ReaderLimits } from "./readerProcess.ts";
import type { BucketObject, OpenedFile, ReaderRequest, ReaderResults } from "./readerMessages.ts";

/** A file that lies on a disk or in a bucket, or bytes of one that does not. */
export type TableFile =
  | { readonly name: string; readonly path: string }
  | { readonly name: string; readonly object: BucketObject; readonly dispatcher: () => Promise<Dispatcher> }
  | { readonly name: string; readonly bytes: Uint8Array };

/** The program to start, and what may be changed of how it is used. */
export interface ReaderOptions {
  /** The bundled program, `dist/parquetReader.js`. */
  readonly program: string;
  readonly limits?: Partial<ReaderLimits>;
  /** A process that was asked nothing for so long is ended. */
  readonly idleMs?: number;
}

/** A slow disk or a busy machine gets through within it; a person waits no longer for one column. */
const usual: ReaderLimits = { milliseconds: 20_000, heapMegabytes: 1024 };

/** A store is asked for several ranges of one column, one after the other. */
const farMs = 60_000;

/** Cells of a column that ended a process; not tried again until somebody wants it. */
interface Broken extends WantedRows {
  readonly column: number;
  readonly problem: string;
}

/** Reads one file. Its process is started when something is asked, and again after it ended for whatever reason. */
export class TableReader {
  readonly #file: TableFile;
  readonly #options: ReaderOptions;
  readonly #limits: ReaderLimits;
  #process: ReaderProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #facts: TableFacts | undefined;
  #broken: Broken[] = [];
  /** What was asked last has ended; requests follow each other. */
  #before: Promise<unknown> = Promise.resolve();
  /** The process arranges rows for one at a time. */
  #arranged: Promise<unknown> = Promise.resolve();
  /** And looks for one text at a time. */
  #found: Promise<unknown> = Promise.resolve();

  constructor(file: TableFile, options: ReaderOptions) {
    this.#file = file;
    this.#options = options;
    this.#limits = { ...usual, ...("object" in file && { milliseconds: farMs }), ...options.limits };
  }

  /** What the footer says; columns that could not be read before are tried again. Throws ParquetError. */
  async facts(): Promise<TableFacts> {
    this.#broken = [];
    return (this.#facts ??= await this.#inTurn(() => this.#opened()));
  }

  /** The beginnings of the cells of a range; a column that can't be read does not spoil the others. */
  async read({ columns, ...rows }: CellRange): Promise<readonly ColumnCells[]> {
    const read: ColumnCells[] = [];
    for (const column of columns) read.push(await this.#column(column, rows));
    return read;
  }

  /** It lies in a store that is asked for each range. */
  get far(): boolean {
    return "object" in this.#file;
  }

  /**
   * Reads and arranges the rows up to `end`, and answers others in between. `onProgress` is called after each step, and
   * may stop it. Returns how many rows were read, which is fewer where no more can be held. Throws ParquetError, and
   * what `onProgress` throws.
   */
  arrange(
    how: Arrangement,
    end: number,
    onProgress: (read: number) => boolean,
  ): Promise<ArrangedRows & { readonly read: number }> {
    const arranged = this.#arranged.then(async () => {
      let { read, full } = await this.#ask({ type: "arrange", how });
      while (onProgress(read) && read < end && !full)
        ({ read, full } = await this.#ask({ type: "arrangeOn", end }));
      return { read, ...(await this.#ask({ type: "arranged" })) };
    });
    this.#arranged = arranged.catch(() => undefined);
    return arranged;
  }

  /**
   * Looks for a text in the rows that are `shown`, or in all, and tells `onProgress` after each step what it found, until
   * that says no, `end` rows were looked through, or no more can be held. Throws as `arrange` does.
   */
  find(
    sought: Sought,
    { shown, end }: { readonly shown: Uint32Array | undefined; readonly end: number },
    onProgress: (found: FoundSoFar) => boolean,
  ): Promise<void> {
    const found = this.#found.then(async () => {
      let so = await this.#ask({ type: "find", sought, ...(shown !== undefined && { shown }) });
      while (onProgress(so) && so.read < end && !so.full) so = await this.#ask({ type: "findOn", end });
    });
    this.#found = found.catch(() => undefined);
    return found;
  }

  /** Whole cells as text, in the order of `indexes` among the rows; throws ParquetError. */
  copied(range: CellRange, indexes: readonly number[], form: CopyForm): Promise<CopiedRange> {
    return this.#ask({ type: "copy", ...range, indexes, form });
  }

  /** One value up to `limit` characters; throws ParquetError. */
  value(
    row: number,
    column: number,
    limit: number,
  ): Promise<{ readonly cell: Cell; readonly length: number }> {
    return this.#ask({ type: "value", row, column, limit });
  }

  /** Ends the process; the next request starts one again. */
  close(): void {
    clearTimeout(this.#idle);
    this.#process?.end();
    this.#process = undefined;
  }

  async #column(column: number, rows: WantedRows): Promise<ColumnCells> {
    const known = this.#broken.find((broken) => broken.column === column && overlap(broken, rows));
    if (known !== undefined) return { column, problem: known.problem };
    try {
      return await this.#ask({ type: "column", column, ...rows });
    } catch (error) {
      const problem = adviceText(adviceFor(error));
      const isOfProcess =
        error instanceof ParquetError && error.reason !== "file" && error.reason !== "refused";
      if (isOfProcess) this.#broken.push({ column, ...rows, problem });
      return { column, problem };
    }
  }

  #ask<Type extends ReaderRequest["type"]>(
    request: Extract<ReaderRequest, { type: Type }>,
  ): Promise<ReaderResults[Type]> {
    return this.#inTurn(async () => {
      if (this.#process?.over !== false) await this.#opened();
      const process = this.#process;
      if (process === undefined) throw new ParquetError("The file was closed.", "Open it again.");
      return process.ask(request);
    });
  }

  async #opened(): Promise<TableFacts> {
    const process = new ReaderProcess(this.#options.program, this.#limits, hostOf(this.#file));
    this.#process = process;
    const file = openedOf(this.#file);
    try {
      return await process.ask({ type: "open", file });
    } catch (error) {
      process.end();
      throw error;
    }
  }

  async #inTurn<Result>(ask: () => Promise<Result>): Promise<Result> {
    clearTimeout(this.#idle);
    const answer = this.#before.then(ask);
    this.#before = answer.catch(() => undefined);
    try {
      return await answer;
    } finally {
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => this.close(), this.#options.idleMs ?? 60_000).unref();
    }
  }
}

/** What the process of a file may ask for. */
function hostOf(file: TableFile): ReaderHost {
  return "path" in file ? {} : file;
}

/** What of a file the process is told. */
function openedOf(file: TableFile): OpenedFile {
  const { name } = file;
  if ("path" in file) return { name, path: file.path };
  return "object" in file ? { name, object: file.object } : { name, byteLength: file.bytes.byteLength };
}

/** Whether a row is in both. */
function overlap(some: WantedRows, others: WantedRows): boolean {
  if (some.rows === undefined && others.rows === undefined)
    return some.rowStart < others.rowEnd && some.rowEnd > others.rowStart;
  const [listed, [from, to, rows]] =
    some.rows === undefined
      ? [others.rows ?? [], [some.rowStart, some.rowEnd, some.rows]]
      : [some.rows, [others.rowStart, others.rowEnd, others.rows]];
  return listed.some((row) => row >= from && row < to && rows?.includes(row) !== false);
}

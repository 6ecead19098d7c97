/** Follows a log on a server: the newest lines first, then whatever comes, page by page and each line once. */

import type { LogEntry, LogPage, LogQuery } from "../../../api/controlPlane/wire.ts";
import { LogBuffer, type LogFilter } from "./logBuffer.ts";
import { logLineOf, startTimeOf } from "./logLine.ts";

/** Asks the server for one page of the log. */
export type ReadLog = (query: LogQuery, signal: AbortSignal) => Promise<LogPage>;

const pageSize = 1000;

/** The newest lines of one log. */
export class LogTail {
  readonly #read: ReadLog;
  readonly #limit: number;
  readonly #buffer: LogBuffer;
  #wasRead = false;
  #isComplete = true;
  filter: LogFilter = {};

  /** `limit` is the number of lines that are kept. */
  constructor(read: ReadLog, limit: number) {
    this.#read = read;
    this.#limit = limit;
    this.#buffer = new LogBuffer(limit);
  }

  get text(): string {
    return this.#wasRead ? this.#buffer.text(this.filter, this.#isComplete) : "Loading…\n";
  }

  /** Whether anything was fetched yet. */
  get wasRead(): boolean {
    return this.#wasRead;
  }

  /** How many lines there are, and how many of them pass the filter. */
  get counts(): { readonly all: number; readonly shown: number } {
    return { all: this.#buffer.size, shown: this.#buffer.shown(this.filter).length };
  }

  /** Fetches what is new; answers whether the text changed. Throws what the server answers. */
  async fetch(signal: AbortSignal): Promise<boolean> {
    const first = !this.#wasRead;
    const added = first ? await this.#begin(signal) : await this.#continue(signal);
    return added || first;
  }

  async #begin(signal: AbortSignal): Promise<boolean> {
    const newestFirst: LogEntry[] = [];
    let offset: string | null = null;
    do {
      const query: LogQuery = { order: "desc", limit: pageSize, ...(offset === null ? {} : { offset }) };
      const page: LogPage = await this.#read(query, signal);
      newestFirst.push(...page.logs);
      offset = page.logs.length === 0 ? null : (page.next_offset ?? null);
    } while (offset !== null && newestFirst.length < this.#limit);
    this.#isComplete = offset === null;
    this.#wasRead = true;
    return this.#buffer.add(newestFirst.slice(0, this.#limit).reverse().map(logLineOf)) > 0;
  }

  /** Asks from the newest line's moment on, since the end of the pages has no offset to go on from. */
  async #continue(signal: AbortSignal): Promise<boolean> {
    const since = this.#buffer.last?.timestamp;
    const from = since === undefined ? {} : { start_time: startTimeOf(since) };
    let added = 0;
    let offset: string | null = null;
    do {
      const query: LogQuery = {
        order: "asc",
        limit: pageSize,
        ...from,
        ...(offset === null ? {} : { offset }),
      };
      const page: LogPage = await this.#read(query, signal);
      added += this.#buffer.add(page.logs.map(logLineOf));
      offset = page.logs.length === 0 ? null : (page.next_offset ?? null);
    } while (offset !== null);
    return added > 0;
  }
}

/** Follows a log on a server: the newest lines first, then whatever comes, page by page and each line once. */

import type { LogEntry, LogPage, LogQuery } from "../../../api/controlPlane/wire.ts";
import { LogBuffer, type LogFilter } from "./logBuffer.ts";
import { logLineOf, startTimeOf } from "./logLine.ts";

/** Asks the server for one page of the log. */
export type ReadLog = (query: LogQuery, signal: AbortSignal) => Promise<LogPage>;

const pageSize = 1000;
/** Pages that are read in one go; what is left is read the next time. */
const mostPages = 500;

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
    this.#isComplete = true;
    for await (const { logs, isLast } of this.#pages({ order: "desc" }, signal)) {
      newestFirst.push(...logs);
      this.#isComplete = isLast;
      if (newestFirst.length >= this.#limit) break;
    }
    this.#wasRead = true;
    return this.#buffer.add(newestFirst.slice(0, this.#limit).reverse().map(logLineOf)) > 0;
  }

  /** Asks from the newest line's moment on, since the end of the pages has no offset to go on from. */
  async #continue(signal: AbortSignal): Promise<boolean> {
    const since = this.#buffer.last?.timestamp;
    const query = {
      order: "asc",
      ...(since === undefined ? {} : { start_time: startTimeOf(since) }),
    } as const;
    let added = 0;
    for await (const { logs } of this.#pages(query, signal)) added += this.#buffer.add(logs.map(logLineOf));
    return added > 0;
  }

  async *#pages(
    query: LogQuery,
    signal: AbortSignal,
  ): AsyncIterable<{ readonly logs: readonly LogEntry[]; readonly isLast: boolean }> {
    const seen = new Set<string>();
    for (let offset: string | null | undefined; offset !== null && seen.size < mostPages;) {
      const from = offset === undefined ? {} : { offset };
      const page: LogPage = await this.#read({ ...query, limit: pageSize, ...from }, signal);
      const next: string | null = page.logs.length === 0 ? null : (page.next_offset ?? null);
      offset = next === null || seen.has(next) ? null : next;
      seen.add(next ?? "");
      yield { logs: page.logs, isLast: offset === null };
    }
  }
}

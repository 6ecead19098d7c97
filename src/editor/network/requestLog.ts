/** All requests as lines of the log: one that fails as a warning, once however often it is repeated. */

import type * as vscode from "vscode";
import type { Exchange } from "../../api/http.ts";
import { counted, durationText } from "../kit/words.ts";

/** The most that are remembered; the oldest go. */
const mostRemembered = 500;
/** The most lines a minute that are written of one server: a list of threads may have thousands of requests. */
const mostLines = 20;
const aMinuteMs = 60_000;

/** A line, and how much it matters. */
interface RequestLine {
  readonly level: "warn" | "info";
  readonly text: string;
}

interface Failing {
  readonly result: string;
  readonly since: number;
  count: number;
}

/** Takes all requests in the order in which they end. */
export class RequestLog {
  readonly #log: Pick<vscode.LogOutputChannel, "debug" | "info" | "warn">;
  /** By method and address. */
  readonly #failing = new Map<string, Failing>();
  /** By server: how many lines since when. */
  readonly #lines = new Map<string, { readonly since: number; count: number }>();

  constructor(log: Pick<vscode.LogOutputChannel, "debug" | "info" | "warn">) {
    this.#log = log;
  }

  /**
   * A request that ended at `at`, in epoch milliseconds: a failed one as a warning, once, and once more as it goes well;
   * all others at debug level. Headers, bodies, query values and feedback tokens are in none. What was to change
   * something has its line in the audit log, however it ended.
   */
  note(exchange: Exchange, at = Date.now()): void {
    const line = exchange.changes === true ? undefined : this.#lineOf(exchange, at);
    if (line !== undefined) {
      this.#log[line.level](line.text);
      return;
    }
    const { method, url, status, ms, requestId, error } = exchange;
    const id = requestId === undefined ? "" : ` request ${requestId}`;
    this.#log.debug(`${method} ${url} ${String(status ?? error ?? "")} ${String(Math.round(ms))} ms${id}`);
  }

  #lineOf(exchange: Exchange, at: number): RequestLine | undefined {
    const { method, url, status, error, ms, requestId } = exchange;
    // What was given up here did not fail.
    if (error === "aborted") return undefined;
    const key = `${method} ${url}`;
    const before = this.#failing.get(key);
    if (error === undefined) {
      this.#failing.delete(key);
      if (before === undefined) return undefined;
      const span = durationText(at - before.since);
      return {
        level: "info",
        text: `Answers again: ${key} ${String(status ?? "")}, after ${counted(before.count, "failure")} in ${span}`,
      };
    }
    const result = String(status ?? error);
    if (before?.result === result) {
      before.count++;
      return undefined;
    }
    this.#failing.delete(key);
    this.#failing.set(key, { result, since: at, count: 1 });
    const [oldest] = this.#failing.keys();
    if (this.#failing.size > mostRemembered && oldest !== undefined) this.#failing.delete(oldest);
    const id = requestId === undefined ? "" : `, request ${requestId}`;
    const text = this.#bounded(
      URL.parse(url)?.origin ?? url,
      `Failed: ${key} ${result}, ${String(Math.round(ms))} ms${id}`,
      at,
    );
    return text === undefined ? undefined : { level: "warn", text };
  }

  #bounded(origin: string, line: string, at: number): string | undefined {
    const known = this.#lines.get(origin);
    const lines = known === undefined || at - known.since >= aMinuteMs ? { since: at, count: 0 } : known;
    this.#lines.set(origin, lines);
    lines.count++;
    if (lines.count <= mostLines) return line;
    return lines.count === mostLines + 1
      ? `More requests to ${origin} fail. The log has each of them when its level is Debug.`
      : undefined;
  }
}

/** Failed requests as lines of the log: each once however often it is repeated, and once more when it goes well. */

import type { Exchange } from "../../api/http.ts";
import { counted, durationText } from "./words.ts";

/** So many are remembered; the oldest go. */
const mostRemembered = 500;
/** So many lines a minute are written of one server: a list of threads may have thousands of requests. */
const mostLines = 20;
const aMinuteMs = 60_000;

/** A line, and how much it matters. */
export interface RequestLine {
  readonly level: "warn" | "info";
  readonly text: string;
}

interface Failing {
  readonly result: string;
  readonly since: number;
  count: number;
}

/** Takes all requests in the order in which they end. */
export class FailedRequests {
  /** By method and address. */
  readonly #failing = new Map<string, Failing>();
  /** By server: how many lines since when. */
  readonly #lines = new Map<string, { readonly since: number; count: number }>();

  /** What the log is told of a request that ended at `at`, in epoch milliseconds; undefined where it has it already. */
  lineOf(exchange: Exchange, at: number): RequestLine | undefined {
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
      `Failed: ${key} ${result}, ${String(ms)} ms${id}`,
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

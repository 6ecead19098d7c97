/** The newest lines of a log, each once; what is filtered out is kept and comes back with another filter. */

import { counted } from "../../kit/words.ts";
import { levelRank, LOG_LEVELS, type LogLine, logLineText } from "./logLine.ts";

/** Which lines are shown: of a level and above, and with a text in them; empty for all. */
export interface LogFilter {
  readonly level?: (typeof LOG_LEVELS)[number] | undefined;
  readonly text?: string | undefined;
}

/** Keeps lines in the order in which they came, up to a limit. */
export class LogBuffer {
  readonly #limit: number;
  readonly #lines = new Map<string, LogLine>();
  /** How many lines were let go to stay within the limit. */
  #trimmed = 0;

  /** `limit` is the number of entries that are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#lines.size;
  }

  get last(): LogLine | undefined {
    return [...this.#lines.values()].at(-1);
  }

  /** Adds what is new, in the order given; answers how many lines that were. */
  add(lines: readonly LogLine[]): number {
    const before = this.#lines.size;
    for (const line of lines) if (!this.#lines.has(line.id)) this.#lines.set(line.id, line);
    const added = this.#lines.size - before;
    for (const id of this.#lines.keys()) {
      if (this.#lines.size <= this.#limit) break;
      this.#lines.delete(id);
      this.#trimmed += 1;
    }
    return added;
  }

  /** The lines that pass the filter. */
  shown(filter: LogFilter): readonly LogLine[] {
    return [...this.#lines.values()].filter((line) => passes(line, filter));
  }

  /** The document: a note about what is not there any more, and the lines that pass the filter. */
  text(filter: LogFilter, isComplete = true): string {
    const lines = this.shown(filter).map(logLineText);
    return [...this.#notes(isComplete), ...(lines.length === 0 ? [this.#emptyNote(filter)] : lines), ""].join(
      "\n",
    );
  }

  #notes(isComplete: boolean): readonly string[] {
    if (this.#trimmed > 0) return [`… ${counted(this.#trimmed, "line")} trimmed`];
    return isComplete ? [] : ["… earlier lines are on the server"];
  }

  #emptyNote(filter: LogFilter): string {
    if (this.size === 0) return "No lines yet.";
    return `None of ${counted(this.size, "line")} passes the filter: ${filterWords(filter)}.`;
  }
}

/** The filter in words; empty when it lets everything pass. */
export function filterWords({ level, text }: LogFilter): string {
  const words = [
    level === undefined ? "" : level === LOG_LEVELS.at(-1) ? level : `${level} and above`,
    text === undefined ? "" : `“${text}”`,
  ];
  return words.filter((part) => part !== "").join(", ");
}

function passes(line: LogLine, { level, text }: LogFilter): boolean {
  if (level !== undefined && levelRank(line.level) < levelRank(level)) return false;
  return text === undefined || logLineText(line).toLowerCase().includes(text.toLowerCase());
}

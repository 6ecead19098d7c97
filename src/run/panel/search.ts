/** Search in a transcript: what is searched of each entry, in the order in which the page shows it, and what is found. */

import { pretty } from "../json/jsonText.ts";
import { rows } from "./transcriptCopy.ts";
import type { Entry } from "./transcript.ts";

/** What is looked for. */
export interface Sought {
  readonly text: string;
  readonly matchCase: boolean;
}

/** A text of an entry; it is seen only while the card is open whose id stands with it. */
interface Searched {
  readonly text: string;
  readonly card?: string;
}

/** One match: the entry, which of the entry's matches it is, and its place among all of them, each from 0. */
export interface Match {
  readonly entry: Entry;
  readonly nth: number;
  readonly index: number;
}

/** A pattern that finds it; spaces stand for any space, a line's end, too. Undefined when nothing is looked for. */
export function patternOf({ text, matchCase }: Sought): RegExp | undefined {
  if (text.trim() === "") return undefined;
  const words = text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/\s+/g, "\\s+");
  return new RegExp(words, matchCase ? "gu" : "giu");
}

/** Counts matches bit by bit, since a transcript may be long; what did not change is not read again. */
export class TranscriptSearch {
  readonly #pattern: RegExp;
  /** With marks of Markdown in what is looked for, they count. */
  readonly #marked: boolean;
  readonly #counts = new WeakMap<Entry, number>();
  #order: readonly Entry[] = [];
  #read = 0;

  constructor({ text }: Sought, pattern: RegExp) {
    this.#pattern = pattern;
    this.#marked = /[*_`]/.test(text);
  }

  /** How many matches there are, as far as entries were read. */
  get total(): number {
    return this.#order.reduce((sum, entry) => sum + (this.#counts.get(entry) ?? 0), 0);
  }

  /** Takes the entries as they are now; all of them are searched, also those that are folded away. */
  take(entries: readonly Entry[], newest: (entry: Entry) => Entry): void {
    this.#order = rows(entries, new Set()).map(({ entry }) => newest(entry));
    this.#read = 0;
  }

  /** Reads on until `isLate`; true when there is more to read. */
  read(isLate: () => boolean): boolean {
    for (; this.#read < this.#order.length; this.#read += 1) {
      const entry = this.#order[this.#read];
      if (entry === undefined || this.#counts.has(entry)) continue;
      this.#counts.set(entry, this.#matchesIn(entry).length);
      if (isLate()) return true;
    }
    return false;
  }

  /**
   * The next match after the one at `from`, or before it, wrapping around the ends. `nth` is which match of that
   * entry was shown last; -1 begins with its first. Without an entry it is the first match of all.
   */
  next(direction: 1 | -1, from?: { readonly id: string; readonly nth: number }): Match | undefined {
    const start = this.#order.findIndex(({ id }) => id === from?.id);
    const here = this.#order[start];
    const inside = (from?.nth ?? -1) + direction;
    if (here !== undefined && inside >= 0 && inside < (this.#counts.get(here) ?? 0))
      return this.#match(start, inside);
    const length = this.#order.length;
    const first = start < 0 && direction < 0 ? 0 : start;
    for (let step = 1; step <= length; step += 1) {
      const at = (((first + direction * step) % length) + length) % length;
      const entry = this.#order[at];
      const count = entry === undefined ? 0 : (this.#counts.get(entry) ?? 0);
      if (count > 0) return this.#match(at, direction > 0 ? 0 : count - 1);
    }
    return undefined;
  }

  /** The card that has to be open for a match to be seen, and how far into its text the match is. */
  placeOf({ entry, nth }: Match): { readonly card: string | undefined; readonly at: number } | undefined {
    return this.#matchesIn(entry)[nth];
  }

  #match(at: number, nth: number): Match | undefined {
    const entry = this.#order[at];
    if (entry === undefined) return undefined;
    const before = this.#order.slice(0, at).reduce((sum, other) => sum + (this.#counts.get(other) ?? 0), 0);
    return { entry, nth, index: before + nth };
  }

  #matchesIn(entry: Entry): readonly { readonly card: string | undefined; readonly at: number }[] {
    return searchedOf(entry).flatMap(({ text, card }) => {
      const shown = this.#marked || entry.kind !== "message" ? text : withoutMarks(text);
      return Array.from(shown.matchAll(this.#pattern), ({ index }) => ({ card, at: index }));
    });
  }
}

/** What Markdown shows without the marks that a reader doesn't see. */
function withoutMarks(text: string): string {
  return text.replace(/\[([^[\]\n]*)\]\([^()\s]*\)/g, "$1").replace(/\*+|`+|(?<!\w)_+|_+(?!\w)/g, "");
}

function searchedOf(entry: Entry): readonly Searched[] {
  switch (entry.kind) {
    case "run":
      return shown(entry.error);
    case "message": {
      const isCard = entry.role !== "ai" && (entry.role !== "human" || entry.text.length > 8_000);
      return [isCard ? { text: entry.text, card: `text:${entry.id}` } : { text: entry.text }];
    }
    case "tool":
      return [...shown(entry.name), ...inCard(entry.id, entry.args, entry.result, entry.artifact)];
    case "step":
      return [...shown(entry.name), ...inCard(entry.id, entry.wrote)];
    case "values":
      return inCard(entry.id, entry.text);
    case "custom":
      return inCard(entry.id, JSON.stringify(entry.latest));
    case "lane":
      return shown(entry.name);
    case "notice":
      return [...shown(entry.text), ...inCard(entry.id, entry.detail)];
    case "interrupt": {
      const asked = entry.requests.flatMap(({ name, description, args }) =>
        shown(name, description, JSON.stringify(args)),
      );
      const value =
        entry.requests.length > 0 ? undefined : (entry.question?.text ?? JSON.stringify(entry.value));
      return [...asked, ...shown(value, entry.answer)];
    }
    case "feedback":
      return [];
    default:
      entry satisfies never;
      return [];
  }
}

function shown(...texts: readonly (string | undefined)[]): readonly Searched[] {
  return texts.flatMap((text) => (text === undefined ? [] : [{ text }]));
}

/** Texts in a card show JSON with its lines. */
function inCard(card: string, ...texts: readonly (string | undefined)[]): readonly Searched[] {
  return texts.flatMap((text) => (text === undefined ? [] : [{ text: pretty(text), card }]));
}

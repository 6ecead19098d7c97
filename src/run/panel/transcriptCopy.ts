/** A transcript as the page holds it: entries that patches change. */

import type { Entry, TranscriptPatch } from "./transcript.ts";

/** The entries of a transcript as the page holds them. */
export class TranscriptCopy {
  #entries: Entry[];
  #indexes = new Map<string, number>();

  constructor(entries: readonly Entry[] = []) {
    this.#entries = [...entries];
    this.#index();
  }

  /** The same array as long as text is appended: what is made of all entries need not be made anew for a token. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** What an entry is now. */
  newest(entry: Entry): Entry {
    return this.#at(entry.id) ?? entry;
  }

  /** Applies one patch. */
  apply({ set, append, order }: TranscriptPatch): void {
    // A text that begins is more than one that grows: it is counted and shown elsewhere, too.
    const begins = append.some(({ id }) => textOf(this.#at(id)) === "");
    if (set.length > 0 || order !== undefined || begins) this.#entries = [...this.#entries];
    for (const entry of set) this.#set(entry);
    for (const { id, text } of append) {
      const entry = this.#at(id);
      if (entry !== undefined) this.#set(grown(entry, text));
    }
    if (order === undefined) return;
    this.#entries = order.flatMap((id) => this.#at(id) ?? []);
    this.#index();
  }

  #at(id: string): Entry | undefined {
    const index = this.#indexes.get(id);
    return index === undefined ? undefined : this.#entries[index];
  }

  #set(entry: Entry): void {
    const index = this.#indexes.get(entry.id) ?? this.#entries.length;
    this.#indexes.set(entry.id, index);
    this.#entries[index] = entry;
  }

  #index(): void {
    this.#indexes = new Map(this.#entries.map((entry, index) => [entry.id, index]));
  }
}

function textOf(entry: Entry | undefined): string | undefined {
  if (entry?.kind === "message") return entry.text;
  return entry?.kind === "tool" ? entry.args : undefined;
}

function grown(entry: Entry, text: string): Entry {
  if (entry.kind === "message") return { ...entry, text: entry.text + text };
  if (entry.kind === "tool") return { ...entry, args: entry.args + text };
  return entry;
}

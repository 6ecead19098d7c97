/** A reader's copy of a transcript, kept up to date by patches. */

import type { Entry, TranscriptPatch } from "./transcript.ts";

/** The rows of a transcript as the page holds them. */
export class TranscriptCopy {
  #rows: Entry[];
  #places = new Map<string, number>();

  constructor(entries: readonly Entry[] = []) {
    this.#rows = [...entries];
    this.#index();
  }

  get entries(): readonly Entry[] {
    return this.#rows;
  }

  /** Applies one patch; the array of rows is a new one afterwards. */
  apply(patch: TranscriptPatch): void {
    const rows = [...this.#rows];
    const added = this.#replace(rows, patch);
    for (const { id, text } of patch.append) {
      const place = this.#places.get(id);
      const entry = place === undefined ? undefined : rows[place];
      if (place !== undefined && entry !== undefined) rows[place] = grown(entry, text);
    }
    this.#rows = rows;
    if (patch.order !== undefined) {
      const places = new Map(patch.order.map((id, index) => [id, index]));
      rows.sort((a, b) => (places.get(a.id) ?? Infinity) - (places.get(b.id) ?? Infinity));
    }
    if (added || patch.order !== undefined) this.#index();
  }

  #replace(rows: Entry[], patch: TranscriptPatch): boolean {
    const before = rows.length;
    for (const entry of patch.set) {
      const place = this.#places.get(entry.id);
      if (place === undefined) {
        this.#places.set(entry.id, rows.length);
        rows.push(entry);
      } else rows[place] = entry;
    }
    return rows.length > before;
  }

  #index(): void {
    this.#places = new Map(this.#rows.map((entry, index) => [entry.id, index]));
  }
}

function grown(entry: Entry, text: string): Entry {
  if (entry.kind === "message") return { ...entry, text: entry.text + text };
  if (entry.kind === "tool") return { ...entry, args: entry.args + text };
  return entry;
}

/** A transcript as the page holds it: entries that patches change, and the flat list of rows that it shows of them. */

import type { Entry, LaneEntry, TranscriptPatch } from "./transcript.ts";

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

/** One line of the list. */
export interface Row {
  readonly entry: Entry;
  /** How many lanes it is in. */
  readonly depth: number;
  /** Of a lane's header: how many entries the lane has, those of lanes in it included. */
  readonly size?: number;
  /** Of a lane's header: its entries are hidden. */
  readonly collapsed?: boolean;
}

/** Rows from top to bottom, each lane's entries below its header; `collapsed` holds the ids of lane entries. */
export function rows(entries: readonly Entry[], collapsed: ReadonlySet<string>): readonly Row[] {
  const lanes = new Map<string, LaneEntry>();
  for (const entry of entries) if (entry.kind === "lane") lanes.set(laneKey(entry.runId, entry.lane), entry);
  if (lanes.size === 0) return entries.map((entry) => ({ entry, depth: 0 }));

  const inside = Map.groupBy(entries, (entry) => lanes.get(laneKey(entry.runId, outerLane(entry))));
  const shown: Row[] = [];
  write(shown, undefined, 0);
  return shown;

  function write(target: Row[], lane: LaneEntry | undefined, depth: number): void {
    for (const entry of inside.get(lane) ?? []) {
      if (entry.kind !== "lane") {
        target.push({ entry, depth });
        continue;
      }
      const hidden = collapsed.has(entry.id);
      const below: Row[] = [];
      write(below, entry, depth + 1);
      target.push({ entry, depth, size: sizeOf(entry), collapsed: hidden });
      if (!hidden) for (const row of below) target.push(row);
    }
  }

  function sizeOf(lane: LaneEntry): number {
    const children = inside.get(lane) ?? [];
    return children.reduce((sum, child) => sum + 1 + (child.kind === "lane" ? sizeOf(child) : 0), 0);
  }
}

/** The lane that an entry is shown in: a lane's header is shown in the lane around it. */
function outerLane(entry: Entry): string {
  if (entry.kind === "lane") return entry.parent;
  return entry.kind === "run" ? "" : entry.lane;
}

/** Names one lane of one run; the lane "" is everybody's. */
export function laneKey(runId: string | undefined, lane: string): string {
  return lane === "" ? "" : `${runId ?? ""} ${lane}`;
}

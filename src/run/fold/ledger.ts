/**
 * The ledger of a transcript: its rows while they still change (drafts), their order, and what changed since a reader
 * took the last patch. Whoever changes a draft enters that here (`touch`).
 */

import type { Entry, LaneId, TranscriptPatch } from "../panel/transcript.ts";

/** A row that still changes; what it hands out never does. */
export interface Draft {
  readonly id: string;
  readonly lane: LaneId;
  build(): Entry;
  /** Text that was appended since the last hand-out, if nothing else changed. */
  growth?(): string | undefined;
  /** The row as it is now was handed out. */
  handedOut?(): void;
}

/** The rows of one run, or those before the first known run. */
export interface Section {
  readonly key: string;
  readonly drafts: Draft[];
  /** The newest row of each lane. */
  readonly tails: Map<LaneId, Draft>;
}

/** Keeps drafts in sections, sections in order, and counts what a reader has not seen yet. */
export class Ledger {
  readonly #sections: Section[] = [];
  readonly #sectionByDraft = new Map<Draft, Section>();
  readonly #changed = new Set<Draft>();
  readonly #seen = new Set<Draft>();
  #reordered = false;

  /** Opens a section after all others. */
  open(key: string): Section {
    const section: Section = { key, drafts: [], tails: new Map() };
    this.#sections.push(section);
    return section;
  }

  /** Puts a new draft at the end of its section. */
  add(section: Section, draft: Draft): void {
    section.drafts.push(draft);
    section.tails.set(draft.lane, draft);
    this.#sectionByDraft.set(draft, section);
    this.#changed.add(draft);
    if (section !== this.#sections.at(-1)) this.#reordered = true;
  }

  /** Puts a draft that is in no section yet at the end of a section. */
  addOnce(section: Section, draft: Draft): void {
    if (!this.#sectionByDraft.has(draft)) this.add(section, draft);
  }

  /** Puts a draft right behind another one, wherever it was before. */
  putAfter(anchor: Draft, draft: Draft): void {
    const section = this.#sectionByDraft.get(anchor);
    if (section === undefined) throw new RangeError(`no row ${anchor.id}`);
    this.#put(section, anchor, draft);
  }

  /** Puts a draft at the beginning of a section, wherever it was before. */
  putFirst(section: Section, draft: Draft): void {
    this.#put(section, undefined, draft);
  }

  /** Puts a draft at the end of a section, wherever it was before. */
  putLast(section: Section, draft: Draft): void {
    if (section.drafts.at(-1) === draft) return;
    const moved = this.#take(draft);
    this.add(section, draft);
    if (moved) this.#reordered = true;
  }

  /** Notes that a draft changed; one that is in no section yet is not shown. */
  touch(draft: Draft): void {
    if (!this.#changed.has(draft) && this.#sectionByDraft.has(draft)) this.#changed.add(draft);
  }

  sectionOf(draft: Draft): Section | undefined {
    return this.#sectionByDraft.get(draft);
  }

  /** All rows from top to bottom. */
  drafts(): readonly Draft[] {
    return this.#sections.flatMap((section) => section.drafts);
  }

  /** What changed since the last call; undefined when nothing did. */
  takePatch(): TranscriptPatch | undefined {
    if (this.#changed.size === 0 && !this.#reordered) return undefined;
    const set: Entry[] = [];
    const append: { id: string; text: string }[] = [];
    for (const draft of this.#changed) {
      const growth = this.#seen.has(draft) ? draft.growth?.() : undefined;
      if (growth === undefined) set.push(draft.build());
      else if (growth !== "") append.push({ id: draft.id, text: growth });
      draft.handedOut?.();
      this.#seen.add(draft);
    }
    const order = this.#reordered ? this.drafts().map((draft) => draft.id) : undefined;
    this.#changed.clear();
    this.#reordered = false;
    return { set, append, ...(order !== undefined && { order }) };
  }

  #put(section: Section, anchor: Draft | undefined, draft: Draft): void {
    const at = (): number => (anchor === undefined ? 0 : section.drafts.indexOf(anchor) + 1);
    if (section.drafts[at()] === draft) return;
    this.#take(draft);
    section.drafts.splice(at(), 0, draft);
    if (section.tails.get(draft.lane) === anchor) section.tails.set(draft.lane, draft);
    this.#sectionByDraft.set(draft, section);
    this.#changed.add(draft);
    this.#reordered = true;
  }

  #take(draft: Draft): boolean {
    const section = this.#sectionByDraft.get(draft);
    if (section === undefined) return false;
    section.drafts.splice(section.drafts.indexOf(draft), 1);
    if (section.tails.get(draft.lane) === draft) section.tails.delete(draft.lane);
    this.#sectionByDraft.delete(draft);
    return true;
  }
}

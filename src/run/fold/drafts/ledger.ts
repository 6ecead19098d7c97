/**
 * The ledger of a transcript: its rows while they still change (drafts), their order, and what changed since a reader
 * took the last patch. Whoever changes a draft enters that here (`touch`).
 */

import type { Entry, LaneId, TranscriptPatch } from "../../panel/transcript.ts";

/** A row that still changes; what it hands out never does. */
export interface Draft {
  readonly id: string;
  readonly lane: LaneId;
  build(): Entry;
  /** Whether its text arrives piece by piece now. */
  readonly streaming?: boolean;
  /** Text that was appended since the last hand-out, if nothing else changed. */
  growth?(): string | undefined;
  /** The row as it is now was handed out. */
  handedOut?(): void;
}

/** The rows of one run, or those before the first known run. */
export interface Section {
  readonly key: string;
  /** How many stand above it. */
  readonly place: number;
  readonly drafts: Draft[];
  /** The newest row of each lane. */
  readonly tails: Map<LaneId, Draft>;
  /** The newest rows of each lane that stand below no head: the next head may turn out to be theirs. */
  readonly loose: Map<LaneId, Set<Draft>>;
}

/** Keeps drafts in sections, sections in order, and counts what a reader has not seen yet. */
export class Ledger {
  readonly #sections: Section[] = [];
  readonly #sectionByDraft = new Map<Draft, Section>();
  readonly #changed = new Set<Draft>();
  readonly #seen = new Set<Draft>();
  /** The row that a row stands below: that of a step, or the first one of a run or a lane. */
  readonly #heads = new Map<Draft, Draft>();
  /** The last row below each head. */
  readonly #ends = new Map<Draft, Draft>();
  #reordered = false;
  #streams = false;

  /** Opens a section after all others. */
  open(key: string): Section {
    const place = this.#sections.length;
    const section: Section = { key, place, drafts: [], tails: new Map(), loose: new Map() };
    this.#sections.push(section);
    return section;
  }

  /** Puts a new draft after all that stand below `head`, or at the end of its section. */
  add(section: Section, draft: Draft, head?: Draft): void {
    const end = head === undefined ? undefined : (this.#ends.get(head) ?? head);
    if (head === undefined) this.#noteLoose(section, draft);
    else this.#putBelow(head, draft);
    if (
      end !== undefined &&
      end !== section.tails.get(draft.lane) &&
      this.#sectionByDraft.get(end) === section
    ) {
      this.#put(section, end, draft);
    } else this.#append(section, draft);
  }

  /** Puts a draft that is in no section yet there. */
  addOnce(section: Section, draft: Draft, head?: Draft): void {
    if (!this.#sectionByDraft.has(draft)) this.add(section, draft, head);
  }

  /** Puts a row at the end of a section, whatever comes: no head takes it for its own. */
  putEnd(section: Section, draft: Draft): void {
    if (section.drafts.at(-1) === draft) return;
    const moved = this.#take(draft);
    this.#append(section, draft);
    if (moved) this.#reordered = true;
  }

  /**
   * Adds a row that others will stand below; those of its lane that stand below none yet are its own. It comes before
   * another head if one is given.
   */
  addHead(section: Section, head: Draft, before?: Draft): void {
    if (before !== undefined) {
      this.#put(section, section.drafts[section.drafts.indexOf(before) - 1], head);
      const own = [...(section.loose.get(head.lane) ?? [])];
      for (const draft of own) this.putBelow(section, head, draft);
      return;
    }
    const loose = [...(section.loose.get(head.lane) ?? [])];
    section.loose.delete(head.lane);
    const [first] = loose;
    if (first === undefined) {
      this.#append(section, head);
      return;
    }
    this.#put(section, section.drafts[section.drafts.indexOf(first) - 1], head);
    for (const draft of loose) this.#putBelow(head, draft);
  }

  /** The last row below a head, or of a lane. */
  tailOf(section: Section, lane: LaneId, head: Draft | undefined): Draft | undefined {
    return head === undefined ? section.tails.get(lane) : this.#ends.get(head);
  }

  /** The row that a row stands below. */
  headOf(draft: Draft): Draft | undefined {
    return this.#heads.get(draft);
  }

  /** Puts a row below a head, wherever it was before; after all others there. */
  putBelow(section: Section, head: Draft, draft: Draft): void {
    if (this.#heads.get(draft) === head && this.#ends.get(head) === draft) return;
    const moved = this.#take(draft);
    this.add(section, draft, head);
    if (moved) this.#reordered = true;
  }

  /** Puts a row right after its head, before all others there. */
  putFirstBelow(section: Section, head: Draft, draft: Draft): void {
    if (section.drafts[section.drafts.indexOf(head) + 1] === draft) return;
    this.#put(section, head, draft);
    this.#heads.set(draft, head);
    if (!this.#ends.has(head)) this.#ends.set(head, draft);
  }

  /** Puts what each lane holds right after the lane's own row; `laneOf` tells the lane that a row begins. */
  nest(section: Section, laneOf: (draft: Draft) => LaneId | undefined): void {
    const inside = Map.groupBy(section.drafts, ({ lane }) => lane);
    const nested: Draft[] = [];
    const write = (lane: LaneId): void => {
      const drafts = inside.get(lane) ?? [];
      inside.delete(lane);
      for (const draft of drafts) {
        nested.push(draft);
        const begun = laneOf(draft);
        if (begun !== undefined) write(begun);
      }
    };
    write("");
    for (const lane of [...inside.keys()]) write(lane);
    if (nested.every((draft, index) => draft === section.drafts[index])) return;
    section.drafts.length = 0;
    for (const draft of nested) section.drafts.push(draft);
    this.#reordered = true;
  }

  /** Puts the heads of one lane in this order, each with what stands below it. */
  arrange(section: Section, heads: readonly Draft[]): void {
    const ranks = new Map(heads.map((head, index) => [head, index]));
    const newest = new Map<LaneId, number>();
    const ranked = section.drafts.map((draft) => {
      const own = ranks.get(draft) ?? ranks.get(this.#heads.get(draft) ?? draft);
      const rank = own ?? newest.get(draft.lane) ?? -1;
      newest.set(draft.lane, rank);
      return { draft, rank };
    });
    const lane = heads[0]?.lane;
    const moving = ranked.filter(({ draft }) => draft.lane === lane).toSorted((a, b) => a.rank - b.rank);
    let next = 0;
    let changed = false;
    for (const [index, { draft }] of ranked.entries()) {
      if (draft.lane !== lane) continue;
      const put = moving[next++]?.draft ?? draft;
      changed ||= put !== draft;
      section.drafts[index] = put;
    }
    if (!changed) return;
    this.#reordered = true;
    const last = moving.at(-1)?.draft;
    if (last !== undefined) section.tails.set(last.lane, last);
  }

  /** Puts a draft right after another one, wherever it was before. */
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

  /** Takes a row out that turned out to be none. */
  remove(draft: Draft): void {
    this.#reordered = this.#take(draft) || this.#reordered;
    this.#changed.delete(draft);
  }

  /** Notes that a draft changed; one that is in no section yet is not shown. */
  touch(draft: Draft): void {
    if (!this.#sectionByDraft.has(draft)) return;
    this.#changed.add(draft);
    this.#streams ||= draft.streaming === true;
  }

  sectionOf(draft: Draft): Section | undefined {
    return this.#sectionByDraft.get(draft);
  }

  /** Whether a section stands above another one. */
  isBefore(section: Section, other: Section): boolean {
    return section.place < other.place;
  }

  /** All rows from top to bottom. */
  drafts(): readonly Draft[] {
    return this.#sections.flatMap((section) => section.drafts);
  }

  /** Whether text that a person watches being written is among what changed since the last patch. */
  get streams(): boolean {
    return this.#streams;
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
    this.#streams = false;
    return { set, append, ...(order !== undefined && { order }) };
  }

  #append(section: Section, draft: Draft): void {
    section.drafts.push(draft);
    section.tails.set(draft.lane, draft);
    this.#sectionByDraft.set(draft, section);
    this.touch(draft);
    if (section !== this.#sections.at(-1)) this.#reordered = true;
  }

  #noteLoose(section: Section, draft: Draft): void {
    const loose = section.loose.get(draft.lane);
    if (loose === undefined) section.loose.set(draft.lane, new Set([draft]));
    else loose.add(draft);
  }

  #putBelow(head: Draft, draft: Draft): void {
    this.#heads.set(draft, head);
    this.#ends.set(head, draft);
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
    section.loose.get(draft.lane)?.delete(draft);
    const head = this.#heads.get(draft);
    this.#heads.delete(draft);
    if (head !== undefined && this.#ends.get(head) === draft) {
      const end = section.drafts.findLast((other) => this.#heads.get(other) === head);
      if (end === undefined) this.#ends.delete(head);
      else this.#ends.set(head, end);
    }
    return true;
  }
}

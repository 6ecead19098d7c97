/** What the page itself remembers: drafts, folds, the position read. It survives hiding, moving and reloading. */

import { useCallback, useLayoutEffect, useReducer } from "preact/hooks";

import { hostApi } from "./host.ts";

/** The composer as the user left it; without an assistant it follows the host. */
export interface ComposerDraft {
  /** A message, or the answer to a question. */
  readonly text: string;
  /** Inputs in JSON that were begun, by assistant. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The id of the question that the text is to answer, "run" for a new run, or "" as long as that is not said. */
  readonly purpose: string;
  readonly answerMode: "text" | "json";
  readonly assistantId?: string;
  /** A message that was sent before its agent's server had said whether it takes any. */
  readonly unsure?: { readonly assistantId: string; readonly text: string } | undefined;
  /** They are shown. */
  readonly options: boolean;
}

/** The row at the top of the transcript and how far it is scrolled out, in pixels. */
export interface ReadPosition {
  readonly id: string;
  readonly offset: number;
}

/** The ways to look at a thread, in the order of the switch above them. */
export const tabs = ["transcript", "graph", "events"] as const;

/** One way to look at a thread. */
export type Tab = (typeof tabs)[number];

/** Everything the page remembers. */
export interface Remembered {
  readonly tab: Tab;
  /** How the timeline is shown above the transcript. */
  readonly timeline: "hidden" | "chart" | "table";
  readonly draft: ComposerDraft;
  /** What was sent from here, the newest last, by the way it was written and the assistant: "text" or "json" and its id. */
  readonly sent: Readonly<Record<string, readonly string[]>>;
  /** Lanes that are folded away. */
  readonly folded: readonly string[];
  /** Cards that are opened. */
  readonly opened: readonly string[];
  /** Undefined while the end is followed. */
  readonly position: ReadPosition | undefined;
  readonly search: string;
  /** Unsent answers and feedback, by the card's id. */
  readonly cards: Readonly<Record<string, unknown>>;
}

const mostCards = 100;
const blank: Remembered = {
  tab: "transcript",
  timeline: "hidden",
  draft: { text: "", inputs: {}, purpose: "", answerMode: "text", options: false },
  sent: {},
  folded: [],
  opened: [],
  position: undefined,
  search: "",
  cards: {},
};

/** Holds the remembered values, saves them a little later, and calls who draws. */
class Memory {
  #values: Remembered;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(saved: unknown) {
    this.#values = restored(saved);
    addEventListener("pagehide", () => this.#save());
    document.addEventListener("visibilitychange", () => this.#save());
  }

  /** Calls `listener` when a value changed that the whole page depends on; returns how to end that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get<Key extends keyof Remembered>(key: Key): Remembered[Key] {
    return this.#values[key];
  }

  set<Key extends keyof Remembered>(key: Key, value: Remembered[Key]): void {
    this.#values = { ...this.#values, [key]: value };
    this.#timer ??= setTimeout(() => this.#save(), 300);
    if (key !== "position" && key !== "cards") for (const listener of this.#listeners) listener();
  }

  /** Adds `id` to a set of ids, or takes it out. */
  toggle(key: "folded" | "opened", id: string): void {
    const ids = this.#values[key];
    this.set(key, ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
  }

  /** Remembers a card's draft; the oldest drafts go first. */
  setCard(id: string, draft: unknown): void {
    const others = Object.entries(this.#values.cards).filter(([other]) => other !== id);
    this.set("cards", Object.fromEntries([...others.slice(1 - mostCards), [id, draft]]));
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    hostApi().setState(this.#values);
  }
}

/** The page's one memory. */
export const memory = new Memory(hostApi().getState());

/** The composer's draft; who uses it draws at once, so that the box is never set back to what was typed before. */
export function useDraft(): ComposerDraft {
  const [draft, setDraft] = useReducer<ComposerDraft, undefined>(
    () => memory.get("draft"),
    memory.get("draft"),
  );
  useLayoutEffect(() => memory.onChange(() => setDraft(undefined)), []);
  return draft;
}

/** A card's draft, kept while the card is scrolled out of sight or the page is gone. */
export function useCard<Draft extends object>(
  id: string,
  initial: Draft,
): [Draft, (change: Partial<Draft>) => void] {
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0);
  const kept = memory.get("cards")[id];
  const draft: Draft = typeof kept === "object" && kept !== null ? { ...initial, ...kept } : initial;
  const change = useCallback(
    (part: Partial<Draft>) => {
      const last = memory.get("cards")[id];
      memory.setCard(id, { ...(typeof last === "object" ? last : initial), ...part });
      redraw(undefined);
    },
    [id],
  );
  return [draft, change];
}

function restored(saved: unknown): Remembered {
  if (typeof saved !== "object" || saved === null) return blank;
  const fields = new Map<string, unknown>(Object.entries(saved));
  const strings = (key: string): string[] => {
    const value = fields.get(key);
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  };
  const part = (key: string): object => {
    const value = fields.get(key);
    return typeof value === "object" && value !== null ? value : {};
  };
  const position = part("position");
  const search = fields.get("search");
  return {
    tab: tabs.find((tab) => tab === fields.get("tab")) ?? "transcript",
    timeline: (["chart", "table"] as const).find((way) => way === fields.get("timeline")) ?? "hidden",
    draft: { ...blank.draft, ...part("draft") },
    sent: { ...part("sent") },
    folded: strings("folded"),
    opened: strings("opened"),
    position: "id" in position && "offset" in position ? (position as ReadPosition) : undefined,
    search: typeof search === "string" ? search : "",
    cards: { ...part("cards") },
  };
}

/** What can be written next in the JSON of an input, offered by the agent's schema. */

import { useState } from "preact/hooks";

import { type Completion, completionsAt } from "../../run/schema/completion.ts";
import type { SchemaDocument } from "../../run/schema/schemaDocument.ts";
import { Literal } from "../controls/literal.tsx";
import { plural } from "../kit/measures.ts";

/** The ways to go on where the caret stands, and the one that Enter takes. */
export interface Offer {
  readonly ways: readonly Completion[];
  readonly chosen: number;
}

interface Suggestions {
  readonly offer: Offer | undefined;
  /** Whether a key was for the list. */
  readonly onKey: (event: KeyboardEvent, box: HTMLTextAreaElement) => boolean;
  /** Something was typed: a list that is open follows it, and a quotation mark opens one. */
  readonly onTyped: (event: InputEvent, box: HTMLTextAreaElement) => void;
  readonly take: (way: Completion, box: HTMLTextAreaElement) => void;
  readonly close: () => void;
}

/** The list of a box whose text the schema is about; without one there is never a list. */
export function useSuggestions(
  document: SchemaDocument | undefined,
  onText: (text: string) => void,
): Suggestions {
  const [offer, setOffer] = useState<Offer>();
  const close = () => setOffer(undefined);
  const show = (box: HTMLTextAreaElement) => {
    const ways = document === undefined ? [] : completionsAt(document, box.value, box.selectionStart);
    setOffer(ways.length === 0 ? undefined : { ways, chosen: 0 });
  };
  const take = ({ text, from, to, caret }: Completion, box: HTMLTextAreaElement) => {
    box.setRangeText(text, from, to);
    box.setSelectionRange(from + caret, from + caret);
    box.focus();
    onText(box.value);
    // A name whose value is left open goes on with the values that there are.
    if (text.slice(0, caret).endsWith(": ")) show(box);
    else close();
  };
  const onKey = (event: KeyboardEvent, box: HTMLTextAreaElement): boolean => {
    if (event.key === " " && event.ctrlKey && document !== undefined) show(box);
    else if (offer === undefined || event.ctrlKey || event.metaKey) return false;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      const { length } = offer.ways;
      setOffer({ ...offer, chosen: (offer.chosen + step + length) % length });
    } else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      const way = offer.ways[offer.chosen];
      if (way !== undefined) take(way, box);
    } else if (event.key === "Escape") close();
    else {
      // Keys that lead elsewhere leave what the list was about.
      if (/^(Arrow|Home|End|Page)/.test(event.key)) close();
      return false;
    }
    event.preventDefault();
    return true;
  };
  const onTyped = (event: InputEvent, box: HTMLTextAreaElement) => {
    if (offer !== undefined || event.data === '"') show(box);
  };
  return { offer, onKey, onTyped, take, close };
}

/** The name of the list, for the box that it belongs to. */
export const suggestionsId = "suggestions";

/** The name of one of its rows. */
export function suggestionId(index: number): string {
  return `${suggestionsId}-${String(index)}`;
}

interface SuggestionListProps {
  readonly offer: Offer | undefined;
  readonly onTake: (way: Completion) => void;
}

/** How many are shown at a time. */
const mostShown = 8;

/** The list below the box, which keeps the focus: the part of it that the chosen one is in. */
export function SuggestionList({ offer, onTake }: SuggestionListProps) {
  const { ways = [], chosen = 0 } = offer ?? {};
  const first = Math.max(0, Math.min(chosen - mostShown / 2, ways.length - mostShown));
  return (
    <>
      <span class="hidden-visually" role="status">
        {offer !== undefined && plural(ways.length, "suggestion")}
      </span>
      {offer !== undefined && (
        <ul id={suggestionsId} class="suggestions" role="listbox" aria-label="Suggestions">
          {ways.slice(first, first + mostShown).map((way, index) => (
            <li
              key={way.label}
              id={suggestionId(first + index)}
              role="option"
              aria-selected={first + index === chosen}
              aria-posinset={first + index + 1}
              aria-setsize={ways.length}
              // The box keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onTake(way)}
            >
              <Literal class="suggestion-name" text={way.label} />
              {way.detail !== undefined && <Literal class="fact" text={way.detail} />}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

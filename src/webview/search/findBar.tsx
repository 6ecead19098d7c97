import { useLayoutEffect, useRef } from "preact/hooks";

import type { Sought } from "../../run/panel/search.ts";
import { Button, IconButton } from "../controls/button.tsx";
import { count } from "../kit/measures.ts";

/** What a search found so far. */
export interface Found {
  readonly total: number;
  /** Which of the matches the reader was led to, from 0. */
  readonly at: number | undefined;
  readonly isReading: boolean;
  /** Where that is, for who does not see it. */
  readonly where?: string;
}

interface FindBarProps {
  readonly within: "transcript" | "table";
  readonly sought: Sought;
  readonly found: Found;
  /** Changes when the caret is wanted here again. */
  readonly asked: number;
  /** What is not searched, in words, and how to get it where that can be; undefined where all is. */
  readonly missing: { readonly text: string; readonly verb?: string; readonly read?: () => void } | undefined;
  readonly onSought: (sought: Sought) => void;
  readonly onNext: (direction: 1 | -1) => void;
  readonly onClose: () => void;
}

/** Where a reader says what to look for, with the keys of the editor's own search. */
export function FindBar(props: FindBarProps) {
  const { within, sought, found, asked, missing, onSought, onNext, onClose } = props;
  const box = useRef<HTMLInputElement>(null);
  // At once, so that what is typed next stands in it.
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, [asked]);
  const toggleCase = () => onSought({ ...sought, matchCase: !sought.matchCase });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && event.target === box.current) onNext(event.shiftKey ? -1 : 1);
    else if (event.key === "F3") onNext(event.shiftKey ? -1 : 1);
    else if (event.altKey && event.code === "KeyC") toggleCase();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="find-bar" role="search" aria-label={within} onKeyDown={onKeyDown}>
      <div class="find-line">
        <input
          ref={box}
          class="input"
          type="text"
          aria-label={`Search in the ${within}`}
          maxLength={1000}
          placeholder="Search"
          value={sought.text}
          spellcheck={false}
          onInput={(event) => onSought({ ...sought, text: event.currentTarget.value })}
        />
        <IconButton
          icon="case-sensitive"
          label="Match Case (Alt+C)"
          pressed={sought.matchCase}
          onClick={toggleCase}
        />
        <span class={`find-count${isNothing(sought, found) ? " nothing" : ""}`} role="status">
          {sought.text === "" ? "" : countText(found)}
          {found.where !== undefined && <span class="hidden-visually">, {found.where}</span>}
        </span>
        <IconButton
          icon="arrow-up"
          label="Previous Match (Shift+Enter)"
          disabled={found.total === 0}
          onClick={() => onNext(-1)}
        />
        <IconButton
          icon="arrow-down"
          label="Next Match (Enter)"
          disabled={found.total === 0}
          onClick={() => onNext(1)}
        />
        <IconButton icon="close" label="Close (Escape)" onClick={onClose} />
      </div>
      {missing !== undefined && (
        <div class="find-missing">
          <span>{missing.text}</span>
          {missing.verb !== undefined && (
            <Button kind="link" disabled={missing.read === undefined} onClick={() => missing.read?.()}>
              {missing.verb}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function isNothing({ text }: Sought, { total, isReading }: Found): boolean {
  return text !== "" && total === 0 && !isReading;
}

function countText({ total, at, isReading }: Found): string {
  if (total === 0) return isReading ? "Searching…" : "No results";
  return `${at === undefined ? "?" : count(at + 1)} of ${count(total)}${isReading ? "…" : ""}`;
}

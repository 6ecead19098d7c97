import { useLayoutEffect, useRef } from "preact/hooks";

import type { SchemaDocument } from "../../run/schema/schemaDocument.ts";
import { boxRows } from "../kit/texts.ts";
import { SuggestionList, suggestionId, suggestionsId, useSuggestions } from "./suggestions.tsx";
import { InputHistory } from "./recall.ts";
import type { Writing } from "./writing.ts";

const mostLines = 12;

interface InputBoxProps {
  readonly input: { current: HTMLTextAreaElement | null };
  readonly writing: Writing;
  /** What is in the box that nobody has written in. */
  readonly blank: string;
  /** What was sent before, the newest last. */
  readonly sent: readonly string[];
  /** What is written is the answer to a question, not a run's input. */
  readonly answers: boolean;
  readonly onText: (text: string) => void;
  readonly invalid: boolean;
  /** What the text is checked against, as far as that is told. */
  readonly document: SchemaDocument | undefined;
}

/** The box that a run's input is written in; its keys choose what is suggested or bring back what was sent before. */
export function InputBox(props: InputBoxProps) {
  const { input, writing, blank, sent, answers, onText, invalid, document } = props;
  const suggestions = useSuggestions(document, onText);
  const { offer } = suggestions;
  const history = useRef(new InputHistory()).current;
  const { mode, text } = writing;
  const json = mode === "json";
  const words = (answers ? answerWords : runWords)[json ? "json" : "text"];
  const recalled = useRef<"start" | "end">(undefined);
  useLayoutEffect(() => {
    const caret = recalled.current === "start" ? 0 : text.length;
    if (recalled.current !== undefined) input.current?.setSelectionRange(caret, caret);
    recalled.current = undefined;
  });
  const keyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    if (event.isComposing || suggestions.onKey(event, event.currentTarget)) return;
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    // Within the lines of a text the arrows move the caret.
    const isWithin =
      (event.key === "ArrowUp" && value.slice(0, selectionStart).includes("\n")) ||
      (event.key === "ArrowDown" && value.slice(selectionEnd).includes("\n"));
    const isAtStart = selectionStart === 0 && selectionEnd === 0;
    const found = isWithin ? undefined : history.recall(event.key, value, { sent, blank, isAtStart });
    if (found === undefined) return;
    event.preventDefault();
    recalled.current = event.key === "ArrowUp" ? "start" : "end";
    onText(found);
  };
  const box = (
    <textarea
      ref={input}
      class={`input composer-input${json ? " code" : ""}`}
      aria-label={words.label}
      aria-autocomplete={document === undefined ? undefined : "list"}
      aria-controls={offer === undefined ? undefined : suggestionsId}
      aria-activedescendant={offer === undefined ? undefined : suggestionId(offer.chosen)}
      aria-invalid={invalid}
      aria-describedby={invalid ? "composer-problem" : undefined}
      placeholder={words.placeholder}
      rows={boxRows(text, mostLines, 2)}
      spellcheck={!json}
      value={text}
      onInput={(event) => {
        onText(event.currentTarget.value);
        suggestions.onTyped(event, event.currentTarget);
      }}
      onKeyDown={keyDown}
      onBlur={suggestions.close}
    />
  );
  return (
    <>
      {box}
      {document !== undefined && (
        <SuggestionList
          offer={offer}
          onTake={(way) => input.current !== null && suggestions.take(way, input.current)}
        />
      )}
    </>
  );
}

const runWords = {
  text: {
    label: "Message",
    placeholder: "Message the agent. Enter runs, Shift+Enter starts a new line",
  },
  json: {
    label: "Input as JSON",
    placeholder: '{"messages": [{"role": "user", "content": "…"}]}   Ctrl+Enter runs',
  },
};
const answerWords = {
  text: {
    label: "Answer to the agent's question",
    placeholder: "Answer the agent's question. Enter sends, Shift+Enter starts a new line",
  },
  json: { label: "Answer as JSON", placeholder: '{"answer": "…"}   Ctrl+Enter sends' },
};

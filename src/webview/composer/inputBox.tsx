import { useRef } from "preact/hooks";

import { memory, type ComposerDraft } from "../kit/memory.ts";

const mostLines = 12;

interface InputBoxProps {
  readonly input: { current: HTMLTextAreaElement | null };
  readonly draft: ComposerDraft;
  readonly onChange: (part: Partial<ComposerDraft>) => void;
  readonly onSend: () => void;
  readonly invalid: boolean;
}

/** The box that a run's input is written in; its keys send it or bring back what was sent before. */
export function InputBox({ input, draft, onChange, onSend, invalid }: InputBoxProps) {
  const history = useRef<InputHistory>(null);
  history.current ??= new InputHistory(() => memory.get("sent"));
  const json = draft.mode === "json";
  const keyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const sends =
      event.key === "Enter" && (json ? event.ctrlKey || event.metaKey : !event.shiftKey && !event.altKey);
    if (sends) {
      event.preventDefault();
      onSend();
      return;
    }
    const recalled = history.current?.recall(event.key, memory.get("draft").text);
    if (recalled === undefined) return;
    event.preventDefault();
    onChange({ text: recalled });
  };
  return (
    <textarea
      ref={input}
      class={`input composer-input${json ? " code" : ""}`}
      aria-label={json ? "Input as JSON" : "Message"}
      aria-invalid={invalid}
      aria-describedby={invalid ? "composer-problem" : undefined}
      placeholder={
        json
          ? '{"messages": [{"role": "user", "content": "…"}]}   Ctrl+Enter runs'
          : "Message the agent. Enter runs, Shift+Enter starts a new line"
      }
      rows={Math.min(mostLines, Math.max(2, draft.text.split("\n").length))}
      spellcheck={!json}
      value={draft.text}
      onInput={(event) => onChange({ text: event.currentTarget.value })}
      onKeyDown={keyDown}
    />
  );
}

/** Walks through the inputs that were sent, as a shell does: only from an empty box or from one it filled itself. */
class InputHistory {
  readonly #sent: () => readonly string[];
  /** How far back the walk is; 0 is the box itself. */
  #back = 0;

  constructor(sent: () => readonly string[]) {
    this.#sent = sent;
  }

  /** The text that a key brings into the box; undefined when the key keeps its usual meaning. */
  recall(key: string, text: string): string | undefined {
    const sent = this.#sent();
    if (text !== (sent.at(-this.#back) ?? "") || this.#back === 0) this.#back = 0;
    if (this.#back === 0 && text !== "") return undefined;
    if (key === "ArrowUp" && this.#back < sent.length) return sent.at(-++this.#back);
    if (key === "ArrowDown" && this.#back > 0) return --this.#back === 0 ? "" : sent.at(-this.#back);
    return undefined;
  }
}

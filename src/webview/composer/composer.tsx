import { memo } from "preact/compat";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { problemText, readJson, readJsonObject } from "../../run/json/jsonText.ts";
import type { PanelState, RunRequest } from "../../run/panel/messages.ts";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { Select } from "../controls/select.tsx";
import { post, useReceived } from "../kit/host.ts";
import { useKeptFocus } from "../kit/keptFocus.ts";
import { memory, useDraft, type ComposerDraft } from "../kit/memory.ts";
import { isRunning } from "../kit/sessionState.ts";
import { visibleText } from "../kit/visibleText.ts";
import { InputBox } from "./inputBox.tsx";
import { Options, StrategyChoice, choicesOf, type Choices } from "./options.tsx";

interface ComposerProps {
  readonly state: PanelState;
  /** The caret is to be put into the box; `onCaret` is called once it is there. */
  readonly caretWanted: boolean;
  readonly onCaret: () => void;
}

/** Where the next run is written and started. */
export const Composer = memo(function Composer({ state, caretWanted, onCaret }: ComposerProps) {
  const draft = useDraft();
  const choices = choicesOf(draft, state);
  const change = (part: Partial<ComposerDraft>) => memory.set("draft", { ...memory.get("draft"), ...part });
  const reading = readRequest(draft, choices);
  const { refusal, waiting, send, input } = useSending(state, draft.text);
  const element = useRef<HTMLElement>(null);
  useKeptFocus(element, () => input.current);
  useLayoutEffect(() => {
    if (!caretWanted) return;
    input.current?.focus();
    onCaret();
  }, [caretWanted, input, onCaret]);
  const busy = isRunning(state.session);
  const agent = state.assistants.find(({ id }) => id === choices.assistantId);
  const complaint = refusal ?? (draft.text === "" ? undefined : reading.problem);
  return (
    <footer ref={element} class="composer" aria-label="New run" onKeyDown={onEnter(send)}>
      {draft.options && <Options draft={draft} choices={choices} busy={busy} onChange={change} />}
      <InputBox
        input={input}
        draft={draft}
        onChange={change}
        onSend={send}
        invalid={complaint !== undefined}
      />
      {complaint !== undefined && (
        <p id="composer-problem" class="problem" role={refusal === undefined ? "status" : "alert"}>
          <Icon name="error" /> <Literal text={complaint} />
        </p>
      )}
      {busy && draft.text !== "" && (
        <StrategyChoice choices={choices} onChoose={(strategy) => change({ strategy })} />
      )}
      <div class="composer-line">
        <Select
          label="Agent"
          value={choices.assistantId}
          options={state.assistants.map(({ id, name }) => ({ value: id, label: name }))}
          title={agent?.description === undefined ? undefined : visibleText(agent.description)}
          onValue={(assistantId) => change({ assistantId })}
        />
        <div class="switch" role="group" aria-label="Input as">
          {(["text", "json"] as const).map((mode) => (
            <button
              key={mode}
              type="button"
              aria-pressed={draft.mode === mode}
              onClick={() => change({ mode })}
            >
              {mode === "text" ? "Text" : "JSON"}
            </button>
          ))}
        </div>
        <Button
          icon={draft.options ? "chevron-down" : "chevron-right"}
          kind="link"
          aria-expanded={draft.options}
          onClick={() => change({ options: !draft.options })}
        >
          Options
        </Button>
        <span class="spring" />
        <Button
          kind="primary"
          icon={waiting ? "loading" : "play"}
          disabled={waiting || reading.request === undefined}
          onClick={send}
        >
          Run
        </Button>
      </div>
    </footer>
  );
});

/** Ctrl+Enter, or Cmd+Enter, runs from anywhere in the composer. */
function onEnter(send: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.isComposing || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
}

/**
 * Sends what is in the box at that moment, which may be newer than what was last drawn. The text stays until the host
 * accepts it, and longer if it was changed meanwhile; a refusal stays until the text changes.
 */
function useSending(state: PanelState, text: string) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [refused, setRefused] = useState<{ readonly message: string; readonly text: string }>();
  const [sent, setSent] = useState<string>();
  useReceived(
    (message) => {
      // A page that was reloaded meanwhile does not know what it sent: what it remembers is that.
      const asked = sent ?? memory.get("draft").text;
      if (message.type === "accepted") {
        setSent(undefined);
        remember(asked);
      } else if (message.type === "refused" && message.request === "start") {
        setSent(undefined);
        setRefused({ message: message.message, text: asked });
      }
    },
    [sent],
  );
  const refusal = refused?.text === text ? refused.message : undefined;
  const waiting = sent !== undefined;
  const send = () => {
    const now = memory.get("draft");
    const reading = readRequest(now, choicesOf(now, state));
    if (waiting || reading.request === undefined) return;
    setRefused(undefined);
    setSent(now.text);
    post({ type: "start", request: reading.request });
  };
  return { refusal, waiting, send, input };
}

/** A text that was accepted goes from the box, unless something else is in it by now, to those that can be recalled. */
function remember(text: string): void {
  memory.set("sent", [...memory.get("sent").filter((earlier) => earlier !== text), text].slice(-50));
  const draft = memory.get("draft");
  if (draft.text === text) memory.set("draft", { ...draft, text: "" });
}

/** A run that can be started; or else the problem, unless it is only that nothing is written yet. */
interface RequestReading {
  readonly request?: RunRequest;
  readonly problem?: string;
}

/** Turns the composer into a request. */
function readRequest(draft: ComposerDraft, choices: Choices): RequestReading {
  if (choices.assistantId === "" || draft.text.trim() === "") return {};
  const metadata = readJsonObject(choices.metadata);
  if ("problem" in metadata) return { problem: `Metadata: ${problemText(metadata.problem)}` };
  if (choices.streamModes.length === 0) return { problem: "Choose at least one stream mode" };
  const json = draft.mode === "json" ? readJson(draft.text) : undefined;
  if (json !== undefined && "problem" in json) return { problem: problemText(json.problem) };
  const feedbackKeys = choices.feedbackKeys
    .split(",")
    .flatMap((key) => (key.trim() === "" ? [] : [key.trim()]));
  return {
    request: {
      assistantId: choices.assistantId,
      input: json === undefined ? { text: draft.text } : { json: json.value },
      streamModes: choices.streamModes,
      ...(metadata.value === undefined ? {} : { metadata: metadata.value }),
      ...(choices.strategy === "default" ? {} : { strategy: choices.strategy }),
      ...(feedbackKeys.length === 0 ? {} : { feedbackKeys: [...new Set(feedbackKeys)] }),
    },
  };
}

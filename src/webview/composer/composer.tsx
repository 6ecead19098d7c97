import type { ComponentChildren } from "preact";
import { memo } from "preact/compat";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { AgentOptions, InputMode } from "../../run/panel/agent.ts";
import type { PanelState } from "../../run/panel/messages.ts";
import type { InterruptEntry } from "../../run/panel/transcript.ts";
import { Button, MenuButton } from "../controls/button.tsx";
import { Select } from "../controls/select.tsx";
import { useKeptFocus } from "../kit/keptFocus.ts";
import { memory, useDraft, type ComposerDraft } from "../kit/memory.ts";
import { isRunning } from "../kit/sessionState.ts";
import { visibleText } from "../kit/visibleText.ts";
import { changeOptions, useAgent } from "./agents.ts";
import { InputDoubt, LeftText } from "./doubts.tsx";
import { InputArea } from "./inputArea.tsx";
import { useInputCheck } from "./inputChecks.ts";
import { choicesOf, chosenAgent } from "./choices.ts";
import { Options, StrategyChoice } from "./options.tsx";
import { purposeOf, PurposeSwitch, PurposeWarning } from "./purpose.tsx";
import { useSaving } from "./savedInputs.ts";
import { modesOf, readWriting, useSending, withText, writingOf } from "./writing.ts";

interface ComposerProps {
  readonly state: PanelState;
  /** What the agent asks and nobody has answered yet. */
  readonly questions: readonly InterruptEntry[];
  /** Leads the reader to what is asked. */
  readonly onQuestion: () => void;
  /** The caret is to be put into the box; `onCaret` is called once it is there. */
  readonly caretWanted: boolean;
  readonly onCaret: () => void;
}

/** Where the next run is written and started, or the agent's question answered. */
export const Composer = memo(function Composer(props: ComposerProps) {
  const { state, caretWanted, onCaret, onQuestion } = props;
  const questions = state.unsupported.includes("answer") ? none : props.questions;
  const draft = useDraft();
  const agent = useAgent(chosenAgent(draft, state));
  const choices = choicesOf(agent.options, state);
  const purpose = purposeOf(draft, questions);
  const writing = writingOf(draft, agent, purpose);
  const changeAgent = (part: AgentOptions) => changeOptions(agent.assistantId, part);
  const change = (part: Partial<ComposerDraft>) => memory.set("draft", { ...memory.get("draft"), ...part });
  const reading = readWriting(writing, agent, purpose, state);
  const isInput = purpose.kind !== "answer" && writing.mode !== "text";
  const { schemas } = agent;
  const input = useRef<HTMLTextAreaElement>(null);
  const { known: check, checked } = useInputCheck(
    isInput && schemas.kind === "known" ? schemas.input : undefined,
    reading.request === undefined ? undefined : writing.text,
  );
  const [brokenField, setBroken] = useState<string>();
  const [brokenSetting, setBrokenSetting] = useState<string>();
  const broken = (writing.mode === "form" ? brokenField : undefined) ?? brokenSetting;
  const { refusal, waiting, doubt, send } = useSending({ state, questions, agent, writing, broken, checked });
  useSaving({ state, agent, writing, purpose, broken });
  const element = useRef<HTMLElement>(null);
  useKeptFocus(element, () => boxIn(element.current));
  useLayoutEffect(() => {
    if (!caretWanted) return;
    boxIn(element.current)?.focus();
    onCaret();
  }, [caretWanted, onCaret]);
  const isAnswer = purpose.kind === "answer" || waiting === "resume";
  const isSending = waiting !== undefined || doubt === "messages";
  const busy = isRunning(state.session) && !isAnswer;
  const complaint = refusal ?? broken ?? (writing.touched ? reading.problem : undefined);
  const choosing = { purpose, questions, onPurpose: (chosen: string) => change({ purpose: chosen }) };
  return (
    <footer
      ref={element}
      class="composer"
      aria-label={isAnswer ? "Answer" : "New Run"}
      onKeyDown={(event) => {
        if (!runs(event, writing.mode === "text" && event.target === input.current)) return;
        event.preventDefault();
        send();
      }}
    >
      {draft.options && !isAnswer && (
        <Options
          agent={agent}
          choices={choices}
          busy={busy}
          onChange={changeAgent}
          onBroken={setBrokenSetting}
        />
      )}
      {!isAnswer && (
        <LeftText
          agent={agent}
          name={state.assistants.find(({ id }) => id === agent.assistantId)?.name ?? "This agent"}
          draft={draft}
          onChange={change}
        />
      )}
      <InputArea
        input={input}
        agent={agent}
        paused={state.paused}
        writing={writing}
        answers={isAnswer}
        complaint={complaint}
        isRefused={refusal !== undefined}
        check={check}
        isDoubted={doubt === "schema"}
        onText={(text) => memory.set("draft", withText(memory.get("draft"), agent, purpose, text))}
        onBroken={setBroken}
      />
      {(doubt === "schema" || doubt === "settings") && (
        <InputDoubt doubt={doubt} onSend={() => send([doubt])} />
      )}
      {(doubt === "question" || (purpose.kind === "late" && waiting === undefined)) && (
        <PurposeWarning {...choosing} onRun={() => send(["question"])} onQuestion={onQuestion} />
      )}
      {busy && writing.touched && (
        <StrategyChoice choices={choices} onChoose={(strategy) => changeAgent({ strategy })} />
      )}
      <Line
        state={state}
        draft={draft}
        mode={writing.mode}
        modes={modesOf(agent, purpose)}
        assistantId={agent.assistantId}
        isAnswer={isAnswer}
        onMode={(mode) =>
          mode !== "form" && isAnswer ? change({ answerMode: mode }) : changeAgent({ mode })
        }
        onChange={change}
      >
        <PurposeSwitch {...choosing} />
        <span class="spring" />
        {!isAnswer && <MenuButton label="Input Menu" section="composer" />}
        <Button
          kind="primary"
          icon={isSending ? "loading" : isAnswer ? "reply" : "play"}
          disabled={isSending || reading.request === undefined || broken !== undefined}
          onClick={() => send()}
        >
          {isAnswer ? "Answer" : "Run"}
        </Button>
      </Line>
    </footer>
  );
});

const none: readonly InterruptEntry[] = [];

/** Where the caret comes: the box, or the first field. */
function boxIn(composer: HTMLElement | null): HTMLElement | null {
  return (
    composer?.querySelector<HTMLElement>(":is(.composer-input, .schema-form :is(input, textarea, select))") ??
    null
  );
}

interface LineProps {
  readonly state: PanelState;
  readonly draft: ComposerDraft;
  readonly mode: InputMode;
  readonly modes: readonly InputMode[];
  readonly assistantId: string;
  readonly isAnswer: boolean;
  readonly onMode: (mode: InputMode) => void;
  readonly onChange: (part: Partial<ComposerDraft>) => void;
  /** Behind the choices. */
  readonly children: ComponentChildren;
}

/** What is chosen for each text, on one line; an answer goes to whoever asked. */
function Line(props: LineProps) {
  const { state, draft, mode, modes, assistantId, isAnswer, onMode, onChange, children } = props;
  const chosen = state.assistants.find(({ id }) => id === assistantId);
  return (
    <div class="composer-line">
      {!isAnswer && (
        <Select
          label="Agent"
          value={assistantId}
          options={state.assistants.map(({ id, name }) => ({ value: id, label: name }))}
          title={chosen?.description === undefined ? undefined : visibleText(chosen.description)}
          onValue={(chosenId) => onChange({ assistantId: chosenId })}
        />
      )}
      <div class="switch" role="group" aria-label="Input as">
        {modes.map((one) => (
          <button key={one} type="button" aria-pressed={mode === one} onClick={() => onMode(one)}>
            {modeNames[one]}
          </button>
        ))}
      </div>
      {!isAnswer && (
        <Button
          icon={draft.options ? "chevron-down" : "chevron-right"}
          kind="link"
          aria-expanded={draft.options}
          onClick={() => onChange({ options: !draft.options })}
        >
          Options
        </Button>
      )}
      {children}
    </div>
  );
}

const modeNames: Readonly<Record<InputMode, string>> = { text: "Text", form: "Form", json: "JSON" };

/** Ctrl+Enter, or Cmd+Enter, runs from anywhere in the composer, and Enter alone where a message is written. */
function runs(event: KeyboardEvent, isMessage: boolean): boolean {
  if (event.key !== "Enter" || event.isComposing || event.defaultPrevented) return false;
  return event.ctrlKey || event.metaKey || (isMessage && !event.shiftKey && !event.altKey);
}

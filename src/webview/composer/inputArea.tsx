import { useEffect, useRef } from "preact/hooks";

import { problemText, readJson } from "../../run/json/jsonText.ts";
import type { PausedServer } from "../../run/panel/messages.ts";
import type { Check } from "../../run/schema/check.ts";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { SchemaForm } from "../form/schemaForm.tsx";
import type { Agent } from "./agents.ts";
import { InputBox } from "./inputBox.tsx";
import { SchemaHint, SchemaProblems, UncheckedHint } from "./problems.tsx";
import { sentBefore } from "./recall.ts";
import type { Writing } from "./writing.ts";

interface InputAreaProps {
  readonly input: { current: HTMLTextAreaElement | null };
  readonly agent: Agent;
  /** Where a debugger holds the server. */
  readonly paused: PausedServer | undefined;
  readonly writing: Writing;
  /** What is written is the answer to a question, not a run's input. */
  readonly answers: boolean;
  /** What is wrong with it, and whether the host said so. */
  readonly complaint: string | undefined;
  readonly isRefused: boolean;
  /** What the agent's schema says of it, as far as that is known. */
  readonly check: Check | undefined;
  /** It was to be sent, and the schema refuses it. */
  readonly isDoubted: boolean;
  readonly onText: (text: string) => void;
  readonly onBroken: (problem: string | undefined) => void;
}

/** The box or the form that is written in, and what is wrong with what is written. */
export function InputArea(props: InputAreaProps) {
  const { input, agent, paused, writing, answers, complaint, isRefused, check, isDoubted, onText } = props;
  const isInput = !answers && writing.mode !== "text";
  const shown = isInput && (writing.touched || isDoubted) && complaint === undefined ? check : undefined;
  const onRange = (from: number, to: number) => {
    input.current?.focus();
    input.current?.setSelectionRange(from, to);
  };
  return (
    <>
      {writing.mode === "form" ? (
        <InputForm {...props} />
      ) : (
        <InputBox
          input={input}
          writing={writing}
          blank={isInput ? agent.starting : ""}
          sent={sentBefore(writing, agent)}
          answers={answers}
          onText={onText}
          invalid={complaint !== undefined || hasProblems(shown)}
          document={isInput ? agent.document : undefined}
        />
      )}
      {complaint !== undefined && (
        <p id="composer-problem" class="problem" role={isRefused ? "alert" : "status"}>
          <Icon name="error" /> <Literal text={complaint} />
        </p>
      )}
      {!answers && <SchemaHint agent={agent} isText={writing.mode === "text"} paused={paused} />}
      {shown !== undefined && "unchecked" in shown && <UncheckedHint text={shown.unchecked} />}
      {writing.mode === "json" && shown !== undefined && "problems" in shown && (
        <SchemaProblems text={writing.text} problems={shown.problems} onRange={onRange} />
      )}
    </>
  );
}

/** The input as fields; as long as it is no JSON there is nothing to fill in. */
function InputForm({ agent, writing, check, isDoubted, onText, onBroken }: InputAreaProps) {
  const element = useRef<HTMLDivElement>(null);
  const reading = readJson(writing.text);
  const problems = check !== undefined && "problems" in check ? check.problems : [];
  const isShown = isDoubted && problems.length > 0;
  useEffect(() => {
    if (isShown) element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [isShown]);
  if ("problem" in reading || agent.document === undefined)
    return (
      <div class="banner" role="status">
        <Icon name="info" />
        <span class="banner-text">
          The input can't be read, so it has no fields.{" "}
          {"problem" in reading && <Literal text={problemText(reading.problem)} />}
        </span>
        <Button onClick={() => onText(agent.starting)}>Start Over</Button>
      </div>
    );
  return (
    <div ref={element} class="input-form">
      <SchemaForm
        key={agent.assistantId}
        label="Input"
        document={agent.document}
        value={reading.value}
        onValue={(value) => onText(JSON.stringify(value, undefined, 2))}
        problems={problems}
        showAll={isDoubted}
        onBroken={onBroken}
      />
    </div>
  );
}

function hasProblems(check: Check | undefined): boolean {
  return check !== undefined && "problems" in check && check.problems.length > 0;
}

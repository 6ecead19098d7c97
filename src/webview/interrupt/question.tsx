/** A question in free form, and the answer to it. */

import { isList, sameJson } from "../../run/json/json.ts";
import { readJson } from "../../run/json/jsonText.ts";
import type { Json } from "../../run/panel/messages.ts";
import type { FreeQuestion, InterruptEntry } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { Markdown } from "../controls/markdown.tsx";
import { onEnter } from "../kit/enter.ts";
import { post, useSent } from "../kit/host.ts";
import { boxRows } from "../kit/texts.ts";
import { useUniqueId } from "../kit/uniqueId.ts";
import { Values } from "./values.tsx";

/** What is asked, and what the agent says beside it; a value of no known form is shown as it is. */
export function QuestionText({ interrupt: { question, value } }: { readonly interrupt: InterruptEntry }) {
  if (question === undefined) return <Values value={value} label="Question" />;
  return (
    <>
      <Markdown text={question.text} />
      {question.rest !== undefined && <Values value={question.rest} label="Details" />}
    </>
  );
}

/** The answer as it is written so far. */
export interface AnswerDraft {
  /** Undefined while the agent's proposal stands there. */
  readonly text?: string;
  /** The chosen ones of several options, by their places; undefined while the agent's proposal stands there. */
  readonly chosen?: readonly number[];
  /** What reads as JSON goes as text all the same. */
  readonly asText?: boolean;
}

interface AnswerProps {
  readonly interrupt: InterruptEntry;
  readonly draft: AnswerDraft;
  readonly onDraft: (part: AnswerDraft) => void;
}

const longestLabel = 200;
const none: FreeQuestion = { text: "", options: [], several: false };

/** Options as buttons, and a box for any other answer. */
export function Answer({ interrupt, draft, onDraft }: AnswerProps) {
  const [sent, noteSent] = useSent(interrupt, "resume");
  const question = interrupt.question ?? none;
  const send = (value: Json) => {
    if (sent) return;
    noteSent();
    post({ type: "resume", interruptId: interrupt.id, value });
  };
  return (
    <>
      {question.options.length > 0 && (
        <Options question={question} draft={draft} onDraft={onDraft} sent={sent} onSend={send} />
      )}
      <Box question={question} draft={draft} onDraft={onDraft} sent={sent} onSend={send} />
    </>
  );
}

interface PartProps extends Omit<AnswerProps, "interrupt"> {
  readonly question: FreeQuestion;
  readonly sent: boolean;
  readonly onSend: (value: Json) => void;
}

/** One option is sent at once; several are chosen first. */
function Options({ question, draft, onDraft, sent, onSend }: PartProps) {
  const { options, several, proposal } = question;
  const proposals = isList(proposal) ? proposal : [proposal];
  const proposed = (value: Json): boolean => proposals.some((one) => sameJson(one, value));
  const chosen = draft.chosen ?? options.flatMap(({ value }, at) => (proposed(value) ? [at] : []));
  const toggle = (at: number) =>
    onDraft({ chosen: chosen.includes(at) ? chosen.filter((other) => other !== at) : [...chosen, at] });
  return (
    <div
      class="choices"
      role="group"
      aria-label={several ? "Answers, of which several may be chosen" : "Answers"}
    >
      {options.map(({ label, value }, at) => (
        <Button
          key={at}
          kind={!several && proposed(value) ? "primary" : "secondary"}
          pressed={several ? chosen.includes(at) : undefined}
          disabled={sent}
          onClick={() => (several ? toggle(at) : onSend(value))}
        >
          <Literal text={label.length > longestLabel ? `${label.slice(0, longestLabel)}…` : label} />
        </Button>
      ))}
      {several && (
        <Button
          kind="primary"
          icon="send"
          disabled={sent || chosen.length === 0}
          onClick={() => onSend(options.flatMap(({ value }, at) => (chosen.includes(at) ? [value] : [])))}
        >
          Send {chosen.length} Chosen
        </Button>
      )}
    </div>
  );
}

/** An answer in one's own words: JSON if it is written as such, else text; it says which. */
function Box({ question, draft, onDraft, sent, onSend }: PartProps) {
  const id = useUniqueId();
  const { options, several, proposal } = question;
  const text = draft.text ?? (several ? "" : proposalText(proposal));
  const blank = text.trim() === "";
  const value = draft.asText === true ? text : answerOf(text, question);
  const isJson = typeof value !== "string" || value !== text;
  const send = () => {
    if (!blank) onSend(value);
  };
  return (
    <div class="field">
      <label for={id}>{options.length > 0 ? "Another answer" : "Answer"}</label>
      <textarea
        id={id}
        class="input"
        rows={boxRows(text, 8, 2)}
        placeholder="Enter sends, Shift+Enter starts a new line"
        value={text}
        onInput={(event) => onDraft({ text: event.currentTarget.value, asText: false })}
        onKeyDown={onEnter(send)}
      />
      <div class="card-foot">
        <Button
          kind={options.length > 0 ? "secondary" : "primary"}
          icon="send"
          disabled={blank || sent}
          onClick={send}
        >
          Send
        </Button>
        {!blank && <span class="fact">goes as {isJson ? "JSON" : "text"}</span>}
        {isJson && (
          <Button kind="link" onClick={() => onDraft({ text, asText: true })}>
            Send as Text
          </Button>
        )}
      </div>
    </div>
  );
}

function proposalText(proposal: Json | undefined): string {
  if (proposal === undefined) return "";
  return typeof proposal === "string" ? proposal : JSON.stringify(proposal, undefined, 2);
}

/** Words that happen to be JSON, such as a number, stay words unless the agent proposes a value of that kind. */
function answerOf(text: string, { options, proposal }: FreeQuestion): Json {
  const reading = readJson(text);
  if ("problem" in reading) return text;
  const { value } = reading;
  const isWritten = /^\s*[[{"]/.test(text);
  const isProposed = [proposal, ...options.map((option) => option.value)].some(
    (one) => one !== undefined && typeof one === typeof value,
  );
  return isWritten || isProposed ? value : text;
}

import { useId } from "preact/hooks";

import type { Feedback, FeedbackEntry, FeedbackKey } from "../../run/panel/transcript.ts";
import { Button, IconButton } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { JsonField } from "../controls/jsonField.tsx";
import { Literal } from "../controls/literal.tsx";
import { post, useSent } from "../kit/host.ts";
import { useCard } from "../kit/memory.ts";
import { visibleText } from "../kit/visibleText.ts";
import { draftOf, readFeedback, type FeedbackDraft } from "./feedbackDraft.ts";

/** What the user thinks of a run, one line per feedback key; a key that was sent is locked and shows what was sent. */
export function FeedbackBar({ feedback }: { readonly feedback: FeedbackEntry }) {
  return (
    <div class="card feedback" role="group" aria-label="Feedback on this run">
      <div class="card-head">
        <Icon name="feedback" />
        <span class="card-title">Feedback</span>
      </div>
      {feedback.keys.map((key) => (
        <div
          key={key.key}
          class="feedback-key"
          role="group"
          aria-label={`Feedback key ${visibleText(key.key)}`}
        >
          {key.state === "sent" ? (
            <Sent feedbackKey={key} />
          ) : (
            <Open runId={feedback.runId} feedbackKey={key} />
          )}
        </div>
      ))}
    </div>
  );
}

function Sent({ feedbackKey }: { readonly feedbackKey: FeedbackKey }) {
  const { key, given } = feedbackKey;
  return (
    <div class="feedback-line">
      <KeyName name={key} />
      <span class="status good">
        <Icon name="pass" /> sent
      </span>
      {given !== undefined && <Given given={given} />}
    </div>
  );
}

function Given({ given }: { readonly given: Feedback }) {
  const objects = Object.entries({ correction: given.correction, metadata: given.metadata });
  return (
    <>
      {given.score === 1 && <Icon name="thumbsup-filled" />}
      {given.score === -1 && <Icon name="thumbsdown-filled" />}
      {given.score !== undefined && <span class="fact">score {given.score}</span>}
      {given.value !== undefined && <span class="fact">value {given.value}</span>}
      {given.comment !== undefined && <span class="quote">“{given.comment}”</span>}
      {objects.map(
        ([name, value]) =>
          value !== undefined && (
            <span key={name} class="fact">
              {name} <code>{JSON.stringify(value)}</code>
            </span>
          ),
      )}
    </>
  );
}

function Open({ runId, feedbackKey }: { readonly runId: string; readonly feedbackKey: FeedbackKey }) {
  const { key, state, error } = feedbackKey;
  const [draft, change] = useCard<FeedbackDraft>(`feedback:${runId}:${key}`, draftOf(feedbackKey.given));
  const reading = readFeedback(draft);
  const [sent, noteSent] = useSent(feedbackKey, "feedback");
  const sending = sent || state === "sending";
  const touched = draft.score !== "" || draft.details || state === "failed";
  const send = () => {
    if (sending || "missing" in reading) return;
    noteSent();
    post({ type: "feedback", runId, key, feedback: reading.feedback });
  };
  const fields = { feedbackKey: key, draft, onDraft: change, disabled: sending };
  return (
    <>
      <div class="feedback-line">
        <KeyName name={key} />
        <Thumb icon="thumbsup" word="Good" score="1" {...fields} />
        <Thumb icon="thumbsdown" word="Bad" score="-1" {...fields} />
        {touched && <CommentField {...fields} onEnter={send} />}
        {touched && (
          <Button kind="primary" disabled={sending || "missing" in reading} onClick={send}>
            {sending ? "Sending" : state === "failed" ? "Retry" : "Send"}
          </Button>
        )}
        <button
          type="button"
          class="button link"
          aria-expanded={draft.details}
          disabled={sending}
          onClick={() => change({ details: !draft.details })}
        >
          {draft.details ? "Fewer fields" : "More fields"}
        </button>
      </div>
      {state === "failed" && (
        <Literal as="p" class="problem" role="alert" text={error ?? "The feedback could not be sent."} />
      )}
      {draft.details && <FeedbackFields draft={draft} onDraft={change} disabled={sending} />}
      {touched && "missing" in reading && !reading.shown && <p class="hint">{reading.missing}</p>}
    </>
  );
}

interface FieldProps {
  readonly feedbackKey: string;
  readonly draft: FeedbackDraft;
  readonly onDraft: (part: Partial<FeedbackDraft>) => void;
  readonly disabled: boolean;
}

interface ThumbProps extends FieldProps {
  readonly icon: string;
  readonly word: string;
  readonly score: string;
}

/** Sets the score, or takes it back when it is set so already. */
function Thumb({ icon, word, score, feedbackKey, draft, onDraft, disabled }: ThumbProps) {
  const pressed = draft.score === score;
  return (
    <IconButton
      icon={pressed ? `${icon}-filled` : icon}
      label={`${word} (${visibleText(feedbackKey)})`}
      pressed={pressed}
      disabled={disabled}
      onClick={() => onDraft({ score: pressed ? "" : score })}
    />
  );
}

interface CommentProps extends FieldProps {
  readonly onEnter: () => void;
}

function CommentField({ feedbackKey, draft, onDraft, disabled, onEnter }: CommentProps) {
  return (
    <input
      class="input comment"
      aria-label={`Comment (${visibleText(feedbackKey)})`}
      placeholder="Comment (optional)"
      value={draft.comment}
      disabled={disabled}
      onInput={(event) => onDraft({ comment: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.isComposing) onEnter();
      }}
    />
  );
}

function KeyName({ name }: { readonly name: string }) {
  return <Literal class="feedback-name" text={name} />;
}

interface FeedbackFieldsProps {
  readonly draft: FeedbackDraft;
  readonly onDraft: (part: Partial<FeedbackDraft>) => void;
  readonly disabled: boolean;
}

/** The fields beyond thumb and comment. */
function FeedbackFields({ draft, onDraft, disabled }: FeedbackFieldsProps) {
  return (
    <div class="feedback-fields">
      <NumberField
        label="Score"
        text={draft.score}
        disabled={disabled}
        onText={(score) => onDraft({ score })}
      />
      <NumberField
        label="Value"
        text={draft.value}
        disabled={disabled}
        onText={(value) => onDraft({ value })}
      />
      <JsonField
        label="Correction (JSON object)"
        object
        rows={2}
        placeholder={'{"answer": "what it should have said"}'}
        text={draft.correction}
        disabled={disabled}
        onText={(correction) => onDraft({ correction })}
      />
      <JsonField
        label="Metadata (JSON object)"
        object
        rows={2}
        placeholder={'{"reviewer": "on-call"}'}
        text={draft.metadata}
        disabled={disabled}
        onText={(metadata) => onDraft({ metadata })}
      />
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly text: string;
  readonly disabled: boolean;
  readonly onText: (text: string) => void;
}

function NumberField({ label, text, disabled, onText }: NumberFieldProps) {
  const id = useId();
  return (
    <div class="field narrow">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="number"
        step="any"
        value={text}
        disabled={disabled}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </div>
  );
}

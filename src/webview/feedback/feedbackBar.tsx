import type { Feedback, FeedbackEntry, FeedbackKey } from "../../run/panel/transcript.ts";
import { Button, IconButton } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { JsonField } from "../controls/jsonField.tsx";
import { Literal } from "../controls/literal.tsx";
import { post, useSent } from "../kit/host.ts";
import { useCard } from "../kit/memory.ts";
import { visibleText } from "../kit/visibleText.ts";
import { useUniqueId } from "../kit/uniqueId.ts";
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
      <Literal class="feedback-name" text={key} />
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
  const fields = { draft, onDraft: change, disabled: sending };
  return (
    <>
      <div class="feedback-line">
        <Literal class="feedback-name" text={key} />
        <Thumb icon="thumbsup" label={`Good (${visibleText(key)})`} score="1" {...fields} />
        <Thumb icon="thumbsdown" label={`Bad (${visibleText(key)})`} score="-1" {...fields} />
        {touched && (
          <input
            class="input comment"
            aria-label={`Comment (${visibleText(key)})`}
            placeholder="Comment (optional)"
            value={draft.comment}
            disabled={sending}
            onInput={(event) => change({ comment: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.isComposing) send();
            }}
          />
        )}
        {touched && (
          <Button kind="primary" disabled={sending || "missing" in reading} onClick={send}>
            {sending ? "Sending" : state === "failed" ? "Retry" : "Send"}
          </Button>
        )}
        <Button
          kind="link"
          aria-expanded={draft.details}
          disabled={sending}
          onClick={() => change({ details: !draft.details })}
        >
          {draft.details ? "Fewer Fields" : "More Fields"}
        </Button>
      </div>
      {state === "failed" && (
        <Literal as="p" class="problem" role="alert" text={error ?? "The feedback could not be sent."} />
      )}
      {draft.details && <FeedbackFields {...fields} />}
      {touched && "missing" in reading && !reading.shown && <p class="hint">{reading.missing}</p>}
    </>
  );
}

interface FieldProps {
  readonly draft: FeedbackDraft;
  readonly onDraft: (part: Partial<FeedbackDraft>) => void;
  readonly disabled: boolean;
}

interface ThumbProps extends FieldProps {
  readonly icon: "thumbsup" | "thumbsdown";
  readonly label: string;
  readonly score: string;
}

/** Sets the score, or takes it back when it is set so already. */
function Thumb({ icon, label, score, draft, onDraft, disabled }: ThumbProps) {
  const pressed = draft.score === score;
  return (
    <IconButton
      icon={pressed ? `${icon}-filled` : icon}
      label={label}
      pressed={pressed}
      disabled={disabled}
      onClick={() => onDraft({ score: pressed ? "" : score })}
    />
  );
}

const numbers = { score: "Score", value: "Value" };
const objects = {
  correction: { label: "Correction", example: '{"answer": "what it should have said"}' },
  metadata: { label: "Metadata", example: '{"reviewer": "on-call"}' },
};

/** The fields beyond thumb and comment. */
function FeedbackFields({ draft, onDraft, disabled }: FieldProps) {
  const id = useUniqueId();
  return (
    <div class="feedback-fields">
      {(["score", "value"] as const).map((name) => (
        <div key={name} class="field narrow">
          <label for={`${id}-${name}`}>{numbers[name]}</label>
          <input
            id={`${id}-${name}`}
            class="input"
            type="number"
            step="any"
            value={draft[name]}
            disabled={disabled}
            onInput={(event) => onDraft({ [name]: event.currentTarget.value })}
          />
        </div>
      ))}
      {(["correction", "metadata"] as const).map((name) => (
        <JsonField
          key={name}
          label={`${objects[name].label} (JSON object)`}
          object
          rows={2}
          placeholder={objects[name].example}
          text={draft[name]}
          disabled={disabled}
          onText={(text) => onDraft({ [name]: text })}
        />
      ))}
    </div>
  );
}

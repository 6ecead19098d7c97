import { useId } from "preact/hooks";

import { JsonField } from "../controls/jsonField.tsx";
import type { FeedbackDraft } from "./feedbackDraft.ts";

interface FeedbackFieldsProps {
  readonly draft: FeedbackDraft;
  readonly onDraft: (part: Partial<FeedbackDraft>) => void;
  readonly disabled: boolean;
}

/** The fields beyond thumb and comment. */
export function FeedbackFields({ draft, onDraft, disabled }: FeedbackFieldsProps) {
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

import { useId } from "preact/hooks";

import type { StreamMode } from "../../run/panel/messages.ts";
import { JsonField } from "../controls/jsonField.tsx";
import { Select } from "../controls/select.tsx";
import type { ComposerDraft } from "../memory.ts";
import type { Choices } from "./runRequest.ts";
import { strategies } from "./strategy.tsx";

const modes: readonly { readonly id: StreamMode; readonly gives: string }[] = [
  { id: "messages-tuple", gives: "tokens as they are written" },
  { id: "messages", gives: "messages as they grow" },
  { id: "updates", gives: "what each step changed" },
  { id: "values", gives: "the whole state after each step" },
  { id: "custom", gives: "events of the agent's own" },
  { id: "tasks", gives: "steps as they start and end" },
  { id: "checkpoints", gives: "each saved state" },
  { id: "debug", gives: "everything the engine tells" },
  { id: "events", gives: "everything the models and tools tell" },
];

interface OptionsProps {
  readonly draft: ComposerDraft;
  readonly choices: Choices;
  /** A run goes on: its own question about the strategy is on the screen. */
  readonly busy: boolean;
  readonly onChange: (part: Partial<ComposerDraft>) => void;
}

/** What is rarely changed about a run. */
export function Options({ draft, choices, busy, onChange }: OptionsProps) {
  const id = useId();
  const toggle = (mode: StreamMode) =>
    onChange({
      streamModes: choices.streamModes.includes(mode)
        ? choices.streamModes.filter((other) => other !== mode)
        : [...choices.streamModes, mode],
    });
  return (
    <div class="options">
      <fieldset class="modes">
        <legend>Stream modes</legend>
        {modes.map(({ id: mode, gives }) => (
          <label key={mode} class="choice" title={gives}>
            <input
              type="checkbox"
              checked={choices.streamModes.includes(mode)}
              onChange={() => toggle(mode)}
            />
            {mode}
          </label>
        ))}
      </fieldset>
      {!busy && (
        <Select
          label="If a run is already going on, the new one will"
          labelled
          value={choices.strategy}
          options={strategies.map((known) => ({ value: known.id, label: `${known.id}: ${known.effect}` }))}
          onValue={(strategy) => onChange({ strategy: strategy as Choices["strategy"] })}
        />
      )}
      <div class="field">
        <label for={id}>Feedback keys, separated by commas</label>
        <input
          id={id}
          class="input"
          placeholder="user_score, tone"
          value={choices.feedbackKeys}
          onInput={(event) => onChange({ feedbackKeys: event.currentTarget.value })}
        />
      </div>
      <JsonField
        label="Metadata (JSON object)"
        object
        rows={2}
        placeholder={'{"ticket": "OPS-1"}'}
        text={draft.metadata ?? ""}
        onText={(metadata) => onChange({ metadata })}
      />
    </div>
  );
}

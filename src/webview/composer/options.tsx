/** What can be chosen about the runs of an agent. */

import type { AgentOptions } from "../../run/panel/agent.ts";
import type { StreamMode } from "../../run/panel/messages.ts";
import { JsonField } from "../controls/jsonField.tsx";
import { Select } from "../controls/select.tsx";
import type { Agent } from "./agents.ts";
import type { Choices } from "./choices.ts";
import { Settings } from "./settings.tsx";
import { useUniqueId } from "../kit/uniqueId.ts";

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
  readonly agent: Agent;
  readonly choices: Choices;
  /** A run goes on: its own question about the strategy is on the screen. */
  readonly busy: boolean;
  readonly onChange: (part: AgentOptions) => void;
  readonly onBroken: (problem: string | undefined) => void;
}

/** What is rarely changed about the runs of an agent; it is kept for this agent alone. */
export function Options({ agent, choices, busy, onChange, onBroken }: OptionsProps) {
  const id = useUniqueId();
  const toggle = (mode: StreamMode) =>
    onChange({
      streamModes: choices.streamModes.includes(mode)
        ? choices.streamModes.filter((other) => other !== mode)
        : [...choices.streamModes, mode],
    });
  return (
    <div class="options" role="group" aria-label="Options of this agent">
      <Settings key={agent.assistantId} agent={agent} onChange={onChange} onBroken={onBroken} />
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
        text={agent.options.metadata ?? ""}
        onText={(metadata) => onChange({ metadata })}
      />
    </div>
  );
}

type Strategy = Choices["strategy"];

/** What each strategy does to the run that is going on. */
const strategies: readonly { readonly id: Strategy; readonly effect: string }[] = [
  { id: "default", effect: "do what the server is set up for: be refused or wait" },
  { id: "reject", effect: "be refused while one goes on" },
  { id: "enqueue", effect: "wait until the running one has finished" },
  { id: "interrupt", effect: "stop the running one and keep what it has done" },
  { id: "rollback", effect: "stop the running one and delete what it has done" },
];

/** While a run goes on, what a new one does to it is asked plainly. */
export function StrategyChoice({
  choices,
  onChoose,
}: {
  readonly choices: Choices;
  readonly onChoose: (strategy: Strategy) => void;
}) {
  return (
    <fieldset class="strategies">
      <legend>A run is going on. A new run will …</legend>
      {strategies.map(({ id, effect }) => (
        <label key={id} class="choice">
          <input
            type="radio"
            name="strategy"
            checked={choices.strategy === id}
            onChange={() => onChoose(id)}
          />
          <span>
            <strong>{id}</strong>: {effect}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

import type { Choices } from "./runRequest.ts";

type Strategy = Choices["strategy"];

/** What each strategy does to the run that is going on. */
export const strategies: readonly { readonly id: Strategy; readonly effect: string }[] = [
  { id: "default", effect: "do what the server is set up for: be refused or wait" },
  { id: "reject", effect: "be refused while one goes on" },
  { id: "enqueue", effect: "wait until the running one has finished" },
  { id: "interrupt", effect: "stop the running one and keep what it has done" },
  { id: "rollback", effect: "stop the running one and delete what it has done" },
];

interface StrategyChoiceProps {
  readonly choices: Choices;
  readonly onChoose: (strategy: Strategy) => void;
}

/** While a run goes on, what a new one does to it is asked plainly. */
export function StrategyChoice({ choices, onChoose }: StrategyChoiceProps) {
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

import type { RunEntry } from "../../run/panel/transcript.ts";
import { Literal } from "../controls/literal.tsx";
import type { LaneSummary } from "./lanes.tsx";
import { Status, Tokens, useElapsed } from "./status.tsx";

interface RunProps {
  readonly run: RunEntry;
  readonly lanes: readonly LaneSummary[];
  readonly onLane: (laneId: string) => void;
  /** A notice shows the run's error where it happened, so that it need not stand here too. */
  readonly errorShown: boolean;
}

/** Where a run begins: its agent, status, strategy, time and tokens, and a chip for each of its subagents. */
export function Run({ run, lanes, onLane, errorShown }: RunProps) {
  const running = run.status === "running" || run.status === "pending";
  const time = useElapsed(running, run);
  return (
    <div class="run">
      <div class="run-line">
        <Literal class="run-name" text={run.assistantId} />
        <Status status={run.status} />
        {run.strategy !== undefined && (
          <span class="fact">
            strategy: <Literal text={run.strategy} />
          </span>
        )}
        {time !== undefined && <span class="fact">{time}</span>}
        {run.usage !== undefined && <Tokens usage={run.usage} />}
      </div>
      {lanes.length > 0 && <Chips lanes={lanes} onLane={onLane} />}
      {run.error !== undefined && !errorShown && <Literal as="p" class="run-error" text={run.error} />}
    </div>
  );
}

function Chips({ lanes, onLane }: Pick<RunProps, "lanes" | "onLane">) {
  return (
    <div class="chips" role="group" aria-label="Subagents of this run">
      {lanes.map(({ lane, colour }) => (
        <button
          key={lane.id}
          type="button"
          class={`chip lane-colour-${colour}`}
          title="Go to this subagent"
          onClick={() => onLane(lane.id)}
        >
          <span class="lane-dot" aria-hidden="true" />
          <Literal text={lane.name} />
          <Status status={lane.status} />
        </button>
      ))}
    </div>
  );
}

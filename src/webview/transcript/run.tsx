import { useCallback, useContext, useMemo, useRef } from "preact/hooks";

import type { Entry, RunEntry } from "../../run/panel/transcript.ts";
import { MenuButton } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { assistantName, AssistantsContext } from "../kit/assistants.ts";
import { post } from "../kit/host.ts";
import { StoppedRunActions } from "../repair/courseActions.tsx";
import { kindOfLane, type LaneSummary } from "./lanes.tsx";
import { stateOf, Status, Tokens, useElapsed } from "./status.tsx";

interface RunProps {
  readonly run: RunEntry;
  /** It asks something: for the server it is over, for the reader it is not. */
  readonly waits: boolean;
  /** It was started while another one went on. */
  readonly overlaps: boolean;
  readonly lanes: readonly LaneSummary[];
  readonly onLane: (laneId: string) => void;
  /** A notice shows the run's error where it happened, so that it need not stand here too. */
  readonly errorShown: boolean;
}

/** Where a run begins: its agent, status, strategy, time and tokens, and a chip for each of its subgraphs. */
export function Run({ run, waits, overlaps, lanes, onLane, errorShown }: RunProps) {
  const name = assistantName(useContext(AssistantsContext), run.assistantId);
  const running = run.status === "running" || run.status === "pending";
  const time = useElapsed(running, run);
  return (
    <div class="run">
      <div class="run-line">
        <Literal class="run-name" text={name} />
        <Status status={waits && !running ? "waiting" : run.status} />
        {overlaps && run.strategy !== undefined && run.strategy !== "reject" && (
          <span class="fact">
            strategy: <Literal text={run.strategy} />
          </span>
        )}
        {time !== undefined && <span class="fact">{time}</span>}
        {run.usage !== undefined && <Tokens usage={run.usage} />}
        {run.eventsLost === true && (
          <span
            class="fact"
            title="The server does not keep what this run streamed: the progress that it reported and the times of its tools are missing."
          >
            events not kept
          </span>
        )}
        {run.left !== undefined && (
          <span
            class="fact"
            title="The thread went on from an earlier state: the agent does not know of this any more."
          >
            {run.left === "whole" ? "left behind" : "left behind in part"}
          </span>
        )}
        <StoppedRunActions run={run} />
        <MenuButton label="Run Menu" />
      </div>
      {lanes.length > 0 && <Chips lanes={lanes} onLane={onLane} />}
      {run.error !== undefined && !errorShown && <Literal as="p" class="run-error" text={run.error} files />}
    </div>
  );
}

/** What the editor's own menu of a run asks about it. */
export function menuContext({ runId, trace }: RunEntry): string {
  const facts = { webviewSection: "run", runId, runHasTrace: trace !== undefined };
  return JSON.stringify({ ...facts, preventDefaultContextMenuItems: true });
}

function Chips({ lanes, onLane }: Pick<RunProps, "lanes" | "onLane">) {
  return (
    <div class="chips" role="group" aria-label="Subgraphs of this run">
      {lanes.map(({ lane, waits, colour }) => (
        <button
          key={lane.id}
          type="button"
          class={`chip lane-colour-${colour}`}
          title={`Go to this ${kindOfLane(lane)}`}
          onClick={() => onLane(lane.id)}
        >
          <span class="lane-dot" aria-hidden="true" />
          <Literal text={lane.name} />
          <Status status={stateOf(lane.status, waits)} />
        </button>
      ))}
    </div>
  );
}

/** The runs of which more can be read, and what is to be told when a row of one exists. */
export interface UnreadRuns {
  readonly runIds: ReadonlySet<string>;
  readonly inSight: (runId: string) => void;
}

/** Asks the host to read more of runs whose rows come in sight. */
export function useUnreadRuns(entries: readonly Entry[]): UnreadRuns {
  const runIds = useMemo(() => new Set(unreadRuns(entries)), [entries]);
  const latest = useRef(runIds);
  latest.current = runIds;
  const asked = useRef(new Set<string>());
  const wanted = useRef<string[]>([]);
  const inSight = useCallback((runId: string) => {
    const all = [...latest.current];
    const index = all.indexOf(runId);
    // The run before it is likely to come in sight next.
    for (const id of all.slice(Math.max(0, index - 1), index + 1)) {
      if (asked.current.has(id)) continue;
      asked.current.add(id);
      if (wanted.current.push(id) === 1)
        queueMicrotask(() => post({ type: "readRuns", runIds: wanted.current.splice(0) }));
    }
  }, []);
  return { runIds, inSight };
}

function unreadRuns(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === "run" && entry.unread === true ? [entry.runId] : []));
}

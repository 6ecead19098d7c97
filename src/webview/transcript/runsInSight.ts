/** Asks the host to read more of runs whose rows come in sight. */

import { useCallback, useMemo, useRef } from "preact/hooks";

import type { Entry } from "../../run/panel/transcript.ts";
import { post } from "../kit/host.ts";

/** The runs of which more can be read, and what is to be told when a row of one exists. */
export interface UnreadRuns {
  readonly runIds: ReadonlySet<string>;
  readonly inSight: (runId: string) => void;
}

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

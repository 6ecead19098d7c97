import type { KeptRun } from "../../../../src/run/history/keptRuns.ts";
import type { KeptStep } from "../../../../src/run/history/keptSteps.ts";

/** A step that the server keeps. */
export function step(
  taskId: string,
  node: string,
  status: KeptStep["status"],
  more: Partial<KeptStep> = {},
): KeptStep {
  return {
    ...{
      taskId,
      node,
      status,
      startedAt: 1000,
      endedAt: 2000,
      wrote: undefined,
      wroteTogether: false,
      messages: [],
      isInState: true,
      error: undefined,
    },
    ...{
      questions: [],
      lostQuestion: false,
      lostError: false,
      isErrorUnsure: false,
      outcome: [],
      before: "a",
      after: "b",
      ...more,
    },
  };
}

/** What is kept of the run "r", or of a subgraph in it. */
export function kept(steps: readonly KeptStep[], more: Partial<KeptRun> = {}): KeptRun {
  return {
    runId: "r",
    input: [],
    steps,
    end: undefined,
    stoppedBefore: [],
    left: undefined,
    isVain: false,
    ...more,
  };
}

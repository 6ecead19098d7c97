/** Stopping a run: servers answer before it has stopped, so it is watched until it did. */

import type { Run } from "../../api/agentServer/wire.ts";
import { isOver } from "../fold/runDraft.ts";
import { statusOf } from "./server.ts";
import type { Clock, RunServer } from "./server.ts";

/** What a run is stopped with. */
export interface StopParts {
  readonly server: RunServer;
  readonly clock: Clock;
  readonly threadId: string;
  readonly signal: AbortSignal;
}

const patienceMs = 30_000;
const longestPauseMs = 2000;

/** Asks the server to stop the run; undefined when it goes on for longer than half a minute. */
export async function stopRun(
  { server, clock, threadId, signal }: StopParts,
  runId: string,
): Promise<Run | undefined> {
  await server.runs.cancel(threadId, runId, { signal });
  const deadline = clock.now() + patienceMs;
  for (let pause = 200; clock.now() < deadline; pause = Math.min(longestPauseMs, pause * 2)) {
    await clock.sleep(pause, signal);
    const run = await status({ server, clock, threadId, signal }, runId);
    if (run !== undefined && isOver(run.status)) return run;
  }
  return undefined;
}

/** A question that fails in passing is asked again. */
async function status({ server, threadId, signal }: StopParts, runId: string): Promise<Run | undefined> {
  try {
    return await server.runs.get(threadId, runId, { signal });
  } catch (error) {
    const code = statusOf(error);
    if (signal.aborted || (code !== undefined && code < 500 && code !== 429)) throw error;
    return undefined;
  }
}

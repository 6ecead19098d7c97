/** Stopping a run: servers answer before it has stopped, so it is watched until it did. */

import type { Run } from "../../api/agentServer/wire.ts";
import { growingPause, isTransient } from "../../api/retry.ts";
import { isOver } from "../fold/runDraft.ts";
import { type SessionParts, statusOf } from "./server.ts";

const deadlineMs = 30_000;
const pauses = { firstMs: 200, mostMs: 2000 };

/** Asks the server to stop the run; undefined when it goes on for longer than half a minute. */
export async function stopRun(parts: SessionParts, runId: string): Promise<Run | undefined> {
  const { server, clock, threadId, signal } = parts;
  await server.runs.cancel(threadId, runId, { signal });
  const deadline = clock.now() + deadlineMs;
  for (let attempt = 0; clock.now() < deadline; attempt++) {
    await clock.sleep(growingPause(attempt, pauses), signal);
    const run = await status(parts, runId);
    if (run !== undefined && isOver(run.status)) return run;
  }
  return undefined;
}

/** Undefined after a transient failure, or without an answer: it is asked for again. */
async function status({ server, threadId, signal }: SessionParts, runId: string): Promise<Run | undefined> {
  try {
    return await server.runs.get(threadId, runId, { signal });
  } catch (error) {
    if (signal.aborted || (statusOf(error) !== undefined && !isTransient(error))) throw error;
    return undefined;
  }
}

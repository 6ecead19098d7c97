/** Sessions with real servers, in real time. */

import { submitFeedback } from "../../src/api/agentServer/feedback.ts";
import { realClock } from "../../src/api/poll.ts";
import type { Clock } from "../../src/api/retry.ts";
import type { RunRequest } from "../../src/run/panel/messages.ts";
import type { RunServer } from "../../src/run/session/server.ts";
import { RunSession } from "../../src/run/session/session.ts";
import type { Entry } from "../../src/run/panel/transcript.ts";
import { transcriptText } from "./recordings.ts";
import { until } from "./until.ts";

/** A session as the editor makes it. */
export function liveSession(
  server: RunServer,
  threadId?: string,
  onChange: () => void = () => undefined,
  clock: Clock = realClock,
): RunSession {
  return new RunSession({
    server,
    clock,
    threadId,
    onChange,
    describe: (error) => ({ message: error instanceof Error ? error.message : String(error), actions: [] }),
    submitFeedback: async (url, given, signal) => submitFeedback(url, given, { signal }),
  });
}

/** A request to run an agent with its usual stream modes. */
export function request(assistantId: string, input: RunRequest["input"]): RunRequest {
  return { assistantId, input, streamModes: [] };
}

/** Waits until nothing goes on any more. */
export async function idle(session: RunSession): Promise<void> {
  await sessionUntil(session, () => session.state.kind === "idle");
}

/** Reads all that comes in sight of who scrolls through the whole transcript. */
export async function scrolledThrough(session: RunSession): Promise<void> {
  await session.readRuns(session.entries.flatMap((entry) => (entry.kind === "run" ? [entry.runId] : [])));
}

/** Waits until the condition holds of the session; tells how the session stands when it never does. */
export async function sessionUntil(session: RunSession, holds: () => boolean): Promise<void> {
  try {
    await until("the session", holds, 60_000);
  } catch (cause) {
    throw new Error(`${JSON.stringify(session.state)}\n${transcriptText(session.entries)}`, { cause });
  }
}

/** The first entry of a kind. */
export function first<K extends Entry["kind"]>(
  session: RunSession,
  kind: K,
): Extract<Entry, { kind: K }> | undefined {
  return session.entries.find((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
}

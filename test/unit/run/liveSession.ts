/** Sessions with real servers, in real time. */

import { setTimeout as pause } from "node:timers/promises";
import { submitFeedback } from "../../../src/api/feedback.ts";
import type { RunRequest } from "../../../src/run/panel/messages.ts";
import type { Clock, RunServer } from "../../../src/run/session/server.ts";
import { RunSession } from "../../../src/run/session/session.ts";
import type { Entry } from "../../../src/run/panel/transcript.ts";
import { transcriptText } from "./recordings.ts";

const patienceMs = 20_000;

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => pause(ms, undefined, { signal, ref: false }),
  random: () => Math.random(),
};

/** A session as the editor makes it. */
export function liveSession(server: RunServer, threadId?: string): RunSession {
  return new RunSession({
    server,
    clock: realClock,
    threadId,
    onChange: () => undefined,
    describe: (error) => ({ message: error instanceof Error ? error.message : String(error) }),
    submitFeedback: async (url, given, signal) => submitFeedback(url, given, { signal }),
  });
}

/** A wish to run an agent with its usual stream modes. */
export function request(assistantId: string, input: RunRequest["input"]): RunRequest {
  return { assistantId, input, streamModes: [] };
}

/** Waits until nothing goes on any more. */
export async function idle(session: RunSession): Promise<void> {
  await until(session, () => session.activity.kind === "idle");
}

/** Waits until the condition holds of the session. */
export async function until(session: RunSession, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!holds()) {
    if (Date.now() > deadline) {
      throw new Error(`${JSON.stringify(session.activity)}\n${transcriptText(session.entries)}`);
    }
    await pause(10);
  }
}

/** The first entry of a kind. */
export function first<K extends Entry["kind"]>(
  session: RunSession,
  kind: K,
): Extract<Entry, { kind: K }> | undefined {
  return session.entries.find((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
}

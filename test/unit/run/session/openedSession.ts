import { strict as assert } from "node:assert";
import type { ThreadState } from "../../../../src/api/agentServer/wire.ts";
import type { Failure } from "../../../../src/run/panel/messages.ts";
import { TranscriptCopy } from "../../../../src/run/panel/transcriptCopy.ts";
import { RunSession } from "../../../../src/run/session/session.ts";
import type { Entry, Feedback } from "../../../../src/run/panel/transcript.ts";
import { recordedJson, recordingBytes, transcriptText } from "../../../support/recordings.ts";
import { ScriptedServer } from "./scriptedServer.ts";
import { TestClock } from "../../../support/testClock.ts";

export const said = { type: "human", id: "6e380d89-7b6f-4ca8-b953-651c28cc5d5e", content: "Hello" };
export const hello = { assistantId: "chat", input: { text: "Hello" }, streamModes: [] } as const;

export interface Opening {
  readonly threadId?: string;
  readonly server?: ScriptedServer;
  /** What can be done about each failure. */
  readonly actions?: Failure["actions"];
  readonly submitFeedback?: (url: string, feedback: Feedback) => Promise<void>;
}

/** A session whose patches are followed, so that every test checks them, too. */
export function opened({
  threadId,
  server = new ScriptedServer(),
  actions = [],
  submitFeedback,
}: Opening = {}) {
  const clock = new TestClock();
  const copy = new TranscriptCopy();
  const session: RunSession = new RunSession({
    server,
    clock,
    threadId,
    onChange: () => {
      const patch = session.takePatch();
      if (patch !== undefined) copy.apply(patch);
    },
    describe: (error) => ({
      message: `Told: ${error instanceof Error ? error.message : String(error)}`,
      actions,
    }),
    submitFeedback: submitFeedback ?? (() => Promise.resolve()),
  });
  const entries = <K extends Entry["kind"]>(kind: K): readonly Extract<Entry, { kind: K }>[] =>
    copy.entries.filter((one): one is Extract<Entry, { kind: K }> => one.kind === kind);
  const entry = <K extends Entry["kind"]>(kind: K): Extract<Entry, { kind: K }> => entries(kind)[0]!;
  return {
    session,
    server,
    clock,
    entries,
    entry,
    shown: () => {
      assert.deepEqual(copy.entries, session.entries);
      return transcriptText(copy.entries);
    },
    idle: () => clock.until(() => session.state.kind === "idle"),
    load: async () => {
      let loaded = false;
      void session.load().then(() => (loaded = true));
      await clock.until(() => loaded);
    },
  };
}

export async function played(script: { bytes: Uint8Array; status: string; cutAt?: number }): Promise<string> {
  const { session, server, shown, idle } = opened();
  server.script.push(script);
  await session.start({ ...hello, input: { json: null } });
  await idle();
  return shown();
}

export async function interrupted(session: RunSession, server: ScriptedServer): Promise<void> {
  server.state = await recordedJson<ThreadState>("approval-state");
  server.script.push({ bytes: await recordingBytes("approval"), status: "success" });
  await session.start({ ...hello, input: { text: "Report" } });
}

export function human(content: string) {
  return { type: "human", content };
}

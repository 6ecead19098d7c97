import { deepEqual } from "node:assert/strict";
import * as vscode from "vscode";
import type { RunSession } from "../../src/run/session/session.ts";
import { until } from "../support/until.ts";

/** Starts a run with a text, which is accepted. */
export async function send(session: RunSession, assistantId: string, text: string): Promise<void> {
  const outcome = await session.start({
    assistantId,
    input: { text },
    streamModes: ["messages-tuple", "updates", "custom"],
  });
  deepEqual(outcome, { accepted: true });
}

/** Waits until nothing runs. */
export async function idle(session: RunSession): Promise<void> {
  await until("nothing runs", () => session.state.kind === "idle");
}

/** The texts of all messages. */
export function texts(session: RunSession): string[] {
  return session.entries.filter((entry) => entry.kind === "message").map(({ text }) => text);
}

/** The labels of all tabs. */
export function tabs(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
}

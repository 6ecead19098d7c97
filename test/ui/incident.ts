/** An incident on a server, by keyboard alone: threads that failed, from the Failures view to the report. */

import { deepEqual, match } from "node:assert/strict";
import type { AgentServer } from "../../src/api/agentServer/index.ts";
import { runToEnd } from "../support/runToEnd.ts";
import { Keyboard } from "./pages/hands.ts";
import { TextEditor } from "./pages/textEditor.ts";
import { until } from "./pages/waiting.ts";
import type { WorkbenchPage } from "./pages/workbenchPage.ts";

/** Where it happens. */
export interface Incident {
  readonly window: WorkbenchPage;
  /** The name of the server's connection, and the server, which counts how often a step fails for a job. */
  readonly name: string;
  readonly server: AgentServer;
  /** Called where there is something to look at. */
  readonly take: (picture: string) => Promise<void>;
}

/** Has three threads fail, repairs all of them, and proves by their states that each step was done once. */
export async function repairIncident({ window, name, server, take }: Incident): Promise<void> {
  const { quickInput, dialog, notifications, sideBar } = window;
  const failed = await Promise.all(
    ["Monday", "Tuesday", "Wednesday"].map((title) => failedThread(server, title)),
  );
  const row = `${name}: 3 failed threads`;
  await sideBar.failures.goTo(row);
  await take("failures");
  await sideBar.failures.open(row);
  await quickInput.titled("3 failed threads, by step and error");
  await quickInput.option(/^write: write failed/).waitFor();
  await take("groups");
  await window.page.keyboard.press("Enter");
  await quickInput.choose(/Retry “write”/);
  await quickInput.choose("10 at a time");
  await dialog.root.waitFor();
  match(await dialog.text(), /Retry 3 failed threads\?[^]*Runs again: write\./);
  await take("question");
  await dialog.answer("Retry");
  await notifications.answer(/is repaired\. Go on\? 1 repaired, 2 not sent/, "Continue");
  await notifications.answer(/Retry 3 failed threads: 3 repaired\./, "Open Report");
  const report = new TextEditor(window.page, new Keyboard(window.page));
  await until("the report is there", async () => /Began .*: 3 repaired\./.test(await report.text()));
  await until("no failure is left", async () => {
    const labels = await sideBar.failures.labels();
    return !labels.some((label) => label.startsWith(`${name}:`));
  });
  await take("report");
  const once = { collect: 1, check: 1, reserve: 1, charge: 1, write: 2, send: 1, close: 1 };
  for (const threadId of failed) {
    const { values, next } = await server.threads.state(threadId);
    deepEqual([values["executions"], next], [once, []]);
    await server.threads.delete(threadId);
  }
}

async function failedThread(server: AgentServer, title: string): Promise<string> {
  const { thread_id: threadId } = await server.threads.create({ metadata: { title } });
  const messages = [{ role: "user", content: "Write the orders" }];
  const input = { messages, job: threadId, fail_at: "write", fail_times: 1 };
  await runToEnd(server, threadId, { assistant_id: "pipeline", input });
  return threadId;
}

/** What the Issues view as a whole can be asked for: to receive, to be subscribed, to show a sample. */

import * as vscode from "vscode";
import type { AgentServer } from "../../../api/agentServer/index.ts";
import type { LocalIssueOrder } from "../../../api/localIssues.ts";
import type { CommandId } from "../../kit/ids.ts";
import { localIssues, subscribeLocalPlatform } from "../../issues/localDeliveries.ts";
import { showInformation, showStatus } from "../../kit/notice.ts";
import type { Services } from "../../services.ts";
import { startLocalPlatform } from "../connections/localPlatform.ts";
import { type CommandsOf, focusView } from "../../kit/commands.ts";
import { askChoice } from "../../kit/ask/questions.ts";

/** The commands of the view as a whole. */
export function commands(services: Services): CommandsOf<"issues"> {
  const { issueWebhooks } = services;
  return {
    "agentOperations.issues.receive": () => receive(services),
    "agentOperations.issues.stopReceiving": () => issueWebhooks.stop(),
    "agentOperations.issues.markAllRead": () => {
      const { all, gaps } = issueWebhooks.store;
      return issueWebhooks.markRead([...all, ...gaps]);
    },
    "agentOperations.issues.subscribeLocalPlatform": async () => {
      await subscribeLocal(services);
    },
    "agentOperations.issues.reportSample": () => reportSample(services),
  };
}

/** Receives, and says what is missing until something can arrive. */
async function receive({ issueWebhooks, localDeliveries }: Services): Promise<void> {
  const state = await issueWebhooks.receive();
  await localDeliveries.follow();
  if (state.kind === "elsewhere") {
    void showInformation(
      `Another window of this editor receives on port ${String(state.port)}; what it receives is shown here, too.`,
    );
  }
  if (state.kind !== "receiving") return;
  const subscriptions = issueWebhooks.subscriptions.list();
  // The Local Platform gets another port without anybody's help.
  if (
    state.movedFrom !== undefined &&
    subscriptions.some(({ localWebhookId }) => localWebhookId === undefined)
  ) {
    offer(
      `Receiving on port ${String(state.port)}, no longer on ${String(state.movedFrom)}. Deliveries of platforms still go to the old one: change the address of each subscription.`,
      { "Copy Webhook Address": "agentOperations.webhook.copyUrl" },
    );
  } else if (subscriptions.length === 0) {
    offer(`Receiving on port ${String(state.port)}. No platform delivers to it yet.`, {
      "Subscribe the Local Platform": "agentOperations.issues.subscribeLocalPlatform",
      "Add a Subscription": "agentOperations.webhook.add",
    });
  }
}

/** Starts what is needed, and subscribes the Local Platform to it. False when nothing receives here. */
async function subscribeLocal(services: Services): Promise<boolean> {
  const { connections, localPlatform } = services;
  const listed = connections.list().some(({ kind }) => kind === "localPlatform");
  if (localPlatform.state.kind !== "running" || !listed) await startLocalPlatform(services);
  const state = await services.issueWebhooks.receive();
  if (state.kind !== "receiving" && state.kind !== "elsewhere") return false;
  await subscribeLocalPlatform(services, state.port, AbortSignal.timeout(30_000));
  showStatus("The Local Platform delivers its issues here", 5000);
  return true;
}

type Sample = { readonly kind: "issue"; readonly severity: number } | { readonly kind: "failure" };

/** Has the Local Platform open an issue on its newest run, or report a detection run that failed. */
async function reportSample(services: Services): Promise<void> {
  const labels = ["Urgent issue", "High issue", "Medium issue", "Low issue"];
  const choices = labels.map((label, severity) => ({
    label,
    detail: "With two traces, one of them of the newest run of the Local Platform",
    value: { kind: "issue", severity },
  }));
  const failure = { label: "Failed detection run", value: { kind: "failure" } as Sample };
  const placeholder = "What should the Local Platform report?";
  const sample = await askChoice({ title: "Report Sample Issue" }, [...choices, failure], { placeholder });
  // Now, and not when the issue has come: a person may be elsewhere by then.
  await focusView("issues");
  if (!(await subscribeLocal(services))) return;
  const client = await localIssues(services);
  const newest = await newestRun(services);
  if (sample.kind === "failure") {
    await client.reportFailure({
      ...(newest === undefined ? {} : { thread_id: newest.threadId }),
      error_message: "The detection run ran out of time.",
    });
  } else await client.report(sampleIssue(sample.severity, newest?.runId));
}

interface NewestRun {
  readonly threadId: string;
  readonly runId: string | undefined;
}

/** The newest run of a deployment, so that a sample's trace leads somewhere; of the first that answers and has a thread. */
async function newestRun({ agentServers, connections }: Services): Promise<NewestRun | undefined> {
  const local = connections.list().find(({ kind }) => kind === "localPlatform");
  const servers = local === undefined ? [] : await agentServers.list(local.id);
  for (const server of servers) {
    // A deployment can stand for a server that is gone, and the sample can do without a run.
    const newest = await newestRunOn(agentServers.client(server)).catch(() => undefined);
    if (newest !== undefined) return newest;
  }
  return undefined;
}

async function newestRunOn({ threads, runs }: AgentServer): Promise<NewestRun | undefined> {
  const found = await threads.search({ limit: 1, sort_by: "updated_at", sort_order: "desc" });
  const [thread] = found.threads;
  if (thread === undefined) return undefined;
  const [run] = await runs.list(thread.thread_id, { limit: 1 });
  return { threadId: thread.thread_id, runId: run?.run_id };
}

function sampleIssue(severity: number, runId: string | undefined): LocalIssueOrder {
  return {
    name:
      ["Answers leak a key", "Searches in circles", "Asks twice for the same", "Greets too long"][severity] ??
      "Issue",
    description: "A sample issue, reported by hand to try out the Issues view.",
    severity,
    traces: [
      { comment: "Seen here first.", ...(runId === undefined ? {} : { run_id: runId }) },
      { comment: "The same again, a run that nobody has here." },
    ],
  };
}

function offer(text: string, buttons: Readonly<Record<string, CommandId>>): void {
  // The command is done; what a person answers, and when, is another matter.
  void showInformation(text, ...Object.keys(buttons)).then((button) => {
    const command = button === undefined ? undefined : buttons[button];
    if (command !== undefined) void vscode.commands.executeCommand(command);
  });
}

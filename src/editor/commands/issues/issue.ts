/** What can be done with an issue, a failed detection run, or a trace. */

import * as vscode from "vscode";
import { severityLabel, traceLabel, type TraceLink } from "../../../api/issueWebhooks/event.ts";
import { counted, withoutIcons } from "../../kit/words.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import type { IssueDocuments } from "../../documents/issueDocuments.ts";
import { VIEWS } from "../../kit/ids.ts";
import { type ReceivedFacts, tracesOf } from "../../issues/issueStore.ts";
import { abortable, confirm, showInformation, showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { findThread, type TraceClue } from "../../threads/traceThread.ts";
import { issueTargetOf } from "../../views/issues/issueNode.ts";
import type { Views } from "../../views/index.ts";
import type { IssuesView } from "../../views/issues/issues.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { rowsMeant } from "../../kit/ask/meant.ts";
import { askChoice } from "../../kit/ask/questions.ts";

/** The commands of one row or several. */
export function commands(
  services: Services,
  {
    views,
    panels,
    issueDocuments: documents,
  }: {
    readonly views: Pick<Views, "issues">;
    readonly panels: RunPanels;
    readonly issueDocuments: IssueDocuments;
  },
): CommandsOf<"issue"> {
  const { issueWebhooks } = services;
  const view = views.issues;
  const one = (args: readonly unknown[], title: string) => oneRow(services, args, title);
  return {
    "agentOperations.issue.show": async (...args) => {
      const row = await one(args, "Show Issue");
      await documents.showRow(row);
      await issueWebhooks.markRead([row]);
    },
    "agentOperations.issue.openEvents": async (...args) => {
      await documents.showEvents(await one(args, "Show Issue Events"));
    },
    "agentOperations.issue.openLink": async (...args) => {
      const row = await one(args, "Open Issue in Web Console");
      await openLink(row);
      await issueWebhooks.markRead([row]);
    },
    "agentOperations.issue.openThread": async (...args) => {
      const thread = await threadMeant(services, args, "Open Thread of Issue");
      if (thread !== undefined) panels.open(thread);
    },
    "agentOperations.issue.cloneThread": async (...args) => {
      const thread = await threadMeant(services, args, "Clone Thread of Issue");
      if (thread !== undefined) await vscode.commands.executeCommand("agentOperations.thread.clone", thread);
    },
    "agentOperations.issue.markRead": async (...args) => {
      const { all, gaps } = issueWebhooks.store;
      await issueWebhooks.markRead([...all, ...gaps].filter(({ id }) => idsMeant(view, args).has(id)));
    },
    "agentOperations.issue.remove": (...args) => {
      const ids = idsMeant(view, args);
      return remove(
        services,
        issueWebhooks.store.all.filter(({ id }) => ids.has(id)),
      );
    },
  };
}

async function openLink(row: ReceivedFacts): Promise<void> {
  const url = row.kind === "issue" ? row.issue.url : row.kind === "failure" ? row.failure.url : undefined;
  if (url === undefined || !/^https?:\/\//.test(url)) {
    void showWarning("The platform sent no address that a browser can open.");
    return;
  }
  await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/** The thread of an issue's trace, or of a failed run; says so where no connection has it. */
async function threadMeant(
  services: Services,
  args: readonly unknown[],
  title: string,
): Promise<ThreadRef | undefined> {
  const clue = await clueOf(services, args, title);
  if (clue === undefined) return undefined;
  const thread = await abortable("Looking for the trace's thread", (signal) =>
    findThread(services, clue, signal),
  );
  if (thread !== undefined) return thread;
  void showInformation(
    `No connection knows the ${clue.threadId === undefined ? "run of this trace" : "thread"}. Add a connection to the agent server that it ran on, or open the issue's link.`,
  );
  return undefined;
}

/** The ids to find the thread by: of the clicked trace, of one that a person chooses, or of the failed run. */
async function clueOf(
  services: Services,
  args: readonly unknown[],
  title: string,
): Promise<TraceClue | undefined> {
  const target = issueTargetOf(args[0]);
  if (target?.kind === "trace") return clueOfTrace(target.trace);
  const row = await oneRow(services, args, title);
  if (row.kind === "failure") {
    const { thread_id, run_id } = row.failure;
    return { threadId: thread_id, runIds: run_id === undefined ? [] : [run_id] };
  }
  if (row.kind !== "issue") return undefined;
  const choices = tracesOf(row).map((trace) => ({
    label: traceLabel(trace),
    description: trace.start_time ?? "",
    detail: trace.trace_id,
    value: trace,
  }));
  const [only, ...others] = choices;
  if (only === undefined) {
    throw new NotPossibleError(
      "No trace of this issue has arrived, so its thread is not known.",
      "Open the issue's link to see it on the platform.",
    );
  }
  return clueOfTrace(
    others.length === 0
      ? only.value
      : await askChoice({ title }, choices, { placeholder: "Of which trace?" }),
  );
}

function clueOfTrace({ run_id, trace_id, start_time }: TraceLink): TraceClue {
  return { runIds: [run_id, trace_id], startTime: start_time };
}

async function remove({ issueWebhooks }: Services, rows: readonly ReceivedFacts[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const what = rows.length === 1 ? `“${nameOf(first)}”` : counted(rows.length, "row");
  const detail = "They stay on the platform. A later event of an issue brings it back.";
  await confirm(`Remove ${what} from the Issues view?`, detail, "Remove");
  await issueWebhooks.remove(rows);
}

/** The row that was clicked, else one that a person chooses. */
async function oneRow(
  { issueWebhooks }: Services,
  args: readonly unknown[],
  title: string,
): Promise<ReceivedFacts> {
  const target = issueTargetOf(args[0]);
  const named = target !== undefined && "row" in target ? issueWebhooks.store.get(target.row) : undefined;
  if (named !== undefined) return named;
  await issueWebhooks.load();
  const choices = issueWebhooks.store.all.map((row) => ({
    label: withoutIcons(nameOf(row)),
    description: row.kind === "issue" ? severityLabel(row.issue.severity) : "",
    detail: new Date(row.at).toLocaleString(),
    value: row,
  }));
  if (choices.length === 0) {
    void showInformation("No issue was received yet.");
    throw new vscode.CancellationError();
  }
  return askChoice({ title }, choices, { placeholder: "Which issue?" });
}

/** The rows and gaps that were clicked, are selected, or belong to the key that was pressed. */
function idsMeant(view: IssuesView, args: readonly unknown[]): ReadonlySet<string> {
  const targets = rowsMeant(args, issueTargetOf, [{ viewId: VIEWS.issues, rows: view.selected }]) ?? [];
  return new Set(
    targets.flatMap((target) =>
      target.kind === "row" ? target.row : target.kind === "gap" ? target.gap : [],
    ),
  );
}

function nameOf(row: ReceivedFacts): string {
  switch (row.kind) {
    case "issue":
      return row.issue.name;
    case "failure":
      return row.failure.error_message ?? "Failed detection run";
    case "other":
      return row.type;
    default:
      return row satisfies never;
  }
}

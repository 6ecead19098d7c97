/** What can be done with an issue, a failed detection run, or a trace. */

import * as vscode from "vscode";
import { severityLabel } from "../../../api/issueWebhooks/event.ts";
import { counted } from "../../kit/words.ts";
import type { IssueDocuments } from "../../documents/issueDocuments.ts";
import { VIEWS } from "../../kit/ids.ts";
import { type ListeningGap, type ReceivedFacts, tracesOf } from "../../issues/issueStore.ts";
import { abortable, confirm, showInformation, showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { findThread, type TraceClue } from "../../threads/traceThread.ts";
import { IssueNode } from "../../views/issues/issueNode.ts";
import { type IssueTarget, traceLabel } from "../../views/issues/issueRow.ts";
import type { Views } from "../../views/index.ts";
import type { IssuesView } from "../../views/issues/issues.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { rowsMeant } from "../../kit/ask/meant.ts";

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
  const one = (args: readonly unknown[], title: string): Promise<ReceivedFacts | undefined> =>
    oneRow(services, args, title);
  return {
    "agentOperations.issue.show": async (...args) => {
      const row = await one(args, "Show Issue");
      if (row === undefined) return;
      await documents.showRow(row);
      await issueWebhooks.markRead([row]);
    },
    "agentOperations.issue.openEvents": async (...args) => {
      const row = await one(args, "Show Issue Events");
      if (row !== undefined) await documents.showEvents(row);
    },
    "agentOperations.issue.openLink": async (...args) => {
      const row = await one(args, "Open Issue Link");
      if (row === undefined) return;
      await openLink(row);
      await issueWebhooks.markRead([row]);
    },
    "agentOperations.issue.openThread": (...args) => openThread(services, panels, args),
    "agentOperations.issue.markRead": async (...args) =>
      issueWebhooks.markRead([...someRows(services, view, args), ...someGaps(services, view, args)]),
    "agentOperations.issue.remove": (...args) => remove(services, someRows(services, view, args)),
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

async function openThread(services: Services, panels: RunPanels, args: readonly unknown[]): Promise<void> {
  const clue = await clueOf(services, args);
  if (clue === undefined) return;
  const thread = await abortable("Looking for the trace's thread", (signal) =>
    findThread(services, clue, signal),
  );
  if (thread !== undefined) {
    panels.open(thread);
    return;
  }
  void showInformation(
    `No connection knows the ${clue.threadId === undefined ? "run of this trace" : "thread"}. Add a connection to the agent server that it ran on, or open the issue's link.`,
  );
}

/** What leads to the thread: the trace that was clicked, one of several that a person chooses, or the failed run's. */
async function clueOf(services: Services, args: readonly unknown[]): Promise<TraceClue | undefined> {
  const target = targetOf(args[0]);
  if (target?.kind === "trace") return clueOfTrace(target.trace);
  const row = await oneRow(services, args, "Open Thread of Issue");
  if (row?.kind === "failure") {
    const { thread_id, run_id } = row.failure;
    return { threadId: thread_id, runIds: run_id === undefined ? [] : [run_id] };
  }
  if (row?.kind !== "issue") return undefined;
  const items = tracesOf(row).map((trace) => ({
    label: traceLabel(trace),
    description: trace.start_time ?? "",
    detail: trace.trace_id,
    trace,
  }));
  const [only, ...others] = items;
  if (only === undefined) {
    throw new NotPossibleError(
      "No trace of this issue has arrived, so its thread can't be told.",
      "Open the issue's link to see it on the platform.",
    );
  }
  const title = "Open Thread of Issue";
  const chosen =
    others.length === 0
      ? only
      : await vscode.window.showQuickPick(items, { title, placeHolder: "Of which trace?" });
  return chosen && clueOfTrace(chosen.trace);
}

function clueOfTrace({
  run_id,
  trace_id,
  start_time,
}: Extract<IssueTarget, { kind: "trace" }>["trace"]): TraceClue {
  return { runIds: [run_id, trace_id], startTime: start_time };
}

async function remove({ issueWebhooks }: Services, rows: readonly ReceivedFacts[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const what = rows.length === 1 ? `"${nameOf(first)}"` : counted(rows.length, "row");
  const detail = "They stay on the platform. A later event of an issue brings it back.";
  await confirm(`Remove ${what} from the Issues view?`, detail, "Remove");
  await issueWebhooks.remove(rows);
}

/** The row that was clicked, else one that a person chooses. */
async function oneRow(
  { issueWebhooks }: Services,
  args: readonly unknown[],
  title: string,
): Promise<ReceivedFacts | undefined> {
  const target = targetOf(args[0]);
  if (target !== undefined && "row" in target) return issueWebhooks.store.get(target.row);
  await issueWebhooks.load();
  const items = issueWebhooks.store.all.map((row) => ({
    label: nameOf(row),
    description: row.kind === "issue" ? severityLabel(row.issue.severity) : "",
    detail: new Date(row.at).toLocaleString(),
    row,
  }));
  if (items.length === 0) {
    void showInformation("No issue was received yet.");
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.row;
}

/** What was received of that which is meant. */
function someRows(
  { issueWebhooks }: Services,
  view: IssuesView,
  args: readonly unknown[],
): readonly ReceivedFacts[] {
  const targets = someTargets(view, args);
  const ids = new Set(targets.flatMap((target) => (target.kind === "row" ? [target.row] : [])));
  return [...ids].flatMap((id) => issueWebhooks.store.get(id) ?? []);
}

function someGaps(
  { issueWebhooks }: Services,
  view: IssuesView,
  args: readonly unknown[],
): readonly ListeningGap[] {
  const targets = someTargets(view, args);
  return issueWebhooks.store.gaps.filter(({ id }) =>
    targets.some((target) => target.kind === "gap" && target.gap === id),
  );
}

/** What was clicked, is selected, or belongs to the key that was pressed. */
function someTargets(view: IssuesView, args: readonly unknown[]): readonly IssueTarget[] {
  return rowsMeant(args, targetOf, [{ viewId: VIEWS.issues, rows: view.selected }]) ?? [];
}

function targetOf(value: unknown): IssueTarget | undefined {
  return value instanceof IssueNode ? value.target : undefined;
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

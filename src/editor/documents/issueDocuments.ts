/** Issues, their events as they arrived, and the outcomes of the webhook tools, as read-only text documents. */

import * as vscode from "vscode";
import { severityLabel, traceLabel } from "../../api/issueWebhooks/event.ts";
import { SCHEME } from "../kit/ids.ts";
import { type IssueFacts, type ReceivedFacts, tracesOf } from "../issues/issueStore.ts";
import { localTime } from "../kit/words.ts";
import type { DocumentKind } from "./router.ts";

/** The folder of the scheme in which these documents are. */
const folder = "/issue-webhooks/";

/** The texts that were shown in this window. */
export class IssueDocuments implements DocumentKind {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  text(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? "This was opened before the window was reloaded. Open it again.\n";
  }

  /** What is known of a row, in words. */
  showRow(row: ReceivedFacts): Promise<vscode.TextDocument> {
    const name = row.kind === "issue" ? row.issue.name : row.kind === "failure" ? "Failed run" : row.type;
    return this.show(`${row.id}/${fileName(name)}.txt`, rowText(row));
  }

  /** The events of a row as JSON, with everything that arrived. */
  showEvents(row: ReceivedFacts): Promise<vscode.TextDocument> {
    return this.show(`${row.id}/events.json`, `${JSON.stringify(row.events, null, 2)}\n`);
  }

  /** Shows a text under a name, in place of an earlier one with that name. */
  async show(name: string, text: string): Promise<vscode.TextDocument> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: folder + name });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
    return document;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function rowText(row: ReceivedFacts): string {
  switch (row.kind) {
    case "issue":
      return issueText(row);
    case "failure": {
      const { failure } = row;
      const error = failure.error_message === undefined ? [] : ["", failure.error_message];
      return lines([
        "A detection run did not complete.",
        ...error,
        "",
        ...facts({
          Status: failure.status,
          Project: failure.session_name,
          Workspace: failure.tenant_name,
          Thread: failure.thread_id,
          Run: failure.run_id,
          Occurred: localTime(failure.occurred_at),
          Link: failure.url,
        }),
      ]);
    }
    case "other":
      return lines([
        `An event of the type ${row.type}, which this version does not know.`,
        "",
        JSON.stringify(row.events.at(-1), null, 2),
      ]);
    default:
      return row satisfies never;
  }
}

function issueText(row: IssueFacts): string {
  const { issue } = row;
  const traces = tracesOf(row);
  return lines([
    issue.name,
    "",
    issue.description,
    "",
    ...facts({
      Severity: severityLabel(issue.severity),
      Project: issue.session_name,
      Workspace: issue.tenant_name,
      Issue: issue.id,
      Received: localTime(row.at),
      Link: issue.url,
    }),
    ...traces.flatMap((trace) => [
      "",
      `• ${traceLabel(trace)}`,
      ...facts({ Trace: trace.trace_id, Run: trace.run_id, Started: localTime(trace.start_time) }).map(
        (fact) => `  ${fact}`,
      ),
    ]),
  ]);
}

function facts(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name.padEnd(11)}${value}`],
  );
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}

/** A name that every file system and tab can show. */
function fileName(name: string): string {
  return (
    name
      .replace(/[\\/:*?"<>|\p{Cc}]/gu, "-")
      .slice(0, 60)
      .trim() || "Issue"
  );
}

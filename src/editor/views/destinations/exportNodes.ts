/** Rows of export jobs, of the schedules that make them, and of the runs that they consist of. */

import * as vscode from "vscode";
import { isFailed, isOver, isSchedule } from "../../../api/bulkExports/bulkExport.ts";
import type { BulkExport, BulkExportRun, ExportStatus } from "../../../api/bulkExports/bulkExport.ts";
import { counted } from "../../kit/words.ts";
import type { Destinations, ExportRef } from "../../destinations/destinations.ts";
import {
  errorsOf,
  exportName,
  filesOf,
  rowsOf,
  statusIcon,
  statusText,
  windowText,
} from "../../destinations/exportText.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";

/** One run of an export job, with the files that it has written. */
export interface ExportRunRef {
  readonly connectionId: string;
  readonly runId: string;
  readonly files: readonly string[];
}

/** What the rows of one platform's jobs are made with. */
export interface ExportRows {
  readonly connectionId: string;
  readonly destinations: Destinations;
  readonly host: NodeHost;
  /** All jobs of the platform, to find those that a schedule made. */
  readonly jobs: readonly BulkExport[];
}

/** The rows of some jobs, newest first. */
export function exportNodes(
  rows: ExportRows,
  parent: TreeNode,
  jobs: readonly BulkExport[],
): readonly TreeNode[] {
  return jobs
    .toSorted((a, b) => (b.created_at ?? "").localeCompare(a.created_at ?? ""))
    .map((job) => exportNode(rows, parent, job));
}

function exportNode(rows: ExportRows, parent: TreeNode, job: BulkExport): BranchNode<ExportRef> {
  const { connectionId, destinations, host } = rows;
  const name = exportName(job);
  const ref = { connectionId, exportId: job.id, name, status: job.status };
  const made = rows.jobs.filter((other) => other.source_bulk_export_id === job.id);
  const description = [
    statusText(job.status),
    ...(isSchedule(job.status) ? [counted(made.length, "export")] : []),
    ...(job.compression === undefined ? [] : [job.compression]),
  ].join(" · ");
  return new BranchNode<ExportRef>(
    {
      id: `export:${connectionId}:${job.id}`,
      parent,
      ref,
      item: () => {
        const item = row(name, description, job.status, vscode.TreeItemCollapsibleState.Collapsed);
        item.contextValue = `exportJob ${isOver(job.status) ? "over" : isSchedule(job.status) ? "schedule" : "running"}`;
        return item;
      },
      tooltip: () => exportTooltip(job),
      ...(isSchedule(job.status) || made.length > 0
        ? { known: (self) => exportNodes(rows, self, made) }
        : {
            load: async (self, signal) =>
              (await destinations.runs(ref, signal)).map((run) => runNode(rows, self, run)),
          }),
    },
    host,
  );
}

function runNode(
  { connectionId, host }: ExportRows,
  parent: TreeNode,
  run: BulkExportRun,
): BranchNode<ExportRunRef> {
  const files = filesOf([run]);
  const name = windowText(run.metadata?.start_time, run.metadata?.end_time);
  const retries = run.retry_number ?? 0;
  const description = [
    statusText(run.status),
    counted(rowsOf([run]), "row"),
    ...(files.length === 0 ? [] : [counted(files.length, "file")]),
    ...(retries === 0 ? [] : [`attempt ${String(retries + 1)}`]),
  ].join(" · ");
  const details = [
    ...errorsOf(run).map(({ attempt, text }) => ({
      label: text,
      description: `attempt ${String(attempt)}`,
      icon: "warning",
    })),
    ...files.map((file) => ({ label: file.split("/").at(-1) ?? file, description: file, icon: "table" })),
  ];
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  return new BranchNode<ExportRunRef>(
    {
      id: `exportRun:${connectionId}:${run.id}`,
      parent,
      ref: { connectionId, runId: run.id, files },
      item: () => {
        const item = row(name, description, run.status, details.length === 0 ? None : Collapsed);
        item.contextValue = files.length === 0 ? "exportRun" : "exportRun files";
        return item;
      },
      known: (self) =>
        details.map((detail, index) => detailNode(self, connectionId, run.id, index, detail, host)),
    },
    host,
  );
}

function detailNode(
  parent: TreeNode,
  connectionId: string,
  runId: string,
  index: number,
  {
    label,
    description,
    icon,
  }: { readonly label: string; readonly description: string; readonly icon: string },
  host: NodeHost,
): TreeNode {
  return new BranchNode(
    {
      id: `exportDetail:${connectionId}:${runId}:${String(index)}`,
      parent,
      ref: { connectionId },
      item: () => {
        const item = new vscode.TreeItem(label);
        item.description = description;
        item.tooltip = `${label}\n${description}`;
        item.iconPath = new vscode.ThemeIcon(icon);
        item.contextValue = "exportDetail";
        return item;
      },
    },
    host,
  );
}

function row(
  name: string,
  description: string,
  status: ExportStatus,
  state: vscode.TreeItemCollapsibleState,
): vscode.TreeItem {
  const item = new vscode.TreeItem(name, state);
  item.description = description;
  const color = isFailed(status)
    ? new vscode.ThemeColor("list.errorForeground")
    : status.toLowerCase() === "completed"
      ? new vscode.ThemeColor("testing.iconPassed")
      : undefined;
  item.iconPath = new vscode.ThemeIcon(statusIcon(status), color);
  item.accessibilityInformation = { label: `${name}, ${description}` };
  return item;
}

function exportTooltip(job: BulkExport): string {
  const lines: readonly (readonly [string, string | null | undefined])[] = [
    ["Export", job.id],
    ["Status", statusText(job.status)],
    ["Project", job.all_experiments === true ? "all experiments" : job.session_id],
    ["Rows", windowText(job.start_time, job.end_time)],
    ["Filter", job.filter],
    ["Fields", job.export_fields?.join(", ")],
    ["Format", [job.format, job.format_version, job.compression].filter(Boolean).join(", ")],
    ["Created", job.created_at],
    ["Finished", job.finished_at],
    ["Made by schedule", job.source_bulk_export_id],
  ];
  return lines
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}: ${value ?? ""}`)
    .join("\n");
}

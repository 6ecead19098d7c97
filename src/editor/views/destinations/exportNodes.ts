/** Rows of export jobs, of the schedules that make them, and of the runs that they consist of. */

import type * as vscode from "vscode";
import { isFailed, isOver, isSchedule } from "../../../api/bulkExports/bulkExport.ts";
import type { BulkExport, BulkExportRun, ExportStatus } from "../../../api/bulkExports/bulkExport.ts";
import { counted, localTime } from "../../kit/words.ts";
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
import { factsTooltip } from "../../kit/tree/factsTooltip.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Row } from "../../kit/tree/rowItem.ts";

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
      row: () => ({
        ...exportRow(name, description, job.status),
        contextValue: `exportJob ${isOver(job.status) ? "over" : isSchedule(job.status) ? "schedule" : "running"}`,
      }),
      tooltip: () => exportTooltip(job),
      ...(isSchedule(job.status) || made.length > 0
        ? { known: (self) => exportNodes(rows, self, made) }
        : {
            load: async (self, signal) =>
              (await destinations.runs(ref, signal)).map((run) => runNode(rows, self, job, run)),
          }),
    },
    host,
  );
}

function runNode(
  { connectionId, host }: ExportRows,
  parent: TreeNode,
  job: BulkExport,
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
      row: { label: text, description: `attempt ${String(attempt)}`, icon: "warning" },
      ref: { connectionId },
    })),
    ...files.map((file) => {
      const ref = { connectionId, destinationId: job.bulk_export_destination_id, file };
      const open = {
        command: "agentOperations.exportRun.openFile",
        title: "Open Exported File",
        arguments: [ref],
      };
      const label = file.split("/").at(-1) ?? file;
      return { row: { label, description: file, icon: "table", command: open }, ref };
    }),
  ];
  return new BranchNode<ExportRunRef>(
    {
      id: `exportRun:${connectionId}:${run.id}`,
      parent,
      ref: { connectionId, runId: run.id, files },
      row: () => ({
        ...exportRow(name, description, run.status),
        contextValue: files.length === 0 ? "exportRun" : "exportRun files",
      }),
      ...(details.length > 0 && {
        known: (self) =>
          details.map(({ row, ref }, index) => {
            const id = `exportDetail:${connectionId}:${run.id}:${String(index)}`;
            const tooltip = `${row.label}\n${row.description}`;
            const contextValue = "file" in ref ? "exportFile" : "exportDetail";
            return new BranchNode(
              { id, parent: self, ref, row: () => ({ ...row, tooltip, contextValue }) },
              host,
            );
          }),
      }),
    },
    host,
  );
}

function exportRow(label: string, description: string, status: ExportStatus): Row {
  const passed = status.toLowerCase() === "completed" ? "testing.iconPassed" : undefined;
  const color = isFailed(status) ? "list.errorForeground" : passed;
  return { label, description, icon: [statusIcon(status), color], spoken: `${label}, ${description}` };
}

function exportTooltip(job: BulkExport): vscode.MarkdownString {
  return factsTooltip(exportName(job), {
    Export: job.id,
    Status: statusText(job.status),
    Project: job.all_experiments === true ? "all experiments" : job.session_id,
    Rows: windowText(job.start_time, job.end_time),
    Filter: job.filter,
    Fields: job.export_fields?.join(", "),
    Format: [job.format, job.format_version, job.compression].filter(Boolean).join(", "),
    Created: localTime(job.created_at),
    Finished: localTime(job.finished_at),
    "Made by schedule": job.source_bulk_export_id,
  });
}

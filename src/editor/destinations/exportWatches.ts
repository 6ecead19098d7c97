/** The exports that this window was asked to watch; one notification says how each ended. */

import * as vscode from "vscode";
import { type BulkExport, type BulkExportRun, isFailed, isOver } from "../../api/bulkExports/bulkExport.ts";
import type { Connections } from "../connections/connections.ts";
import type { ActivityEnd, ActivityLog } from "../kit/activityLog.ts";
import { copyLines } from "../kit/ask/clipboard.ts";
import { counted } from "../kit/words.ts";
import { showError, showInformation } from "../kit/notice.ts";
import { adviceFor } from "../kit/remedies.ts";
import { WATCHED } from "../kit/remembered.ts";
import type { Report } from "../kit/report.ts";
import { type Watched, type WatchEnded, Watches, type WatchState } from "../kit/watches.ts";
import type { Destinations, ExportRef } from "./destinations.ts";
import { errorsOf, filesOf, progressText, rowsOf, statusText } from "./exportText.ts";

interface Needs {
  readonly activity: ActivityLog;
  readonly connections: Pick<Connections, "get">;
  readonly context: Pick<vscode.ExtensionContext, "workspaceState">;
  readonly destinations: Pick<Destinations, "job" | "runs" | "changed">;
  readonly report: Report;
}

interface WatchedExport extends ExportRef, Watched {}

/** How far an export is. */
export interface ExportProgress {
  readonly job: BulkExport;
  readonly runs: readonly BulkExportRun[];
}

const deadlineMs = 7 * 24 * 60 * 60_000;

/** The exports that are watched, and those whose watch has ended. */
export class ExportWatches implements vscode.Disposable {
  readonly #services: Needs;
  readonly #watches: Watches<WatchedExport, ExportProgress>;
  readonly #changed = new vscode.EventEmitter<ExportRef>();
  /** A watch began, got an answer or ended. */
  readonly onDidChange = this.#changed.event;

  constructor(services: Needs) {
    this.#services = services;
    const { activity, connections, context } = services;
    this.#watches = new Watches<WatchedExport, ExportProgress>(
      {
        memoryName: WATCHED.exports,
        keyOf,
        read: (watched, signal) => this.#progress(watched, signal),
        isOver: ({ job }) => isOver(job.status),
        moved: (before, now) => textOf(before) !== textOf(now),
        pauses: { minMs: 1000, maxMs: 30_000 },
        deadlineMs: () => deadlineMs,
        row: ({ connectionId, name }) => ({
          title: `Export ${name}`,
          connection: connections.get(connectionId)?.name,
        }),
        stepText: ({ job }) => statusText(job.status),
        endText: (_, ended) => endText(ended),
        changed: (watched, state) => {
          if (state.kind === "ended") this.#end(watched, state);
          this.#changed.fire(watched);
        },
      },
      { activity, memory: context.workspaceState },
    );
    this.#watches.resume();
  }

  /** Watches the export until it has ended; one that is watched already goes on. */
  begin({ connectionId, exportId, name, status }: ExportRef): void {
    this.#watches.begin({ connectionId, exportId, name, status, startedAt: Date.now() });
  }

  /** What the watch of an export knows; undefined when it was not watched. */
  state(ref: ExportRef): WatchState<ExportProgress> | undefined {
    return this.#watches.state(keyOf(ref));
  }

  /** Resolves when the watch is over, and rejects when the window is closed before. */
  async ended(ref: ExportRef): Promise<void> {
    await this.#watches.ended(keyOf(ref));
  }

  /** Ends the watch, not the export. */
  cancel(ref: ExportRef): void {
    this.#watches.cancel(keyOf(ref));
  }

  dispose(): void {
    this.#watches.dispose();
    this.#changed.dispose();
  }

  async #progress(watched: WatchedExport, signal: AbortSignal): Promise<ExportProgress> {
    const { destinations } = this.#services;
    const [job, runs] = await Promise.all([
      destinations.job(watched, signal),
      destinations.runs(watched, signal),
    ]);
    return { job, runs };
  }

  #end(watched: WatchedExport, { end, answer, error }: WatchEnded<ExportProgress>): void {
    const { connectionId, name } = watched;
    switch (end) {
      case "over":
        void this.#services.destinations.changed(connectionId);
        if (answer !== undefined) void notifyEnd(name, answer);
        return;
      case "cancelled":
      case "deadline":
        void notifyLeft(watched);
        return;
      case "gone":
      case "refused":
        this.#services.report.failure(`Watch export ${name}`, error, { connectionId });
        return;
      default:
        end satisfies never;
    }
  }
}

function endText({ end, answer, error }: WatchEnded<ExportProgress>): {
  readonly how: ActivityEnd;
  readonly message: string;
} {
  if (end === "over") {
    const how = answer !== undefined && isFailed(answer.job.status) ? "failed" : "done";
    return { how, message: textOf(answer) };
  }
  if (end === "refused") return { how: "failed", message: adviceFor(error).message };
  if (end === "gone") return { how: "stopped", message: "The platform has it no more" };
  end satisfies "deadline" | "cancelled";
  return { how: "stopped", message: "Not watched any longer; the export goes on" };
}

async function notifyEnd(name: string, { job: { status }, runs }: ExportProgress): Promise<void> {
  if (isFailed(status)) {
    const [error] = runs.filter((run) => isFailed(run.status)).flatMap(errorsOf);
    const why = error === undefined ? "" : ` ${error.text}`;
    await showError(`The export ${name} has ended: ${statusText(status)}.${why}`);
    return;
  }
  const files = filesOf(runs);
  const written = `${counted(rowsOf(runs), "row")} in ${counted(files.length, "file")}`;
  const copy = files.length === 0 ? [] : ["Copy File Paths"];
  const text = `The export ${name} has ended: ${statusText(status)}, ${written}.`;
  if ((await showInformation(text, ...copy)) !== undefined) await copyLines(files, "file path");
}

async function notifyLeft(ref: ExportRef): Promise<void> {
  const text = `“${ref.name}” is not watched any more; the export goes on.`;
  const chosen = await showInformation(text, "Cancel Export");
  if (chosen !== undefined) await vscode.commands.executeCommand("agentOperations.exportJob.cancel", ref);
}

function textOf(progress: ExportProgress | undefined): string {
  return progress === undefined ? "" : progressText(progress.job.status, progress.runs);
}

function keyOf({ connectionId, exportId }: ExportRef): string {
  return `${connectionId} ${exportId}`;
}

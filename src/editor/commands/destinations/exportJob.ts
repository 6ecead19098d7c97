/** Exporting traces: starting an export, watching it, and ending it. */

import * as vscode from "vscode";
import { isSchedule } from "../../../api/bulkExports/bulkExport.ts";
import { type KnownProjects, projectsOf } from "../../destinations/projects.ts";
import { exportName, progressText } from "../../destinations/exportText.ts";
import { confirmAct } from "../../connections/guard.ts";
import { abortable, showInformation } from "../../kit/notice.ts";
import { PARQUET_EDITOR } from "../../kit/ids.ts";
import { type ExportedFileRef, exportedFileUri } from "../../parquet/bucketFiles.ts";
import type { Services } from "../../services.ts";
import { isObject } from "../../../api/shape.ts";
import { hasTexts, refIn } from "../../kit/ask/meant.ts";
import type { DestinationRef, ExportRef } from "../../destinations/destinations.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import { chooseDestination, chooseExport } from "./destinationChoice.ts";
import { exportBody, type ExportDraft, exportForm } from "./exportForm.ts";
import { fillForm } from "../../kit/ask/form.ts";
import { sendForm } from "../../kit/ask/sentForm.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { adviceFor } from "../../kit/remedies.ts";

/** The commands of one export, and of its runs. */
export function commands(services: Services): CommandsOf<"exportJob" | "exportRun"> {
  return {
    "agentOperations.exportJob.create": async (node) => {
      await create(services, await chooseDestination(services, node, "Export Traces"));
    },
    "agentOperations.exportJob.watch": async (node) => {
      await watch(services, await chooseExport(services, node, "Watch Export", true));
    },
    "agentOperations.exportJob.cancel": async (node) => {
      await cancel(services, await chooseExport(services, node, "Cancel Export", true));
    },
    "agentOperations.exportJob.copyId": async (node) => {
      const { exportId } = await chooseExport(services, node, "Copy Export ID", false);
      await copyLines([exportId], "export ID");
    },
    "agentOperations.exportRun.copyFiles": async (node) => {
      const files = refIn(node, filesIn);
      if (files !== undefined) await copyLines(files, "file path");
    },
    "agentOperations.exportRun.openFile": async (node) => {
      const file = refIn(node, exportedFileIn);
      if (file === undefined) return;
      await vscode.commands.executeCommand("vscode.openWith", exportedFileUri(file), PARQUET_EDITOR);
    },
  };
}

async function create(services: Services, destination: DestinationRef): Promise<void> {
  const { connectionId, destinationId, name } = destination;
  const projects = await knownProjects(services, connectionId);
  const start: ExportDraft = {
    destinationId,
    project: projects.items[0],
    start: new Date(Date.now() - 86_400_000).toISOString(),
    end: "",
    everyHours: 0,
    filter: "",
    compression: "gzip",
    fields: [],
    projects,
  };
  const form = exportForm(`Export Traces to “${name}”`);
  const draft = await fillForm(form, start);
  const job = await sendForm(draft, {
    form,
    connectionId,
    notDone: "The export was not started.",
    notKnown: "Whether the export was started is not known: look in Destinations before you start it again.",
    log: services.log,
    send: (current) => services.destinations.startExport(connectionId, exportBody(current)),
  });
  const ref = { connectionId, exportId: job.id, name: exportName(job), status: job.status };
  if (!isSchedule(job.status)) return watch(services, ref);
  void showInformation(`Scheduled: ${ref.name}. It goes on until it is cancelled.`);
}

/** Whose traces can be chosen without an id. */
async function knownProjects(
  { connections, destinations, issueWebhooks, platforms }: Services,
  connectionId: string,
): Promise<KnownProjects> {
  return projectsOf({
    list: async () => (await platforms.projects(connectionId)).list(),
    jobs: async () => (destinations.known(connectionId) ?? (await destinations.list(connectionId))).jobs,
    received: async () => {
      await issueWebhooks.load();
      return issueWebhooks.store.all;
    },
    workspaceId: connections.resolve(connectionId).workspaceId,
  });
}

/** Shows how far an export has come, until it is over; Cancel ends the watch, and the export only when asked for. */
async function watch({ exportWatches }: Services, ref: ExportRef): Promise<void> {
  exportWatches.begin(ref);
  await abortable(`Exporting ${ref.name}`, async (signal, report) => {
    signal.addEventListener("abort", () => exportWatches.cancel(ref));
    const listening = exportWatches.onDidChange(({ exportId }) => {
      const state = exportId === ref.exportId ? exportWatches.state(ref) : undefined;
      if (state?.kind === "waiting") report(`Waiting: ${adviceFor(state.error).message}`);
      else if (state?.answer !== undefined) report(progressText(state.answer.job.status, state.answer.runs));
    });
    try {
      await exportWatches.ended(ref);
    } finally {
      listening.dispose();
    }
  });
}

async function cancel({ connections, destinations }: Services, ref: ExportRef): Promise<void> {
  const { name, status } = ref;
  const detail = isSchedule(status)
    ? "It makes no more exports; those that it made already go on. It can't be started again."
    : "Files that are written already stay in the bucket. It can't be started again.";
  const question = isSchedule(status) ? `Cancel the schedule “${name}”?` : `Cancel the export “${name}”?`;
  const act = { question, detail, verb: "Cancel Export", always: true };
  await confirmAct(connections.resolve(ref.connectionId), act);
  await destinations.cancelExport(ref);
}

function exportedFileIn(value: unknown): ExportedFileRef | undefined {
  return hasTexts(value, "connectionId", "destinationId", "file") ? value : undefined;
}

/** The files that an export's run has written. */
function filesIn(value: unknown): readonly string[] | undefined {
  const files = isObject(value) ? value["files"] : undefined;
  return Array.isArray(files) ? files.filter((file) => typeof file === "string") : undefined;
}

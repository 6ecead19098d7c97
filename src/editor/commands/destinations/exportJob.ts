/** Exporting traces: starting an export, watching it, and ending it. */

import { isFailed, isOver, isSchedule } from "../../../api/bulkExports/exportStatus.ts";
import type { BulkExport, BulkExportRun } from "../../../api/bulkExports/wire.ts";
import { poll } from "../../../api/poll.ts";
import { serverAddress } from "../../connections/serverRef.ts";
import { counted } from "../../kit/words.ts";
import {
  errorsOf,
  exportName,
  filesOf,
  progressText,
  rowsOf,
  statusText,
} from "../../destinations/exportText.ts";
import { showError, showInformation, showWarning } from "../../kit/notice.ts";
import { isCancellation } from "../../kit/report.ts";
import type { Services } from "../../services.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import type { DestinationRef } from "../../views/destinations/destinationNodes.ts";
import type { Views } from "../../views/index.ts";
import type { DestinationsView } from "../../views/destinations/destinations.ts";
import type { ExportRef } from "../../views/destinations/exportNodes.ts";
import { abortable } from "../../kit/ask/abortable.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import { chooseDestination, chooseExport } from "./destinationChoice.ts";
import { exportBody, exportForm } from "./exportForm.ts";
import type { ExportDraft, Project } from "./exportForm.ts";
import { fillForm, reviewForm } from "../../kit/ask/form.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { adviceFor } from "../../kit/remedies.ts";

/** The commands of one export, and of its runs. */
export function commands(
  services: Services,
  { views }: { readonly views: Pick<Views, "destinations"> },
): CommandsOf<"exportJob" | "exportRun"> {
  const view = views.destinations;
  return {
    "agentOperations.exportJob.create": async (node) => {
      const destination = await chooseDestination(services, view, node, "Export Traces");
      if (destination !== undefined) await create(services, view, destination);
    },
    "agentOperations.exportJob.watch": async (node) => {
      const job = await chooseExport(services, view, node, "Watch Export", true);
      if (job !== undefined) await watch(services, view, job);
    },
    "agentOperations.exportJob.cancel": async (node) => {
      const job = await chooseExport(services, view, node, "Cancel Export", true);
      if (job !== undefined) await cancel(view, job);
    },
    "agentOperations.exportJob.copyId": async (node) => {
      const job = await chooseExport(services, view, node, "Copy Export ID", false);
      if (job !== undefined) await copyLines([job.exportId], "export ID");
    },
    "agentOperations.exportRun.copyFiles": async (node) => {
      const ref: unknown = node instanceof BranchNode ? node.ref : undefined;
      if (typeof ref !== "object" || ref === null || !("files" in ref) || !Array.isArray(ref.files)) return;
      await copyLines(ref.files.map(String), "file path");
    },
  };
}

async function create(
  services: Services,
  view: DestinationsView,
  destination: DestinationRef,
): Promise<void> {
  const { connectionId, destinationId, name } = destination;
  const projects = await projectsOf(services, connectionId);
  const start: ExportDraft = {
    destinationId,
    project: projects[0],
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
  const job = await send(services, view, connectionId, form, draft);
  if (job === undefined) return;
  await view.refresh();
  const ref = { connectionId, exportId: job.id, name: exportName(job), status: job.status };
  if (!isSchedule(job.status)) return watch(services, view, ref);
  void showInformation(`Scheduled: ${ref.name}. It goes on until it is cancelled.`);
}

/** Sends the draft until it is accepted or given up; nothing that was typed is lost by a refusal. */
async function send(
  services: Services,
  view: DestinationsView,
  connectionId: string,
  form: ReturnType<typeof exportForm>,
  start: ExportDraft,
): Promise<BulkExport | undefined> {
  const { jobs } = await view.source.client(connectionId);
  for (let draft: ExportDraft | undefined = start; draft !== undefined;) {
    try {
      return await jobs.create(exportBody(draft));
    } catch (error) {
      const { message, remedy } = adviceFor(error);
      services.log.error(`Export traces: ${message}`);
      const edit = "Edit…";
      const text = `The export was not started. ${message.replace(/\.$/, "")}. ${remedy}`;
      const chosen = await showError(text, edit);
      draft = chosen === edit ? await reviewForm(form, draft) : undefined;
    }
  }
  return undefined;
}

/** Whose traces can be chosen without typing an id. */
async function projectsOf(
  { agentServers, connections }: Services,
  connectionId: string,
): Promise<readonly Project[]> {
  if (connections.get(connectionId)?.kind !== "localPlatform") return [];
  return (await agentServers.list(connectionId)).map(({ server, name }) => ({
    id: serverAddress(server),
    name,
  }));
}

/** Tells how far an export has come, until it is over; Cancel ends the watch, and the export only when asked for. */
async function watch(services: Services, view: DestinationsView, ref: ExportRef): Promise<void> {
  const { connectionId, exportId, name } = ref;
  const stop = new AbortController();
  const activity = services.activity.begin({
    title: `Export ${name}`,
    detail: services.connections.get(connectionId)?.name ?? "",
    cancel: () => stop.abort(),
  });
  let runs: readonly BulkExportRun[] = [];
  try {
    const job = await abortable(`Exporting ${name}`, (cancelled, tell) => {
      const signal = AbortSignal.any([cancelled, stop.signal]);
      const ask = async (): Promise<BulkExport> => {
        const { jobs } = await view.source.client(connectionId);
        const [now, parts] = await Promise.all([
          jobs.get(exportId, { signal }),
          jobs.runs(exportId, { signal }),
        ]);
        runs = parts;
        tell(progressText(now.status, parts));
        activity.step(statusText(now.status));
        return now;
      };
      const onTransient = (error: unknown): void => {
        const text = `Waiting: ${adviceFor(error).message}`;
        tell(text);
        activity.wait(text);
      };
      return poll(ask, {
        until: ({ status }) => isOver(status),
        onTransient,
        signal,
        minMs: 1000,
        maxMs: 30_000,
      });
    });
    activity.finish(isFailed(job.status) ? "failed" : "done", progressText(job.status, runs));
    await view.refresh();
    await tellEnd(name, job, runs);
  } catch (error) {
    if (!isCancellation(error)) {
      activity.finish("failed", adviceFor(error).message);
      throw error;
    }
    activity.finish("stopped", "Not watched any longer; the export goes on");
    const text = `“${name}” is not watched any more; the export goes on.`;
    const chosen = await showInformation(text, "Cancel Export");
    if (chosen !== undefined) await cancel(view, ref);
  }
}

async function tellEnd(name: string, { status }: BulkExport, runs: readonly BulkExportRun[]): Promise<void> {
  const files = filesOf(runs);
  const written = `${counted(rowsOf(runs), "row")} in ${counted(files.length, "file")}`;
  if (isFailed(status)) {
    const [error] = runs.filter((run) => isFailed(run.status)).flatMap(errorsOf);
    const why = error === undefined ? "" : ` ${error.text}`;
    await showError(`The export ${name} has ended: ${statusText(status)}.${why}`);
    return;
  }
  const copy = files.length === 0 ? [] : ["Copy File Paths"];
  const text = `The export ${name} has ended: ${statusText(status)}, ${written}.`;
  if ((await showInformation(text, ...copy)) !== undefined) await copyLines(files, "file path");
}

async function cancel(
  view: DestinationsView,
  { connectionId, exportId, name, status }: ExportRef,
): Promise<void> {
  const detail = isSchedule(status)
    ? "It makes no more exports; those that it made already go on. It can't be started again."
    : "Files that are written already stay in the bucket. It can't be started again.";
  const question = isSchedule(status) ? `Cancel the schedule “${name}”?` : `Cancel the export “${name}”?`;
  const sure = await showWarning(question, { modal: true, detail }, "Cancel Export");
  if (sure === undefined) return;
  const { jobs } = await view.source.client(connectionId);
  await jobs.cancel(exportId);
  await view.refresh();
}

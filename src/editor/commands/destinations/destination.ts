/** Creating destinations, by steps or from a draft, and what else can be done with them. */

import * as vscode from "vscode";
import { mayBeDone } from "../../../api/errors.ts";
import { bulkExportFailure } from "../../../api/bulkExports/destinations.ts";
import {
  createBody,
  type DestinationDraft,
  emptyDraft,
  type Fix,
  fixesFor,
  withoutKeys,
} from "../../destinations/destinationDraft.ts";
import type { DestinationRef } from "../../destinations/destinations.ts";
import { DRAFT_TEXT, draftFromJson } from "../../destinations/destinationJson.ts";
import { newDraft } from "../../deployments/drafts/newDraft.ts";
import { abortable, showError, showInformation, confirm } from "../../kit/notice.ts";
import { isCancellation } from "../../kit/report.ts";
import type { Services } from "../../services.ts";
import type { Views } from "../../views/index.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import { chooseDestination } from "./destinationChoice.ts";
import { rotate } from "./destinationRotation.ts";
import { DESTINATION_FIELDS, destinationForm } from "./destinationForm.ts";
import { fillForm, reviewForm } from "../../kit/ask/form.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { checkVariables } from "../../kit/workspaceFiles.ts";
import { adviceFor, adviceText } from "../../kit/remedies.ts";

/** The commands of one destination. */
export function commands(
  services: Services,
  { views }: { readonly views: Pick<Views, "destinations"> },
): CommandsOf<"destinations" | "destination"> {
  const view = views.destinations;
  return {
    "agentOperations.destinations.refresh": () => view.refresh(),
    "agentOperations.destination.create": (node) => create(services, view, node),
    "agentOperations.destination.newDraft": openDraft,
    "agentOperations.destination.createFromDraft": (uri) => createFromDraft(services, view, uri),
    "agentOperations.destination.rotateCredentials": async (node) => {
      await rotate(services, await chooseDestination(services, node, "Rotate Destination Credentials"));
    },
    "agentOperations.destination.copyId": async (node) => {
      const { destinationId } = await chooseDestination(services, node, "Copy Destination ID");
      await copyLines([destinationId], "destination ID");
    },
    "agentOperations.destination.forget": (node) => forget(services, node),
  };
}

async function create(services: Services, view: Views["destinations"], node: unknown): Promise<void> {
  const { id: connectionId } = await choosePlatform(services, node, "Create Destination");
  const draft = await fillForm(destinationForm("Create Destination"), emptyDraft(connectionId));
  await send(services, view, draft);
}

async function openDraft(): Promise<void> {
  await vscode.window.showTextDocument(await newDraft("new", ".destination.json", DRAFT_TEXT));
}

/** What the draft leaves open is asked for; then its summary is shown as if it had been typed. */
async function createFromDraft(services: Services, view: Views["destinations"], uri: unknown): Promise<void> {
  const document =
    uri instanceof vscode.Uri
      ? await vscode.workspace.openTextDocument(uri)
      : vscode.window.activeTextEditor?.document;
  const text = document?.getText();
  if (text === undefined) return openDraft();
  const form = destinationForm("Create Destination from Draft");
  const { id: connectionId } = await choosePlatform(services, undefined, form.title);
  const draft = draftFromJson(text, connectionId, process.env);
  checkVariables(draft.credentials?.variables ?? []);
  const complete =
    draft.credentials === undefined
      ? await DESTINATION_FIELDS.credentials.ask({ title: form.title }, draft)
      : draft;
  await send(services, view, await reviewForm(form, complete));
}

/** Sends the draft until it is accepted or given up; nothing that was typed is lost by a refusal. */
async function send(services: Services, view: Views["destinations"], start: DestinationDraft): Promise<void> {
  for (let draft: DestinationDraft | undefined = start; draft !== undefined;) {
    const current: DestinationDraft = draft;
    try {
      const made = await abortable(`Creating “${current.name}”: the service writes a test file`, (signal) =>
        services.destinations.create(current.connectionId, createBody(current), signal),
      );
      await created(view, current, made);
      return;
    } catch (error) {
      if (isCancellation(error)) return;
      draft = await fixed(services, current, error);
    }
  }
}

async function created(
  view: Views["destinations"],
  { name, prefix }: DestinationDraft,
  made: DestinationRef,
): Promise<void> {
  await view.reveal(made);
  const folder = [...prefix.split("/").filter((part) => part !== ""), "tmp"].join("/");
  const text = `“${name}” can be written to. If its credentials may not delete, the test file stays below ${folder}.`;
  const button = await showInformation(text, "Export Traces");
  if (button !== undefined) await vscode.commands.executeCommand("agentOperations.exportJob.create", made);
}

/** Says why it was refused, with a button for each fix; gives the draft to try next. */
async function fixed(
  services: Services,
  draft: DestinationDraft,
  error: unknown,
): Promise<DestinationDraft | undefined> {
  const failure = bulkExportFailure(error);
  const advice = failure ?? adviceFor(error);
  const fixes = failure === undefined ? [] : fixesFor(failure, draft);
  const shown = (text: string): string => withoutKeys(text, draft.credentials?.values);
  services.log.error(shown(`Create destination: ${advice.message} ${failure?.said ?? ""}`));
  const edit = "Edit…";
  const titles = [...fixes.map(({ title }) => title), edit];
  const text =
    failure === undefined && mayBeDone(error)
      ? `Whether “${draft.name}” was created is not known: look in Destinations before you create it again. ${advice.message}`
      : `“${draft.name}” was not created. ${adviceText(advice)}`;
  const chosen = await showError(shown(text), ...titles);
  if (chosen === edit) return reviewForm(destinationForm("Create Destination"), draft);
  const fix = fixes.find(({ title }) => title === chosen);
  return fix === undefined ? undefined : apply(fix, draft);
}

async function apply(fix: Fix, draft: DestinationDraft): Promise<DestinationDraft> {
  if ("command" in fix) {
    await vscode.commands.executeCommand(fix.command, { connectionId: draft.connectionId });
    return reviewForm(destinationForm("Create Destination"), draft);
  }
  const changed = "change" in fix ? { ...draft, ...fix.change } : draft;
  return fix.ask === undefined ? changed : DESTINATION_FIELDS[fix.ask].ask({ title: fix.title }, changed);
}

async function forget(services: Services, node: unknown): Promise<void> {
  const chosen = await chooseDestination(services, node, "Remove Destination from List");
  const detail =
    "It stays on the server and in use. It is only no longer shown here, since the server has no list.";
  await confirm(`Remove “${chosen.name}” from the list?`, detail, "Remove");
  await services.destinations.forget(chosen);
}

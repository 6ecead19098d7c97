/** Drafts of deployments: opened from a template or from a deployment, and sent. */

import * as vscode from "vscode";
import { ApiError, isGone } from "../../../api/errors.ts";
import type { JsonObject } from "../../../api/agentServer/wire.ts";
import type { ConnectionSetting } from "../../connections/connection.ts";
import type { DeploymentDrafts } from "../../documents/deploymentDrafts.ts";
import type { Documents } from "../../documents/index.ts";
import {
  deploymentIdOf,
  draftOf,
  type DraftProblem,
  draftProblems,
} from "../../deployments/drafts/deploymentDraft.ts";
import { parseDraft, refusedFields } from "../../deployments/drafts/parsedDraft.ts";
import { DRAFT_TEMPLATES, draftText, endedLike } from "../../deployments/drafts/draftText.ts";
import { showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { compareDeployment, createDeployment, nameOf, updateDeployment } from "./deploymentSend.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import { refOf } from "../../kit/ask/meant.ts";
import { askChoice } from "../../kit/ask/questions.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { chooseDeployment } from "./revisionChoice.ts";

/** Where drafts are shown. */
export type DraftDocuments = Pick<Documents, "drafts" | "servers">;

/** The commands of drafts. */
export function deploymentDraftCommands(services: Services, documents: DraftDocuments) {
  const { drafts } = documents;
  return {
    "agentOperations.deployment.draft": async (node) => {
      const template = await chooseTemplate();
      await drafts.open("my-agent", draftText(template), refOf(node, "connectionId")?.connectionId);
    },
    "agentOperations.deployment.edit": async (node) => {
      const ref = refOf(node, "deploymentId") ?? (await chooseDeployment(services, "Edit Deployment"));
      const deployment = await services.deployments.get(ref);
      await drafts.open(deployment.name ?? deployment.id, draftText(draftOf(deployment)), ref.connectionId);
    },
    "agentOperations.deployment.send": async (uri) => {
      const document =
        uri instanceof vscode.Uri ? await vscode.workspace.openTextDocument(uri) : drafts.active;
      if (document !== undefined) await send(services, documents, document);
    },
  } satisfies Partial<CommandsOf<"deployment">>;
}

/** Sends the draft in the document; what the server refuses is marked in it. */
async function send(
  services: Services,
  documents: DraftDocuments,
  document: vscode.TextDocument,
): Promise<void> {
  const { drafts } = documents;
  drafts.diagnostics.clear(document);
  const draft = await readyDraft(drafts, document);
  if (draft === undefined) return;
  const connection = await platformOf(services, drafts, document);
  await drafts.memory.remember(document.uri, { connectionId: connection.id });
  try {
    const id = deploymentIdOf(draft);
    if (id === undefined) {
      const made = await createDeployment(services, { connection, draft });
      if (made !== "edit") await drafts.setId(document, made.id);
    } else await update(services, documents, { document, connection, draft, id });
  } catch (error) {
    const problems = error instanceof ApiError ? refusedFields(error, draft) : [];
    if (problems.length > 0) await drafts.diagnostics.show(document, problems);
    throw error;
  }
}

interface Update {
  readonly document: vscode.TextDocument;
  readonly connection: ConnectionSetting;
  readonly draft: JsonObject;
  readonly id: string;
}

async function update(services: Services, { servers, drafts }: DraftDocuments, sent: Update): Promise<void> {
  const { document, connection, draft, id } = sent;
  const name = nameOf(draft);
  const comparison = await compareDeployment(services, { connection, draft }, id).catch((error: unknown) => {
    if (!isGone(error)) throw error;
    const what = `There is no deployment ${id} on “${connection.name}” any more.`;
    throw new NotPossibleError(what, 'Remove "id" from the draft to create it anew; the draft is kept.');
  });
  const { immutable } = comparison.change;
  if (immutable.length > 0) {
    const message = "This can't be changed once a deployment is there.";
    await drafts.diagnostics.show(
      document,
      immutable.map((field) => ({ path: field.split("."), message })),
    );
    const what = `${immutable.join(", ")} can't be changed once a deployment is there.`;
    throw new NotPossibleError(what, "Undo it, or create another deployment.");
  }
  const ref = { connectionId: connection.id, deploymentId: id, name };
  await servers.compare(ref, endedLike(comparison.text, document.getText()), document.uri);
  const outcome = await updateDeployment(services, { connection, draft }, comparison);
  if (outcome !== "edit") await servers.closeComparison(document.uri);
}

/** The draft if nothing of it keeps it from being sent; the reasons are marked otherwise. */
async function readyDraft(
  drafts: DeploymentDrafts,
  document: vscode.TextDocument,
): Promise<JsonObject | undefined> {
  const parsed = parseDraft(document.getText());
  const problems: readonly DraftProblem[] =
    parsed.kind === "problem" ? [{ path: [], message: parsed.message }] : draftProblems(parsed.value);
  if (problems.length > 0 || parsed.kind === "problem") {
    await drafts.diagnostics.show(document, problems);
    const [first] = problems;
    throw new NotPossibleError(
      first?.message ?? "The draft is not complete.",
      "Correct it at the mark and send it again.",
    );
  }
  return (await acceptsWarnings(document)) ? (parsed.value as JsonObject) : undefined;
}

/** The editor checks the draft by the schema; a server may know more than the schema does. */
async function acceptsWarnings(document: vscode.TextDocument): Promise<boolean> {
  const found = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning);
  const [first] = found;
  if (first === undefined) return true;
  const more = found.length === 1 ? "" : ` (and ${String(found.length - 1)} more)`;
  const message = `The draft has a problem in line ${String(first.range.start.line + 1)}: ${first.message}${more}`;
  const answer = await showWarning(message, "Show", "Send Anyway");
  if (answer === "Show") {
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    editor.selection = new vscode.Selection(first.range.start, first.range.end);
    editor.revealRange(first.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
  return answer === "Send Anyway";
}

/** The platform that the draft was opened from or sent to, else the one that a person chooses. */
async function platformOf(
  services: Services,
  { memory }: DeploymentDrafts,
  { uri }: vscode.TextDocument,
): Promise<ConnectionSetting> {
  const known = memory.connectionOf(uri);
  const setting = known === undefined ? undefined : services.connections.get(known);
  return setting ?? (await choosePlatform(services, undefined, "Create or Update Deployment"));
}

function chooseTemplate(): Promise<JsonObject> {
  const choices = DRAFT_TEMPLATES.map(({ label, detail, icon, draft: value }) => {
    return { label: `$(${icon}) ${label}`, detail, value };
  });
  return askChoice({ title: "New Deployment Draft" }, choices, { placeholder: "What is deployed?" });
}

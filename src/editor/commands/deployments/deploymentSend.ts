/** Sending a deployment: created, or changed after a comparison with what the server has. Values of secrets are kept nowhere. */

import type * as vscode from "vscode";
import type { JsonObject } from "../../../api/agentServer/wire.ts";
import type { Deployment, DeploymentCreate, DeploymentPatch } from "../../../api/controlPlane/wire.ts";
import type { ConnectionSetting } from "../../connections/connection.ts";
import { nameOf as shownName } from "../../deployments/deploymentFacts.ts";
import { changeOf, type DeploymentChange, sameAgain } from "../../deployments/drafts/deploymentChange.ts";
import {
  draftOf,
  draftSecrets,
  given,
  objectOf,
  secretNames,
} from "../../deployments/drafts/deploymentDraft.ts";
import { draftText, saidBy } from "../../deployments/drafts/draftText.ts";
import { textOf } from "../../../run/json/json.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { secretValues, variableRows } from "./deploymentSecrets.ts";
import { confirmAct } from "../../connections/guard.ts";
import { askChoice } from "../../kit/ask/questions.ts";
import { showStatus, working } from "../../kit/notice.ts";

/** A draft on its way to a platform. */
export interface Sending {
  readonly connection: ConnectionSetting;
  readonly draft: JsonObject;
}

/** Creates the deployment after a last question, and watches its first revision. */
export async function createDeployment(
  services: Services,
  { connection, draft }: Sending,
): Promise<Deployment | "edit"> {
  const name = nameOf(draft);
  const title = `Create “${name}” on ${connection.name}`;
  const secrets = await secretValues(title, draftSecrets(draft));
  const names = secretNames(draft);
  const detail = `From ${originOf(draft)}${names.length === 0 ? "" : `; secrets: ${names.join(", ")}`}`;
  const rows = variableRows(draftSecrets(draft), connection);
  const decision = await decide(title, { label: "$(cloud-upload) Create", detail }, rows);
  if (decision !== "send") return decision;
  const own = Object.entries(given(draft)).filter(([name]) => name !== "id" && name !== "$schema");
  const body = { source_config: {}, source_revision_config: {}, ...Object.fromEntries(own), secrets };
  const made = await working(title, () =>
    services.deployments.create(connection.id, body as unknown as DeploymentCreate),
  );
  watchLatest(services, connection.id, made);
  return made;
}

/** What comes before a change is sent: what the server has, and what of it would change. */
export interface Comparison {
  readonly deployment: Deployment;
  readonly change: DeploymentChange;
  /** What the server has, written in the order of the draft. */
  readonly text: string;
}

/** Reads the deployment and compares; throws what the server answers. */
export async function compareDeployment(
  services: Services,
  { connection, draft }: Sending,
  id: string,
): Promise<Comparison> {
  const deployment = await services.deployments.get({ connectionId: connection.id, deploymentId: id });
  const change = changeOf(deployment, draft);
  return { deployment, change, text: draftText(saidBy(draft, draftOf(deployment))) };
}

/** Changes the deployment after a last question, and watches the revision that it makes. */
export async function updateDeployment(
  services: Services,
  { connection, draft }: Sending,
  { deployment, change, text }: Comparison,
): Promise<"sent" | "edit"> {
  const name = nameOf(draft);
  const title = `Update “${name}” on ${connection.name}`;
  const patch = change.patch ?? sameAgain(deployment);
  if (patch === undefined) {
    throw new NotPossibleError(
      "The draft says what the server has: there is nothing to send.",
      "Edit it first.",
    );
  }
  const secrets = patch["secrets"] === undefined ? [] : await secretValues(title, draftSecrets(draft));
  const variables = patch["secrets"] === undefined ? [] : draftSecrets(draft);
  const label = updateLabel(change);
  const rows = [...changeRows(change), ...variableRows(variables, connection)];
  const decision = await decide(title, { label }, rows);
  if (decision !== "send") return decision;
  const detail = changeWords(change);
  await confirmAct(connection, {
    name,
    question: `Update “${name}”?`,
    detail,
    verb: "Update",
    always: false,
  });
  const ref = { connectionId: connection.id, deploymentId: deployment.id };
  await working(title, async () => {
    const now = await services.deployments.get(ref);
    if (draftText(saidBy(draft, draftOf(now))) !== text) {
      throw new NotPossibleError(
        `“${name}” was changed elsewhere meanwhile.`,
        "Compare again before you send it.",
      );
    }
    const body = { ...patch, ...(secrets.length === 0 ? {} : { secrets }) } as unknown as DeploymentPatch;
    const changed = await services.deployments.patch(ref, body);
    if (changed.latest_revision_id !== deployment.latest_revision_id)
      watchLatest(services, connection.id, changed);
    else showStatus(`“${name}” is changed; no new revision was made`, 5000);
  });
  return "sent";
}

/** The draft's own name for what it is about. */
export function nameOf(draft: JsonObject): string {
  return textOf(draft["name"]) ?? "deployment";
}

function updateLabel({ patch, revising }: DeploymentChange): string {
  if (patch === undefined) return "$(cloud-upload) Deploy the same source again, with a new revision";
  return revising.length === 0
    ? "$(save) Update, without a new revision"
    : "$(cloud-upload) Update, with a new revision";
}

/** A row for each thing that is changed or kept: in one sentence they would be cut. */
function changeRows({ changed, kept }: DeploymentChange): readonly vscode.QuickPickItem[] {
  return [
    ...changed.map((path) => ({
      label: `$(diff-modified) ${path}`,
      description: "changes",
      alwaysShow: true,
    })),
    ...kept.map((path) => ({
      label: `$(dash) ${path}`,
      description: "left out, and so kept",
      alwaysShow: true,
    })),
  ];
}

function changeWords({ changed, kept }: DeploymentChange): string {
  const what = changed.length === 0 ? "Nothing differs" : `Changes ${changed.join(", ")}`;
  return kept.length === 0 ? what : `${what}; left out and so kept: ${kept.join(", ")}`;
}

/** The last question; it leaves the draft and the comparison visible and can be answered by keyboard. */
function decide(
  title: string,
  choice: { readonly label: string; readonly detail?: string },
  rows: readonly vscode.QuickPickItem[],
): Promise<"send" | "edit"> {
  const choices = [
    { ...choice, value: "send" } as const,
    { label: "$(edit) Keep editing", description: "nothing is sent", value: "edit" } as const,
    ...rows,
  ];
  return askChoice<"send" | "edit">({ title }, choices, { placeholder: "Send it?", active: "send" });
}

/** Where the agent server comes from, as far as the draft says it. */
function originOf(draft: JsonObject): string {
  const members = { ...objectOf(draft["source_config"]), ...objectOf(draft["source_revision_config"]) };
  const { repo_url, repo_ref, image_uri, custom_url, source_tarball_path } = members;
  const parts = [
    repo_url,
    repo_ref,
    image_uri,
    image_uri === undefined ? custom_url : undefined,
    source_tarball_path,
  ];
  const named = parts.flatMap((part) => textOf(part) ?? []);
  return named.length === 0 ? (textOf(draft["source"]) ?? "") : named.join(" at ");
}

function watchLatest({ revisionWatches }: Services, connectionId: string, deployment: Deployment): void {
  const { id, latest_revision_id: revisionId } = deployment;
  if (typeof revisionId !== "string") return;
  revisionWatches.begin({ connectionId, deploymentId: id, revisionId }, shownName({ id, deployment }));
}

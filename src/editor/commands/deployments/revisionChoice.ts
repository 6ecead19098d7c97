/** Which deployment or revision a command is about: the one that it was started on, or one that a person chooses. */

import type { Deployment, Revision } from "../../../api/controlPlane/wire.ts";
import { ApiError } from "../../../api/errors.ts";
import type { DeploymentRef, RevisionRef } from "../../connections/connection.ts";
import { ConnectionError } from "../../connections/connectionSettings.ts";
import { nameOf } from "../../deployments/deploymentRow.ts";
import { statusText } from "../../deployments/revisionStatus.ts";
import { localTime } from "../../localTime.ts";
import type { Services } from "../../services.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import { sourceOf } from "../../views/deployments/deploymentItem.ts";
import { askChoice, askText } from "../steps.ts";

const mostListed = 100;

/** The deployment that a row or another caller names. */
export function deploymentOf(value: unknown): DeploymentRef | undefined {
  const ref = refIn(value);
  if (typeof ref?.["connectionId"] !== "string" || typeof ref["deploymentId"] !== "string") return undefined;
  return { connectionId: ref["connectionId"], deploymentId: ref["deploymentId"] };
}

/** The revision that a row or another caller names. */
export function revisionOf(value: unknown): RevisionRef | undefined {
  const deployment = deploymentOf(value);
  const revisionId = refIn(value)?.["revisionId"];
  return deployment === undefined || typeof revisionId !== "string"
    ? undefined
    : { ...deployment, revisionId };
}

/** A deployment that a person chooses, or names by id where the server has no list. */
export async function chooseDeployment(
  services: Services,
  title: string,
): Promise<(Deployment & DeploymentRef) | undefined> {
  const connection = await choosePlatform(services, undefined, title);
  if (connection === undefined) return undefined;
  const { deployments } = await services.platforms.controlPlane(connection.id);
  const listed = await offered(async () => (await deployments.page({ limit: mostListed })).deployments);
  if (listed?.length === 0) {
    const what = `There is no deployment on “${connection.name}”.`;
    throw new ConnectionError("unknown", what, "Create one first.");
  }
  const deployment =
    listed === undefined
      ? await named(title, "The id of the deployment", (id) => deployments.get(id))
      : await chosen(title, "Which deployment?", listed, (item) => ({
          label: nameOf({ id: item.id, deployment: item }),
          description: statusText(item.status ?? ""),
          detail: item.id,
        }));
  return deployment && { ...deployment, connectionId: connection.id, deploymentId: deployment.id };
}

/** The latest revision of a deployment; undefined when it has none. */
export async function latestRevision(
  { platforms }: Services,
  { connectionId, deploymentId }: DeploymentRef,
): Promise<RevisionRef | undefined> {
  const { deployments } = await platforms.controlPlane(connectionId);
  const { latest_revision_id: latest } = await deployments.get(deploymentId);
  return typeof latest === "string" ? { connectionId, deploymentId, revisionId: latest } : undefined;
}

/** A revision that a person chooses of a deployment, the newest first. */
export async function chooseRevision(
  services: Services,
  title: string,
  of?: DeploymentRef,
): Promise<RevisionRef | undefined> {
  const deployment = of ?? (await chooseDeployment(services, title));
  if (deployment === undefined) return undefined;
  const { connectionId, deploymentId } = deployment;
  const { revisions } = await services.platforms.controlPlane(connectionId);
  const listed = await offered(async () => (await revisions.page(deploymentId)).revisions);
  if (listed === undefined) return latestRevision(services, { connectionId, deploymentId });
  const revision = await chosen(title, "Which revision?", listed, revisionRow);
  return revision && { connectionId, deploymentId, revisionId: revision.id };
}

function revisionRow({ id, status, created_at, source_revision_config: config }: Revision) {
  return {
    label: sourceOf(config) ?? id,
    description: [statusText(status ?? ""), localTime(created_at)].filter((part) => part !== "").join(" · "),
    detail: id,
  };
}

async function chosen<T>(
  title: string,
  placeholder: string,
  items: readonly T[],
  row: (item: T) => { readonly label: string; readonly description: string; readonly detail: string },
): Promise<T | undefined> {
  const choices = items.map((item) => ({ ...row(item), value: item }));
  const answer = await askChoice({ title }, choices, { placeholder });
  return answer.kind === "next" ? answer.value : undefined;
}

async function named<T>(
  title: string,
  prompt: string,
  get: (id: string) => Promise<T>,
): Promise<T | undefined> {
  const problem = (text: string) => (text === "" ? "Enter an id." : undefined);
  const answer = await askText({ title }, { prompt, problem });
  return answer.kind === "next" ? get(answer.value) : undefined;
}

/** Undefined when the server has no such list. */
async function offered<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiError && error.kind === "notOffered") return undefined;
    throw error;
  }
}

function refIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const ref = "ref" in value && typeof value.ref === "object" && value.ref !== null ? value.ref : value;
  return ref as Readonly<Record<string, unknown>>;
}

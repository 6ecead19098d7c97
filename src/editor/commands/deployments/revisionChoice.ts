/** Which deployment or revision a command is about: the one that it was started on, or one that a person chooses. */

import type * as vscode from "vscode";
import type { RevisionPage, Revisions } from "../../../api/controlPlane/revisions.ts";
import type { Deployment, DeploymentQuery, Revision } from "../../../api/controlPlane/wire.ts";
import { isUnsupported } from "../../../api/capabilities.ts";
import type { DeploymentRef, RevisionRef } from "../../connections/connection.ts";
import { nameOf } from "../../deployments/deploymentFacts.ts";
import { statusText } from "../../deployments/revisionStatus.ts";
import { isUuid, localTime, dotted, withoutIcons } from "../../kit/words.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import { versionOf } from "../../deployments/version.ts";
import { refOf } from "../../kit/ask/meant.ts";
import { chooseFromPages } from "../../kit/ask/pagedChoice.ts";
import { askText } from "../../kit/ask/questions.ts";
import { chooseByTyping } from "../../kit/ask/typedChoice.ts";

type DeploymentItem = vscode.QuickPickItem & { readonly deployment: Deployment };
type RevisionItem = vscode.QuickPickItem & { readonly revisionId: string };

const mostListed = 50;

/** A deployment that a person finds by its name, or names by id where the server has no list. */
export async function chooseDeployment(
  services: Services,
  title: string,
): Promise<Deployment & DeploymentRef> {
  const connection = await choosePlatform(services, undefined, title);
  const { deployments } = await services.platforms.controlPlane(connection.id);
  const find = async (text: string, signal: AbortSignal): Promise<readonly DeploymentItem[]> => {
    const { deployments: found } = await deployments.page(queryOf(text), { signal });
    if (text === "" && found.length === 0)
      throw new NotPossibleError(`There is no deployment on “${connection.name}”.`, "Create one first.", [
        "createDeployment",
      ]);
    return found.map(deploymentItem);
  };
  const placeholder = "Which deployment? Type a part of its name, or its ID";
  const deployment = await whereListed(
    async () =>
      (await chooseByTyping({ title, placeholder, find, id: ({ deployment }) => deployment.id })).deployment,
    async () => {
      const problem = (text: string) => (text === "" ? "Enter an ID." : undefined);
      return deployments.get(await askText({ title }, { prompt: "The ID of the deployment", problem }));
    },
  );
  return { ...deployment, connectionId: connection.id, deploymentId: deployment.id };
}

/** The revision that is named, the latest one of a deployment that is named, or one that a person chooses. */
export async function revisionMeant(services: Services, node: unknown, title: string): Promise<RevisionRef> {
  const deployment = refOf(node, "deploymentId");
  if (deployment === undefined) return chooseRevision(services, title);
  return refOf(node, "revisionId") ?? latestRevision(services, deployment);
}

/** A revision that a person chooses of a deployment, the newest first. */
async function chooseRevision(services: Services, title: string): Promise<RevisionRef> {
  const deployment = await chooseDeployment(services, title);
  const { connectionId, deploymentId } = deployment;
  const { revisions } = await services.platforms.controlPlane(connectionId);
  return whereListed(
    async () => {
      const chosen = await chooseFromPages({
        title,
        placeholder: "Which revision? The newest is first",
        items: (signal) => revisionItems(revisions, deploymentId, signal),
        more: "Show older revisions…",
      });
      return { connectionId, deploymentId, revisionId: chosen.item.revisionId };
    },
    () => latestRevision(services, deployment),
  );
}

async function latestRevision({ deployments }: Services, ref: DeploymentRef): Promise<RevisionRef> {
  const { connectionId, deploymentId } = ref;
  const { latest_revision_id: latest } = await deployments.get(ref);
  if (typeof latest !== "string") throw noRevision();
  return { connectionId, deploymentId, revisionId: latest };
}

function noRevision(): NotPossibleError {
  return new NotPossibleError("The deployment has no revision yet.", "Try again when its first one is made.");
}

/** Those whose name holds the text, or the one with this id. */
export function queryOf(text: string): DeploymentQuery {
  if (text === "") return { limit: mostListed };
  return { limit: mostListed, ...(isUuid(text) ? { deployment_ids: text } : { name_contains: text }) };
}

function deploymentItem(deployment: Deployment): DeploymentItem {
  return {
    label: withoutIcons(nameOf({ id: deployment.id, deployment })),
    description: statusText(deployment.status ?? ""),
    detail: deployment.id,
    alwaysShow: true,
    deployment,
  };
}

async function* revisionItems(
  revisions: Revisions,
  deploymentId: string,
  signal: AbortSignal,
): AsyncIterable<RevisionItem> {
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page: RevisionPage = await revisions.page(deploymentId, { offset }, { signal });
    if (offset === 0 && page.revisions.length === 0) throw noRevision();
    yield* page.revisions.map(revisionItem);
    offset = page.nextOffset;
  }
}

function revisionItem({ id, status, created_at, source_revision_config: config }: Revision): RevisionItem {
  return {
    label: withoutIcons(versionOf(config) ?? id),
    description: dotted([statusText(status ?? ""), localTime(created_at)]),
    detail: id,
    revisionId: id,
  };
}

/** What is chosen from a list, or what there is otherwise where the server has no such list. */
async function whereListed<T>(choose: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  try {
    return await choose();
  } catch (error) {
    if (isUnsupported(error)) return otherwise();
    throw error;
  }
}

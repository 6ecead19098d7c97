/** Deploying a revision again: the question says what is deployed, where, and in whose place. */

import { isGone } from "../../../api/errors.ts";
import type { Revision } from "../../../api/controlPlane/wire.ts";
import type { DeploymentRef, RevisionRef } from "../../connections/connection.ts";
import { confirmAct } from "../../connections/guard.ts";
import { revisionBefore } from "../../deployments/revisionFailure.ts";
import { versionOf } from "../../deployments/version.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { localTime } from "../../kit/words.ts";
import type { Services } from "../../services.ts";

/** Makes a new revision of this one after a question, and watches it. */
export async function redeploy(services: Services, ref: RevisionRef): Promise<void> {
  const { connections, deployments, revisionWatches, platforms } = services;
  const { connectionId, deploymentId, revisionId } = ref;
  const name = await deployments.nameOf(ref);
  const { revisions } = await platforms.controlPlane(connectionId);
  const { active_revision_id: active } = await deployments.get(ref);
  const revision = await revisions.get(deploymentId, revisionId);
  const served = typeof active === "string" && active !== revisionId;
  const serving = served ? await revisions.get(deploymentId, active).catch(() => undefined) : revision;
  const replaced =
    serving === undefined || serving.id === revisionId
      ? "the one that is being served"
      : `${labelOf(serving)}, which is being served`;
  await confirmAct(connections.resolve(connectionId), {
    name,
    question: `Redeploy “${name}” from ${labelOf(revision)}?`,
    detail: `${originOf(revision)} A new revision is made of it, and takes the place of ${replaced}.`,
    verb: "Redeploy",
    always: true,
  });
  const latest = await deployments.redeploy(ref);
  if (latest !== undefined) revisionWatches.begin({ connectionId, deploymentId, revisionId: latest }, name);
}

/** The same with the newest revision before this one that was deployed. */
export async function redeployPrevious(services: Services, ref: RevisionRef): Promise<void> {
  const source = await services.platforms.controlPlane(ref.connectionId);
  const before = await revisionBefore(source, ref);
  if (before === undefined) {
    const name = await services.deployments.nameOf(ref);
    throw new NotPossibleError(
      `“${name}” has no earlier revision that was deployed.`,
      "Send a draft with what is to be deployed.",
    );
  }
  await redeploy(services, { ...ref, revisionId: before.id });
}

/** A version and when it was made, which tells revisions of one version apart. */
export function labelOf(revision: Revision): string {
  return versionOf(revision.source_revision_config) ?? `the revision ${revision.id.slice(-shownOfId)}`;
}

/** Says of a deployment that was deleted elsewhere that it was, by name, and takes it out of the list. */
export async function unlessDeleted<T>(
  { connections, deployments }: Services,
  ref: DeploymentRef,
  work: () => Promise<T>,
): Promise<T> {
  const name = deployments.knownName(ref);
  try {
    return await work();
  } catch (error) {
    if (!isGone(error) || !(await deployments.isDeleted(ref))) throw error;
    throw new NotPossibleError(
      `“${name}” is not on “${connections.get(ref.connectionId)?.name ?? ref.connectionId}” any more.`,
      "It was deleted elsewhere, and goes from the list.",
    );
  }
}

function originOf({ id, created_at, source_revision_config: config }: Revision): string {
  const made = localTime(created_at);
  const commit = config?.repo_commit_sha;
  const from = typeof commit === "string" && commit !== "" ? `, commit ${commit.slice(0, 12)}` : "";
  return `Revision ${id.slice(-shownOfId)}${made === "" ? "" : ` of ${made}`}${from}.`;
}

const shownOfId = 8;

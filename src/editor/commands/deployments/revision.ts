/** What can be done with a revision: watched and its logs read, made again as the latest one, compared, or stopped. */

import { isObject } from "../../../api/shape.ts";
import type { LogType } from "../../../api/controlPlane/logs.ts";
import type { RevisionRef } from "../../connections/connection.ts";
import type { Documents } from "../../documents/index.ts";
import { draftOf } from "../../deployments/drafts/deploymentDraft.ts";
import { draftText } from "../../deployments/drafts/draftText.ts";
import { revisionBefore } from "../../deployments/revisionFailure.ts";
import { logOf } from "../../deployments/revisionStatus.ts";
import type { Services } from "../../services.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import { meant } from "../../kit/ask/meant.ts";
import type { CommandHandler, CommandsOf } from "../../kit/commands.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { confirmAct } from "../../connections/guard.ts";
import { labelOf, redeploy, redeployPrevious, unlessDeleted } from "./redeploy.ts";
import { revisionMeant } from "./revisionChoice.ts";

/** Where revisions, their logs and drafts of them are shown. */
type Shown = Pick<Documents, "drafts" | "logs" | "revisions">;

/** The commands of one revision. */
export function commands(services: Services, shown: Shown): CommandsOf<"revision"> {
  const { deployments, revisionWatches } = services;
  const onOne =
    (title: string, act: (ref: RevisionRef, node: unknown) => Promise<void>): CommandHandler =>
    async (node) => {
      const ref = await revisionMeant(services, node, title);
      await unlessDeleted(services, ref, () => act(ref, node));
    };
  return {
    "agentOperations.revision.watch": onOne("Watch Revision", async (ref) =>
      revisionWatches.begin(ref, await deployments.nameOf(ref)),
    ),
    "agentOperations.revision.openLog": onOne("Open Revision Log", (ref, node) =>
      openLog(services, shown, ref, node),
    ),
    "agentOperations.revision.redeploy": onOne("Redeploy Revision", (ref) => redeploy(services, ref)),
    "agentOperations.revision.redeployPrevious": onOne("Redeploy Previous Revision", (ref) =>
      redeployPrevious(services, ref),
    ),
    "agentOperations.revision.compare": async (...args) => {
      const refs = meant(args, "revisionId") ?? [await revisionMeant(services, args[0], "Compare Revisions")];
      await compare(services, shown, refs);
    },
    "agentOperations.revision.draft": onOne("New Draft from Revision", (ref) => draft(services, shown, ref)),
    "agentOperations.revision.interrupt": onOne("Interrupt Revision", (ref) => interrupt(services, ref)),
    "agentOperations.revision.copyId": onOne("Copy Revision ID", ({ revisionId }) =>
      copyLines([revisionId], "revision ID"),
    ),
  };
}

/** The log that the caller names, else the one that says how the revision got its status. */
async function openLog(services: Services, { logs }: Shown, ref: RevisionRef, node: unknown): Promise<void> {
  const { revisions } = await services.platforms.controlPlane(ref.connectionId);
  const revision = await revisions.get(ref.deploymentId, ref.revisionId);
  const type = isLogRef(node) ? node.type : logOf(revision.status ?? undefined);
  const { connectionId, deploymentId, revisionId } = ref;
  const connectionName = services.connections.resolve(connectionId).name;
  const name = `${await services.deployments.nameOf(ref)} ${labelOf(revision)} on ${connectionName}`;
  await logs.show({ connectionId, deploymentId, revisionId, type, name });
}

/** Two that are selected, or one with the one that is served, or that one with the one before it. */
async function compare(
  services: Services,
  { revisions: documents }: Shown,
  [first, second, ...others]: readonly RevisionRef[],
): Promise<void> {
  if (first === undefined) return;
  if (others.length > 0 || (second !== undefined && second.deploymentId !== first.deploymentId))
    throw new NotPossibleError("Two revisions of one deployment can be compared.", "Select two of them.");
  const source = await services.platforms.controlPlane(first.connectionId);
  const { active_revision_id: active } = await services.deployments.get(first);
  const other =
    second?.revisionId ??
    (typeof active === "string" && active !== first.revisionId
      ? active
      : (await revisionBefore(source, first))?.id);
  if (other === undefined) {
    throw new NotPossibleError(
      "There is no other revision to compare it with.",
      "Select two revisions of the deployment.",
    );
  }
  const pair = await Promise.all(
    [first.revisionId, other].map((id) => source.revisions.get(first.deploymentId, id)),
  );
  const [older, newer] = pair
    .sort((one, another) => (one.created_at ?? "").localeCompare(another.created_at ?? ""))
    .map((revision) => ({ ...first, revisionId: revision.id, label: labelOf(revision) }));
  if (older !== undefined && newer !== undefined)
    await documents.compare(await services.deployments.nameOf(first), older, newer);
}

/** The deployment as it is now, but made from what the revision was made from. */
async function draft(services: Services, { drafts }: Shown, ref: RevisionRef): Promise<void> {
  const { revisions } = await services.platforms.controlPlane(ref.connectionId);
  const revision = await revisions.get(ref.deploymentId, ref.revisionId);
  const deployment = await services.deployments.get(ref);
  const { source_revision_config = null } = revision;
  const text = draftText(draftOf({ ...deployment, source_revision_config }));
  await drafts.open(deployment.name ?? deployment.id, text, ref.connectionId);
}

async function interrupt(services: Services, ref: RevisionRef): Promise<void> {
  const { connections, deployments, platforms } = services;
  const name = await deployments.nameOf(ref);
  const { revisions } = await platforms.controlPlane(ref.connectionId);
  const label = labelOf(await revisions.get(ref.deploymentId, ref.revisionId));
  await confirmAct(connections.resolve(ref.connectionId), {
    name,
    question: `Stop ${label} of “${name}” on its way?`,
    detail: "Meant for revisions that are stuck. In which state it ends is up to the platform.",
    verb: "Interrupt",
    always: true,
  });
  await deployments.interrupt(ref);
}

function isLogRef(node: unknown): node is { readonly type: LogType } {
  return isObject(node) && (node["type"] === "build" || node["type"] === "deploy");
}

/** What can be done to a revision: made again as the latest one, or stopped on its way. */

import type { Deployment } from "../../../api/controlPlane/wire.ts";
import type { RevisionRef } from "../../connections/connection.ts";
import { nameOf } from "../../deployments/deploymentRow.ts";
import type { Services } from "../../services.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { mayProceed } from "../connections/productionGuard.ts";
import { revisionMeant } from "./revisionChoice.ts";

/** The commands that change a revision, and the one that copies its id. */
export function revisionChangeCommands(services: Services) {
  return {
    "agentOperations.revision.redeploy": async (node) => {
      const ref = await revisionMeant(services, node, "Redeploy");
      if (ref !== undefined) await redeploy(services, ref);
    },
    "agentOperations.revision.interrupt": async (node) => {
      const ref = await revisionMeant(services, node, "Interrupt Revision");
      if (ref !== undefined) await interrupt(services, ref);
    },
    "agentOperations.revision.copyId": async (node) => {
      const ref = await revisionMeant(services, node, "Copy Revision ID");
      if (ref !== undefined) await copyLines([ref.revisionId], "revision ID");
    },
  } satisfies Partial<CommandsOf<"revision">>;
}

async function redeploy(services: Services, ref: RevisionRef): Promise<void> {
  const { connections, deployments, platforms, revisionWatches } = services;
  const { connectionId, deploymentId, revisionId } = ref;
  const name = nameOf({ id: ref.deploymentId, deployment: await read(services, ref) });
  const allowed = await mayProceed(connections.resolve(connectionId), {
    name,
    question: `Redeploy “${name}” from the revision ${revisionId}?`,
    detail: "A new revision is made of it, and takes the place of the one that is being served.",
    verb: "Redeploy",
    always: true,
  });
  if (!allowed) return;
  const { revisions } = await platforms.controlPlane(connectionId);
  const answer = await revisions.redeploy(deploymentId, revisionId);
  deployments.touched(ref);
  const latest = (answer ?? (await read(services, ref))).latest_revision_id;
  if (typeof latest === "string")
    revisionWatches.begin({ connectionId, deploymentId, revisionId: latest }, name);
}

async function interrupt(services: Services, ref: RevisionRef): Promise<void> {
  const { connections, deployments, platforms } = services;
  const name = nameOf({ id: ref.deploymentId, deployment: await read(services, ref) });
  const allowed = await mayProceed(connections.resolve(ref.connectionId), {
    name,
    question: `Stop the revision ${ref.revisionId} of “${name}” on its way?`,
    detail: "Meant for revisions that are stuck. In which state it ends is up to the platform.",
    verb: "Interrupt",
    always: true,
  });
  if (!allowed) return;
  const { revisions } = await platforms.controlPlane(ref.connectionId);
  await revisions.interrupt(ref.deploymentId, ref.revisionId);
  deployments.touched(ref);
}

async function read(
  { platforms }: Services,
  { connectionId, deploymentId }: RevisionRef,
): Promise<Deployment> {
  const { deployments } = await platforms.controlPlane(connectionId);
  return deployments.get(deploymentId);
}

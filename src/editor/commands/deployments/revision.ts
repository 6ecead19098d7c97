/** What can be done with a revision: watched and its logs read, made again as the latest one, or stopped on its way. */

import { isObject } from "../../../api/shape.ts";
import type { LogType } from "../../../api/controlPlane/logs.ts";
import type { RevisionRef } from "../../connections/connection.ts";
import type { RevisionLogs } from "../../documents/revisionLogs.ts";
import { logOf } from "../../deployments/revisionStatus.ts";
import type { Services } from "../../services.ts";
import { copyLines } from "../../kit/ask/clipboard.ts";
import type { CommandHandler, CommandsOf } from "../../kit/commands.ts";
import { confirmAct } from "../connections/productionGuard.ts";
import { revisionMeant } from "./revisionChoice.ts";

/** The commands of one revision. */
export function commands(
  services: Services,
  { logs }: { readonly logs: RevisionLogs },
): CommandsOf<"revision"> {
  const { deployments, revisionWatches } = services;
  const onOne =
    (title: string, act: (ref: RevisionRef, node: unknown) => Promise<void>): CommandHandler =>
    async (node) => {
      await act(await revisionMeant(services, node, title), node);
    };
  return {
    "agentOperations.revision.watch": onOne("Watch Revision", async (ref) =>
      revisionWatches.begin(ref, await deployments.nameOf(ref)),
    ),
    "agentOperations.revision.openLog": onOne("Open Log", async (ref, node) => {
      const type = await logMeant(services, ref, node);
      await logs.show({ ...ref, type, name: await deployments.nameOf(ref) });
    }),
    "agentOperations.revision.redeploy": onOne("Redeploy", (ref) => redeploy(services, ref)),
    "agentOperations.revision.interrupt": onOne("Interrupt Revision", (ref) => interrupt(services, ref)),
    "agentOperations.revision.copyId": onOne("Copy Revision ID", ({ revisionId }) =>
      copyLines([revisionId], "revision ID"),
    ),
  };
}

/** The log that the caller names, else the one that says how the revision got its status. */
async function logMeant(services: Services, ref: RevisionRef, node: unknown): Promise<LogType> {
  if (isLogRef(node)) return node.type;
  const { revisions } = await services.platforms.controlPlane(ref.connectionId);
  const { status } = await revisions.get(ref.deploymentId, ref.revisionId);
  return logOf(status ?? undefined);
}

async function redeploy(services: Services, ref: RevisionRef): Promise<void> {
  const { connections, deployments, revisionWatches } = services;
  const { connectionId, deploymentId, revisionId } = ref;
  const name = await deployments.nameOf(ref);
  await confirmAct(connections.resolve(connectionId), {
    name,
    question: `Redeploy “${name}” from the revision ${revisionId}?`,
    detail: "A new revision is made of it, and takes the place of the one that is being served.",
    verb: "Redeploy",
    always: true,
  });
  const latest = await deployments.redeploy(ref);
  if (latest !== undefined) revisionWatches.begin({ connectionId, deploymentId, revisionId: latest }, name);
}

async function interrupt({ connections, deployments }: Services, ref: RevisionRef): Promise<void> {
  const name = await deployments.nameOf(ref);
  await confirmAct(connections.resolve(ref.connectionId), {
    name,
    question: `Stop the revision ${ref.revisionId} of “${name}” on its way?`,
    detail: "Meant for revisions that are stuck. In which state it ends is up to the platform.",
    verb: "Interrupt",
    always: true,
  });
  await deployments.interrupt(ref);
}

function isLogRef(node: unknown): node is { readonly type: LogType } {
  return isObject(node) && (node["type"] === "build" || node["type"] === "deploy");
}

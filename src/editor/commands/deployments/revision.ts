/** What can be seen of a revision: its way to being live, and its logs. */

import type { LogType } from "../../../api/controlPlane/logs.ts";
import type { RevisionRef } from "../../connections/connection.ts";
import type { RevisionLogs } from "../../documents/revisionLogs.ts";
import { nameOf } from "../../deployments/deploymentRow.ts";
import { logOf } from "../../deployments/revisionStatus.ts";
import type { Services } from "../../services.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { revisionChangeCommands } from "./revisionChange.ts";
import { revisionMeant } from "./revisionChoice.ts";

/** The commands that show a revision. */
export function commands(
  services: Services,
  { logs }: { readonly logs: RevisionLogs },
): CommandsOf<"revision"> {
  return {
    ...revisionChangeCommands(services),
    "agentOperations.revision.watch": async (node) => {
      const ref = await revisionMeant(services, node, "Watch Revision");
      if (ref !== undefined) services.revisionWatches.begin(ref, await nameIn(services, ref));
    },
    "agentOperations.revision.openLog": async (node) => {
      const ref = await revisionMeant(services, node, "Open Log");
      if (ref === undefined) return;
      const type = await logMeant(services, ref, node);
      await logs.show({ ...ref, type, name: await nameIn(services, ref) });
    },
  };
}

/** The log that the caller names, else the one that tells how the revision got where it is. */
async function logMeant(services: Services, ref: RevisionRef, node: unknown): Promise<LogType> {
  if (isLogRef(node)) return node.type;
  const { revisions } = await services.platforms.controlPlane(ref.connectionId);
  const { status } = await revisions.get(ref.deploymentId, ref.revisionId);
  return logOf(status ?? undefined);
}

async function nameIn({ platforms }: Services, { connectionId, deploymentId }: RevisionRef): Promise<string> {
  const { deployments } = await platforms.controlPlane(connectionId);
  return nameOf({ id: deploymentId, deployment: await deployments.get(deploymentId) });
}

function isLogRef(node: unknown): node is { readonly type: LogType } {
  return (
    typeof node === "object" &&
    node !== null &&
    "type" in node &&
    (node.type === "build" || node.type === "deploy")
  );
}

/** What can be seen of a revision: its way to being live, and its logs. */

import type { LogType } from "../../api/controlPlane/logs.ts";
import type { RevisionRef } from "../connection.ts";
import type { RevisionLogs } from "../documents/revisionLog.ts";
import { logOf } from "../revisionStatus.ts";
import type { Services } from "../services.ts";
import type { CommandTable } from "./index.ts";
import { chooseRevision, deploymentOf, revisionOf } from "./revisionChoice.ts";
import { askChoice } from "./steps.ts";

type RevisionCommand = "agentOperations.revision.watch" | "agentOperations.revision.openLog";

export function revisionCommands(
  services: Services,
  logs: RevisionLogs,
): Pick<CommandTable, RevisionCommand> {
  return {
    "agentOperations.revision.watch": async (node) => {
      const ref = await revisionMeant(services, node, "Watch Revision");
      if (ref !== undefined) services.watches.begin(ref, await nameOf(services, ref));
    },
    "agentOperations.revision.openLog": async (node) => {
      const ref = await revisionMeant(services, node, "Open Log");
      if (ref === undefined) return;
      const type = await logMeant(services, ref, node);
      if (type !== undefined) await logs.show({ ...ref, type, name: await nameOf(services, ref) });
    },
  };
}

async function revisionMeant(
  services: Services,
  node: unknown,
  title: string,
): Promise<RevisionRef | undefined> {
  return revisionOf(node) ?? (await chooseRevision(services, title, deploymentOf(node)));
}

/** The log that the caller names, the one that tells the end of a watched revision, or the one that is chosen. */
async function logMeant(services: Services, ref: RevisionRef, node: unknown): Promise<LogType | undefined> {
  if (isLogRef(node)) return node.type;
  const state = services.watches.state(ref);
  if (state !== undefined) return logOf(state.status);
  const answer = await askChoice<LogType>(
    { title: "Open Log" },
    [
      { label: "Build log", detail: "How the image was made", value: "build" },
      { label: "Deploy log", detail: "How it was started, and what it says since", value: "deploy" },
    ],
    { placeholder: "Which log?" },
  );
  return answer.kind === "next" ? answer.value : undefined;
}

async function nameOf({ platforms }: Services, { connectionId, deploymentId }: RevisionRef): Promise<string> {
  const { deployments } = await platforms.controlPlane(connectionId);
  return (await deployments.get(deploymentId)).name ?? deploymentId;
}

function isLogRef(node: unknown): node is { readonly type: LogType } {
  return (
    typeof node === "object" &&
    node !== null &&
    "type" in node &&
    (node.type === "build" || node.type === "deploy")
  );
}

/** What hangs below a deployment besides its revisions, graphs and threads: secrets, and why it has no threads. */

import type { Deployment } from "../../../api/controlPlane/wire.ts";
import type { DeploymentRef } from "../../connections/connection.ts";
import { progressOfDeployment, progressOfRevision } from "../../../api/controlPlane/status.ts";
import { listed, type Withheld } from "../../connections/withheld.ts";
import type { CommandId } from "../../kit/ids.ts";
import type { DeploymentFacts } from "../../deployments/deploymentFacts.ts";
import { statusWords } from "../../deployments/revisionStatus.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { progressIcon } from "./deploymentItem.ts";
import { type Hint, hintNode } from "../platform/hintNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Row } from "../../kit/tree/rowItem.ts";

/** A row below a deployment. */
export type DeploymentPart = BranchNode<DeploymentRef>;

/** The names of a deployment's secrets; values never get here. */
export function secretsBranch(
  parent: TreeNode,
  ref: DeploymentRef,
  { secrets, secret_references: references }: Deployment,
  host: NodeHost,
): DeploymentPart {
  const referred = (references ?? []).map(({ name }) => name).filter((name) => typeof name === "string");
  const names = [...new Set([...(secrets ?? []).map(({ name }) => name), ...referred])];
  const id = `secrets:${parent.id}`;
  const row = { label: "Secrets", icon: "key", contextValue: "secrets" };
  if (names.length === 0)
    return new BranchNode({ id, parent, ref, row: () => ({ ...row, description: "none" }) }, host);
  const known = (branch: TreeNode): readonly TreeNode[] =>
    names.map((label) => {
      const tooltip = `${label}\nThe platform does not give its value back.`;
      const row = () => ({ label, icon: "lock", contextValue: "secret", tooltip });
      return new BranchNode({ id: `${id}/${label}`, parent: branch, ref, row }, host);
    });
  return new BranchNode({ id, parent, ref, row: () => row, known }, host);
}

/** Stands where threads would be as long as nothing of the deployment runs. */
export function stateLeaf(
  parent: TreeNode,
  ref: DeploymentRef,
  { deployment, latest }: DeploymentFacts,
  host: NodeHost,
): DeploymentPart {
  const row = (): Row => {
    const revision = latest?.status ? `its revision is ${statusWords(latest.status)}` : "";
    const whole = deployment?.status ? `it is ${statusWords(deployment.status)}` : "";
    const progress =
      latest === undefined
        ? progressOfDeployment({ status: deployment?.status ?? "" })
        : progressOfRevision(latest);
    const description = [whole, revision].filter((part) => part !== "").join(", ");
    const label = "Nothing runs here now";
    return { label, description, icon: progressIcon(progress), contextValue: "deploymentState" };
  };
  return new BranchNode({ id: `state:${parent.id}`, parent, ref, row }, host);
}

/** Stands where threads would be when they are at an address that nobody typed or confirmed. */
export function withheldLeaf(
  parent: TreeNode,
  ref: DeploymentRef,
  { origin, what }: Withheld,
  host: NodeHost,
): DeploymentPart {
  const command: CommandId = "agentOperations.deployment.allowKey";
  const row = (): Row => ({
    label: `Not sent here: ${listed(what)}`,
    description: `Send to ${origin}…`,
    icon: ["key", "list.warningForeground"],
    contextValue: "deploymentKey",
    tooltip: `${origin} refuses requests without, and nobody confirmed this address for the connection.`,
    command: { command, title: "Send Key and Headers to This Deployment", arguments: [ref] },
  });
  return new BranchNode({ id: `key:${parent.id}`, parent, ref, row }, host);
}

/** Why a platform lists no deployments, and what to do about it. */
const missingLists = {
  /** Nobody entered where its control plane is. */
  noControlPlane: {
    label: "No control plane, so no deployments are listed",
    description: "Enter its address…",
    tooltip: "The connection may also name agent servers of the platform, which are listed here then.",
    command: "agentOperations.connection.edit",
    title: "Edit Connection",
  },
  /** Its control plane has no list. */
  unlisted: {
    label: "This control plane lists no deployments",
    description: "Add one by its ID…",
    tooltip: "Shown are the deployments that you added by ID or created here.",
    command: "agentOperations.deployment.addById",
    title: "Add Deployment by ID",
  },
  /** There are others perhaps. */
  noneFits: {
    label: "None fits the filter",
    description: "Show all",
    tooltip: "The filter holds for all platforms.",
    command: "agentOperations.deployments.clearFilter",
    title: "Clear Deployment Filter",
  },
  none: {
    label: "No deployment yet",
    description: "Create one…",
    tooltip: "From a repository, an image or an archive.",
    command: "agentOperations.deployment.create",
    title: "New Deployment",
  },
} satisfies Readonly<Record<string, Hint>>;

/** Says below a platform why it lists no deployments. */
export function missingListLeaf(
  why: keyof typeof missingLists,
  parent: TreeNode,
  ref: { readonly connectionId: string },
  host: NodeHost,
): TreeNode {
  return hintNode(why, missingLists[why], parent, ref, host);
}

/** A deployment's row: its status, and below it its revisions, its graphs, its secrets and its threads. */

import type { AgentServerRef, DeploymentRef } from "../../connections/connection.ts";
import { nameOf } from "../../deployments/deploymentFacts.ts";
import { runningServer } from "../../deployments/deploymentServers.ts";
import type { DeploymentFacts } from "../../deployments/deploymentFacts.ts";
import { stateOf } from "../../deployments/deploymentState.ts";
import type { Services } from "../../services.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import type { PlatformNode } from "../platform/platformView.ts";
import type { ThreadListing } from "../../threads/threadListing.ts";
import { threadRows } from "../threads/threadRows.ts";
import { deploymentIcon, deploymentTooltip, deploymentWords } from "./deploymentItem.ts";
import { secretsBranch, stateLeaf, withheldLeaf } from "./deploymentParts.ts";
import { graphRows } from "./graphRows.ts";
import { revisionsBranch } from "./revisionRows.ts";
import { dotted } from "../../kit/words.ts";

/** A deployment's row. */
export type DeploymentNode = BranchNode<DeploymentRef>;

/** What the row is made with. */
export interface DeploymentNodeOptions {
  readonly startsOpen: boolean;
  readonly services: Services;
  /** The threads of a server, which hang below the row. */
  readonly below: (owner: TreeNode, server: AgentServerRef) => ThreadListing;
  readonly host: NodeHost;
}

/** The id of a deployment's row. */
export function deploymentNodeId({ connectionId, deploymentId }: DeploymentRef): string {
  return `deployment:${connectionId}/${deploymentId}`;
}

/** Whether a row is a deployment's. */
export function isDeploymentNode(node: TreeNode): node is DeploymentNode {
  return node instanceof BranchNode && node.id.startsWith("deployment:");
}

/** A row below its connection's. */
export function deploymentNode(
  facts: DeploymentFacts,
  parent: PlatformNode,
  { startsOpen, services, below, host }: DeploymentNodeOptions,
): DeploymentNode {
  const { connectionId } = parent.ref;
  const ref: DeploymentRef = { connectionId, deploymentId: facts.id };
  const now = () => services.platforms.now(connectionId);
  const server = runningServer(connectionId, facts);
  const known = (node: TreeNode): readonly TreeNode[] | undefined => {
    const { deployment } = facts;
    if (deployment === undefined) return [];
    const listing = server && below(node, server);
    const withheld = listing?.withheld;
    const listed = listing && threadRows(listing, node, host);
    const threads = withheld === undefined ? listed : [withheldLeaf(node, ref, withheld, host)];
    if (server !== undefined && threads === undefined) return undefined;
    const list = services.deployments.of(connectionId).revisions(facts.id);
    const active = deployment.active_revision_id;
    const revisions = revisionsBranch(node, list, { ref, active, host, now });
    const secrets = secretsBranch(node, ref, deployment, host);
    if (listing === undefined) return [stateLeaf(node, ref, facts, host), revisions, secrets];
    const client = services.agentServers.client(listing.ref);
    return [revisions, ...graphRows(node, listing, client, host), secrets, ...(threads ?? [])];
  };
  const row = (): Row => {
    const label = nameOf(facts);
    const count = server && services.threadListings.find(server)?.count;
    const description = dotted([...deploymentWords(facts, now()), count ?? ""]);
    // Menus ask it for the status, whether something runs, and where it is known from.
    const running = server === undefined ? "waiting" : "running";
    const contextValue = ["deployment", facts.deployment?.status ?? "UNKNOWN", running, facts.origin].join(
      " ",
    );
    const serving = stateOf(facts).words === "" ? "serving, " : "";
    const spoken = `Deployment ${label}, ${serving}${description}`;
    return { label, description, icon: deploymentIcon(facts), contextValue, spoken, startsOpen };
  };
  return new BranchNode(
    {
      id: deploymentNodeId(ref),
      parent,
      ref,
      row,
      tooltip: () => deploymentTooltip(facts),
      known,
      load: async (node) => {
        if (server !== undefined) await below(node, server).load();
        return undefined;
      },
      failure: () => (facts.deployment === undefined ? { error: facts.error } : undefined),
    },
    host,
  );
}

/** The revisions of a deployment as rows, newest first. */

import { mayChange, progressOfRevision } from "../../../api/controlPlane/status.ts";
import type { Revision } from "../../../api/controlPlane/wire.ts";
import type { DeploymentRef, RevisionRef } from "../../connections/connection.ts";
import type { RevisionList } from "../../deployments/revisionList.ts";
import { statusWords } from "../../deployments/revisionStatus.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { versionOf } from "../../deployments/version.ts";
import { dotted } from "../../kit/words.ts";
import { progressIcon, revisionTooltip } from "./deploymentItem.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import { ageOf } from "../../threads/threadFacts.ts";

/** What the rows are made with. */
export interface RevisionRowsOptions {
  readonly ref: DeploymentRef;
  /** The id of the revision that is being served. */
  readonly active: string | null | undefined;
  readonly host: NodeHost;
  /** What the control plane's clock says, in epoch milliseconds. */
  readonly now: () => number;
}

/** The id of the row below which a deployment's revisions hang. */
export function revisionsNodeId(deploymentNodeId: string): string {
  return `revisions:${deploymentNodeId}`;
}

/** The row below which the revisions hang, read when it is opened. */
export function revisionsBranch(
  parent: TreeNode,
  revisions: RevisionList,
  options: RevisionRowsOptions,
): BranchNode<DeploymentRef> {
  const { ref, host } = options;
  const row = (): Row => {
    const description = revisions.isListed ? "" : "only those that are known: this control plane lists none";
    return { label: "Revisions", icon: "versions", contextValue: "revisions", description };
  };
  const known = (branch: TreeNode): readonly TreeNode[] | undefined => {
    const rows = revisions.items?.map((revision) => revisionNode(branch, revision, options));
    if (rows === undefined || !revisions.hasMore) return rows;
    const label = `Load more (${String(rows.length)} shown)`;
    const more = { label, command: "agentOperations.revisions.loadMore", argument: ref } as const;
    return [...rows, new MoreNode(branch, more)];
  };
  const load = async (_: TreeNode, signal: AbortSignal): Promise<undefined> => {
    await revisions.load(signal);
  };
  const failure = () => revisions.failure;
  return new BranchNode({ id: revisionsNodeId(parent.id), parent, ref, row, known, load, failure }, host);
}

function revisionNode(
  parent: TreeNode,
  revision: Revision,
  { ref: deployment, active, host, now }: RevisionRowsOptions,
): BranchNode<RevisionRef> {
  const ref = { ...deployment, revisionId: revision.id };
  const { connectionId, deploymentId, revisionId } = ref;
  const id = `revision:${connectionId}/${deploymentId}/${revisionId}`;
  const row = () => revisionRow(revision, active === revision.id, now());
  return new BranchNode({ id, parent, ref, row, tooltip: () => revisionTooltip(revision) }, host);
}

function revisionRow(revision: Revision, active: boolean, now: number): Row {
  const { id, status, created_at, source_revision_config: config } = revision;
  const progress = progressOfRevision(revision);
  const label = versionOf(config) ?? `Revision ${id.slice(-shownOfId)}`;
  // What is served is deployed: one word is enough.
  const state = active ? "active" : statusWords(status ?? "");
  const words = [state, ageOf(created_at ?? "", now)].filter((part) => part !== "");
  const marks = [active ? "active" : "", mayChange(progress) ? "pending" : ""].filter((mark) => mark !== "");
  return {
    label,
    description: dotted(words),
    icon: active ? ["rocket", "charts.green"] : progressIcon(progress),
    contextValue: ["revision", revision.status ?? "UNKNOWN", ...marks].join(" "),
    spoken: `Revision ${label}, ${words.join(", ")}`,
  };
}

const shownOfId = 8;

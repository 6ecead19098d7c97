/** The revisions of a deployment as rows, newest first. */

import * as vscode from "vscode";
import { mayChange, progressOfRevision } from "../../../api/controlPlane/status.ts";
import type { ControlPlane } from "../../../api/controlPlane/index.ts";
import type { Deployment, Revision } from "../../../api/controlPlane/wire.ts";
import { isUnsupported } from "../../../api/capabilities.ts";
import type { DeploymentRef, RevisionRef } from "../../connections/connection.ts";
import { statusWords } from "../../deployments/revisionStatus.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { progressIcon, revisionTooltip, sourceOf } from "./deploymentItem.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import { ageOf } from "../../threads/threadRow.ts";

/** A revision's row. */
export type RevisionNode = BranchNode<RevisionRef>;

/** Where revisions are asked for, and the deployment that they belong to. */
export interface RevisionSource {
  controlPlane(): Promise<ControlPlane>;
  deployment(): Deployment | undefined;
}

const pageSize = 20;

/** Reads revisions page by page and makes rows of them. */
export class RevisionRows {
  readonly #ref: DeploymentRef;
  readonly #source: RevisionSource;
  #revisions: readonly Revision[] = [];
  #nextOffset: number | undefined;
  #isListed = true;
  #wanted = pageSize;

  constructor(ref: DeploymentRef, source: RevisionSource) {
    this.#ref = ref;
    this.#source = source;
  }

  /** Whether any of those that were read may change by itself. */
  get busy(): boolean {
    return this.#revisions.some((revision) => mayChange(progressOfRevision(revision)));
  }

  /** The branch below which the revisions hang. */
  branch(parent: TreeNode, host: NodeHost): BranchNode<DeploymentRef> {
    const item = () => {
      const branch = new vscode.TreeItem("Revisions", vscode.TreeItemCollapsibleState.Collapsed);
      branch.iconPath = new vscode.ThemeIcon("versions");
      branch.contextValue = "revisions";
      branch.description = this.#isListed ? "" : "only those that are known: this control plane lists none";
      return branch;
    };
    return new BranchNode(
      {
        id: `revisions:${parent.id}`,
        parent,
        ref: this.#ref,
        item,
        snapshot: () => String(this.#isListed),
        load: async (branch, signal) => {
          await this.#load(signal);
          return this.#rows(branch, host);
        },
      },
      host,
    );
  }

  /** Next time a page more is read. */
  wantMore(): void {
    this.#wanted = this.#revisions.length + pageSize;
  }

  async #load(signal: AbortSignal): Promise<void> {
    const { revisions } = await this.#source.controlPlane();
    const { deploymentId } = this.#ref;
    try {
      const read: Revision[] = [];
      let next: number | undefined = 0;
      while (next !== undefined && read.length < this.#wanted) {
        const limit = Math.min(100, this.#wanted - read.length);
        const page = await revisions.page(deploymentId, { limit, offset: next }, { signal });
        read.push(...page.revisions);
        next = page.nextOffset;
      }
      [this.#revisions, this.#nextOffset, this.#isListed] = [read, next, true];
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      const { latest_revision_id: latest, active_revision_id: active } = this.#source.deployment() ?? {};
      const ids = [...new Set([latest, active].filter((id) => typeof id === "string"))];
      const known = await Promise.all(ids.map((id) => revisions.get(deploymentId, id, { signal })));
      [this.#revisions, this.#nextOffset, this.#isListed] = [known, undefined, false];
    }
  }

  #rows(parent: TreeNode, host: NodeHost): readonly TreeNode[] {
    const rows = this.#revisions.map((revision) => this.#row(parent, revision, host));
    if (this.#nextOffset === undefined) return rows;
    const label = `Load more (${String(this.#revisions.length)} shown)`;
    const more = { label, command: "agentOperations.revisions.loadMore", argument: this.#ref } as const;
    return [...rows, new MoreNode(parent, more)];
  }

  #row(parent: TreeNode, revision: Revision, host: NodeHost): RevisionNode {
    const active = () => this.#source.deployment()?.active_revision_id === revision.id;
    const ref = { ...this.#ref, revisionId: revision.id };
    return new BranchNode(
      {
        id: `revision:${ref.connectionId}/${ref.deploymentId}/${revision.id}`,
        parent,
        ref,
        item: () => revisionItem(revision, active()),
        snapshot: () =>
          [...revisionWords(revision, active()), sourceOf(revision.source_revision_config)].join("\n"),
        tooltip: () => revisionTooltip(revision),
      },
      host,
    );
  }
}

function revisionItem(revision: Revision, active: boolean): vscode.TreeItem {
  const { id, source_revision_config: config } = revision;
  const progress = progressOfRevision(revision);
  const label = sourceOf(config) ?? id;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  const words = revisionWords(revision, active);
  item.description = words.join(" · ");
  item.iconPath = active
    ? new vscode.ThemeIcon("rocket", new vscode.ThemeColor("charts.green"))
    : progressIcon(progress);
  const marks = [active ? "active" : "", mayChange(progress) ? "pending" : ""].filter((mark) => mark !== "");
  item.contextValue = ["revision", revision.status ?? "UNKNOWN", ...marks].join(" ");
  item.accessibilityInformation = { label: `Revision ${label}, ${words.join(", ")}` };
  return item;
}

function revisionWords(
  { status, created_at, source_revision_config: config, id }: Revision,
  active: boolean,
): readonly string[] {
  const commit = config?.repo_commit_sha?.slice(0, 7) ?? "";
  const age = created_at === undefined || created_at === null ? "" : ageOf(created_at, Date.now());
  const short = sourceOf(config) === undefined ? "" : id.slice(-8);
  const words = [active ? "active" : "", statusWords(status ?? ""), commit === "" ? short : commit, age];
  return words.filter((part) => part !== "");
}

/** The deployments of one platform as rows: listed, found by id, and looked at again. */

import type { DeploymentList } from "../../deployments/deploymentList.ts";
import type { DeploymentRow } from "../../deployments/deploymentRow.ts";
import type { Services } from "../../services.ts";
import { DeploymentNode } from "./deploymentNode.ts";
import { unlistedLeaf } from "./deploymentParts.ts";
import type { DeploymentsHost } from "./deploymentParts.ts";
import { retryAfter } from "../../kit/tree/pollSchedule.ts";
import type { PollResult } from "../../kit/tree/pollSchedule.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { TreeNode } from "../../kit/tree/node.ts";

const pageSize = 20;

/** One platform's deployments, each the same row for as long as it is listed. */
export class PlatformDeployments {
  readonly #parent: TreeNode;
  readonly #connectionId: string;
  readonly #startsOpen: boolean;
  readonly #services: Services;
  readonly #host: DeploymentsHost;
  readonly #kept = new Map<string, DeploymentNode>();
  #list: DeploymentList;
  #failure: { readonly error: unknown } | undefined;
  #more: MoreNode | undefined;

  constructor(
    parent: TreeNode,
    connectionId: string,
    startsOpen: boolean,
    services: Services,
    host: DeploymentsHost,
  ) {
    this.#parent = parent;
    this.#connectionId = connectionId;
    this.#startsOpen = startsOpen;
    this.#services = services;
    this.#host = host;
    this.#list = services.deployments.list(connectionId, host.wanted(), pageSize);
  }

  get list(): DeploymentList {
    return this.#list;
  }

  /** Why the deployments can't be listed; undefined when the last attempt went well. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  get nodes(): readonly DeploymentNode[] {
    return this.#list.rows.map((row) => this.#node(row));
  }

  /** The deployments, and what is to be said of the list. */
  get rows(): readonly TreeNode[] {
    const { loaded, isListed, hasMore, rows } = this.#list;
    const ref = { connectionId: this.#connectionId };
    const unlisted = loaded && !isListed ? [unlistedLeaf(this.#parent, ref, this.#host)] : [];
    return [...this.nodes, ...unlisted, ...(hasMore ? [this.#moreNode(rows.length)] : [])];
  }

  /** Lists anew what is shown. */
  async load(): Promise<void> {
    const { signal } = this.#host;
    await this.#attempt(() => this.#list.load(signal), signal);
  }

  async loadMore(): Promise<void> {
    await this.#attempt(() => this.#list.loadMore(this.#host.signal), this.#host.signal);
  }

  /** Reads one deployment anew: something was done to it. */
  async refresh(deploymentId: string): Promise<void> {
    if (!this.#list.loaded) return;
    const { signal } = this.#host;
    await this.#attempt(() => this.#list.refresh(deploymentId, signal), signal);
    await this.#find(deploymentId)?.lookAgain(true, signal);
  }

  /** Looks for changes with as few requests as will do. */
  async lookAgain(signal: AbortSignal): Promise<PollResult> {
    const before = new Map(this.#list.rows.map((row) => [row.id, JSON.stringify(row)]));
    let changed = false;
    await this.#attempt(async () => {
      changed = await this.#list.look(signal);
    }, signal);
    this.#prune();
    const nodes = this.nodes;
    await Promise.all(
      nodes.map((node) => node.lookAgain(before.get(node.row.id) !== JSON.stringify(node.row), signal)),
    );
    return { changed, busy: this.#list.busy, retryAfterMs: retryAfter(this.#failure?.error) };
  }

  /** Forgets what was listed: the filter changed. */
  relist(): void {
    this.#list = this.#services.deployments.list(this.#connectionId, this.#host.wanted(), pageSize);
    this.#failure = undefined;
  }

  async #attempt(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await work();
      this.#failure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.#failure = { error };
    }
    this.#host.changed();
  }

  #find(deploymentId: string): DeploymentNode | undefined {
    return this.nodes.find(({ ref }) => ref.deploymentId === deploymentId);
  }

  #node(row: DeploymentRow): DeploymentNode {
    const known = this.#kept.get(row.id);
    if (known !== undefined) {
      if (known.row !== row) known.show(row);
      return known;
    }
    const open = this.#startsOpen && this.#list.rows.length === 1;
    const ref = { connectionId: this.#connectionId, deploymentId: row.id };
    const options = { open, services: this.#services, host: this.#host };
    const made = new DeploymentNode(this.#parent, ref, row, options);
    this.#kept.set(row.id, made);
    return made;
  }

  #moreNode(shown: number): MoreNode {
    const label = `Load more deployments (${String(shown)} shown)`;
    const argument = { connectionId: this.#connectionId };
    const more = { label, command: "agentOperations.deployments.loadMore", argument } as const;
    const newer = new MoreNode(this.#parent, more);
    this.#more ??= newer;
    this.#more.update(newer);
    return this.#more;
  }

  #prune(): void {
    const ids = new Set(this.#list.rows.map(({ id }) => id));
    for (const id of this.#kept.keys()) if (!ids.has(id)) this.#kept.delete(id);
  }
}

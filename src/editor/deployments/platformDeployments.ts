/** What was read of one platform's deployments and their revisions, and why more could not be read. */

import type { ControlPlane } from "../../api/controlPlane/index.ts";
import { type Failure, failureOf } from "../kit/fetching/fetched.ts";
import { type PollResult, retryAfter } from "../kit/fetching/pollSchedule.ts";
import type { DeploymentFacts } from "./deploymentFacts.ts";
import type { DeploymentList } from "./deploymentList.ts";
import { RevisionList } from "./revisionList.ts";

/** What it needs of the model that it is part of. */
export interface PlatformDeploymentsOptions {
  /** A list of those that are wanted now, of which nothing was read. */
  readonly list: () => DeploymentList;
  readonly controlPlane: () => Promise<Pick<ControlPlane, "revisions">>;
  /** Called when something was read or could not be. */
  readonly changed: () => void;
}

/** Requests that fail leave what was read before, with the failure beside it; none rejects. */
export class PlatformDeployments {
  readonly #connectionId: string;
  readonly #options: PlatformDeploymentsOptions;
  readonly #revisions = new Map<string, RevisionList>();
  #list: DeploymentList;
  #failure: Failure | undefined;
  #readAt: number | undefined;

  constructor(connectionId: string, options: PlatformDeploymentsOptions) {
    this.#connectionId = connectionId;
    this.#options = options;
    this.#list = options.list();
  }

  get items(): readonly DeploymentFacts[] {
    return this.#list.items;
  }

  get loaded(): boolean {
    return this.#list.loaded;
  }

  /** Whether the control plane has a list; if not, the items are only those that are known by id. */
  get isListed(): boolean {
    return this.#list.isListed;
  }

  /** Whether the control plane has more. */
  get hasMore(): boolean {
    return this.#list.hasMore;
  }

  /** Why the deployments can't be listed; undefined when the last attempt went well. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  find(deploymentId: string): DeploymentFacts | undefined {
    return this.items.find(({ id }) => id === deploymentId);
  }

  /** The revisions of a deployment; nothing is asked before they are loaded. */
  revisions(deploymentId: string): RevisionList {
    const known = this.#revisions.get(deploymentId);
    if (known !== undefined) return known;
    const made = new RevisionList(
      { connectionId: this.#connectionId, deploymentId },
      {
        controlPlane: this.#options.controlPlane,
        facts: () => this.find(deploymentId),
        changed: this.#options.changed,
      },
    );
    this.#revisions.set(deploymentId, made);
    return made;
  }

  /** Reads what was read before, or the first page. */
  async load(signal?: AbortSignal): Promise<void> {
    await this.#attempt((list) => list.load(signal), signal);
  }

  /** Reads the next page. */
  async loadMore(signal?: AbortSignal): Promise<void> {
    await this.#attempt((list) => list.loadMore(signal), signal);
  }

  /** Reads one deployment anew, if the list was read, and its revisions if these were: something was done to it. */
  async refresh(deploymentId: string, signal?: AbortSignal): Promise<void> {
    if (!this.loaded) return;
    await this.#attempt((list) => list.refresh(deploymentId, signal), signal);
    const revisions = this.#revisions.get(deploymentId);
    if (revisions?.isOutdated === true) await revisions.load(signal);
  }

  /** Asks for changes with as few requests as will do. */
  async poll(signal: AbortSignal): Promise<PollResult> {
    let changed = false;
    await this.#attempt(async (list) => {
      changed = await list.poll(signal);
    }, signal);
    const listed = new Set(this.items.map(({ id }) => id));
    for (const id of this.#revisions.keys()) if (!listed.has(id)) this.#revisions.delete(id);
    return { changed, busy: this.#list.busy, retryAfterMs: retryAfter(this.#failure?.error) };
  }

  /** Forgets what was read, and drops what is still on its way. */
  forget(): void {
    this.#list = this.#options.list();
    this.#failure = undefined;
    this.#readAt = undefined;
    this.#revisions.clear();
  }

  async #attempt(
    work: (list: DeploymentList) => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const list = this.#list;
    let failure: Failure | undefined;
    try {
      await work(list);
    } catch (error) {
      if (signal?.aborted === true) return;
      failure = failureOf(error, this.#readAt);
    }
    if (this.#list !== list) return;
    if (failure === undefined) this.#readAt = Date.now();
    this.#failure = failure;
    this.#options.changed();
  }
}

/** The revisions of one deployment as far as they were read, the newest first. */

import { isUnsupported } from "../../api/capabilities.ts";
import type { ControlPlane } from "../../api/controlPlane/index.ts";
import { mayChange, progressOfRevision } from "../../api/controlPlane/status.ts";
import type { Revision } from "../../api/controlPlane/wire.ts";
import type { DeploymentRef } from "../connections/connection.ts";
import { type Failure, Fetched } from "../kit/fetching/fetched.ts";
import type { DeploymentFacts } from "./deploymentFacts.ts";

/** Where revisions are asked for, and what is known of their deployment. */
export interface RevisionSource {
  readonly controlPlane: () => Promise<Pick<ControlPlane, "revisions">>;
  readonly facts: () => DeploymentFacts | undefined;
  /** Called when they were read or could not be. */
  readonly changed: () => void;
}

interface Read {
  readonly revisions: readonly Revision[];
  readonly nextOffset: number | undefined;
  readonly isListed: boolean;
  /** What was known of the deployment when they were read. */
  readonly facts: string;
}

const pageSize = 20;
const largestPage = 100;

/** Grows page by page, and falls back to the ids that the deployment names where the server has no list. */
export class RevisionList {
  readonly #ref: DeploymentRef;
  readonly #source: RevisionSource;
  readonly #read: Fetched<Read>;
  #wanted = pageSize;

  constructor(ref: DeploymentRef, source: RevisionSource) {
    this.#ref = ref;
    this.#source = source;
    this.#read = new Fetched(source.changed);
  }

  /** Undefined before they were read. */
  get items(): readonly Revision[] | undefined {
    return this.#read.value?.revisions;
  }

  /** Whether the control plane has a list; if not, there are only those that the deployment names. */
  get isListed(): boolean {
    return this.#read.value?.isListed ?? true;
  }

  /** Whether the control plane has more. */
  get hasMore(): boolean {
    return this.#read.value?.nextOffset !== undefined;
  }

  /** Why they can't be read; undefined when the last attempt went well. */
  get failure(): Failure | undefined {
    return this.#read.failure;
  }

  /** Whether what was read may be wrong by now: one of them changes by itself, or the deployment did. */
  get isOutdated(): boolean {
    const { value } = this.#read;
    if (value === undefined) return false;
    const busy = value.revisions.some((revision) => mayChange(progressOfRevision(revision)));
    return busy || value.facts !== JSON.stringify(this.#source.facts());
  }

  /** Reads as many as were read before, or the first page. */
  async load(signal: AbortSignal = new AbortController().signal): Promise<void> {
    await this.#read.load(() => this.#fetch(signal), signal);
  }

  /** Reads a page more. */
  async loadMore(signal?: AbortSignal): Promise<void> {
    this.#wanted = (this.items?.length ?? 0) + pageSize;
    await this.load(signal);
  }

  async #fetch(signal: AbortSignal): Promise<Read> {
    const facts = this.#source.facts();
    const { revisions } = await this.#source.controlPlane();
    const { deploymentId } = this.#ref;
    try {
      const read: Revision[] = [];
      let next: number | undefined = 0;
      while (next !== undefined && read.length < this.#wanted) {
        const limit = Math.min(largestPage, this.#wanted - read.length);
        const page = await revisions.page(deploymentId, { limit, offset: next }, { signal });
        read.push(...page.revisions);
        next = page.nextOffset;
      }
      return { revisions: read, nextOffset: next, isListed: true, facts: JSON.stringify(facts) };
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      const { latest_revision_id: latest, active_revision_id: active } = facts?.deployment ?? {};
      const ids = [...new Set([latest, active].filter((id) => typeof id === "string"))];
      const known = await Promise.all(ids.map((id) => revisions.get(deploymentId, id, { signal })));
      return { revisions: known, nextOffset: undefined, isListed: false, facts: JSON.stringify(facts) };
    }
  }
}

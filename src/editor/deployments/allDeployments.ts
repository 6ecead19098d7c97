/** Every deployment of each platform whatever is filtered, up to a bound, and which of them are there no more. */

import type { DeploymentRef } from "../connections/connection.ts";
import type { DeploymentFacts } from "./deploymentFacts.ts";
import type { DeploymentList } from "./deploymentList.ts";

/** All deployments of a connection as they were read last. */
export interface KnownDeployments {
  readonly items: readonly DeploymentFacts[];
  /** Why they could not be read since. */
  readonly error?: unknown;
}

interface Options {
  /** A list of all of them, of which nothing was read. */
  readonly list: (connectionId: string) => DeploymentList;
  /** Called for each that was there before, and is not any more. */
  readonly lost: (ref: DeploymentRef) => void;
}

/** What was read last, by connection. */
export class AllDeployments {
  readonly #options: Options;
  readonly #known = new Map<string, KnownDeployments>();
  /** Of connections that have more deployments than were read: how many were. */
  readonly #cut = new Map<string, number>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Throws what keeps them from being listed. */
  async load(connectionId: string, signal?: AbortSignal): Promise<readonly DeploymentFacts[]> {
    const list = this.#options.list(connectionId);
    try {
      await list.load(signal);
    } catch (error) {
      if (signal?.aborted !== true) this.#known.set(connectionId, { ...this.known(connectionId), error });
      throw error;
    }
    const before = this.known(connectionId).items;
    this.#known.set(connectionId, { items: list.items });
    if (list.hasMore) this.#cut.set(connectionId, list.items.length);
    else {
      this.#cut.delete(connectionId);
      const ids = new Set(list.items.map(({ id }) => id));
      for (const { id: deploymentId } of before)
        if (!ids.has(deploymentId)) this.#options.lost({ connectionId, deploymentId });
    }
    return list.items;
  }

  /** What `load` gave last, and why it failed since. */
  known(connectionId: string): KnownDeployments {
    return this.#known.get(connectionId) ?? { items: [] };
  }

  /** How many were read of a platform that has more; undefined where all were. */
  cutAt(connectionId: string): number | undefined {
    return this.#cut.get(connectionId);
  }

  /** Forgets what was read of a connection: another platform may be there. */
  forget(connectionId: string): void {
    this.#known.delete(connectionId);
  }
}

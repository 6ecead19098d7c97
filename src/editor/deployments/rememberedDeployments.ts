/** The deployments that are shown although they are not in the part of the platform's list that was read. */

import type { DeploymentRef } from "../connections/connection.ts";
import { KeptList, type Memory } from "../kit/keptList.ts";
import type { RememberedDeployment } from "./deploymentList.ts";

const name = "agentOperations.deployments";
const mostFound = 20;

/** Those that were added or made here, kept for all windows, and those that a person searched for in this one. */
export class RememberedDeployments {
  readonly #kept: KeptList<readonly [connectionId: string, readonly RememberedDeployment[]]>;
  readonly #found = new Map<string, readonly RememberedDeployment[]>();

  constructor(memory: Memory) {
    this.#kept = new KeptList(memory, name, ([connectionId]) => connectionId);
  }

  on(connectionId: string): readonly RememberedDeployment[] {
    const kept = this.#keptOn(connectionId);
    const found = this.#found.get(connectionId) ?? [];
    return [...kept, ...found.filter(({ id }) => !kept.some((one) => one.id === id))];
  }

  /** False when it is there already: what is created here stays so, also when it is added by its id later. */
  async keep(
    { connectionId, deploymentId: id }: DeploymentRef,
    origin: "added" | "created",
  ): Promise<boolean> {
    const known = this.#keptOn(connectionId);
    if (known.some((deployment) => deployment.id === id)) return false;
    await this.#kept.keep([connectionId, [...known, { id, origin }]]);
    return true;
  }

  /** Forgets a search for it, too; false when it was neither added nor created here. */
  async forget({ connectionId, deploymentId }: DeploymentRef): Promise<boolean> {
    const found = this.#found.get(connectionId) ?? [];
    this.#found.set(
      connectionId,
      found.filter(({ id }) => id !== deploymentId),
    );
    const known = this.#keptOn(connectionId);
    const others = known.filter(({ id }) => id !== deploymentId);
    if (others.length === known.length) return false;
    await (others.length === 0 ? this.#kept.forget(connectionId) : this.#kept.keep([connectionId, others]));
    return true;
  }

  /** A person searched for it; of many only the last ones stay. */
  find({ connectionId, deploymentId: id }: DeploymentRef): void {
    const others = (this.#found.get(connectionId) ?? []).filter((one) => one.id !== id);
    this.#found.set(connectionId, [...others.slice(1 - mostFound), { id, origin: "found" }]);
  }

  /** Other deployments are wanted. */
  forgetFound(): void {
    this.#found.clear();
  }

  #keptOn(connectionId: string): readonly RememberedDeployment[] {
    return this.#kept.get(connectionId)?.[1] ?? [];
  }
}

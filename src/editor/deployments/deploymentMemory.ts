/** The deployments that were added by id or created here, for control planes that do not list what they have. */

import * as vscode from "vscode";
import type { DeploymentRef } from "../connections/connection.ts";
import { KeptList } from "../kit/keptList.ts";
import type { Memory } from "../kit/keptList.ts";
import type { RememberedDeployment } from "./deploymentList.ts";

const memoryName = "agentOperations.deployments";

/** Remembers deployments by connection, in all windows. */
export class DeploymentMemory implements vscode.Disposable {
  readonly #kept: KeptList<readonly [connectionId: string, readonly RememberedDeployment[]]>;
  readonly #changed = new vscode.EventEmitter<DeploymentRef>();
  /** A deployment was remembered or forgotten. */
  readonly onDidChange = this.#changed.event;

  constructor(memory: Memory) {
    this.#kept = new KeptList(memory, memoryName, ([connectionId]) => connectionId);
  }

  list(connectionId: string): readonly RememberedDeployment[] {
    return this.#kept.get(connectionId)?.[1] ?? [];
  }

  /** What is created here stays so, also when it is added by its id later. */
  async add({ connectionId, deploymentId: id }: DeploymentRef, origin: "added" | "created"): Promise<void> {
    const known = this.list(connectionId);
    if (known.some((deployment) => deployment.id === id)) return;
    await this.#kept.keep([connectionId, [...known, { id, origin }]]);
    this.#changed.fire({ connectionId, deploymentId: id });
  }

  async remove({ connectionId, deploymentId }: DeploymentRef): Promise<void> {
    const others = this.list(connectionId).filter(({ id }) => id !== deploymentId);
    if (others.length === this.list(connectionId).length) return;
    await (others.length === 0 ? this.#kept.forget(connectionId) : this.#kept.keep([connectionId, others]));
    this.#changed.fire({ connectionId, deploymentId });
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

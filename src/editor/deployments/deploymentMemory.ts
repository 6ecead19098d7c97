/** The deployments that were added by id or created here, for control planes that do not list what they have. */

import * as vscode from "vscode";
import type { DeploymentRef } from "../connections/connection.ts";
import type { RememberedDeployment } from "./deploymentList.ts";

const memoryName = "agentOperations.deployments";

type Remembered = Readonly<Record<string, readonly RememberedDeployment[]>>;

/** Remembers deployments by connection, in all windows. */
export class DeploymentMemory implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<DeploymentRef>();
  /** A deployment was remembered or forgotten. */
  readonly onDidChange = this.#changed.event;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  list(connectionId: string): readonly RememberedDeployment[] {
    return this.#all()[connectionId] ?? [];
  }

  /** What is created here stays so, also when it is added by its id later. */
  async add({ connectionId, deploymentId: id }: DeploymentRef, origin: "added" | "created"): Promise<void> {
    const known = this.list(connectionId);
    if (known.some((deployment) => deployment.id === id)) return;
    await this.#write(connectionId, [...known, { id, origin }]);
    this.#changed.fire({ connectionId, deploymentId: id });
  }

  async remove({ connectionId, deploymentId }: DeploymentRef): Promise<void> {
    const others = this.list(connectionId).filter(({ id }) => id !== deploymentId);
    if (others.length === this.list(connectionId).length) return;
    await this.#write(connectionId, others);
    this.#changed.fire({ connectionId, deploymentId });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #write(connectionId: string, list: readonly RememberedDeployment[]): Promise<void> {
    const all = Object.entries({ ...this.#all(), [connectionId]: list });
    await this.#memory.update(memoryName, Object.fromEntries(all.filter(([, { length }]) => length > 0)));
  }

  #all(): Remembered {
    return this.#memory.get<Remembered>(memoryName, {});
  }
}

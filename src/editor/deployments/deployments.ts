/** The deployments of all platforms: what is asked of their control planes, and where their agent servers are. */

import * as vscode from "vscode";
import { agentServerUrlOf } from "../../api/controlPlane/status.ts";
import type { Deployment } from "../../api/controlPlane/wire.ts";
import type { AgentServerRef, DeploymentRef } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { DeploymentList } from "./deploymentList.ts";
import { DeploymentMemory } from "./deploymentMemory.ts";
import { DeploymentReader, isRunning, nameOf } from "./deploymentRow.ts";
import type { DeploymentFilter } from "./deploymentRow.ts";
import type { Platforms } from "../connections/platforms.ts";

/** Knows deployments and their agent servers across connections. */
export class Deployments implements vscode.Disposable {
  readonly memory: DeploymentMemory;
  readonly #platforms: Platforms;
  /** Where agent servers were last, by connection and deployment. */
  readonly #servers = new Map<string, AgentServerRef>();
  readonly #readers = new Map<string, DeploymentReader>();
  readonly #changed = new vscode.EventEmitter<DeploymentRef>();
  /** Something was done to a deployment here: it was created, changed, deleted, remembered or forgotten. */
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;

  constructor(connections: Connections, platforms: Platforms, memory: vscode.Memento) {
    this.#platforms = platforms;
    this.memory = new DeploymentMemory(memory);
    this.#subscription = vscode.Disposable.from(
      this.memory,
      this.memory.onDidChange((ref) => this.#changed.fire(ref)),
      // A Local Platform that starts again has another address.
      connections.onDidChange(() => this.#servers.clear()),
    );
  }

  /** The deployments of a connection that the filter wants; nothing is asked before it is loaded. */
  list(connectionId: string, filter: DeploymentFilter, pageSize: number): DeploymentList {
    return new DeploymentList(() => this.#platforms.controlPlane(connectionId), {
      filter,
      pageSize,
      remembered: () => this.memory.list(connectionId),
      reader: this.#reader(connectionId),
    });
  }

  /** The agent servers of the first hundred deployments that run; throws what keeps them from being listed. */
  async servers(connectionId: string, signal?: AbortSignal): Promise<readonly AgentServerRef[]> {
    if (!this.#platforms.hasControlPlane(connectionId)) return [];
    const list = this.list(connectionId, {}, 100);
    await list.load(signal);
    return list.rows
      .filter(isRunning)
      .flatMap(({ deployment }) =>
        deployment === undefined ? [] : (this.learn(connectionId, deployment) ?? []),
      );
  }

  /** The agent server of one deployment, running or not; undefined when it has no address. */
  async server({ connectionId, deploymentId }: DeploymentRef): Promise<AgentServerRef | undefined> {
    const known = this.#servers.get(`${connectionId} ${deploymentId}`);
    if (known !== undefined || !this.#platforms.hasControlPlane(connectionId)) return known;
    const { deployments } = await this.#platforms.controlPlane(connectionId);
    return this.learn(connectionId, await deployments.get(deploymentId));
  }

  /** Keeps in mind where a deployment's agent server is. */
  learn(connectionId: string, deployment: Deployment): AgentServerRef | undefined {
    const url = agentServerUrlOf(deployment);
    const key = `${connectionId} ${deployment.id}`;
    if (url === undefined) {
      this.#servers.delete(key);
      return undefined;
    }
    const name = nameOf({ id: deployment.id, deployment });
    const server = {
      connectionId,
      server: { kind: "deployment", deploymentId: deployment.id },
      name,
      url,
    } as const;
    this.#servers.set(key, server);
    return server;
  }

  /** A deployment was created here: it is remembered for control planes without a list. */
  async created(connectionId: string, { id }: Pick<Deployment, "id">): Promise<void> {
    await this.memory.add({ connectionId, deploymentId: id }, "created");
  }

  /** Something was done to a deployment: views read it anew. */
  touched(ref: DeploymentRef): void {
    this.#changed.fire(ref);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** One for all lists of a connection: a revision that has ended is asked for once. */
  #reader(connectionId: string): DeploymentReader {
    const reader = this.#readers.get(connectionId) ?? new DeploymentReader();
    this.#readers.set(connectionId, reader);
    return reader;
  }
}

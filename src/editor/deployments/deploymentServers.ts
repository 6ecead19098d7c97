/** The agent servers of deployments, as their control planes say where they are. */

import { agentServerUrlOf } from "../../api/controlPlane/status.ts";
import type { Deployment } from "../../api/controlPlane/wire.ts";
import type { AgentServerRef, DeploymentRef } from "../connections/connection.ts";
import { type DeploymentFacts, isRunning, nameOf } from "./deploymentFacts.ts";

/** Its agent server, running or not; undefined when it has no address. */
export function agentServerOf(connectionId: string, deployment: Deployment): AgentServerRef | undefined {
  const url = agentServerUrlOf(deployment);
  if (url === undefined) return undefined;
  const { id } = deployment;
  const server = { kind: "deployment", deploymentId: id } as const;
  return { connectionId, server, name: nameOf({ id, deployment }), url };
}

/** The same of a deployment of which something runs. */
export function runningServer(connectionId: string, facts: DeploymentFacts): AgentServerRef | undefined {
  return facts.deployment && isRunning(facts) ? agentServerOf(connectionId, facts.deployment) : undefined;
}

/** Where they were last, of all deployments that were read. */
export class DeploymentServers {
  readonly #known = new Map<string, AgentServerRef>();

  find(ref: DeploymentRef): AgentServerRef | undefined {
    return this.#known.get(keyOf(ref));
  }

  /** Deployments were read. */
  note(connectionId: string, items: readonly Pick<DeploymentFacts, "deployment">[]): void {
    for (const { deployment } of items) {
      if (deployment === undefined) continue;
      const server = agentServerOf(connectionId, deployment);
      const key = keyOf({ connectionId, deploymentId: deployment.id });
      if (server === undefined) this.#known.delete(key);
      else this.#known.set(key, server);
    }
  }

  forget(ref: DeploymentRef): void {
    this.#known.delete(keyOf(ref));
  }

  clear(): void {
    this.#known.clear();
  }
}

function keyOf({ connectionId, deploymentId }: DeploymentRef): string {
  return `${connectionId} ${deploymentId}`;
}

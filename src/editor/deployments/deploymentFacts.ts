/** One deployment with its latest revision as far as it was read. */

import type { ControlPlane } from "../../api/controlPlane/index.ts";
import {
  isServing,
  mayChange,
  progressOfDeployment,
  progressOfRevision,
} from "../../api/controlPlane/status.ts";
import type { Deployment, Revision } from "../../api/controlPlane/wire.ts";
import { ApiError } from "../../api/errors.ts";

/** How a deployment came to be known. */
export type DeploymentOrigin = "listed" | "found" | "added" | "created";

/** What is known of a deployment. */
export interface DeploymentFacts {
  readonly id: string;
  readonly origin: DeploymentOrigin;
  /** Undefined when it could not be read: `error` says why. */
  readonly deployment: Deployment | undefined;
  /** Undefined when there is none, or when it could not be read. */
  readonly latest: Revision | undefined;
  readonly error?: unknown;
}

/** Where deployments are asked for. */
export interface DeploymentSource {
  readonly deployments: Pick<ControlPlane["deployments"], "page" | "get">;
  readonly revisions: Pick<ControlPlane["revisions"], "get">;
}

/** What people call a deployment. */
export function nameOf({ id, deployment }: Pick<DeploymentFacts, "id" | "deployment">): string {
  return deployment?.display_name ?? deployment?.name ?? id;
}

/** Whether its agent server can be used now. */
export function isRunning({ deployment, latest }: DeploymentFacts): boolean {
  return deployment !== undefined && isServing(deployment, latest);
}

/** Whether anything of it may change by itself, or has a status of which nobody knows. */
export function isUnsettled({ deployment, latest }: DeploymentFacts): boolean {
  if (deployment === undefined) return false;
  const hasStatus = deployment.status !== undefined && deployment.status !== null;
  return (
    (hasStatus && mayChange(progressOfDeployment(deployment))) ||
    (latest !== undefined && mayChange(progressOfRevision(latest)))
  );
}

/** Reads what there is to know; a revision that has ended is asked for once. */
export class DeploymentReader {
  readonly #ended = new Map<string, Revision>();

  /** A deployment by its id; why it can't be read becomes part of it. */
  async read(
    source: DeploymentSource,
    { id, origin }: Pick<DeploymentFacts, "id" | "origin">,
    signal: AbortSignal | undefined,
  ): Promise<DeploymentFacts> {
    try {
      const deployment = await source.deployments.get(id, { signal });
      return await this.complete(source, { id, origin, deployment }, signal);
    } catch (error) {
      if (signal?.aborted === true || isRateLimited(error)) throw error;
      return { id, origin, deployment: undefined, latest: undefined, error };
    }
  }

  /** A deployment that was read, with its latest revision. */
  async complete(
    source: DeploymentSource,
    row: Pick<DeploymentFacts, "id" | "origin"> & { readonly deployment: Deployment },
    signal: AbortSignal | undefined,
  ): Promise<DeploymentFacts> {
    const { latest_revision_id: latest, active_revision_id: active } = row.deployment;
    if (latest === undefined || latest === null) return { ...row, latest: undefined };
    // What is being served is deployed: nobody needs to be asked.
    if (latest === active) return { ...row, latest: { id: latest, status: "DEPLOYED" } };
    return {
      ...row,
      latest: this.#ended.get(latest) ?? (await this.#revision(source, row.id, latest, signal)),
    };
  }

  async #revision(
    source: DeploymentSource,
    deploymentId: string,
    revisionId: string,
    signal: AbortSignal | undefined,
  ): Promise<Revision | undefined> {
    try {
      const revision = await source.revisions.get(deploymentId, revisionId, { signal });
      if (!mayChange(progressOfRevision(revision))) this.#ended.set(revisionId, revision);
      return revision;
    } catch (error) {
      if (signal?.aborted === true || isRateLimited(error)) throw error;
      return undefined;
    }
  }
}

function isRateLimited(error: unknown): boolean {
  return error instanceof ApiError && error.kind === "rateLimited";
}

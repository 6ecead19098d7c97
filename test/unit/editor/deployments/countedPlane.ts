import type { Deployment, DeploymentQuery, Revision } from "../../../../src/api/controlPlane/wire.ts";
import { ApiError, type ErrorKind } from "../../../../src/api/errors.ts";
import type { DeploymentSource } from "../../../../src/editor/deployments/deploymentFacts.ts";

const failed = (kind: ErrorKind, status: number) => new ApiError(kind, { method: "GET", url: "", status });

/** A control plane in memory that counts what it is asked. */
export class Plane {
  readonly asked: string[] = [];
  deployments: Deployment[] = [];
  readonly revisions = new Map<string, Revision>();
  hasList = true;

  readonly source = (): Promise<DeploymentSource> =>
    Promise.resolve({
      deployments: {
        page: (query: DeploymentQuery = {}) => {
          const { limit = 20, offset = 0 } = query;
          this.asked.push(`list ${String(offset)}+${String(limit)}`);
          if (!this.hasList) return Promise.reject(failed("unsupported", 404));
          const deployments = this.deployments.slice(offset, offset + limit);
          const nextOffset = deployments.length < limit ? undefined : offset + limit;
          return Promise.resolve({ deployments, nextOffset });
        },
        get: (id: string) => {
          this.asked.push(`get ${id}`);
          const found = this.deployments.find((deployment) => deployment.id === id);
          return found === undefined ? Promise.reject(failed("notFound", 404)) : Promise.resolve(found);
        },
      },
      revisions: {
        get: (_, id: string) => {
          this.asked.push(`revision ${id}`);
          const found = this.revisions.get(id);
          return found === undefined ? Promise.reject(failed("server", 500)) : Promise.resolve(found);
        },
      },
    });

  /** What was asked since the last time. */
  take(): readonly string[] {
    return this.asked.splice(0);
  }
}

/** A deployment whose latest revision serves. */
export function served(id: string, status = "READY"): Deployment {
  return { id, name: id, status, latest_revision_id: `r-${id}`, active_revision_id: `r-${id}` };
}

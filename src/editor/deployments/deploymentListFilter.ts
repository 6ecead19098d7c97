/** Which deployments the Deployments view shows, kept in the workspace's state and told beside the view's name. */

import type { DeploymentFilter } from "./deploymentRow.ts";

/** A filter that was kept in the workspace's state, or none when it can't be read. */
export function deploymentFilterFrom(kept: unknown): DeploymentFilter {
  if (kept === null || typeof kept !== "object") return {};
  const { name, status } = kept as { readonly name?: unknown; readonly status?: unknown };
  return { ...(typeof name === "string" ? { name } : {}), ...(typeof status === "string" ? { status } : {}) };
}

/** The filter in words: `deployments “support” READY`; "" without one. */
export function describeDeploymentFilter({ name, status }: DeploymentFilter): string {
  const parts = [name === undefined ? undefined : `“${name}”`, status].filter((part) => part !== undefined);
  return parts.length === 0 ? "" : `deployments ${parts.join(" ")}`;
}

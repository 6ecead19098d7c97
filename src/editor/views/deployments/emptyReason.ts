/** Why the Deployments view shows a welcome text in place of rows. */

import { adviceFor } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { isFiltering as isFilteringDeployments } from "../../deployments/deploymentFilter.ts";
import { isFiltering } from "../../threads/threadFilter.ts";
import type { PlatformNode } from "../platform/platformView.ts";
import type { ConnectionRows } from "./connectionRows.ts";

/** Each has a welcome text in package.json. */
export type EmptyReason =
  | "noConnection"
  | "stopped"
  | "keyMissing"
  | "keyRefused"
  | "unreachable"
  | "noDeployment"
  | "noDeploymentFound"
  | "filtered";

/** What the reason is found in. */
export interface Shown {
  readonly services: Services;
  readonly rows: ConnectionRows;
}

/** The reason; undefined for rows. With more than one connection there are always rows. */
export function emptyReason(
  roots: readonly PlatformNode[],
  { services, rows }: Shown,
): EmptyReason | undefined {
  if (services.connections.list().length === 0) return "noConnection";
  const [only, ...others] = roots;
  if (only === undefined || others.length > 0) return undefined;
  if (services.connections.get(only.ref.connectionId)?.kind === "workspaceGraphs") return undefined;
  const deployments = rows.deployments(only.ref.connectionId);
  const hasDeployments = deployments !== undefined && deployments.items.length > 0;
  const [server, ...more] = services.threadListings.on(only.ref.connectionId);
  const failure = only.failure ?? server?.failure;
  if (failure !== undefined) {
    const isShown = server?.threads !== undefined || hasDeployments;
    const { key } = services.connectionFindings.of(only.ref.connectionId);
    return isShown ? undefined : emptyReasonOf(failure.error, key === "stored" || key === "env");
  }
  if (only.known === undefined || more.length > 0) return undefined;
  if (server === undefined) {
    if (hasDeployments || deployments === undefined) return undefined;
    return isFilteringDeployments(services.deployments.filter) ? "noDeploymentFound" : "noDeployment";
  }
  const { threads } = server;
  const isFound = threads === undefined || threads.matching > 0 || threads.rest() !== undefined;
  return !isFound && isFiltering(services.threadListings.filter) ? "filtered" : undefined;
}

/** The empty view that stands for a failure; undefined where a row with its words helps more. */
export function emptyReasonOf(error: unknown, hasKey: boolean): EmptyReason | undefined {
  const { blockedBy } = adviceFor(error);
  switch (blockedBy) {
    case "stopped":
      return "stopped";
    case "key":
      return hasKey ? "keyRefused" : "keyMissing";
    case "network":
      return "unreachable";
    case undefined:
      return undefined;
    default:
      return blockedBy satisfies never;
  }
}

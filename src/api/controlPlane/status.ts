/** What deployments and revisions say of themselves: what their statuses mean, as far as anybody knows, and addresses. */

import type { Deployment, Revision } from "./wire.ts";

/** `unknown` is not an end: only a person or a deadline gives up on it. */
export type Progress = "pending" | "done" | "failed" | "stopped" | "unknown";

const ofRevisions = new Map<string, Progress>(
  Object.entries({
    CREATING: "pending",
    QUEUED: "pending",
    AWAITING_BUILD: "pending",
    BUILDING: "pending",
    AWAITING_DEPLOY: "pending",
    DEPLOYING: "pending",
    DEPLOYED: "done",
    CREATE_FAILED: "failed",
    BUILD_FAILED: "failed",
    DEPLOY_FAILED: "failed",
    SKIPPED: "stopped",
    INTERRUPTED: "stopped",
  }),
);

const ofDeployments = new Map<string, Progress>(
  Object.entries({
    AWAITING_DATABASE: "pending",
    READY: "done",
    UNUSED: "stopped",
    AWAITING_DELETE: "pending",
    AWAITING_FINAL_DELETE: "pending",
  }),
);

/** Whether a status of a deployment or a revision is one of those that were ever written down. */
export function isKnownStatus(status: string): boolean {
  return status === "UNKNOWN" || ofRevisions.has(status) || ofDeployments.has(status);
}

/** How far a revision is. */
export function progressOfRevision({ status }: Pick<Revision, "status">): Progress {
  return ofRevisions.get(status ?? "") ?? "unknown";
}

/** How far a deployment is. */
export function progressOfDeployment({ status }: Pick<Deployment, "status">): Progress {
  return ofDeployments.get(status ?? "") ?? "unknown";
}

/** Whether a revision of the deployment is being served; where the server does not say so, judged by its latest one. */
export function isServing(deployment: Deployment, latest: Pick<Revision, "status"> | undefined): boolean {
  const { active_revision_id: active, status } = deployment;
  if (status === "AWAITING_DELETE" || status === "AWAITING_FINAL_DELETE") return false;
  if (active !== undefined) return active !== null;
  return latest !== undefined && progressOfRevision(latest) === "done";
}

/** Whether it is worth asking again, because it may change by itself. */
export function mayChange(progress: Progress): boolean {
  return progress === "pending" || progress === "unknown";
}

/** Where the agent server of a deployment is; undefined as long as it has no address. */
export function agentServerUrlOf({ url, source_config }: Deployment): string | undefined {
  const named = [url, source_config?.custom_url];
  return named.find((text): text is string => /^https?:$/.test(URL.parse(text ?? "")?.protocol ?? ""));
}

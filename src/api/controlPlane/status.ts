/** What statuses of deployments and revisions mean, as far as anybody knows. */

import type { Deployment, Revision } from "./wire.ts";

/** `unknown` is not an end: only a person or a deadline gives up on it. */
export type Progress = "pending" | "done" | "failed" | "stopped" | "unknown";

const ofRevisions: Readonly<Record<string, Progress>> = {
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
};

const ofDeployments: Readonly<Record<string, Progress>> = {
  AWAITING_DATABASE: "pending",
  READY: "done",
  UNUSED: "stopped",
  AWAITING_DELETE: "pending",
  AWAITING_FINAL_DELETE: "pending",
};

/** How far a revision is. */
export function progressOfRevision({ status }: Pick<Revision, "status">): Progress {
  return ofRevisions[status ?? ""] ?? "unknown";
}

/** How far a deployment is. */
export function progressOfDeployment({ status }: Pick<Deployment, "status">): Progress {
  return ofDeployments[status ?? ""] ?? "unknown";
}

/** Whether it is worth looking again, because it may change by itself. */
export function mayChange(progress: Progress): boolean {
  return progress === "pending" || progress === "unknown";
}

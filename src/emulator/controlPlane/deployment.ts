import type { JsonObject } from "../json.ts";

export const sources = [
  "github",
  "external_docker",
  "internal_docker",
  "internal_source",
  "internal_template",
] as const;
export type Source = (typeof sources)[number];

export const deploymentStatuses = [
  "AWAITING_DATABASE",
  "READY",
  "UNUSED",
  "AWAITING_DELETE",
  "AWAITING_FINAL_DELETE",
  "UNKNOWN",
] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];

/** What people configure. */
export interface DeploymentSettings {
  readonly display_name: string;
  readonly source_config: JsonObject;
  readonly secret_names: readonly string[];
  readonly secret_references: readonly JsonObject[];
}

/** An agent server that the control plane runs. */
export interface Deployment extends DeploymentSettings {
  readonly id: string;
  readonly name: string;
  readonly source: Source;
  readonly status: DeploymentStatus;
  readonly latest_revision_id: string | null;
  /** The revision that is being served. */
  readonly active_revision_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The statuses of a revision on its way, in their order; then those in which it ends. */
export const progressStatuses = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
] as const;
export const finalStatuses = [
  "DEPLOYED",
  "CREATE_FAILED",
  "BUILD_FAILED",
  "DEPLOY_FAILED",
  "SKIPPED",
  "INTERRUPTED",
  "UNKNOWN",
] as const;
export const revisionStatuses = [...progressStatuses, ...finalStatuses] as const;
export type RevisionStatus = (typeof revisionStatuses)[number];

export const stages = ["create", "build", "deploy"] as const;
export type Stage = (typeof stages)[number];

/** One version of a deployment, on its way to be served or there. */
export interface Revision {
  readonly id: string;
  readonly deployment_id: string;
  readonly status: RevisionStatus;
  readonly source: Source;
  readonly source_revision_config: JsonObject;
  /** The stage that is to fail, if any. */
  readonly fail_at: Stage | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Whether the revision will not change any more by itself. */
export function isFinal(status: RevisionStatus): boolean {
  return finalStatuses.some((final) => final === status);
}

/** The running agent server that the deployment fronts, if it does. */
export function upstreamOf(deployment: Deployment): string | undefined {
  const url = deployment.source_config.custom_url;
  return typeof url === "string" ? url : undefined;
}

import type { JsonObject } from "../kit/json.ts";

/** Where a deployment can come from (docs/interface.md, "Create deployment"). */
export const sources = [
  "github",
  "external_docker",
  "internal_docker",
  "internal_source",
  "internal_template",
] as const;
/** One of them. */
export type Source = (typeof sources)[number];

/** Every status of a deployment, as the specification spells it. */
export const deploymentStatuses = [
  "AWAITING_DATABASE",
  "READY",
  "UNUSED",
  "AWAITING_DELETE",
  "AWAITING_FINAL_DELETE",
  "UNKNOWN",
] as const;
/** One of them. */
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
const finalStatuses = [
  "DEPLOYED",
  "CREATE_FAILED",
  "BUILD_FAILED",
  "DEPLOY_FAILED",
  "SKIPPED",
  "INTERRUPTED",
  "UNKNOWN",
] as const;
/** Every status of a revision, those on the way before those at an end. */
export const revisionStatuses = [...progressStatuses, ...finalStatuses] as const;
/** One of them. */
export type RevisionStatus = (typeof revisionStatuses)[number];

/** The stages of a roll-out at which it can be made to fail. */
export const stages = ["create", "build", "deploy"] as const;
/** One of them. */
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

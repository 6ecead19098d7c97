/** Shapes of the control plane as they are on the wire (docs/interface.md, "Deployment and revision"); the specification promises only ids and statuses. */

import type { Json, JsonObject } from "../agentServer/wire.ts";

/** A deployment's status; servers may add values, which are shown as they are. */
export type DeploymentStatus =
  | "AWAITING_DATABASE"
  | "READY"
  | "UNUSED"
  | "AWAITING_DELETE"
  | "AWAITING_FINAL_DELETE"
  | "UNKNOWN"
  | (string & {});

/** A revision's status, in the order of its way; servers may add values, which are shown as they are. */
export type RevisionStatus =
  | "CREATING"
  | "QUEUED"
  | "AWAITING_BUILD"
  | "BUILDING"
  | "AWAITING_DEPLOY"
  | "DEPLOYING"
  | "CREATE_FAILED"
  | "BUILD_FAILED"
  | "DEPLOY_FAILED"
  | "DEPLOYED"
  | "SKIPPED"
  | "INTERRUPTED"
  | "UNKNOWN"
  | (string & {});

/** Where a deployment's code comes from. */
export type DeploymentSource =
  | "github"
  | "external_docker"
  | "internal_docker"
  | "internal_source"
  | "internal_template"
  | (string & {});

/** What stays the same from revision to revision. */
export interface SourceConfig {
  readonly integration_id?: string | null;
  readonly repo_url?: string | null;
  readonly deployment_type?: string | null;
  readonly build_on_push?: boolean | null;
  /** The address of the agent server. */
  readonly custom_url?: string | null;
  readonly resource_spec?: JsonObject | null;
  readonly listener_id?: string | null;
  readonly listener_config?: JsonObject | null;
  readonly install_command?: string | null;
  readonly build_command?: string | null;
  readonly [other: string]: Json | undefined;
}

/** What a revision is made of. */
export interface SourceRevisionConfig {
  /** A branch, or `refs/tags/…`. */
  readonly repo_ref?: string | null;
  readonly langgraph_config_path?: string | null;
  readonly image_uri?: string | null;
  readonly source_tarball_path?: string | null;
  /** Set by the server. */
  readonly repo_commit_sha?: string | null;
  readonly [other: string]: Json | undefined;
}

/** An agent server that the control plane runs; values of secrets are dropped as they arrive. */
export interface Deployment {
  readonly id: string;
  readonly name?: string | null;
  readonly display_name?: string | null;
  readonly tenant_id?: string | null;
  readonly source?: DeploymentSource | null;
  readonly source_config?: SourceConfig | null;
  /** The latest revision's. */
  readonly source_revision_config?: SourceRevisionConfig | null;
  readonly secrets?: readonly { readonly name: string }[] | null;
  readonly secret_references?: readonly JsonObject[] | null;
  readonly status?: DeploymentStatus | null;
  readonly latest_revision_id?: string | null;
  /** The revision that is being served. */
  readonly active_revision_id?: string | null;
  readonly image_version?: string | null;
  readonly created_at?: string | null;
  readonly updated_at?: string | null;
  /** Where the platform itself serves it, if it says so. */
  readonly url?: string | null;
}

/** One version of a deployment. */
export interface Revision {
  readonly id: string;
  readonly status?: RevisionStatus | null;
  readonly source?: DeploymentSource | null;
  readonly source_revision_config?: SourceRevisionConfig | null;
  readonly created_at?: string | null;
  readonly updated_at?: string | null;
}

/** A secret as it is sent; it never comes back. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** A new deployment; the server makes its first revision, too. */
export interface DeploymentCreate {
  readonly name: string;
  readonly source: DeploymentSource;
  readonly source_config: SourceConfig;
  readonly source_revision_config: SourceRevisionConfig;
  readonly secrets: readonly Secret[];
  readonly secret_references?: readonly JsonObject[];
  readonly display_name?: string;
}

/** A change: what is absent or null stays as it is, and so do the secrets when none are given. */
export interface DeploymentPatch {
  readonly display_name?: string;
  readonly revision_source?: DeploymentSource;
  readonly source_config?: SourceConfig;
  readonly source_revision_config?: SourceRevisionConfig;
  readonly secrets?: readonly Secret[];
  readonly secret_references?: readonly JsonObject[];
  readonly tracked_packages?: readonly Json[];
}

/** Which deployments; 20 by default, 100 at most. */
export interface DeploymentQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly name_contains?: string | undefined;
  readonly status?: DeploymentStatus | undefined;
  readonly deployment_type?: string | undefined;
  readonly image_version?: string | undefined;
  readonly remote_reconciled?: boolean | undefined;
  /** Separated by commas. */
  readonly deployment_ids?: string | undefined;
  /** Separated by commas. */
  readonly tag_value_ids?: string | undefined;
}

/** Which revisions, newest first. */
export interface RevisionQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Separated by commas. */
  readonly status?: string | undefined;
  readonly remote_reconciled?: boolean | undefined;
}

/** A log line's level; servers may add values, which are shown as they are. */
export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR" | "CRITICAL" | (string & {});

/** One line of a log. */
export interface LogEntry {
  readonly id?: string | number | null;
  /** Milliseconds since 1970, or a date. */
  readonly timestamp?: number | string | null;
  readonly level?: LogLevel | null;
  readonly message?: string | null;
}

/** Which lines of a log; 50 by default, 1000 at most, the oldest first. */
export interface LogQuery {
  /** RFC 3339. */
  readonly start_time?: string | undefined;
  /** RFC 3339. */
  readonly end_time?: string | undefined;
  readonly order?: "asc" | "desc" | undefined;
  readonly limit?: number | undefined;
  /** The `next_offset` of an earlier page. */
  readonly offset?: string | undefined;
  /** Text that the lines hold. */
  readonly query?: string | undefined;
  readonly level?: LogLevel | undefined;
  readonly run_id?: string | undefined;
}

/** One page of a log; `next_offset` is null on the last. */
export interface LogPage {
  readonly logs: readonly LogEntry[];
  readonly next_offset?: string | null;
}

/** Whether the current user holds OAuth tokens (docs/interface.md, "Token status response"). */
export interface TokenStatus {
  readonly has_token: boolean;
}

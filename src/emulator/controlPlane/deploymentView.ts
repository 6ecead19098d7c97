import type { JsonObject } from "../kit/json.ts";
import type { Deployment, Revision } from "./deployment.ts";

const noSourceConfig = {
  integration_id: null,
  repo_url: null,
  deployment_type: null,
  build_on_push: false,
  resource_spec: null,
  listener_id: null,
  listener_config: null,
  install_command: null,
  build_command: null,
};

const noRevisionConfig = {
  repo_ref: null,
  langgraph_config_path: null,
  image_uri: null,
  source_tarball_path: null,
  repo_commit_sha: null,
};

/** A deployment as clients see it: its secrets by name only. `url` is where the Local Platform serves it. */
export function viewDeployment(
  deployment: Deployment,
  latest: Revision | undefined,
  tenantId: string,
  baseUrl: string,
): JsonObject {
  const url = `${baseUrl}/deployments/${deployment.id}`;
  return {
    id: deployment.id,
    name: deployment.name,
    display_name: deployment.display_name,
    tenant_id: tenantId,
    source: deployment.source,
    source_config: { ...noSourceConfig, custom_url: url, ...deployment.source_config },
    source_revision_config: { ...noRevisionConfig, ...latest?.source_revision_config },
    secrets: deployment.secret_names.map((name) => ({ name, value: "" })),
    secret_references: deployment.secret_references,
    status: deployment.status,
    latest_revision_id: deployment.latest_revision_id,
    active_revision_id: deployment.active_revision_id,
    image_version: null,
    created_at: deployment.created_at,
    updated_at: deployment.updated_at,
    url,
  };
}

/** A revision as clients see it. */
export function viewRevision(revision: Revision): JsonObject {
  const { id, created_at, updated_at, status, source, source_revision_config } = revision;
  return {
    id,
    created_at,
    updated_at,
    status,
    source,
    source_revision_config: { ...noRevisionConfig, ...source_revision_config },
  };
}

import { HttpError } from "../kit/httpError.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Deployment, DeploymentSettings } from "./deployment.ts";
import type { CreateBody, PatchBody } from "./deploymentBody.ts";

/** What a change asks for besides the new settings. */
export interface Change {
  readonly settings: DeploymentSettings;
  /** Whether it takes a new revision, and that revision's configuration. */
  readonly revises: boolean;
  readonly revisionConfig: JsonObject;
}

/** The settings of a new deployment. Throws 400 when its source lacks something. */
export function settingsOf(body: CreateBody, ownUrl: string): DeploymentSettings {
  const { source, source_config, source_revision_config } = body;
  const { repo_url, custom_url } = source_config;
  if (source === "github" && typeof repo_url !== "string") {
    throw new HttpError(400, "A deployment from github needs source_config.repo_url.");
  }
  if (source === "external_docker" && !source_revision_config.image_uri && !custom_url) {
    const needed = "source_revision_config.image_uri or source_config.custom_url";
    throw new HttpError(400, `A deployment from external_docker needs ${needed}.`);
  }
  if (source_config.build_on_push && source_revision_config.repo_ref?.startsWith("refs/tags/")) {
    throw new HttpError(400, "build_on_push must be false when repo_ref is a tag.");
  }
  return {
    display_name: body.display_name ?? body.name,
    source_config: given(withoutOwnUrl(source_config, ownUrl)),
    secret_names: namesOf(body.secrets ?? []),
    secret_references: body.secret_references ?? [],
  };
}

/**
 * What a PATCH makes of a deployment. A new revision is due when anything of its own configuration, the resources
 * or the secrets are given; null and an empty list of secrets leave things as they are. Throws 400 for what
 * cannot be changed.
 */
export function changeOf(
  deployment: Deployment,
  latest: JsonObject,
  body: PatchBody,
  ownUrl: string,
): Change {
  refuseImmutable(deployment, body);
  const sourceConfig = given(withoutOwnUrl(body.source_config ?? {}, ownUrl));
  const revisionConfig = given(body.source_revision_config ?? {});
  const secrets = body.secrets ?? [];
  const names = ["repo_ref", "langgraph_config_path", "image_uri", "source_tarball_path"];
  return {
    settings: {
      display_name: body.display_name ?? deployment.display_name,
      source_config: { ...deployment.source_config, ...sourceConfig },
      secret_names: secrets.length === 0 ? deployment.secret_names : namesOf(secrets),
      secret_references: body.secret_references ?? deployment.secret_references,
    },
    revises:
      secrets.length > 0 ||
      sourceConfig.resource_spec !== undefined ||
      names.some((name) => revisionConfig[name] !== undefined),
    revisionConfig: { ...latest, ...revisionConfig },
  };
}

/** The members that are neither null nor absent. */
export function given(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Clients send back what they read: the address that a deployment has by itself says nothing. */
function withoutOwnUrl(sourceConfig: JsonObject, ownUrl: string): JsonObject {
  return sourceConfig.custom_url === ownUrl ? { ...sourceConfig, custom_url: null } : sourceConfig;
}

function namesOf(secrets: readonly { readonly name: string }[]): string[] {
  for (const { name } of secrets) {
    if (isReserved(name)) throw new HttpError(400, `The name ${name} is reserved and cannot be a secret's.`);
  }
  return [...new Set(secrets.map(({ name }) => name))];
}

function refuseImmutable(deployment: Deployment, body: PatchBody): void {
  const { listener_config: before } = deployment.source_config;
  const now: [field: string, asked: unknown, is: unknown][] = [
    ["name", body.name, deployment.name],
    ["source", body.source, deployment.source],
    ...(["integration_id", "repo_url", "deployment_type", "listener_id"] as const).map(
      (field): [string, unknown, unknown] => [
        `source_config.${field}`,
        body.source_config?.[field],
        deployment.source_config[field],
      ],
    ),
    [
      "source_config.listener_config.k8s_namespace",
      namespaceOf(body.source_config?.listener_config),
      namespaceOf(before),
    ],
  ];
  for (const [field, asked, is] of now) {
    if (asked !== undefined && asked !== null && asked !== is) {
      throw new HttpError(400, `${field} cannot be changed.`);
    }
  }
}

function namespaceOf(listenerConfig: unknown): unknown {
  return typeof listenerConfig === "object" && listenerConfig !== null && "k8s_namespace" in listenerConfig
    ? listenerConfig.k8s_namespace
    : undefined;
}

/** Names of variables that the platform itself sets in every deployment, so that no secret may have them. */
const reserved = new Set([
  "LANGCHAIN_TRACING_V2",
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_ENDPOINT",
  "LANGCHAIN_PROJECT",
  "LANGSMITH_PROJECT",
  "LANGSMITH_LANGGRAPH_GIT_REPO",
  "LANGGRAPH_GIT_REPO_PATH",
  "LANGCHAIN_API_KEY",
  "LANGSMITH_CONTROL_PLANE_API_KEY",
  "POSTGRES_URI",
  "POSTGRES_PASSWORD",
  "DATABASE_URI",
  "LANGSMITH_LANGGRAPH_GIT_REF",
  "LANGSMITH_LANGGRAPH_GIT_REF_SHA",
  "LANGGRAPH_AUTH_TYPE",
  "LANGSMITH_AUTH_ENDPOINT",
  "LANGSMITH_TENANT_ID",
  "LANGSMITH_AUTH_VERIFY_TENANT_ID",
  "LANGSMITH_HOST_PROJECT_ID",
  "LANGSMITH_HOST_PROJECT_NAME",
  "LANGSMITH_HOST_REVISION_ID",
  "LOG_JSON",
  "LOG_DICT_TRACEBACKS",
  "REDIS_URI",
  "LANGCHAIN_CALLBACKS_BACKGROUND",
  "LANGSMITH_DEPLOYMENT_NAME",
  "LANGGRAPH_CLOUD_LICENSE_KEY",
]);

/** Whether no secret may have this name. */
function isReserved(name: string): boolean {
  return reserved.has(name) || /^DD_TRACE_.*_ENABLED$/.test(name);
}

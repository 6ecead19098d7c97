/** A deployment as a draft: the body of a create or change request, with secrets by name only. */

import type { Json, JsonObject } from "../../../api/agentServer/wire.ts";
import type { Deployment } from "../../../api/controlPlane/wire.ts";
import { isList, isObject } from "../../../run/json/json.ts";
import { DRAFT_SUFFIX } from "../../kit/ids.ts";

/** Whether a document at this path is a draft. */
export function isDraft(path: string): boolean {
  return path.endsWith(DRAFT_SUFFIX);
}

/** A secret in a draft: without `value` it is asked for, else `value` is `${env:NAME}`. */
export interface DraftSecret {
  readonly name: string;
  readonly value?: string;
}

/** What keeps a draft from being sent, and where. */
export interface DraftProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What the server derives by itself and nobody can send. */
const derived = ["repo_commit_sha", "deepagents_version", "tracked_packages"];

/** The draft that says what the server has now. */
export function draftOf(deployment: Deployment): JsonObject {
  const { id, name, display_name, source, secret_references } = deployment;
  const config = Object.entries(given(deployment.source_config ?? {}));
  const revision = Object.entries(given(deployment.source_revision_config ?? {}));
  // Only a deployment of an image or of a running server has an address that people set.
  const hasUrl = source === "external_docker";
  return {
    id,
    name,
    ...(typeof display_name === "string" ? { display_name } : {}),
    source,
    source_config: Object.fromEntries(config.filter(([key]) => hasUrl || key !== "custom_url")),
    source_revision_config: Object.fromEntries(revision.filter(([key]) => !derived.includes(key))),
    secrets: (deployment.secrets ?? []).map((secret) => ({ name: secret.name })),
    ...((secret_references ?? []).length > 0 ? { secret_references } : {}),
  };
}

/** The deployment that the draft changes; undefined when it makes a new one. */
export function deploymentIdOf(draft: JsonObject): string | undefined {
  return typeof draft["id"] === "string" && draft["id"] !== "" ? draft["id"] : undefined;
}

/** The names of the secrets of a draft. */
export function secretNames(draft: JsonObject): readonly string[] {
  return draftSecrets(draft).map(({ name }) => name);
}

/** The secrets of a draft that has no problem. */
export function draftSecrets({ secrets }: JsonObject): readonly DraftSecret[] {
  return (isList(secrets) ? secrets : []).flatMap((secret) => {
    if (!isObject(secret) || typeof secret["name"] !== "string") return [];
    const { name, value } = secret;
    return [{ name, ...(typeof value === "string" ? { value } : {}) }];
  });
}

/** The variable that `${env:NAME}` names; undefined for any other text. */
export function environmentName(value: string): string | undefined {
  return /^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(value)?.[1];
}

/** What must not be sent whatever the editor says of the document; the schema says the rest. */
export function draftProblems(draft: Json): readonly DraftProblem[] {
  if (!isObject(draft)) return [{ path: [], message: "A draft is a JSON object." }];
  const needed = ["name", "source"].flatMap((field) =>
    typeof draft[field] === "string" && draft[field] !== ""
      ? []
      : [{ path: [field], message: `A deployment needs a ${field}.` }],
  );
  const secrets = draft["secrets"] ?? [];
  if (!isList(secrets)) return [...needed, { path: ["secrets"], message: "Secrets are a list." }];
  return [...needed, ...secrets.flatMap((secret, index) => secretProblem(secret, ["secrets", index]) ?? [])];
}

/** The members that are neither null nor absent. */
export function given(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** The object, or an empty one where there is none. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function secretProblem(secret: Json, path: readonly (string | number)[]): DraftProblem | undefined {
  if (!isObject(secret) || typeof secret["name"] !== "string") {
    return { path, message: 'A secret is written as { "name": "NAME" }.' };
  }
  const { value } = secret;
  if (value === undefined || (typeof value === "string" && environmentName(value) !== undefined)) {
    return undefined;
  }
  return {
    path: [...path, "value"],
    message:
      "The value of a secret does not belong into a file: leave it out to be asked, or write ${env:NAME}.",
  };
}

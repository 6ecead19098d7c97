/** What a draft changes of a deployment, as the platform's rules for PATCH have it (facts 1.6). */

import type { Json, JsonObject } from "../../../api/agentServer/wire.ts";
import type { Deployment } from "../../../api/controlPlane/wire.ts";
import { isObject } from "../../../run/json/json.ts";
import { draftOf, draftSecrets, given, objectOf, secretNames } from "./deploymentDraft.ts";

/** What of a deployment a draft would change, and what it can not. */
export interface DeploymentChange {
  /** The body of the PATCH, secrets by name only; undefined when nothing differs. */
  readonly patch: JsonObject | undefined;
  /** Dotted paths of all that is changed. */
  readonly changed: readonly string[];
  /** Those of them for which the platform makes a new revision. */
  readonly revising: readonly string[];
  /** Those that can't be changed; there is no patch to send as long as there are any. */
  readonly immutable: readonly string[];
  /** What the draft leaves out although the server has it: it stays as it is. */
  readonly kept: readonly string[];
}

/** Paths that a PATCH can't change. */
export const IMMUTABLE_PATHS: readonly string[] = [
  "name",
  "source",
  "source_config.integration_id",
  "source_config.repo_url",
  "source_config.deployment_type",
  "source_config.listener_id",
  "source_config.listener_config.k8s_namespace",
];

/** Paths of which each, when it is given, makes a new revision. */
export const REVISING_PATHS: readonly string[] = [
  "source_config.resource_spec",
  "source_revision_config.repo_ref",
  "source_revision_config.langgraph_config_path",
  "source_revision_config.image_uri",
  "source_revision_config.source_tarball_path",
  "secrets",
];

const sections = ["source_config", "source_revision_config"] as const;

/** Compares the draft with the deployment as the server has it. */
export function changeOf(deployment: Deployment, draft: JsonObject): DeploymentChange {
  const before = draftOf(deployment);
  const changes = [
    ...sections.flatMap((name) => sectionChanges(name, before, draft)),
    ...ownChanges(before, draft),
  ];
  const changed = changes.map(({ path }) => path);
  const patch: Record<string, Json> = {};
  for (const name of sections) {
    const members = changes
      .filter(({ section }) => section === name)
      .map(({ member, value }) => [member, value]);
    if (members.length > 0) patch[name] = Object.fromEntries(members) as JsonObject;
  }
  for (const { section, member, value } of changes) if (section === undefined) patch[member] = value;
  return {
    patch: changes.length === 0 ? undefined : withRevisionSource(patch, before),
    changed,
    revising: changed.filter((path) => REVISING_PATHS.includes(path)),
    immutable: changed.filter((path) => IMMUTABLE_PATHS.includes(path)),
    kept: keptOf(before, draft),
  };
}

/** A PATCH that changes nothing and makes a new revision of the same source all the same. */
export function sameAgain(deployment: Deployment): JsonObject | undefined {
  const before = draftOf(deployment);
  const revision = objectOf(before["source_revision_config"]);
  const revises = Object.keys(revision).some((name) =>
    REVISING_PATHS.includes(`source_revision_config.${name}`),
  );
  return revises ? withRevisionSource({ source_revision_config: revision }, before) : undefined;
}

interface Change {
  readonly path: string;
  readonly section?: string;
  readonly member: string;
  readonly value: Json;
}

function sectionChanges(section: (typeof sections)[number], before: JsonObject, draft: JsonObject): Change[] {
  const had = objectOf(before[section]);
  return Object.entries(given(objectOf(draft[section]))).flatMap(([member, value = null]) => {
    if (sameJson(value, had[member])) return [];
    const namespace = member === "listener_config" ? namespaceOf(value) : undefined;
    const namespaced = namespace !== undefined && namespace !== namespaceOf(had[member]);
    const path = `${section}.${member}${namespaced ? ".k8s_namespace" : ""}`;
    return [{ path, section, member, value }];
  });
}

function ownChanges(before: JsonObject, draft: JsonObject): Change[] {
  const own = Object.entries(given(draft)).filter(
    ([member]) => !["id", "$schema", ...sections].includes(member),
  );
  return own.flatMap(([member, value = null]) => {
    if (member === "secrets") return secretsChange(before, draft);
    return sameJson(value, before[member]) ? [] : [{ path: member, member, value }];
  });
}

/** The server gives names only: other names, or a value that the draft brings along, count as a change. */
function secretsChange(before: JsonObject, draft: JsonObject): Change[] {
  const names = [...new Set(secretNames(draft))];
  const same = sameJson(names.toSorted(), [...new Set(secretNames(before))].toSorted());
  const brings = draftSecrets(draft).some(({ value }) => value !== undefined);
  if (names.length === 0 || (same && !brings)) return [];
  return [{ path: "secrets", member: "secrets", value: names.map((name) => ({ name })) }];
}

/** The platform's own tools name the source again with a revision of an image or archive of one's own. */
function withRevisionSource(patch: JsonObject, { source }: JsonObject): JsonObject {
  const own = source === "internal_docker" || source === "internal_source";
  return own && patch["source_revision_config"] !== undefined ? { revision_source: source, ...patch } : patch;
}

function keptOf(before: JsonObject, draft: JsonObject): readonly string[] {
  const inSections = sections.flatMap((section) =>
    Object.keys(objectOf(before[section]))
      .filter((member) => objectOf(draft[section])[member] === undefined)
      .map((member) => `${section}.${member}`),
  );
  const secretsKept = secretNames(before).length > 0 && secretNames(draft).length === 0;
  return secretsKept ? [...inSections, "secrets"] : inSections;
}

function namespaceOf(config: Json | undefined): Json | undefined {
  return isObject(config) ? config["k8s_namespace"] : undefined;
}

/** Equal whatever the order of members; null and absent members are the same. */
function sameJson(one: Json | undefined, other: Json | undefined): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: Json | undefined): string {
  return JSON.stringify(value, (_, member: Json) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(given(member)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

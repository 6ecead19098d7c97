/** The text of drafts: new ones by source, and what the server has in the order in which a draft says it. */

import type { Json, JsonObject } from "../../../api/agentServer/wire.ts";
import { isList, isObject } from "../../../run/json/json.ts";

/** Where a deployment comes from, in words and with what is to be filled in. */
export interface DraftTemplate {
  readonly label: string;
  readonly detail: string;
  readonly icon: string;
  readonly draft: JsonObject;
}

/** One template for each source of the control plane, and one for a server that runs already. */
export const DRAFT_TEMPLATES: readonly DraftTemplate[] = [
  {
    label: "GitHub repository",
    detail: "The platform builds a branch or tag; hosted platforms.",
    icon: "github",
    draft: githubDraft({
      name: "my-agent",
      url: "https://github.com/owner/repository",
      ref: "main",
      configPath: "langgraph.json",
    }),
  },
  {
    label: "Docker image in your registry",
    detail: "Self-hosted platforms pull it from where it is.",
    icon: "package",
    draft: draft("external_docker", {
      source_config: { resource_spec: { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 1024 } },
      source_revision_config: { image_uri: "registry.example.com/my-agent:1.0.0" },
    }),
  },
  {
    label: "Running agent server",
    detail: "A server that you run; the deployment fronts its address.",
    icon: "server",
    draft: draft("external_docker", {
      source_config: { custom_url: "http://127.0.0.1:2024" },
      source_revision_config: {},
    }),
  },
  {
    label: "Docker image in the platform's registry",
    detail: "Pushed there by the platform's command line.",
    icon: "layers",
    draft: draft("internal_docker", {
      source_config: { deployment_type: "dev" },
      source_revision_config: { image_uri: "" },
    }),
  },
  {
    label: "Uploaded source",
    detail: "An archive that was uploaded; the platform builds it.",
    icon: "file-zip",
    draft: draft("internal_source", {
      source_config: { deployment_type: "dev" },
      source_revision_config: { source_tarball_path: "", langgraph_config_path: "langgraph.json" },
    }),
  },
  {
    label: "Template of the platform",
    detail: "An agent that the platform has ready.",
    icon: "book",
    draft: draft("internal_template", {
      source_config: { deployment_type: "dev", template_id: "" },
      source_revision_config: {},
    }),
  },
];

/** A draft of what is built from a repository: its address, its branch or tag, and the path of `langgraph.json` in it. */
export function githubDraft(from: {
  readonly name: string;
  readonly url: string;
  readonly ref: string;
  readonly configPath: string;
}): JsonObject {
  const { name, url, ref, configPath } = from;
  return {
    ...draft("github", {
      source_config: { integration_id: "", repo_url: url, deployment_type: "dev", build_on_push: false },
      source_revision_config: { repo_ref: ref, langgraph_config_path: configPath },
    }),
    name,
  };
}

/** The text of a draft, as it is written to a document. */
export function draftText(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The text with the line breaks at its end that another one has, so that a comparison does not show them. */
export function endedLike(text: string, model: string): string {
  return text.trimEnd() + model.slice(model.trimEnd().length);
}

/** The same value with its members in the order in which another one has them, so that only differences differ. */
export function orderedLike(value: Json, model: Json | undefined): Json {
  if (isList(value))
    return value.map((item, index) => orderedLike(item, isList(model) ? model[index] : undefined));
  if (!isObject(value)) return value;
  const order = isObject(model) ? Object.keys(model) : [];
  const names = [...order.filter((name) => value[name] !== undefined), ...Object.keys(value)];
  return Object.fromEntries(
    [...new Set(names)].map((name) => [
      name,
      orderedLike(value[name] ?? null, isObject(model) ? model[name] : undefined),
    ]),
  );
}

/** What the server has of all that a draft says: what the draft leaves out stays as it is, and is no difference. */
export function saidBy(draft: JsonObject, server: JsonObject): JsonObject {
  const section = (name: string): Json => {
    const value = orderedLike(server[name] ?? null, draft[name]);
    const [mine, theirs] = [draft[name], value];
    const open = name === "source_config" || name === "source_revision_config";
    return open && isObject(mine) && isObject(theirs) ? only(theirs, Object.keys(mine)) : value;
  };
  const names = Object.keys(draft).filter((name) => server[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, section(name)]));
}

function only(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

function draft(source: string, rest: JsonObject): JsonObject {
  return { name: "my-agent", source, ...rest, secrets: [] };
}

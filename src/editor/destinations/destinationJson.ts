/** Destinations as JSON drafts: the body of a create request, whose keys are references and never values. */

import type { Credentials } from "../../api/bulkExports/destinations.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import {
  bucketProblem,
  type DestinationDraft,
  emptyDraft,
  endpointProblem,
  type Environment,
  keysOf,
  nameProblem,
  prefixProblem,
} from "./destinationDraft.ts";

/** What a new draft says; the editor's schema explains each member. */
export const DRAFT_TEXT = `${JSON.stringify(
  {
    display_name: "Trace archive",
    config: {
      bucket_name: "my-traces",
      prefix: "agents",
      region: "eu-central-1",
      endpoint_url: "https://objects.example.com",
      include_bucket_in_prefix: true,
      config_kwargs_s3: { addressing_style: "auto" },
    },
    credentials: {
      access_key_id: "${env:AWS_ACCESS_KEY_ID}",
      secret_access_key: "${env:AWS_SECRET_ACCESS_KEY}",
    },
  },
  null,
  2,
)}\n`;

/**
 * Reads a draft; throws NotPossibleError. Without `credentials` they are still to be asked for, with null the service's own
 * environment has them.
 */
export function draftFromJson(
  text: string,
  connectionId: string,
  environment: Environment,
): DestinationDraft {
  const value = parsed(text);
  const config = recordOf(value["config"], "config");
  const { bucket_name, prefix, region, endpoint_url, include_bucket_in_prefix, ...rest } = config;
  const endpoint = textOf(endpoint_url, "config.endpoint_url");
  const style =
    recordOf(rest["config_kwargs_s3"] ?? {}, "config.config_kwargs_s3")["addressing_style"] ?? "auto";
  if (style !== "auto" && style !== "virtual" && style !== "path") {
    throw refusal("config.config_kwargs_s3.addressing_style is virtual, path or auto.");
  }
  const draft: DestinationDraft = {
    ...emptyDraft(connectionId),
    store: endpoint === "" ? "aws" : "compatible",
    name: textOf(value["display_name"], "display_name"),
    bucket: textOf(bucket_name, "config.bucket_name"),
    prefix: textOf(prefix, "config.prefix"),
    region: textOf(region, "config.region"),
    endpoint,
    includeBucket: include_bucket_in_prefix !== false,
    addressing: style,
    credentials: credentialsOf(value["credentials"], environment),
    rest,
  };
  const problem =
    nameProblem(draft.name) ??
    bucketProblem(draft.bucket) ??
    prefixProblem(draft.prefix) ??
    (draft.store === "compatible" ? endpointProblem(endpoint) : undefined) ??
    (draft.store === "aws" && draft.region === "" ? "An AWS bucket needs config.region." : undefined);
  if (problem !== undefined) throw refusal(problem);
  return draft;
}

function credentialsOf(value: unknown, environment: Environment): DestinationDraft["credentials"] {
  if (value === undefined) return undefined;
  if (value === null) return { from: "the service's own environment", values: undefined };
  const fields = recordOf(value, "credentials");
  const names: string[] = [];
  const read = (field: keyof Credentials): string => {
    const reference = textOf(fields[field], `credentials.${field}`);
    const [, variable] = /^\$\{env:([^}]+)\}$/.exec(reference) ?? [];
    if (reference !== "" && variable === undefined) {
      throw refusal(
        `credentials.${field} holds a key. Write \${env:NAME}, or leave credentials out to be asked.`,
      );
    }
    if (variable === undefined) return "";
    names.push(variable);
    const found = environment[variable] ?? "";
    if (found === "") throw refusal(`The environment variable ${variable} is not set.`);
    return found;
  };
  const id = read("access_key_id");
  const secret = read("secret_access_key");
  const token = read("session_token");
  if (id === "" || secret === "") throw refusal("credentials needs access_key_id and secret_access_key.");
  const from = `the environment variables ${names.join(", ")}`;
  return { from, values: keysOf(id, secret, token), variables: names };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refusal(`The draft is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return recordOf(value, "The draft");
}

function recordOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refusal(`${what} is no object.`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown, what: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw refusal(`${what} is no text.`);
  return value.trim();
}

function refusal(message: string): NotPossibleError {
  return new NotPossibleError(message, "Correct the draft and create the destination again.");
}

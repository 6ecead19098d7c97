/**
 * A destination while a person fills it in: its fields and their checks, the keys that this machine has, the body that is
 * sent, and what can be done at once when it is refused. Keys are in memory only.
 */

import type {
  AddressingStyle,
  BulkExportFailure,
  Credentials,
  DestinationConfig,
  DestinationCreate,
} from "../../api/bulkExports/destinations.ts";
import type { CommandId } from "../kit/ids.ts";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** Where the keys come from, in words, with the keys themselves as long as the draft is open. */
export interface GivenCredentials {
  readonly from: string;
  /** Those of the environment that a file named. */
  readonly variables?: readonly string[];
  /** Undefined when the service looks in its own environment. */
  readonly values: Credentials | undefined;
}

/** A destination as a person describes it; its keys are in memory only. */
export interface DestinationDraft {
  readonly connectionId: string;
  readonly store: "aws" | "compatible";
  readonly name: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly endpoint: string;
  readonly includeBucket: boolean;
  readonly addressing: AddressingStyle;
  /** Undefined until it was asked for. */
  readonly credentials: GivenCredentials | undefined;
  /** Members of the configuration that only a JSON draft can have; sent as they are. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** A draft without anything. */
export function emptyDraft(connectionId: string): DestinationDraft {
  return {
    connectionId,
    store: "aws",
    name: "",
    bucket: "",
    prefix: "",
    region: "",
    endpoint: "",
    includeBucket: true,
    addressing: "auto",
    credentials: undefined,
    rest: {},
  };
}

/** The body that creates it: only what its store has, and only what differs from the service's own choice. */
export function createBody(draft: DestinationDraft): DestinationCreate {
  const { name, store, bucket, prefix, region, endpoint, includeBucket, addressing, rest } = draft;
  const own = rest["config_kwargs_s3"];
  const kwargs = {
    ...(typeof own === "object" && own !== null ? own : {}),
    ...(addressing === "auto" ? {} : { addressing_style: addressing }),
  };
  const config: DestinationConfig = {
    ...rest,
    bucket_name: bucket,
    prefix,
    ...(region === "" ? {} : { region }),
    ...(store === "compatible" ? { endpoint_url: endpoint } : {}),
    ...(store === "compatible" && !includeBucket ? { include_bucket_in_prefix: false } : {}),
    ...(Object.keys(kwargs).length === 0 ? {} : { config_kwargs_s3: kwargs }),
  };
  const credentials = draft.credentials?.values;
  return { destination_type: "s3", display_name: name, config, ...(credentials && { credentials }) };
}

/** What is wrong with a name, in words for the input box. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "Enter a name.";
  return /^[a-zA-Z0-9\-_ ']+$/.test(name)
    ? undefined
    : "Use letters, digits, spaces, hyphens, underscores and '.";
}

/** A name for a destination in the bucket, with which nothing is wrong. */
export function suggestedName(bucket: string): string {
  return `Traces in ${bucket.replaceAll(".", "-")}`;
}

/** What is wrong with a bucket's name. */
export function bucketProblem(bucket: string): string | undefined {
  if (bucket.length < 3 || bucket.length > 63) return "A bucket's name has 3 to 63 characters.";
  return /^[a-zA-Z0-9][\w.-]*[a-zA-Z0-9]$/.test(bucket)
    ? undefined
    : "Use letters, digits, dots and hyphens; begin and end with a letter or digit. Leave s3:// and the prefix out.";
}

/** What is wrong with a prefix. */
export function prefixProblem(prefix: string): string | undefined {
  if (prefix.length > 2048) return "A prefix has at most 2048 characters.";
  return prefix.split("/").some((part) => part === "." || part === "..") ? "Leave . and .. out." : undefined;
}

/** What is wrong with an endpoint. */
export function endpointProblem(endpoint: string): string | undefined {
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol))
    return "Enter an address that begins with https:// or http://.";
  if (url.username !== "" || url.password !== "") return "Leave user name and password out of the address.";
  return url.search === "" && url.hash === ""
    ? undefined
    : "Leave everything from ? or # out of the address.";
}

/** Whether the endpoint's host names the bucket already, so that no path should. */
export function namesBucket({ endpoint, bucket }: Pick<DestinationDraft, "endpoint" | "bucket">): boolean {
  return bucket !== "" && (URL.parse(endpoint)?.hostname ?? "").startsWith(`${bucket.toLowerCase()}.`);
}

/** Where an object would be under an addressing style, as an example. */
export function exampleUrl(
  { endpoint, bucket, prefix, region, store }: DestinationDraft,
  style: "virtual" | "path",
): string {
  const base = store === "aws" ? `https://s3.${region || "REGION"}.amazonaws.com` : endpoint;
  const url = URL.parse(base);
  const [protocol, host] = url === null ? ["https:", "HOST"] : [url.protocol, url.host];
  const key = [...prefix.split("/").filter((part) => part !== ""), "…"].join("/");
  return style === "virtual"
    ? `${protocol}//${bucket}.${host}/${key}`
    : `${protocol}//${host}/${bucket}/${key}`;
}

/** The fields that a fix may ask for again. */
export type FixField = "credentials" | "bucket" | "region" | "endpoint";

/** A button: a change that is known, a field that is asked for again, or another command. */
export type Fix =
  | { readonly title: string; readonly change: Partial<DestinationDraft>; readonly ask?: FixField }
  | { readonly title: string; readonly ask: FixField }
  | { readonly title: string; readonly command: CommandId };

/** The buttons for a cause, the most likely one first. */
export function fixesFor(
  { cause }: Pick<BulkExportFailure, "cause">,
  draft: DestinationDraft,
): readonly Fix[] {
  const otherBucket: Fix = { title: "Change Bucket", ask: "bucket" };
  const otherRegion: Fix = { title: "Change Region", ask: "region" };
  const otherCredentials: Fix = { title: "Enter Other Credentials", ask: "credentials" };
  const otherEndpoint: readonly Fix[] = [
    { title: "Correct Endpoint", ask: "endpoint" },
    { title: "Use AWS Without Endpoint", change: { store: "aws", endpoint: "" }, ask: "region" },
  ];
  const byPath: Fix = { title: "Retry with addressing_style path", change: { addressing: "path" } };
  const byHost: Fix = { title: "Retry with addressing_style virtual", change: { addressing: "virtual" } };
  const fixes: Readonly<Record<typeof cause, readonly Fix[]>> = {
    accessDenied: [otherCredentials],
    sessionExpired: [otherCredentials],
    keyIdUnknown: [otherCredentials],
    bucketNotValid: [otherBucket, otherRegion],
    invalidEndpoint: draft.store === "aws" ? [otherRegion] : otherEndpoint,
    invalidBucketName: draft.addressing === "virtual" ? [byPath, otherBucket] : [byHost],
    permissionMissing: [{ title: "Set API Key", command: "agentOperations.connection.setApiKey" }],
    workspaceMissing: [{ title: "Edit Connection", command: "agentOperations.connection.edit" }],
  };
  return fixes[cause];
}

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Credentials that were found, under the name of their profile. */
export interface AwsProfile {
  readonly name: string;
  readonly credentials: Credentials;
}

/** Where the profiles are: `AWS_SHARED_CREDENTIALS_FILE`, else `~/.aws/credentials`. */
export function credentialsFile(environment: Environment, home: string = homedir()): string {
  const named = environment["AWS_SHARED_CREDENTIALS_FILE"] ?? "";
  return named === "" ? join(home, ".aws", "credentials") : named.replace(/^~(?=[/\\])/, home);
}

/** The profiles that have keys; none when there is no such file. Throws when it can't be read. */
export async function readProfiles(file: string): Promise<readonly AwsProfile[]> {
  try {
    return parseProfiles(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** The usual variables of the environment; undefined unless both keys are set. */
export function environmentCredentials(environment: Environment): Credentials | undefined {
  return credentialsOf({
    aws_access_key_id: environment["AWS_ACCESS_KEY_ID"],
    aws_secret_access_key: environment["AWS_SECRET_ACCESS_KEY"],
    aws_session_token: environment["AWS_SESSION_TOKEN"],
  });
}

/** Reads the file's sections; profiles without keys, such as those of single sign-on, are left out. */
export function parseProfiles(text: string): readonly AwsProfile[] {
  const sections = new Map<string, Record<string, string>>();
  let section: Record<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line)?.[1];
    if (head !== undefined) {
      section = sections.get(head) ?? {};
      sections.set(head, section);
    } else if (section !== undefined && !/^\s*[#;]/.test(line)) {
      const [, name, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) section[name.toLowerCase()] = value;
    }
  }
  return [...sections].flatMap(([name, values]) => {
    const credentials = credentialsOf(values);
    return credentials === undefined ? [] : [{ name, credentials }];
  });
}

function credentialsOf(values: Environment): Credentials | undefined {
  const { aws_access_key_id: id, aws_secret_access_key: secret, aws_session_token: token } = values;
  return id && secret ? keysOf(id, secret, token) : undefined;
}

/** Keys as they are sent; an empty token is none. */
export function keysOf(id: string, secret: string, token: string | undefined): Credentials {
  return { access_key_id: id, secret_access_key: secret, ...(token ? { session_token: token } : {}) };
}

/** What a store or service said, should it repeat the keys that it was given: they are shown and logged nowhere. */
export function withoutKeys(text: string, credentials: Credentials | undefined): string {
  return Object.values(credentials ?? {})
    .filter((key): key is string => typeof key === "string" && key !== "")
    .reduce((shown, key) => shown.replaceAll(key, "•••"), text);
}

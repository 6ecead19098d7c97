/** A destination while a person fills it in, and what is sent of it. */

import type {
  AddressingStyle,
  Credentials,
  DestinationConfig,
  DestinationCreate,
} from "../../api/bulkExports/wire.ts";

/** Where the keys come from, in words, with the keys themselves as long as the draft is open. */
export interface GivenCredentials {
  readonly from: string;
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
  const { name, credentials } = draft;
  const body = { destination_type: "s3", display_name: name, config: configOf(draft) } as const;
  return credentials?.values === undefined ? body : { ...body, credentials: credentials.values };
}

function configOf(draft: DestinationDraft): DestinationConfig {
  const { store, bucket, prefix, region, endpoint, includeBucket, addressing, rest } = draft;
  const own = rest["config_kwargs_s3"];
  const kwargs = {
    ...(typeof own === "object" && own !== null ? own : {}),
    ...(addressing === "auto" ? {} : { addressing_style: addressing }),
  };
  return {
    ...rest,
    bucket_name: bucket,
    prefix,
    ...(region === "" ? {} : { region }),
    ...(store === "compatible" ? { endpoint_url: endpoint } : {}),
    ...(store === "compatible" && !includeBucket ? { include_bucket_in_prefix: false } : {}),
    ...(Object.keys(kwargs).length === 0 ? {} : { config_kwargs_s3: kwargs }),
  };
}

/** What is wrong with a name, in words for the input box. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "Enter a name.";
  return /^[a-zA-Z0-9\-_ ']+$/.test(name)
    ? undefined
    : "Use letters, digits, spaces, hyphens, underscores and '.";
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

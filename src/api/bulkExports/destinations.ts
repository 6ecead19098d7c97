/**
 * Destinations of bulk exports: their shapes (docs/interface.md, "Bulk-export destination"), their client
 * (docs/interface.md, "Bulk-export destinations"), and why one was refused
 * (docs/interface.md, "Destination error causes").
 */

import { hasText, isList } from "../shape.ts";
import { saysUnsupported } from "../capabilities.ts";
import { type CallOptions, type Http, path } from "../http.ts";
import { ApiError } from "../errors.ts";

/** How requests name the bucket; `auto` leaves it to the service, which decides by the endpoint. */
export type AddressingStyle = "virtual" | "path" | "auto";

/** Where in which bucket exports go; members that are not known here are kept. */
export interface DestinationConfig {
  readonly bucket_name: string;
  /** Root of everything that is written to the bucket. */
  readonly prefix: string;
  /** Needed for AWS. */
  readonly region?: string | null;
  /** Needed for every other S3-compatible store, left out for AWS. */
  readonly endpoint_url?: string | null;
  /** False when the endpoint's host names the bucket already; true when it is left out. */
  readonly include_bucket_in_prefix?: boolean | null;
  readonly config_kwargs_s3?: {
    readonly addressing_style?: AddressingStyle | (string & {});
    readonly [member: string]: unknown;
  } | null;
  readonly [member: string]: unknown;
}

/** What a store knows the service by; sent once and never returned. */
export interface Credentials {
  readonly access_key_id: string;
  readonly secret_access_key: string;
  /** Only of temporary credentials. */
  readonly session_token?: string;
}

/** A new destination; without credentials a self-hosted service uses those of its own environment. */
export interface DestinationCreate {
  readonly destination_type: "s3";
  readonly display_name: string;
  readonly config: DestinationConfig;
  readonly credentials?: Credentials;
}

/** A named bucket. The answer to a change of credentials has only the first five fields. */
export interface Destination {
  readonly id: string;
  readonly tenant_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  /** Names of the credential fields that are stored; empty when the service's environment has them. */
  readonly credentials_keys?: readonly string[];
  readonly destination_type?: string;
  readonly display_name?: string;
  readonly config?: DestinationConfig;
}

const root = "/api/v1/bulk-exports/destinations";
/** Both calls that write wait for a test write into the bucket. */
const testWriteDeadlineMs = 120_000;

/** The destinations of one workspace; each call throws an ApiError when it fails. */
export class Destinations {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Every destination; undefined where the service has no list, which it is asked only once. */
  async list({ signal }: CallOptions = {}): Promise<readonly Destination[] | undefined> {
    return this.#http.capabilities.tryAsk("list of destinations", () =>
      this.#http.json({ method: "GET", path: root, signal, accept: isList }),
    );
  }

  /** One destination; undefined where the service can't be asked for one, or has it no more. */
  async get(id: string, { signal }: CallOptions = {}): Promise<Destination | undefined> {
    try {
      const found = root + path`/${id}`;
      return await this.#http.json({ method: "GET", path: found, signal, accept: hasText("id") });
    } catch (error) {
      if (saysUnsupported(error)) return undefined;
      throw error;
    }
  }

  /** Makes a destination after a test write into its bucket; `bulkExportFailure` reads the ApiError of a refusal. */
  async create(body: DestinationCreate, { signal }: CallOptions = {}): Promise<Destination> {
    return this.#http.json({
      method: "POST",
      path: root,
      body,
      signal,
      timeoutMs: testWriteDeadlineMs,
      accept: hasText("id"),
    });
  }

  /** Replaces the credentials and nothing else, after a test write with the new ones. */
  async rotate(id: string, credentials: Credentials, { signal }: CallOptions = {}): Promise<Destination> {
    return this.#http.json({
      method: "PATCH",
      path: root + path`/${id}`,
      body: { credentials },
      signal,
      timeoutMs: testWriteDeadlineMs,
      accept: hasText("id"),
    });
  }
}

/** What is wrong with a destination, as far as it decides what to do next. */
export type DestinationCause =
  | "accessDenied"
  | "sessionExpired"
  | "bucketNotValid"
  | "keyIdUnknown"
  | "invalidEndpoint"
  | "invalidBucketName"
  | "permissionMissing"
  | "workspaceMissing";

/** A refusal that was understood. */
export interface BulkExportFailure {
  readonly cause: DestinationCause;
  /** One sentence: what happened. */
  readonly message: string;
  /** One sentence: what to do about it. */
  readonly remedy: string;
  /** What the service said, in its own words. */
  readonly said: string;
}

/** What a refused create or change of credentials means; undefined when it is no refusal of the destination. */
export function bulkExportFailure(error: unknown): BulkExportFailure | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const said = error.detail ?? "";
  const cause = causeOf(error, said);
  return cause === undefined ? undefined : { cause, ...words[cause], said };
}

function causeOf(error: ApiError, said: string): DestinationCause | undefined {
  if (error.kind === "missingPermission") return "permissionMissing";
  if (error.status === 403 && /x-tenant-id/i.test(said)) return "workspaceMissing";
  // A 422 names fields and says for itself what is wrong; no other status is about a bucket.
  if (error.status !== 400 && error.status !== 409) return undefined;
  return causes.find(([, pattern]) => pattern.test(said))?.[0];
}

/** The first that matches counts: an expired session is reported as denied access, with the store's own code. */
const causes: readonly (readonly [DestinationCause, RegExp])[] = [
  ["sessionExpired", /expired ?token|token (has|is) expired|invalid ?token/i],
  ["invalidBucketName", /invalid ?bucket ?name/i],
  ["keyIdUnknown", /key id you provided does not exist|invalid ?access ?key ?id/i],
  ["invalidEndpoint", /invalid endpoint|could not connect to the endpoint/i],
  ["accessDenied", /access ?denied|signature ?does ?not ?match|forbidden/i],
  [
    "bucketNotValid",
    /bucket is not valid|no ?such ?bucket|permanent ?redirect|authorization ?header ?malformed/i,
  ],
];

const words: Readonly<Record<DestinationCause, { readonly message: string; readonly remedy: string }>> = {
  accessDenied: {
    message: "Access denied: the credentials may not write to this bucket.",
    remedy:
      "Allow them to write objects below the prefix (deleting, reading and aborting multipart uploads is optional), or use others.",
  },
  sessionExpired: {
    message: "The temporary credentials have expired.",
    remedy: "Get new ones, with their session token, and try again.",
  },
  bucketNotValid: {
    message: "The bucket does not exist in this region, or can't be written to.",
    remedy: "Check the bucket's name and region.",
  },
  keyIdUnknown: {
    message: "The store does not know this access key ID.",
    remedy: "Check that the key is active and belongs to this store, or use another.",
  },
  invalidEndpoint: {
    message: "The endpoint is not the address of an S3-compatible store.",
    remedy: "Correct the address; for AWS leave it out and give the region.",
  },
  invalidBucketName: {
    message: "The store does not find the bucket's name where it looks for it.",
    remedy: "Use the addressing style virtual, which puts the bucket into the host's name.",
  },
  permissionMissing: {
    message: "The API key may not change destinations.",
    remedy: "Use a key with the permission bulk-exports:manage (or workspaces:manage).",
  },
  workspaceMissing: {
    message: "Bulk exports need the workspace's ID.",
    remedy: "Enter it as the connection's workspace.",
  },
};

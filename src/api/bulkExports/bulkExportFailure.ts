/** Why a destination was refused, and what helps (docs/interface.md, "Destination error causes"). */

import { ApiError } from "../errors.ts";

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
  // A 422 names fields and says for itself what is wrong; no other status tells of a bucket.
  if (error.status !== 400 && error.status !== 409) return undefined;
  return causes.find(([, pattern]) => pattern.test(said))?.[0];
}

/** The first that matches counts: an expired session is told as denied access, with the store's own code. */
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
    message: "The store does not know this access key id.",
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
    message: "Bulk exports need the workspace's id.",
    remedy: "Enter it as the connection's workspace.",
  },
};

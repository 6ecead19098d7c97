import type { InterfaceRows } from "./row.ts";

/** The rows of bulk-export destinations. */
export const bulkExportRows: InterfaceRows = {
  base: "",
  endpoints: [
    "POST /api/v1/bulk-exports/destinations",
    "PATCH /api/v1/bulk-exports/destinations/{destination_id}",
  ],
  rules: {
    "authentication: X-API-Key and X-Tenant-Id": ["destinations: need the key and the workspace"],
    "permission: bulk-exports:manage or workspaces:manage for PATCH": [
      "destinationCredentials: needs one of two permissions, which is named when it is missing",
    ],
    "fields of a create request": ["destinations: are refused with ${what}, and nothing is written"],
    "credentials may be omitted": [
      "destinations: take their credentials from the environment when none are given",
    ],
    include_bucket_in_prefix: [
      "peers/destinations: leaves the bucket out when the endpoint names it already",
    ],
    addressing_style: [
      "peers/destinations: puts the bucket into the path when asked to, and by default at an endpoint of its own",
      "peers/destinations: puts the bucket into the host when asked to",
    ],
    "a test file is written and deleted, or stays under tmp": [
      "peers/destinations: writes a test file below the prefix, sees it and deletes it",
      "peers/destinations: leaves the test file below tmp where deleting is not permitted",
      "peers/destinations: is content where reading is not permitted",
    ],
    "PATCH 1: a test write validates before storing": [
      "destinationCredentials: writes with the new credentials before it keeps them",
      "peers/bulkExports: are refused when a test write with them fails, and the old ones stay",
    ],
    "PATCH 2: only credentials change": [
      "destinationCredentials: answers with what has changed, and only the credentials have",
    ],
    "PATCH 3: running exports keep the old credentials": [
      "peers/bulkExports: are used by new runs, while a run that has started keeps the old ones to its end",
    ],
    "PATCH 4: credential values are never returned": [
      "destinationCredentials: needs credentials, and repeats none",
      "destinations: leave no secret in the data directory, and can still write after a restart",
    ],
    "error: PATCH with credentials that cannot write is 400": [
      "peers/bulkExports: are refused when a test write with them fails, and the old ones stay",
    ],
    "error: Access denied": ["peers/destinations: recognizes denied access"],
    "error: Bucket is not valid": ["peers/destinations: recognizes a bucket that does not exist"],
    "error: Key ID you provided does not exist": ["peers/destinations: recognizes an unknown access key"],
    "error: Invalid endpoint": [
      "peers/destinations: recognizes an endpoint where nothing listens, and one that is no address",
      "peers/destinations: recognizes an endpoint that is a web page, answering ${status}",
    ],
    "error: InvalidBucketName": [
      "peers/destinations: recognizes a bucket name that the addressing style hides",
    ],
    "limit: the changeover lasts at most one run": [
      'exporter: times out after ${Object.keys(limits).join("")}',
    ],
    "data: Parquet with fields of the run data format": [
      "peers/bulkExports: writes every run with its steps, model and tool calls, in the documented layout",
    ],
  },
};

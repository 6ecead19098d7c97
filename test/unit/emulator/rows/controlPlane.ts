import type { InterfaceRows } from "./row.ts";

/** The control plane's rows. */
export const controlPlaneRows: InterfaceRows = {
  base: "/api-host",
  endpoints: [
    "GET /v2/auth/tokens/exists",
    "POST /v2/deployments",
    "GET /v2/deployments/{deployment_id}",
    "GET /v2/deployments/{deployment_id}/revisions/{latest_revision_id}",
    "PATCH /v2/deployments/{deployment_id}",
  ],
  rules: {
    "authentication: API key scheme": [
      "controlPlane: takes an API key, with the workspace beside it or without",
    ],
    "authentication: tenant-id scheme": [
      "controlPlane: takes an API key, with the workspace beside it or without",
      "apiKeys: of an organisation need a workspace beside them",
    ],
    "authentication: bearer scheme": [
      "controlPlane: takes a bearer token together with a workspace or an organization",
    ],
    "resource: token status response": [
      "controlPlane: says that no token is held for a provider that nobody connected",
    ],
    "resource: validation error body": [
      "controlPlane: answers 422 with loc, msg, type and input when provider_id is missing",
      "badInput: name the place and the input of a wrong field",
    ],
    "error: 422 for an invalid request": ["controlPlane: answers ${status} with a detail to ${name}"],
    "state: a revision moves until DEPLOYED": [
      "revisions: walk through the documented statuses in their order",
      "revisions: fail at the stage that their ref or a request names: ${stage}",
      "revisions: go on where they were after a restart",
    ],
    "flow: create, read, poll, update": [
      "deployments: come into being with an id and a latest revision, which is polled until it is DEPLOYED",
      "deployments: get a new revision from a PATCH with ${name}",
    ],
    "versioning: paths carry a version": ["openApi: names every route that is served, and no other"],
  },
};

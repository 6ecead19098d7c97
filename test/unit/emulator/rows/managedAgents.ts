import type { InterfaceRows } from "./row.ts";

/** The managed agents' rows, but those of tool servers and their authorization. */
export const managedAgentRows: InterfaceRows = {
  base: "/v1/managed",
  endpoints: [
    "POST /agents",
    "GET /agents",
    "GET /agents/{agent_id}",
    "PATCH /agents/{agent_id}",
    "DELETE /agents/{agent_id}",
    "POST /agents/{agent_id}/clone",
    "GET /agents/{agent_id}/health",
    "GET /threads",
    "POST /threads",
    "POST /threads/search",
    "GET /threads/count",
    "GET /threads/{thread_id}",
    "PATCH /threads/{thread_id}",
    "DELETE /threads/{thread_id}",
    "POST /threads/bulk-modify",
    "POST /threads/runs",
    "POST /threads/{thread_id}/runs",
    "POST /threads/{thread_id}/runs/stream",
    "POST /threads/{thread_id}/resolve-interrupt",
  ],
  rules: {
    "authentication: X-Api-Key on every request": ["managedBadInput: are flat without a valid key"],
    "error: 401 with a flat body without a key": ["managedBadInput: are flat without a valid key"],
    "error: 403 with a flat body for a wrong key or workspace": [
      "managedBadInput: are flat without a valid key",
    ],
    "error: 403 as plain text names the missing permission": [
      "managedAccess: need the permission for what is done with them",
      "apiKeys: without a permission get its name as plain text",
    ],
    "error: other 4xx have a structured body": [
      "managedBadInput: are a structured ${status} for ${name}",
      "apiKeys: have a type, a code, a detail and the status under the managed agents",
    ],
    "a managed agent is not a deployment": [
      "managedAccess: are no deployments and no assistants, and deployments are no agents",
      "managedThreads: are apart from the threads of deployments, in both directions",
    ],
    "backend: type, and sandbox_config only with sandbox": [
      "managedAgents: can give up their sandbox",
      "managedBadInput: are a structured ${status} for ${name}",
    ],
    "page: items and next_cursor, which is null at the end": [
      "managedListing: is empty, not missing, when there are none",
      "managedListing: holds summaries, 20 to a page, newest change first",
    ],
    "page: cursors are opaque and stable": [
      "managedListing: shows each agent once while others are made, changed and deleted: ${sort_by} ${sort_order}",
      "managedListing: takes a cursor only for the listing that it came from",
    ],
    "query: name filters by a part": [
      "managedListing: can be narrowed to a part of the name, in any letter case, taken literally",
    ],
    "query: sort_by and sort_order": [
      'managedListing: can be sorted: ${query === "" ? "by default" : query}',
    ],
    "limit: page_size is 20, at most 100": [
      "managedListing: holds summaries, 20 to a page, newest change first",
      "managedListing: refuses ${query} with its own error body",
    ],
    "versioning: routes are under /v1": ["openApi: names every route that is served, and no other"],
  },
};

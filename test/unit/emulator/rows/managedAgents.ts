import type { InterfaceRows } from "./row.ts";

/** The managed agents' rows, but those of tool servers and their authorization. */
export const managedAgentRows: InterfaceRows = {
  base: "/v1/managed",
  endpoints: {
    "POST /agents": ["managedAgents: are made from a name alone, with the documented defaults"],
    "GET /agents": ["managedListing: holds summaries, 20 to a page, newest change first"],
    "GET /agents/{agent_id}": ["managedAgents: give back every field, and their files when asked"],
    "PATCH /agents/{agent_id}": [
      "managedAgents: keep what is left out, and their revision unless files change",
    ],
    "DELETE /agents/{agent_id}": ["managedAgents: are gone once deleted, as often as one likes"],
    "POST /agents/{agent_id}/clone": [
      "managedAgents: are copied with their behaviour, but not with what their owner kept with them",
    ],
    "GET /agents/{agent_id}/health": [
      "managedHealth: is good when the tool server gives its tools, and each server is asked once",
      "managedHealth: names each tool server that fails, and why, also those of subagents",
    ],
    "GET /threads": ["managedThreads: are listed for one agent, newest activity first, without their state"],
    "POST /threads": ["managedThreads: are made idle, with the metadata and the id that was asked for"],
    "POST /threads/search": [
      "managedThreads: are searched as on an agent server, by agent, metadata, status, ids and values",
    ],
    "GET /threads/count": [
      "managedThreads: are counted while somebody should look: unread, waiting or failed, but not test runs",
    ],
    "GET /threads/{thread_id}": [
      "managedThreads: are made idle, with the metadata and the id that was asked for",
    ],
    "PATCH /threads/{thread_id}": [
      "managedThreads: can be renamed, and keep members that this platform does not know",
    ],
    "DELETE /threads/{thread_id}": [
      "managedThreads: are gone with their runs once deleted, as often as one likes",
    ],
    "POST /threads/bulk-modify": [
      "managedThreads: are changed many at a time, each with its own result, in the order asked",
    ],
    "POST /threads/runs": ["managedRuns: can make their thread, all or nothing"],
    "POST /threads/{thread_id}/runs": [
      "managedRuns: can be started in the background, by the name of either interface",
    ],
    "POST /threads/{thread_id}/runs/stream": [
      "managedRuns: stream what was asked for, and keep it in the thread",
    ],
    "POST /threads/{thread_id}/resolve-interrupt": [
      "managedRuns: can be closed without being answered: the tool does not run, and the thread is idle",
    ],
  },
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

import type { InterfaceRows } from "./row.ts";

/** The rows of the streaming protocol. */
export const protocolRows: InterfaceRows = {
  base: "/deployments/{deployment_id}",
  endpoints: {
    "POST /api/threads/:threadId/commands": [],
    "POST /api/threads/:threadId/stream": [],
    "GET /api/threads/:threadId/state": [],
    "POST /api/threads/:threadId/state": [],
    "GET /api/threads": [],
    "DELETE /api/threads/:threadId": [],
    "POST /api/threads/:threadId/history": [],
  },
  rules: {
    "bootstrap: GET state, on 404 POST state": [],
    "stream: replays what is buffered, then goes live": [],
    "subagents: task runs emit namespaced events": [],
    "history is paged": [],
    "the thread list is read from the server": [],
  },
};

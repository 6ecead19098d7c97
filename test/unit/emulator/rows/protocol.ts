import type { InterfaceRows } from "./row.ts";

/** The rows of the streaming protocol. */
export const protocolRows: InterfaceRows = {
  base: "/deployments/{deployment_id}",
  endpoints: [
    "POST /api/threads/:threadId/commands",
    "POST /api/threads/:threadId/stream",
    "GET /api/threads/:threadId/state",
    "POST /api/threads/:threadId/state",
    "GET /api/threads",
    "DELETE /api/threads/:threadId",
    "POST /api/threads/:threadId/history",
  ],
  rules: {
    "bootstrap: GET state, on 404 POST state": [
      "chatBackend: has no state before the first POST, which makes an empty one with nothing to do next",
      "peers/protocol: uses the chat backend's paths: first state, run, state and history",
    ],
    "stream: replays what is buffered, then goes live": [
      "protocol: replays what happened, then goes on live over several runs, in one sequence",
      "chatBackend: replays a thread after a restart, and goes on with higher numbers",
      "peers/protocol: loses and doubles nothing when its stream is cut",
    ],
    "subagents: task runs emit namespaced events": [
      "protocol: puts what a task tool call runs into the namespace of that call, and tells why it began",
      "peers/protocol: finds the subagents, each with its task, its messages, its tools and its answer",
    ],
    "history is paged": ["chatBackend: pages through the history, naming where to go on in any way"],
    "the thread list is read from the server": [
      "chatBackend: lists its threads, newest first, by what was first said",
    ],
  },
};

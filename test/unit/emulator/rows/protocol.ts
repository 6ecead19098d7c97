import type { InterfaceRows } from "./row.ts";

/** The rows of the streaming protocol. */
export const protocolRows: InterfaceRows = {
  base: "/deployments/{deployment_id}",
  endpoints: {
    "POST /api/threads/:threadId/commands": [
      "protocol: answers run.start with the run's id and where the thread's events are",
      "protocol: asks for input, takes the answer, and refuses answers that fit nothing",
      "protocol: answers unknown commands, and what is no command, with the error envelope",
    ],
    "POST /api/threads/:threadId/stream": [
      "protocol: streams a run as lifecycle, checkpoints, values, tasks, message blocks and updates",
      "protocol: sends only the channels, namespaces and depths that were asked for",
    ],
    "GET /api/threads/:threadId/state": [
      "chatBackend: has no state before the first POST, which makes an empty one with nothing to do next",
    ],
    "POST /api/threads/:threadId/state": [
      "chatBackend: takes an empty body as an empty state, and messages as the first ones",
      "chatBackend: changes a state later, keeps it when nothing is said, and refuses what cannot be",
    ],
    "GET /api/threads": ["chatBackend: lists its threads, newest first, by what was first said"],
    "DELETE /api/threads/:threadId": [
      "chatBackend: deletes a thread with its run, its states and its events, and answers 204 for unknown ones",
    ],
    "POST /api/threads/:threadId/history": [
      "chatBackend: pages through the history, naming where to go on in any way",
    ],
  },
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

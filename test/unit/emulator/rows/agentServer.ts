import type { InterfaceRows } from "./row.ts";

/** The agent server's rows. */
export const agentServerRows: InterfaceRows = {
  base: "/deployments/{deployment_id}",
  endpoints: [
    "POST /threads",
    "POST /threads/{thread_id}/runs",
    "POST /threads/{thread_id}/runs/stream",
    "GET /threads/{thread_id}/runs/{run_id}/join",
    "GET /threads/{thread_id}/runs/{run_id}",
    "GET /threads/{thread_id}/state",
  ],
  rules: {
    "authentication: x-api-key": [
      "badInput: are 401 without a key and 403 with a wrong one, everywhere but at /ok",
    ],
    "state: interrupt stops the earlier run and keeps it": [
      "multitask: with interrupt stops the first, which is kept with what it had said",
      "peers/sdk: interrupts an earlier run, which is kept with what it had said",
    ],
    "event: other events are named by stream mode": ["streams: show every stream mode in its own shape"],
    "event: feedback, with one URL per key": [
      "feedback: is invited by the last event of a stream: one address per key",
      "peers/sdk: gets feedback addresses at the end of a stream",
    ],
    "a run that was in progress comes back as an error": [
      "process: brings a run that was in progress when it was killed back as an error, with its stream",
    ],
    "a deployment may front a running agent server": [
      "fronting: runs the server's own agents, threads and streams under its own address",
      "peers/fronting: streams a run's events as they happen and ends in the same state",
    ],
  },
};

/** What a run session needs of the world, played by the real one. */

import type { AgentServer } from "../../../api/agentServer/index.ts";
import type { RunServer, SentFeedback } from "../../../run/session/server.ts";
import type { Feedback } from "../../../run/panel/transcript.ts";
import { KeptList } from "../../kit/keptList.ts";
import type { Memory } from "../../kit/keptList.ts";

/** Asks for the client anew with each call: address, key and proxy may have changed since the last one. */
export function runServer(client: () => Promise<AgentServer>): RunServer {
  return {
    threads: {
      create: async (body, options) => (await client()).threads.create(body, options),
      state: async (threadId, options) => (await client()).threads.state(threadId, options),
    },
    runs: {
      stream: async (threadId, body, options) => (await client()).runs.stream(threadId, body, options),
      rejoin: async (threadId, runId, options) => (await client()).runs.rejoin(threadId, runId, options),
      get: async (threadId, runId, options) => (await client()).runs.get(threadId, runId, options),
      list: async (threadId, options) => (await client()).runs.list(threadId, options),
      cancel: async (threadId, runId, options) => (await client()).runs.cancel(threadId, runId, options),
    },
  };
}

const mostSent = 500;

/** Remembers what was sent, so that a transcript that is built anew does not ask for it again. */
export function sentFeedback(memory: Memory): SentFeedback {
  const keyOf = ([key]: readonly [string, Feedback]): string => key;
  const sent = new KeptList(memory, "feedback.sent", keyOf, mostSent);
  return {
    get: (runId, key) => sent.get(`${runId} ${key}`)?.[1],
    set: (runId, key, feedback) => void sent.keep([`${runId} ${key}`, feedback]),
  };
}

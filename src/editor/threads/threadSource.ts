/** Where lists ask for threads, and how they get the titles that servers do not list. */

import type { AgentServer } from "../../api/agentServer/index.ts";
import type { Thread } from "../../api/agentServer/wire.ts";
import type { ConnectedServer } from "../connections/serverRef.ts";
import type { AgentServers } from "./servers/agentServers.ts";
import { factsOf, type ThreadFacts } from "./threadFacts.ts";
import type { Threads } from "./threads.ts";

/** Where threads are asked for. */
export interface ThreadSource extends Pick<AgentServer["threads"], "search" | "count"> {
  /** What is shown of a thread; by what the server sent unless given. */
  readonly facts?: (thread: Thread) => ThreadFacts;
  /** Adds titles that have to be asked for; absent where the list has them. */
  readonly entitled?: (threads: readonly ThreadFacts[]) => Promise<readonly ThreadFacts[]>;
}

/** What a server's source is made of. */
export interface ThreadSourceServices {
  readonly agentServers: Pick<AgentServers, "threads">;
  readonly threads: Pick<Threads, "knownTitle" | "askTitles">;
}

/** The threads of one server; titles that were found out before are kept. */
export function threadSource(
  services: ThreadSourceServices,
  { connectionId, server }: ConnectedServer,
  signal: AbortSignal,
): Required<ThreadSource> {
  const ref: ConnectedServer = { connectionId, server };
  const threads = () => services.agentServers.threads(ref);
  const knownTitle = (threadId: string) => services.threads.knownTitle({ ...ref, threadId });
  return {
    search: async (query, options) => (await threads()).search(query, options),
    count: async (query, options) => (await threads()).count(query, options),
    facts: (thread) => factsOf(thread, knownTitle(thread.thread_id)),
    entitled: async (rows) => {
      const titles = await services.threads.askTitles(ref, rows, signal);
      return rows.map((row) => ({ ...row, title: titles.get(row.id) ?? row.title }));
    },
  };
}

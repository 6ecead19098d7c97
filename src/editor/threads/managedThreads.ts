/** What is done to threads of managed agents beyond what any thread allows. */

import type { BulkResult, ManagedThreadUpdate } from "../../api/managedAgents/wire.ts";
import type { ThreadRef } from "../connections/connection.ts";
import type { Platforms } from "../connections/platforms.ts";
import { explained } from "./servers/managedRunServer.ts";
import type { Threads } from "./threads.ts";

interface Needs {
  readonly platforms: Pick<Platforms, "managedAgents">;
  readonly threads: Pick<Threads, "notify">;
}

/** A managed agent, and what it is told. */
export interface Instruction {
  readonly agentId: string;
  readonly text: string;
}

/** Changes them on their platform; who shows them reads them again. */
export class ManagedThreads {
  readonly #platforms: Needs["platforms"];
  readonly #threads: Needs["threads"];

  constructor({ platforms, threads }: Needs) {
    this.#platforms = platforms;
    this.#threads = threads;
  }

  /** Ends a pause without an answer, which is neither an approval nor a rejection. */
  async dismiss(thread: ThreadRef): Promise<void> {
    const api = await this.#platforms.managedAgents(thread.connectionId);
    await api.threads.resolveInterrupt(thread.threadId);
    this.#threads.notify({ kind: "continued", threads: [thread] });
  }

  /** Changes all it can, one platform after the other; resolves with what became of each. */
  async modify(threads: readonly ThreadRef[], data: ManagedThreadUpdate): Promise<readonly BulkResult[]> {
    const results: BulkResult[] = [];
    try {
      for (const [connectionId, own] of Map.groupBy(threads, (thread) => thread.connectionId)) {
        const ids = own.map(({ threadId }) => threadId);
        const api = await this.#platforms.managedAgents(connectionId);
        for await (const result of api.threads.bulkModify(ids, data)) results.push(result);
      }
    } finally {
      this.#threads.notify({ kind: "changed", threads });
    }
    return results;
  }

  /** Starts a run on a thread, which nobody follows here. */
  async run(thread: ThreadRef, { agentId, text }: Instruction): Promise<void> {
    const api = await this.#platforms.managedAgents(thread.connectionId);
    const body = { agent_id: agentId, input: inputOf(text) };
    await explained(api, agentId, () => api.runs.create(thread.threadId, body));
    this.#threads.notify({ kind: "continued", threads: [thread] });
  }

  /** A thread and its first run at once; undefined where the platform does not say which thread. */
  async runNew(
    connectionId: string,
    { agentId, text }: Instruction,
    isTest: boolean,
  ): Promise<ThreadRef | undefined> {
    const api = await this.#platforms.managedAgents(connectionId);
    const options = isTest ? { options: { test_run: true } } : {};
    const body = { agent_id: agentId, thread: options, input: inputOf(text) };
    const { thread_id: threadId } = await api.runs.createWithThread(body);
    if (threadId === undefined) return undefined;
    const thread: ThreadRef = { connectionId, server: { kind: "managedAgent", agentId }, threadId };
    this.#threads.notify({ kind: "continued", threads: [thread] });
    return thread;
  }
}

function inputOf(text: string) {
  return { messages: [{ role: "user", content: text }] };
}

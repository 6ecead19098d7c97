/** A managed agent as the place where its threads live. */

import type { CallOptions, RunServer } from "../../run/server.ts";
import { managedRunServer, threadWithState } from "./managedRunServer.ts";
import type { ManagedRunServerParts } from "./managedRunServer.ts";
import type { HostFacts, Lacks, ThreadHost } from "./threadHost.ts";

export class ManagedThreadHost implements ThreadHost {
  readonly #parts: ManagedRunServerParts;
  readonly lacks: Lacks = new Map();

  constructor(parts: ManagedRunServerParts) {
    this.#parts = parts;
  }

  get runs(): RunServer {
    return managedRunServer(this.#parts);
  }

  /** A thread outlives its agent: then nobody can be chosen to run it. */
  async facts(threadId: string | undefined, options: CallOptions): Promise<HostFacts> {
    const { client, agentId } = this.#parts;
    const { agents, threads } = await client();
    const [agent, thread] = await Promise.allSettled([
      agents.get(agentId, options),
      threadId === undefined ? undefined : threads.get(threadId, options),
    ]);
    const title = thread.status === "fulfilled" ? (thread.value?.title ?? undefined) : undefined;
    if (agent.status === "rejected") return { name: "Managed agent", assistants: [], title };
    const { name, description } = agent.value;
    const about = typeof description === "string" && description !== "" ? { description } : {};
    return { name, assistants: [{ id: agentId, name, ...about }], title };
  }

  async state(threadId: string): Promise<unknown> {
    return threadWithState(await this.#parts.client(), threadId);
  }

  async rename(threadId: string, title: string): Promise<void> {
    await (await this.#parts.client()).threads.update(threadId, { title });
  }

  async delete(threadId: string): Promise<void> {
    await (await this.#parts.client()).threads.delete(threadId);
  }
}

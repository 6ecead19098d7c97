/** A managed agent as the host of its threads. */

import type { ThreadState } from "../../../api/agentServer/wire.ts";
import { unlessGone } from "../../../api/errors.ts";
import type { CallOptions } from "../../../api/http.ts";
import type { RunServer } from "../../../run/session/server.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { managedRunServer, type ManagedRunServerParts, noStop, threadWithState } from "./managedRunServer.ts";
import type { HostFacts, ThreadHost, ThreadVersion, Unsupported } from "./threadHost.ts";

const noHistory = new NotPossibleError(
  "The platform keeps no earlier states of a managed agent's thread.",
  "Its newest state is there.",
);

const noRepair = new NotPossibleError(
  "Managed agents have no way to change the course of a thread.",
  "Send another message to go on.",
);

/** What no managed agent can do. */
export const managedUnsupported: Unsupported = new Map([
  ["stop", noStop],
  ["history", noHistory],
  ["repair", noRepair],
]);

/** One managed agent's threads. */
export class ManagedThreadHost implements ThreadHost {
  readonly #parts: ManagedRunServerParts;
  readonly unsupported = managedUnsupported;

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
    if (agent.status === "rejected") {
      unlessGone(agent.reason);
      return { name: "Managed agent", assistants: [], title };
    }
    const { name, description } = agent.value;
    const about = typeof description === "string" && description !== "" ? { description } : {};
    return { name, assistants: [{ id: agentId, name, ...about }], title };
  }

  async version(threadId: string, options: CallOptions): Promise<ThreadVersion> {
    const thread = await (await this.#parts.client()).threads.get(threadId, options);
    const { status = "", updated_at, state_updated_at } = thread;
    return { status, updatedAt: [updated_at, state_updated_at].join(" ").trim() };
  }

  async state(threadId: string): Promise<unknown> {
    return threadWithState(await this.#parts.client(), threadId);
  }

  history(): AsyncIterable<ThreadState> {
    throw noHistory;
  }

  async rename(threadId: string, title: string): Promise<void> {
    await (await this.#parts.client()).threads.update(threadId, { title });
  }

  async delete(threadId: string): Promise<void> {
    await (await this.#parts.client()).threads.delete(threadId);
  }
}

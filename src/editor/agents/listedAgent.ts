/** What is known of one managed agent, for as long as it is listed. */

import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import type { Agent, AgentHealth, AgentSummary, ManagedThread } from "../../api/managedAgents/wire.ts";
import { Pages } from "../kit/fetching/pages.ts";
import { managedTitle } from "../threads/servers/threadTitle.ts";
import { type ManagedThreadFilter, threadPages } from "../threads/managedThreadFilter.ts";
import type { Health } from "./agentHealth.ts";
import type { AgentRef } from "./files/agentUri.ts";

/** A managed agent as commands get it. */
export interface NamedAgentRef extends AgentRef {
  readonly name: string;
}

/** What a listed agent needs of the list that it is in. */
export interface AgentContext {
  readonly connectionId: string;
  readonly client: () => Promise<ManagedAgents>;
  /** How threads are listed. */
  readonly filter: () => ManagedThreadFilter;
  /** A failure in one sentence. */
  readonly words: (error: unknown) => string;
  /** The agent's health is another one than before. */
  readonly changed: () => void;
  /** What a listed thread is called. */
  readonly titled: (threadId: string, title: string) => void;
}

/** Holds an agent, its health and its threads over redraws. */
export class ListedAgent {
  readonly #context: AgentContext;
  summary: AgentSummary;
  /** How many of its threads wait for a person; undefined before they were listed. */
  waiting: number | undefined;
  #health: Health = { kind: "unknown" };
  #threads: Pages<ManagedThread> | undefined;

  constructor(context: AgentContext, summary: AgentSummary) {
    this.#context = context;
    this.summary = summary;
  }

  get ref(): NamedAgentRef {
    const { id, name } = this.summary;
    return { connectionId: this.#context.connectionId, agentId: id, name };
  }

  get health(): Health {
    return this.#health;
  }

  /** The threads that were listed. */
  get threads(): readonly ManagedThread[] {
    return this.#threads?.items ?? [];
  }

  get hasMoreThreads(): boolean {
    return this.#threads?.hasMore ?? false;
  }

  /** Reads the whole agent. */
  async open(signal: AbortSignal): Promise<Agent> {
    const { agents } = await this.#context.client();
    const agent = await agents.get(this.summary.id, { signal });
    this.summary = agent;
    return agent;
  }

  /** Asks the platform whether the agent could work; a failure of the question is kept as its health, and thrown. */
  async checkHealth(signal?: AbortSignal): Promise<AgentHealth> {
    this.#setHealth({ kind: "checking" });
    try {
      const { agents } = await this.#context.client();
      const report = await agents.health(this.summary.id, { signal });
      this.#setHealth({ kind: "checked", report });
      return report;
    } catch (error) {
      this.#setHealth({ kind: "failed", message: this.#context.words(error) });
      throw error;
    }
  }

  /** Lists the threads anew, as many pages as before or one more when that was wanted. */
  async loadThreads(signal: AbortSignal): Promise<readonly ManagedThread[]> {
    const { client, filter } = this.#context;
    this.#threads ??= new Pages(threadPages(client, this.summary.id, filter()));
    const { threads } = await client();
    const [listed, count] = await Promise.all([
      this.#threads.load(signal),
      threads.attentionCount(this.summary.id, { signal }),
    ]);
    for (const thread of listed) this.#context.titled(thread.id, managedTitle(thread));
    this.waiting = count;
    return listed;
  }

  wantMoreThreads(): void {
    this.#threads?.wantMore();
  }

  /** The threads are to be listed by another filter. */
  forgetThreads(): void {
    this.#threads = undefined;
  }

  #setHealth(health: Health): void {
    this.#health = health;
    this.#context.changed();
  }
}

/** What the Agents view knows of one managed agent, for as long as it is listed. */

import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import type { Agent, AgentSummary, ManagedThread } from "../../api/managedAgents/wire.ts";
import type { Health } from "./agentHealth.ts";
import type { ManagedThreadFilter } from "../threads/managedThreadFilter.ts";
import { threadPages } from "../threads/managedThreadFilter.ts";
import { Pages } from "../kit/tree/pages.ts";

/** A managed agent as commands are told of it. */
export interface AgentRef {
  readonly connectionId: string;
  readonly agentId: string;
  readonly name: string;
}

/** Holds an agent, its health and its threads over redraws. */
export class AgentRow {
  readonly #client: () => Promise<ManagedAgents>;
  readonly #connectionId: string;
  summary: AgentSummary;
  /** Everything about the agent; undefined before its row was opened. */
  detail: Agent | undefined;
  health: Health = { kind: "unknown" };
  /** How many of its threads wait for somebody; undefined before they were listed. */
  attention: number | undefined;
  #threads: Pages<ManagedThread> | undefined;

  constructor(connectionId: string, client: () => Promise<ManagedAgents>, summary: AgentSummary) {
    this.#connectionId = connectionId;
    this.#client = client;
    this.summary = summary;
  }

  get ref(): AgentRef {
    const { id, name } = this.summary;
    return { connectionId: this.#connectionId, agentId: id, name };
  }

  /** The threads that were listed. */
  get threads(): readonly ManagedThread[] {
    return this.#threads?.items ?? [];
  }

  get moreThreads(): boolean {
    return this.#threads?.goesOn ?? false;
  }

  /** Reads the whole agent. */
  async open(signal: AbortSignal): Promise<Agent> {
    const { agents } = await this.#client();
    this.detail = await agents.get(this.summary.id, { signal });
    this.summary = this.detail;
    return this.detail;
  }

  /** Asks the platform whether the agent could work; a failure of the question is part of the answer. */
  async checkHealth(words: (error: unknown) => string, signal: AbortSignal): Promise<Health> {
    this.health = { kind: "checking" };
    try {
      const { agents } = await this.#client();
      this.health = { kind: "checked", report: await agents.health(this.summary.id, { signal }) };
    } catch (error) {
      this.health = { kind: "failed", message: words(error) };
    }
    return this.health;
  }

  /** Lists the threads anew, as many pages as before or one more when that was wanted. */
  async loadThreads(filter: ManagedThreadFilter, signal: AbortSignal): Promise<readonly ManagedThread[]> {
    this.#threads ??= new Pages(threadPages(this.#client, this.summary.id, filter));
    const { threads } = await this.#client();
    const [listed, count] = await Promise.all([
      this.#threads.load(signal),
      threads.attentionCount(this.summary.id, { signal }),
    ]);
    this.attention = count;
    return listed;
  }

  wantMoreThreads(): void {
    this.#threads?.wantMore();
  }

  /** The threads are to be listed by another filter. */
  forgetThreads(): void {
    this.#threads = undefined;
  }
}

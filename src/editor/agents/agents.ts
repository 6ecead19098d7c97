/** Managed agents: which are listed on each platform, what is known of each, and how many of their threads wait. */

import * as vscode from "vscode";
import { unlessGone } from "../../api/errors.ts";
import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import type {
  Agent,
  AgentCreate,
  AgentHealth,
  AgentSummary,
  AgentUpdate,
} from "../../api/managedAgents/wire.ts";
import type { ThreadRef } from "../connections/connection.ts";
import type { Platforms } from "../connections/platforms.ts";
import { Pages } from "../kit/fetching/pages.ts";
import type { WaitingThreads } from "../threads/waitingThreads.ts";
import { type ManagedThreadFilter, threadFilterFrom } from "../threads/managedThreadFilter.ts";
import type { Threads } from "../threads/threads.ts";
import { type AgentListing, listingFrom } from "./agentListing.ts";
import { AgentStore } from "./files/agentStore.ts";
import { agentKey, type AgentRef } from "./files/agentUri.ts";
import { ListedAgent } from "./listedAgent.ts";
import { adviceFor } from "../kit/remedies.ts";

/** What changed, and so what whoever shows it asks for again. */
export type AgentsChange =
  /** Other agents or another order are wanted on every platform: nothing that was listed counts any more. */
  | { readonly kind: "listing" }
  /** Other threads are wanted of every agent. */
  | { readonly kind: "threadFilter" }
  /** A platform's list is to be read again. */
  | { readonly kind: "agents"; readonly connectionId: string }
  /** The list is to be read again, and this agent with it. */
  | { readonly kind: "agent"; readonly agent: AgentRef }
  /** The agent's threads are to be read again. */
  | { readonly kind: "threads"; readonly agent: AgentRef }
  /** Something became known (a health, a count): there is nothing to ask for. */
  | { readonly kind: "facts" };

interface Needs {
  readonly waitingThreads: Pick<WaitingThreads, "set">;
  readonly context: Pick<vscode.ExtensionContext, "workspaceState">;
  readonly platforms: Pick<Platforms, "list" | "managedAgents">;
  readonly threads: Pick<Threads, "onDidChange" | "setTitle">;
}

/** What is known of one platform's agents. */
interface PlatformAgents {
  pages: Pages<AgentSummary>;
  /** By id, as they are listed. */
  agents: ReadonlyMap<string, ListedAgent>;
  /** How many threads of all agents wait for a person. */
  waiting: number;
}

const listingKey = "agents.listing";
const filterKey = "agents.threadFilter";
const pageSize = 50;

/** Reads, makes and changes managed agents, and says what changed. */
export class Agents implements vscode.Disposable {
  /** Agents with their files. */
  readonly store: AgentStore;
  readonly #services: Needs;
  readonly #byPlatform = new Map<string, PlatformAgents>();
  readonly #changed = new vscode.EventEmitter<AgentsChange>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;
  #listing: AgentListing;
  #threadFilter: ManagedThreadFilter;

  constructor(services: Needs) {
    this.#services = services;
    const { workspaceState } = services.context;
    this.#listing = listingFrom(workspaceState.get(listingKey));
    this.#threadFilter = threadFilterFrom(workspaceState.get(filterKey));
    this.store = new AgentStore(services.platforms);
    this.#subscriptions = vscode.Disposable.from(
      this.store,
      this.#changed,
      services.threads.onDidChange(({ threads }) => this.#threadsChanged(threads)),
      this.store.onDidChange(({ ref: { connectionId, agentId }, before, after }) => {
        // Other files are no part of what is listed.
        const isListed = ["agent.json", "tools.json"].some((path) => before.get(path) !== after.get(path));
        if (isListed) this.#changed.fire({ kind: "agent", agent: { connectionId, agentId } });
      }),
    );
  }

  /** Which agents are listed, and in which order. */
  get listing(): AgentListing {
    return this.#listing;
  }

  /** Which threads are listed of each agent. */
  get threadFilter(): ManagedThreadFilter {
    return this.#threadFilter;
  }

  /** What is known of an agent that is listed. */
  get({ connectionId, agentId }: AgentRef): ListedAgent | undefined {
    return this.#byPlatform.get(connectionId)?.agents.get(agentId);
  }

  /** The agents that a platform listed last, or that all did. */
  listed(connectionId?: string): readonly ListedAgent[] {
    const platforms = [...this.#byPlatform].filter(
      ([id]) => connectionId === undefined || id === connectionId,
    );
    return platforms.flatMap(([, { agents }]) => [...agents.values()]);
  }

  /** Whether the platform has more agents than are listed. */
  hasMore(connectionId: string): boolean {
    return this.#byPlatform.get(connectionId)?.pages.hasMore ?? false;
  }

  /** The models of the agents that are listed on a platform, each once. */
  models(connectionId: string): readonly string[] {
    const models = this.listed(connectionId).flatMap(({ summary }) => summary.runtime?.model?.model_id ?? []);
    return [...new Set(models)];
  }

  /** Lists the agents of a platform anew, as many pages as before; throws what the platform answers. */
  async load(connectionId: string, signal: AbortSignal): Promise<readonly ListedAgent[]> {
    const known = this.#platform(connectionId);
    const { pages } = known;
    const [summaries] = await Promise.all([
      pages.load(signal),
      // Whoever may not count threads still sees the agents; listing the threads tells why.
      this.countWaiting(connectionId, signal).catch(() => undefined),
    ]);
    const agents = summaries.map((summary) => {
      const agent = known.agents.get(summary.id) ?? this.#agent(connectionId, summary);
      agent.summary = summary;
      return agent;
    });
    // An answer to an earlier listing is out of date.
    if (known.pages === pages) known.agents = new Map(agents.map((agent) => [agent.summary.id, agent]));
    return agents;
  }

  /** Asks how many threads of a platform's agents wait for a person; true when that is another number than before. */
  async countWaiting(connectionId: string, signal: AbortSignal): Promise<boolean> {
    const { threads } = await this.#client(connectionId);
    const count = await threads.attentionCount(undefined, { signal });
    const known = this.#platform(connectionId);
    const changed = known.waiting !== count;
    known.waiting = count;
    const listed = this.listed(connectionId).flatMap((agent) =>
      agent.threads.map(({ id, status = "" }) => ({ id, status })),
    );
    const server = { kind: "managedAgent", agentId: "" } as const;
    this.#services.waitingThreads.set({ connectionId, server }, count, listed);
    if (changed) this.#changed.fire({ kind: "facts" });
    return changed;
  }

  /** Lists other agents, or in another order. */
  async setListing(listing: AgentListing): Promise<void> {
    this.#listing = listing;
    for (const [connectionId, known] of this.#byPlatform) known.pages = this.#pages(connectionId);
    await this.#services.context.workspaceState.update(listingKey, listing);
    this.#changed.fire({ kind: "listing" });
  }

  /** Lists other threads of each agent. */
  async setThreadFilter(filter: ManagedThreadFilter): Promise<void> {
    this.#threadFilter = filter;
    for (const agent of this.listed()) agent.forgetThreads();
    await this.#services.context.workspaceState.update(filterKey, filter);
    this.#changed.fire({ kind: "threadFilter" });
  }

  /** Lists one more page of a platform's agents. */
  loadMore(connectionId: string): void {
    this.#byPlatform.get(connectionId)?.pages.wantMore();
    this.#changed.fire({ kind: "agents", connectionId });
  }

  /** Lists one more page of an agent's threads. */
  loadMoreThreads(agent: AgentRef): void {
    this.get(agent)?.wantMoreThreads();
    this.#changed.fire({ kind: "threads", agent });
  }

  /** Makes an agent. */
  async create(connectionId: string, body: AgentCreate): Promise<Agent> {
    const { agents } = await this.#client(connectionId);
    const made = await agents.create(body);
    this.#changed.fire({ kind: "agents", connectionId });
    return made;
  }

  async update(agent: AgentRef, update: AgentUpdate): Promise<void> {
    const { agents } = await this.#client(agent.connectionId);
    await agents.update(agent.agentId, update);
    this.#changed.fire({ kind: "agent", agent });
  }

  /** Makes an agent like this one. */
  async clone({ connectionId, agentId }: AgentRef, name: string): Promise<Agent> {
    const { agents } = await this.#client(connectionId);
    const copy = await agents.clone(agentId, { name });
    this.#changed.fire({ kind: "agents", connectionId });
    return copy;
  }

  /** Deletes an agent; one that is gone already is what was wanted. */
  async delete({ connectionId, agentId }: AgentRef): Promise<void> {
    const { agents } = await this.#client(connectionId);
    await agents.delete(agentId).catch(unlessGone);
    this.#changed.fire({ kind: "agents", connectionId });
  }

  /** Asks the platform whether the agent could work. */
  async checkHealth(ref: AgentRef): Promise<AgentHealth> {
    const listed = this.get(ref);
    if (listed !== undefined) return listed.checkHealth();
    const { agents } = await this.#client(ref.connectionId);
    return agents.health(ref.agentId);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** The threads of the agents that have these are to be read again. */
  #threadsChanged(threads: readonly ThreadRef[]): void {
    const agents = threads.flatMap(({ connectionId, server }) =>
      server.kind === "managedAgent" ? [{ connectionId, agentId: server.agentId }] : [],
    );
    const each = new Map(agents.map((agent) => [agentKey(agent), agent]));
    for (const agent of each.values()) this.#changed.fire({ kind: "threads", agent });
  }

  #client(connectionId: string): Promise<ManagedAgents> {
    return this.#services.platforms.managedAgents(connectionId);
  }

  #platform(connectionId: string): PlatformAgents {
    const known = this.#byPlatform.get(connectionId);
    if (known !== undefined) return known;
    const fresh: PlatformAgents = { pages: this.#pages(connectionId), agents: new Map(), waiting: 0 };
    this.#byPlatform.set(connectionId, fresh);
    return fresh;
  }

  #pages(connectionId: string): Pages<AgentSummary> {
    const listing = this.#listing;
    return new Pages(async (cursor, signal) => {
      const { agents } = await this.#client(connectionId);
      return agents.page({ page_size: pageSize, cursor, ...listing }, { signal });
    });
  }

  #agent(connectionId: string, summary: AgentSummary): ListedAgent {
    const context = {
      connectionId,
      client: () => this.#client(connectionId),
      filter: () => this.#threadFilter,
      words: (error: unknown) => adviceFor(error).message,
      changed: () => this.#changed.fire({ kind: "facts" }),
      titled: (threadId: string, title: string) => {
        const server = { kind: "managedAgent", agentId: summary.id } as const;
        this.#services.threads.setTitle({ connectionId, server, threadId }, title);
      },
    };
    return new ListedAgent(context, summary);
  }
}

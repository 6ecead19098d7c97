/** The Agents view: managed agents by platform, with their threads, tools and backend below. */

import * as vscode from "vscode";
import { ApiError } from "../../../api/errors.ts";
import type { AgentSummary } from "../../../api/managedAgents/wire.ts";
import { shownFolder } from "../../agents/files/agentUri.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import { serverKey } from "../../connections/serverRef.ts";
import { CONTEXTS, VIEWS } from "../../kit/ids.ts";
import type { Services } from "../../services.ts";
import { describeListing, isArranged, listingFrom } from "../../agents/agentListing.ts";
import type { AgentListing } from "../../agents/agentListing.ts";
import { agentNode } from "./agentNodes.ts";
import { AgentRow } from "../../agents/agentRow.ts";
import type { AgentRef } from "../../agents/agentRow.ts";
import { BranchNode, reload } from "../../kit/tree/branchNode.ts";
import type { PollResult } from "../../kit/tree/pollSchedule.ts";
import { managedTitle } from "../threads/managedThreadNode.ts";
import { threadFilterFrom } from "../../threads/managedThreadFilter.ts";
import type { ManagedThreadFilter } from "../../threads/managedThreadFilter.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import { findNode } from "../../kit/tree/node.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import { Pages } from "../../kit/tree/pages.ts";
import { PlatformView } from "../platform/platformView.ts";
import type { PlatformNode } from "../platform/platformView.ts";

const listingKey = "agents.listing";
const filterKey = "agents.threadFilter";
const pageSize = 50;

/** The view, with what is known of each listed agent. */
export class AgentsView implements vscode.Disposable {
  readonly platform: PlatformView;
  readonly #services: Services;
  readonly #pages = new Map<string, Pages<AgentSummary>>();
  readonly #rows = new Map<string, AgentRow>();
  readonly #counts = new Map<string, number>();
  /** The rows that are unfolded, by id. */
  readonly #open = new Set<string>();
  readonly #subscriptions: vscode.Disposable;
  #listing: AgentListing;
  #filter: ManagedThreadFilter;

  constructor(services: Services) {
    const { context, sessions } = services;
    this.#services = services;
    this.#listing = listingFrom(context.workspaceState.get(listingKey));
    this.#filter = threadFilterFrom(context.workspaceState.get(filterKey));
    this.platform = new PlatformView(services, {
      viewId: VIEWS.agents,
      refresh: "agentOperations.agents.refresh",
      emptyContext: CONTEXTS.agentsEmpty,
      children: (connectionId, parent, host, signal) => this.#agents(connectionId, parent, host, signal),
      empty: (roots) => this.#emptyReason(roots),
      poll: (signal) => this.#poll(signal),
      updated: (platform) => this.#tell(platform),
    });
    this.#subscriptions = vscode.Disposable.from(
      this.platform,
      this.platform.view.onDidExpandElement(({ element }) => this.#open.add(element.id)),
      this.platform.view.onDidCollapseElement(({ element }) => this.#open.delete(element.id)),
      sessions.onDidChange((thread) => void this.refreshThread(thread)),
    );
  }

  get listing(): AgentListing {
    return this.#listing;
  }

  get threadFilter(): ManagedThreadFilter {
    return this.#filter;
  }

  /** What stands beside the view's name. */
  get description(): string {
    return this.platform.view.description ?? "";
  }

  /** The selected rows of threads. */
  get selectedThreads(): readonly ThreadRef[] {
    return this.platform.view.selection.flatMap((node) =>
      node instanceof BranchNode && "threadId" in node.ref ? [node.ref as ThreadRef] : [],
    );
  }

  /** What is known of an agent that is listed. */
  row({ connectionId, agentId }: Pick<AgentRef, "connectionId" | "agentId">): AgentRow | undefined {
    return this.#rows.get(`${connectionId} ${agentId}`);
  }

  /** The models of the agents that are listed on a platform, each once. */
  models(connectionId: string): readonly string[] {
    const agents = this.#pages.get(connectionId)?.items ?? [];
    return [...new Set(agents.flatMap(({ runtime }) => runtime?.model?.model_id ?? []))];
  }

  /** The title under which a thread is listed, if it is. */
  titleOf(thread: ThreadRef): string | undefined {
    const found = this.#rowOfThread(thread)?.threads.find(({ id }) => id === thread.threadId);
    return found && managedTitle(found);
  }

  async list(listing: AgentListing): Promise<void> {
    this.#listing = listing;
    await this.#services.context.workspaceState.update(listingKey, listing);
    this.#pages.clear();
    this.platform.reset();
  }

  async filterThreads(filter: ManagedThreadFilter): Promise<void> {
    this.#filter = filter;
    await this.#services.context.workspaceState.update(filterKey, filter);
    await Promise.all(
      [...this.#rows.values()].map(async (row) => {
        row.forgetThreads();
        await this.#threadsOf(row.ref)?.load();
      }),
    );
    this.platform.changed();
  }

  /** Fetches everything that is shown anew, because a person asked for it. */
  async refresh(): Promise<void> {
    if (this.platform.empty !== undefined) this.platform.reset();
    await Promise.all(this.platform.roots.map((root) => reload(root)));
  }

  /** Lists the agents of one platform anew: one was made, changed or deleted here. */
  async refreshAgents(connectionId: string): Promise<void> {
    await this.platform.roots.find((root) => root.connectionId === connectionId)?.load();
  }

  /** Reads one agent anew, if it is open. */
  async refreshAgent(ref: Pick<AgentRef, "connectionId" | "agentId">): Promise<void> {
    await this.refreshAgents(ref.connectionId);
    const node = findNode(this.platform.roots, agentNodeId(ref));
    if (node !== undefined) await reload(node);
  }

  async loadMoreAgents(connectionId: string): Promise<void> {
    this.#pages.get(connectionId)?.wantMore();
    await this.refreshAgents(connectionId);
  }

  async loadMoreThreads(ref: AgentRef): Promise<void> {
    this.row(ref)?.wantMoreThreads();
    await this.#threadsOf(ref)?.load();
  }

  /** Lists the threads of one thread's agent anew: something was done to it. */
  async refreshThread(thread: ThreadRef): Promise<void> {
    const row = this.#rowOfThread(thread);
    if (row === undefined || !this.platform.view.visible) return;
    await this.#threadsOf(row.ref)?.load();
    this.platform.hurry();
  }

  /** Takes deleted threads out. */
  forget(threads: readonly ThreadRef[]): void {
    const agents = new Map(threads.map((thread) => [serverKey(thread), thread]));
    for (const thread of agents.values()) void this.refreshThread(thread);
  }

  /** Unfolds and selects an agent's row. */
  async reveal(ref: Pick<AgentRef, "connectionId" | "agentId">): Promise<void> {
    const node = findNode(this.platform.roots, agentNodeId(ref));
    if (node !== undefined && this.platform.view.visible)
      await this.platform.view.reveal(node, { select: true, expand: true });
  }

  /** Draws what changed without a request. */
  changed(): void {
    this.platform.changed();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #agents(
    connectionId: string,
    parent: TreeNode,
    host: NodeHost,
    signal: AbortSignal,
  ): Promise<readonly TreeNode[]> {
    const [agents] = await Promise.all([
      this.#pagesOf(connectionId).load(signal),
      // Whoever may not count threads still sees the agents; listing the threads tells why.
      this.#count(connectionId, signal).catch(() => undefined),
    ]);
    this.#forgetOthers(connectionId, agents);
    const folder = (ref: AgentRef): vscode.Uri => shownFolder(this.#services.platforms, ref);
    const nodesHost = { ...host, filter: () => this.#filter, folder };
    const rows: TreeNode[] = agents.map((summary) =>
      agentNode(this.#rowOf(connectionId, summary), parent, nodesHost),
    );
    const label = `Load more (${String(agents.length)} shown)`;
    const more = { label, command: "agentOperations.agents.loadMore", argument: { connectionId } } as const;
    return this.#pagesOf(connectionId).goesOn ? [...rows, new MoreNode(parent, more)] : rows;
  }

  #pagesOf(connectionId: string): Pages<AgentSummary> {
    const known = this.#pages.get(connectionId);
    if (known !== undefined) return known;
    const listing = this.#listing;
    const pages = new Pages<AgentSummary>(async (cursor, signal) => {
      const { agents } = await this.#services.platforms.managedAgents(connectionId);
      return agents.page({ page_size: pageSize, cursor, ...listing }, { signal });
    });
    this.#pages.set(connectionId, pages);
    return pages;
  }

  #rowOf(connectionId: string, summary: AgentSummary): AgentRow {
    const key = `${connectionId} ${summary.id}`;
    const client = () => this.#services.platforms.managedAgents(connectionId);
    const row = this.#rows.get(key) ?? new AgentRow(connectionId, client, summary);
    row.summary = summary;
    this.#rows.set(key, row);
    return row;
  }

  /** The row of the managed agent that has the thread, if it is listed. */
  #rowOfThread({ connectionId, server }: ThreadRef): AgentRow | undefined {
    return server.kind === "managedAgent" ? this.row({ connectionId, agentId: server.agentId }) : undefined;
  }

  /** What is not listed any more was deleted, or does not answer the filter. */
  #forgetOthers(connectionId: string, agents: readonly AgentSummary[]): void {
    const listed = new Set(agents.map(({ id }) => `${connectionId} ${id}`));
    for (const [key, { ref }] of this.#rows)
      if (ref.connectionId === connectionId && !listed.has(key)) this.#rows.delete(key);
  }

  #threadsOf(ref: Pick<AgentRef, "connectionId" | "agentId">): BranchNode<AgentRef> | undefined {
    const node = findNode(this.platform.roots, `${agentNodeId(ref)}/threads`);
    return node instanceof BranchNode && node.known !== undefined
      ? (node as BranchNode<AgentRef>)
      : undefined;
  }

  /** How many threads of a platform's agents wait for somebody; true when that is another number than before. */
  async #count(connectionId: string, signal: AbortSignal): Promise<boolean> {
    const { threads } = await this.#services.platforms.managedAgents(connectionId);
    const count = await threads.attentionCount(undefined, { signal });
    const changed = this.#counts.get(connectionId) !== count;
    this.#counts.set(connectionId, count);
    const listed = [...this.#rows.values()]
      .filter(({ ref }) => ref.connectionId === connectionId)
      .flatMap((row) => row.threads.map(({ id, status = "" }) => ({ id, status })));
    const server = { kind: "managedAgent", agentId: "" } as const;
    this.#services.attention.learn({ connectionId, server }, count, listed);
    return changed;
  }

  /** Counts, and lists the unfolded threads anew; agents themselves change by a person's hand. */
  async #poll(signal: AbortSignal): Promise<PollResult> {
    const listed = this.platform.roots.filter((root) => root.known !== undefined);
    const counts = await Promise.allSettled(
      listed.map(({ connectionId }) => this.#count(connectionId, signal)),
    );
    const rows = [...this.#rows.values()].filter(({ ref }) => this.#open.has(`${agentNodeId(ref)}/threads`));
    const before = JSON.stringify(rows.map(({ threads }) => threads));
    await Promise.all(rows.map(async ({ ref }) => this.#threadsOf(ref)?.load(signal)));
    this.platform.changed();
    const waits = counts.flatMap((count) =>
      count.status === "rejected" && count.reason instanceof ApiError
        ? (count.reason.retryAfterMs ?? [])
        : [],
    );
    return {
      changed:
        counts.some((count) => count.status === "fulfilled" && count.value) ||
        before !== JSON.stringify(rows.map(({ threads }) => threads)),
      busy: rows.some(({ threads }) => threads.some(({ status }) => status === "busy")),
      ...(waits.length > 0 && { retryAfterMs: Math.max(...waits) }),
    };
  }

  #emptyReason([only, ...others]: readonly PlatformNode[]): string | undefined {
    if (only === undefined || others.length > 0 || only.failure !== undefined) return undefined;
    if (only.known?.length !== 0) return undefined;
    return (this.#listing.name ?? "") === "" ? "noAgents" : "filtered";
  }

  #tell({ view, roots }: PlatformView): void {
    view.description = describeListing(this.#listing);
    const ids = new Set(roots.map(({ connectionId }) => connectionId));
    const need = [...this.#counts].reduce((sum, [id, count]) => sum + (ids.has(id) ? count : 0), 0);
    const tooltip = need === 1 ? "1 thread needs you" : `${String(need)} threads need you`;
    view.badge = need === 0 ? undefined : { value: need, tooltip };
    const arranged = isArranged(this.#listing);
    void vscode.commands.executeCommand("setContext", CONTEXTS.agentsArranged, arranged);
  }
}

function agentNodeId({ connectionId, agentId }: Pick<AgentRef, "connectionId" | "agentId">): string {
  return `agent:${connectionId}/${agentId}`;
}

/** The Agents view: managed agents by platform, with their threads, tools, backend and files below. */

import * as vscode from "vscode";
import { describeListing, isArranged } from "../../agents/agentListing.ts";
import type { AgentsChange } from "../../agents/agents.ts";
import { type AgentRef, shownFolder } from "../../agents/files/agentUri.ts";
import type { ListedAgent, NamedAgentRef } from "../../agents/listedAgent.ts";
import { threadOf } from "../../connections/connection.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import { setContext } from "../../kit/contexts.ts";
import { CONTEXTS } from "../../kit/ids.ts";
import { BranchNode, reload } from "../../kit/tree/branchNode.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import { findNode, type NodeHost, type TreeNode } from "../../kit/tree/node.ts";
import { type PollResult, retryAfter, together } from "../../kit/fetching/pollSchedule.ts";
import type { Services } from "../../services.ts";
import { type EditorView, showRow } from "../platform/laterView.ts";
import { type PlatformNode, PlatformView } from "../platform/platformView.ts";
import { agentNode, agentNodeId, threadsNodeId } from "./agentNodes.ts";

/** The view of what `services.agents` knows. */
export class AgentsView implements vscode.Disposable {
  readonly platform: PlatformView;
  readonly #services: Services;
  readonly #subscriptions: vscode.Disposable;
  /** Ends when the last change is shown. */
  #shown: Promise<unknown> = Promise.resolve();

  constructor(services: Services, view: EditorView) {
    this.#services = services;
    this.platform = new PlatformView(services, {
      view,
      refresh: "agentOperations.agents.refresh",
      emptyContext: CONTEXTS.agentsEmpty,
      children: (connectionId, parent, host, signal) => this.#agents(connectionId, parent, host, signal),
      empty: (roots) => this.#emptyReason(roots),
      poll: (signal) => this.#poll(signal),
      liftsOnly: true,
      updated: (platform) => this.#describe(platform),
    });
    this.#subscriptions = vscode.Disposable.from(
      this.platform,
      services.agents.onDidChange((change) => (this.#shown = this.#show(change))),
    );
  }

  /** The selected rows of threads. */
  get selectedThreads(): readonly ThreadRef[] {
    return this.platform.view.selection.flatMap((node) => threadOf(node) ?? []);
  }

  /** Fetches everything that is shown anew, because a person asked for it. */
  async refresh(): Promise<void> {
    if (this.platform.empty !== undefined) this.platform.reset();
    await Promise.all(this.platform.roots.map((root) => reload(root)));
  }

  /** Unfolds and selects an agent's row, once the latest change is shown. */
  async reveal(agent: AgentRef): Promise<void> {
    await this.#shown;
    const node = findNode(this.platform.roots, agentNodeId(agent));
    if (node !== undefined && this.platform.view.visible)
      await showRow(this.platform.view, node, { select: true, expand: true });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #show(change: AgentsChange): Promise<void> {
    const { platform } = this;
    switch (change.kind) {
      case "listing":
        platform.reset();
        break;
      case "threadFilter":
        for (const { ref } of this.#services.agents.listed()) void this.#threadsOf(ref)?.load();
        platform.changed();
        break;
      case "agents":
        await this.#list(change.connectionId);
        break;
      case "agent": {
        await this.#list(change.agent.connectionId);
        const node = findNode(platform.roots, agentNodeId(change.agent));
        if (node !== undefined) await reload(node);
        break;
      }
      case "threads":
        if (!platform.view.visible) break;
        await this.#threadsOf(change.agent)?.load();
        platform.hurry();
        break;
      case "facts":
        platform.changed();
        break;
      default:
        change satisfies never;
    }
  }

  async #agents(
    connectionId: string,
    parent: TreeNode,
    host: NodeHost,
    signal: AbortSignal,
  ): Promise<readonly TreeNode[]> {
    const { agents, agentServers, platforms } = this.#services;
    const listed = await agents.load(connectionId, signal);
    const folder = (agent: NamedAgentRef): vscode.Uri => shownFolder(platforms, agent);
    const now = ({ agentId }: AgentRef): number =>
      agentServers.now({ connectionId, server: { kind: "managedAgent", agentId } });
    const needs = { ...host, agents, folder, now };
    const rows: TreeNode[] = listed.map((agent) => agentNode(agent, parent, needs));
    const label = `Load more agents (${String(listed.length)} shown)`;
    const more = { label, command: "agentOperations.agents.loadMore", argument: { connectionId } } as const;
    return agents.hasMore(connectionId) ? [...rows, new MoreNode(parent, more)] : rows;
  }

  /** Lists a platform's agents anew; out of sight they are listed when the view is seen again. */
  async #list(connectionId: string): Promise<void> {
    const { roots, view } = this.platform;
    if (view.visible) await roots.find(({ ref }) => ref.connectionId === connectionId)?.load();
    else this.platform.reset(connectionId);
  }

  /** The row of an agent's threads, if they were listed. */
  #threadsOf(agent: AgentRef): BranchNode<AgentRef> | undefined {
    const node = findNode(this.platform.roots, threadsNodeId(agent));
    return node instanceof BranchNode && node.known !== undefined
      ? (node as BranchNode<AgentRef>)
      : undefined;
  }

  /** Counts, and lists the unfolded threads anew; agents themselves change by a person's hand. */
  async #poll(signal: AbortSignal): Promise<PollResult> {
    const platforms = this.platform.roots.filter((root) => root.known !== undefined);
    const results = await Promise.all([
      ...platforms.map(({ ref }) => this.#pollCount(ref.connectionId, signal)),
      ...this.#services.agents.listed().map((agent) => this.#pollThreads(agent, signal)),
    ]);
    this.platform.changed();
    return together(results);
  }

  async #pollCount(connectionId: string, signal: AbortSignal): Promise<PollResult> {
    try {
      return { changed: await this.#services.agents.countWaiting(connectionId, signal), busy: false };
    } catch (error) {
      return { changed: false, busy: false, retryAfterMs: retryAfter(error) };
    }
  }

  async #pollThreads(agent: ListedAgent, signal: AbortSignal): Promise<PollResult> {
    const node = this.#threadsOf(agent.ref);
    if (node === undefined || !this.platform.isOpen(node)) return { changed: false, busy: false };
    const before = JSON.stringify(agent.threads);
    await node.load(signal);
    return {
      changed: before !== JSON.stringify(agent.threads),
      busy: agent.threads.some(({ status }) => status === "busy"),
    };
  }

  #emptyReason([only, ...others]: readonly PlatformNode[]): string | undefined {
    if (only === undefined || others.length > 0 || only.failure !== undefined) return undefined;
    if (only.known?.length !== 0) return undefined;
    return (this.#services.agents.listing.name ?? "") === "" ? "noAgents" : "filtered";
  }

  #describe(platform: PlatformView): void {
    const { listing } = this.#services.agents;
    platform.describe(describeListing(listing));
    setContext(CONTEXTS.agentsArranged, isArranged(listing));
  }
}

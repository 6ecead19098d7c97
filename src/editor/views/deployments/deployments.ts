/** The Deployments view: connections, their deployments and agent servers, and the threads on them. */

import * as vscode from "vscode";
import type { DeploymentRef, ThreadRef } from "../../connections/connection.ts";
import { counted } from "../../kit/words.ts";
import { nameOf } from "../../deployments/deploymentRow.ts";
import type { DeploymentFilter } from "../../deployments/deploymentRow.ts";
import { CONTEXTS, SECTION, SETTINGS, VIEWS } from "../../kit/ids.ts";
import type { Services } from "../../services.ts";
import { ConnectionNode } from "./connectionNode.ts";
import { deploymentFilterFrom, describeDeploymentFilter } from "../../deployments/deploymentListFilter.ts";
import { DeploymentNode } from "./deploymentNode.ts";
import { branchOf, DeploymentsTree } from "./deploymentsTree.ts";
import { PollSchedule } from "../../kit/tree/pollSchedule.ts";
import type { PollResult } from "../../kit/tree/pollSchedule.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import type { ServerBranch } from "../threads/serverBranch.ts";
import type { ListRef } from "../threads/serverRows.ts";
import { describeFilter, filterFrom, isFiltering } from "../../threads/threadFilter.ts";
import type { ThreadFilter } from "../../threads/threadFilter.ts";
import type { ThreadChange } from "../../threads/threads.ts";
import { ThreadNode } from "../threads/threadNode.ts";

const filterKey = "threads.filter";
const groupingKey = "threads.grouping";
const deploymentFilterKey = "deployments.filter";

/** The view, with its filters and its pace. */
export class DeploymentsView implements vscode.Disposable {
  readonly #services: Services;
  readonly #tree: DeploymentsTree;
  readonly #view: vscode.TreeView<TreeNode>;
  readonly #schedule: PollSchedule;
  readonly #subscriptions: vscode.Disposable;
  #filter: ThreadFilter;
  #grouping: boolean;
  #deploymentFilter: DeploymentFilter;

  constructor(services: Services) {
    const { context, connections, apiKeys, threads, waitingThreads, deployments, threadHosts } = services;
    this.#services = services;
    this.#filter = filterFrom(context.workspaceState.get(filterKey));
    this.#grouping = context.workspaceState.get(groupingKey, true);
    this.#deploymentFilter = deploymentFilterFrom(context.workspaceState.get(deploymentFilterKey));
    this.#tree = new DeploymentsTree(services, {
      listing: () => ({
        filter: this.#filter,
        grouped: this.#grouping,
        pageSize: setting(SETTINGS.threadsPageSize, 50),
      }),
      wanted: () => this.#deploymentFilter,
      isOpen: () => true,
    });
    this.#view = vscode.window.createTreeView(VIEWS.deployments, {
      treeDataProvider: this.#tree.nodes,
      canSelectMany: true,
      showCollapseAll: true,
    });
    this.#schedule = new PollSchedule(
      (signal) => this.#look(signal),
      () => 1000 * setting(SETTINGS.refreshSeconds, 5),
    );
    this.#subscriptions = vscode.Disposable.from(
      this.#tree,
      this.#view,
      this.#schedule,
      this.#tree.nodes.onDidUpdate(() => this.#tell()),
      this.#view.onDidChangeVisibility(() => this.#watch()),
      this.#view.onDidExpandElement(({ element }) => this.#opened(element, true)),
      this.#view.onDidCollapseElement(({ element }) => this.#opened(element, false)),
      vscode.window.onDidChangeWindowState(() => this.#watch()),
      connections.onDidChange(() => {
        this.#tree.connectionsChanged();
        this.#schedule.hurry();
      }),
      apiKeys.onDidChange((connectionId) => {
        this.#tree.reset(connectionId);
        this.#schedule.hurry();
      }),
      threads.onDidChange((change) => void this.#threadsChanged(change)),
      waitingThreads.onDidChange(() => this.#tell()),
      threadHosts.onDidChange(() => this.#tree.nodes.update()),
      deployments.onDidChange((deployment) => void this.#deploymentChanged(deployment)),
    );
    this.#watch();
    this.#tell();
  }

  get filter(): ThreadFilter {
    return this.#filter;
  }

  get deploymentFilter(): DeploymentFilter {
    return this.#deploymentFilter;
  }

  /** What stands beside the view's name. */
  get description(): string {
    return this.#view.description ?? "";
  }

  /** What stands above the rows. */
  get message(): string {
    return this.#view.message ?? "";
  }

  /** What is selected in the view, as threads; other rows are left out. */
  get selectedThreads(): readonly ThreadRef[] {
    return this.#view.selection.filter((node) => node instanceof ThreadNode).map(({ ref }) => ref);
  }

  /** Every status that was seen on a fetched thread. */
  get statuses(): readonly string[] {
    return [
      ...new Set(
        this.#tree.servers.flatMap(({ threads }) => threads?.rows().map(({ status }) => status) ?? []),
      ),
    ];
  }

  /** The tree as the editor sees it. */
  get tree(): DeploymentsTree {
    return this.#tree;
  }

  /** The name under which a deployment is listed, if it is. */
  nameOf(ref: DeploymentRef): string | undefined {
    const row = this.#tree.deployment(ref)?.row;
    return row?.deployment === undefined ? undefined : nameOf(row);
  }

  /** Every status that was seen on a deployment. */
  get deploymentStatuses(): readonly string[] {
    return [...new Set(this.#tree.deployments.flatMap(({ row }) => row.deployment?.status ?? []))];
  }

  async setFilter(filter: ThreadFilter): Promise<void> {
    this.#filter = filter;
    await this.#services.context.workspaceState.update(filterKey, filter);
    this.#relist();
  }

  async setDeploymentFilter(filter: DeploymentFilter): Promise<void> {
    this.#deploymentFilter = filter;
    await this.#services.context.workspaceState.update(deploymentFilterKey, filter);
    const lists = this.#tree.connections.flatMap(({ deployments }) => deployments ?? []);
    for (const list of lists) list.relist();
    await Promise.all(lists.map((list) => list.load()));
    this.#tell();
  }

  async toggleGrouping(): Promise<void> {
    this.#grouping = !this.#grouping;
    await this.#services.context.workspaceState.update(groupingKey, this.#grouping);
    this.#relist();
  }

  /** Fetches everything that is shown anew, because a person asked for it. */
  async refresh(): Promise<void> {
    if (this.#tree.empty !== undefined) {
      this.#tree.reset();
      return;
    }
    await Promise.all(
      this.#tree.connections.filter(({ known }) => known !== undefined).map((node) => node.load()),
    );
    await Promise.all([
      ...this.#seenServers.map((server) => server.load()),
      ...this.#tree.deployments.map((deployment) => deployment.refresh()),
    ]);
  }

  /** Reads one deployment anew: something was done to it. */
  async refreshDeployment({ connectionId, deploymentId }: DeploymentRef): Promise<void> {
    const connection = this.#tree.connections.find((node) => node.connectionId === connectionId);
    await connection?.deployments?.refresh(deploymentId);
    this.#schedule.hurry();
  }

  /** The next page of a platform's deployments. */
  async loadMoreDeployments(connectionId: string): Promise<void> {
    const connection = this.#tree.connections.find((node) => node.connectionId === connectionId);
    await connection?.deployments?.loadMore();
  }

  /** The next page of a deployment's revisions. */
  async loadMoreRevisions(ref: DeploymentRef): Promise<void> {
    const node = this.#tree.deployment(ref);
    node?.revisionRows.wantMore();
    await node?.revisions.load();
  }

  async loadMore(list: ListRef): Promise<void> {
    await this.#tree.server(list)?.loadMore(list.group);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  get #seenServers(): readonly ServerBranch[] {
    return this.#tree.connections
      .filter(({ open }) => open)
      .flatMap(({ servers }) => servers)
      .filter(({ open, known }) => open && known !== undefined);
  }

  #relist(): void {
    for (const server of this.#tree.servers) server.reset();
    this.#tree.nodes.update();
  }

  #watch(): void {
    const seen = this.#view.visible && vscode.window.state.focused;
    this.#schedule.watch(seen);
    const { connections, localPlatform } = this.#services;
    const mayStart = this.#view.visible && connections.list().some(({ kind }) => kind === "localPlatform");
    if (mayStart) void localPlatform.resume();
  }

  #opened(node: TreeNode, open: boolean): void {
    if (node instanceof ConnectionNode) node.open = open;
    const server = branchOf(node);
    if (server !== undefined) server.open = open;
    if (node.parent instanceof DeploymentNode) node.parent.opened(node, open);
    if (open) this.#schedule.hurry();
  }

  async #look(signal: AbortSignal): Promise<PollResult> {
    const seen = this.#tree.connections.filter(({ open }) => open);
    const looks = await Promise.all([...seen, ...this.#seenServers].map((node) => node.lookAgain(signal)));
    const waits = looks.map(({ retryAfterMs }) => retryAfterMs).filter((wait) => wait !== undefined);
    const retryAfterMs = waits.length === 0 ? undefined : Math.max(...waits);
    this.#view.message =
      retryAfterMs === undefined
        ? ""
        : `The server asks for fewer requests. Looking again in ${String(Math.ceil(retryAfterMs / 1000))} s.`;
    return {
      changed: looks.some(({ changed }) => changed),
      busy: looks.some(({ busy }) => busy),
      retryAfterMs,
    };
  }

  /** While nobody can see it, the next poll is early enough for runs. */
  async #threadsChanged({ kind, threads }: ThreadChange): Promise<void> {
    if (kind === "run" && !this.#view.visible) return;
    await Promise.all(
      threads.map(async (thread) => {
        const server = this.#tree.server(thread);
        if (kind === "deleted") server?.forget(thread.threadId);
        else await server?.refreshThread(thread.threadId);
      }),
    );
    this.#schedule.hurry();
  }

  /** While nobody can see it, the next look is early enough. */
  async #deploymentChanged(ref: DeploymentRef): Promise<void> {
    if (this.#view.visible) await this.refreshDeployment(ref);
  }

  /** Description, badge and context keys follow what is known. */
  #tell(): void {
    const servers = this.#tree.servers.flatMap(({ threads }) => (threads?.loaded === true ? [threads] : []));
    const filtering = isFiltering(this.#filter);
    const matching = servers.reduce((sum, threads) => sum + threads.matching, 0);
    const everything = servers.reduce((sum, threads) => sum + (threads.everything ?? 0), 0);
    const threads = () =>
      filtering ? `${String(matching)} of ${String(everything)}` : counted(matching, "thread");
    const wanted = describeDeploymentFilter(this.#deploymentFilter);
    const parts = [wanted, servers.length === 0 ? "" : threads(), describeFilter(this.#filter)];
    this.#view.description = parts.filter((part) => part !== "").join(" · ");
    const needing = this.#services.waitingThreads.countOnServers();
    const tooltip = counted(needing, "thread needs you", "threads need you");
    this.#view.badge = needing === 0 ? undefined : { value: needing, tooltip };
    void vscode.commands.executeCommand("setContext", CONTEXTS.deploymentsEmpty, this.#tree.empty);
    void vscode.commands.executeCommand("setContext", CONTEXTS.threadsFiltered, filtering);
    void vscode.commands.executeCommand("setContext", CONTEXTS.deploymentsFiltered, wanted !== "");
  }
}

function setting(name: string, fallback: number): number {
  return vscode.workspace.getConfiguration(SECTION).get(name, fallback);
}

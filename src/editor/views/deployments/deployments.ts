/** The Deployments view: connections, their deployments and agent servers, and the threads on them. */

import * as vscode from "vscode";
import { threadOf } from "../../connections/connection.ts";
import type { DeploymentRef, ThreadRef } from "../../connections/connection.ts";
import { type Meant, refOf } from "../../kit/ask/meant.ts";
import { counted } from "../../kit/words.ts";
import { describeDeploymentFilter } from "../../deployments/deploymentFilter.ts";
import { setContext } from "../../kit/contexts.ts";
import { CONTEXTS } from "../../kit/ids.ts";
import type { Services } from "../../services.ts";
import { reload } from "../../kit/tree/branchNode.ts";
import { type TreeNode, unfolded } from "../../kit/tree/node.ts";
import { type PollResult, together } from "../../kit/fetching/pollSchedule.ts";
import { type EditorView, setViewTexts, showRow } from "../platform/laterView.ts";
import { PlatformView } from "../platform/platformView.ts";
import type { PlatformNode } from "../platform/platformView.ts";
import { refusesKey } from "../../../api/advice.ts";
import { describeFilter, isFiltering } from "../../threads/threadFilter.ts";
import type { ThreadListing } from "../../threads/threadListing.ts";
import { ActiveThread } from "./activeThread.ts";
import { ConnectionRows } from "./connectionRows.ts";
import { deploymentNodeId, isDeploymentNode } from "./deploymentNode.ts";
import type { DeploymentNode } from "./deploymentNode.ts";
import { emptyReason } from "./emptyReason.ts";
import { revisionsNodeId } from "./revisionRows.ts";

/** The view of what `services.deployments` and `services.threadListings` know. */
export class DeploymentsView implements vscode.Disposable {
  readonly platform: PlatformView;
  readonly #services: Services;
  readonly #rows: ConnectionRows;
  readonly #active: ActiveThread;
  readonly #gone = new AbortController();
  /** For how long the servers that were asked last want no more requests. */
  readonly #waits = { deployments: 0, threads: 0 };
  /** Whether no row is left by the filter: the empty view says so, which the editor shows without a message only. */
  #isFilteredAway = false;
  readonly #subscriptions: vscode.Disposable;

  constructor(services: Services, view: EditorView) {
    const { connections, threads, threadListings, deployments, threadHosts } = services;
    this.#services = services;
    const refresh = "agentOperations.deployments.refresh";
    const host = {
      refresh,
      signal: this.#gone.signal,
      changed: () => this.platform.changed(),
      isOpen: (node: TreeNode) => this.platform.isOpen(node),
    } as const;
    this.#active = new ActiveThread(threads, view);
    this.#rows = new ConnectionRows(services, host);
    this.platform = new PlatformView(services, {
      view,
      refresh,
      emptyContext: CONTEXTS.deploymentsEmpty,
      connections: () => connections.list(),
      children: (_, parent, __, signal) => this.#rows.load(parent, signal),
      known: (_, parent) => this.#rows.known(parent),
      failure: (connectionId) => this.#rows.failure(connectionId),
      facts: (connectionId) => this.#rows.facts(connectionId),
      row: (setting) => this.#rows.row(setting),
      tooltip: (connectionId) => this.#rows.tooltip(connectionId),
      madeFor: ({ id }) => services.workspaceGraphs.state(id).kind,
      forget: (connectionId) => this.#rows.forget(connectionId),
      welcome: (roots) => {
        const reason = emptyReason(roots, this.#shown);
        this.#isFilteredAway = reason === "filtered";
        return reason;
      },
      poll: (signal) => this.#poll(signal),
      follow: (signal) => this.#follow(signal),
      updated: (platform) => {
        this.#describe(platform);
        void this.#entitle(platform);
        this.#active.update(platform.roots);
      },
    });
    threadListings.shownWhile(() => view.visible);
    deployments.shownWhile(() => view.visible);
    this.#subscriptions = vscode.Disposable.from(
      this.platform,
      this.#active,
      threadListings.onDidChange(() => this.platform.changed()),
      services.connectionFindings.onDidChange(() => this.platform.changed()),
      services.workspaceGraphs.onDidChangeDebugging(() => this.platform.changed()),
      threads.onDidChange(({ kind }) => {
        if (kind !== "run" || view.visible) this.platform.hurry();
      }),
      threadHosts.onDidChange(() => this.platform.changed()),
      deployments.onDidRead(() => this.#read()),
      deployments.onDidChange(() => this.platform.hurry()),
    );
  }

  /** What is selected in the view, as threads; other rows are left out. */
  get selectedThreads(): readonly ThreadRef[] {
    return this.platform.view.selection.flatMap((node) => threadOf(node) ?? []);
  }

  /** What is selected in the view, as deployments; other rows are left out. */
  get selectedDeployments(): readonly Meant<"deploymentId">[] {
    return this.platform.view.selection.flatMap((node) => refOf(node, "deploymentId") ?? []);
  }

  /** The row of a deployment as far as it is known. */
  deployment(ref: DeploymentRef): DeploymentNode | undefined {
    const root = this.platform.roots.find((node) => node.ref.connectionId === ref.connectionId);
    return root && deploymentsBelow(root).find(({ id }) => id === deploymentNodeId(ref));
  }

  /** Unfolds the connection of a deployment and selects its row, which is read if it is not listed yet. */
  async reveal(ref: DeploymentRef): Promise<void> {
    const root = this.platform.roots.find((node) => node.ref.connectionId === ref.connectionId);
    if (root === undefined) return;
    await root.children();
    if (this.deployment(ref) === undefined)
      await this.#services.deployments.showFound(ref, this.#gone.signal);
    const node = this.deployment(ref);
    if (node !== undefined)
      await showRow(this.platform.view, node, { select: true, focus: true, expand: true });
  }

  /** Puts the focus on the row of a connection, also where the view was not seen before; what is selected stays. */
  async revealConnection(connectionId: string): Promise<void> {
    const roots = await this.platform.nodes.getChildren();
    const node = roots.find((root) => refOf(root, "connectionId")?.connectionId === connectionId);
    if (node !== undefined) await showRow(this.platform.view, node, { select: false, focus: true });
  }

  /** Fetches everything that is shown anew, because a person asked for it. */
  async refresh(): Promise<void> {
    await this.#services.workspaceGraphs.refresh();
    if (this.platform.empty !== undefined) {
      this.platform.reset();
      return;
    }
    await this.platform.refresh();
    const below = this.platform.roots.flatMap(({ known }) => known ?? []);
    const parts = below.flatMap((node) => (isDeploymentNode(node) ? (node.known ?? []) : [node]));
    await Promise.all([
      ...this.#countedServers.map((listing) => listing.load()),
      ...parts.map((part) => reload(part)),
    ]);
  }

  dispose(): void {
    this.#gone.abort();
    this.#subscriptions.dispose();
  }

  get #shown(): Parameters<typeof emptyReason>[1] {
    return { services: this.#services, rows: this.#rows };
  }

  /** The servers whose threads a person can see. */
  get #seenServers(): readonly ThreadListing[] {
    return this.#countedServers.filter((listing) => {
      const owner = this.#rows.owner(listing);
      return owner !== undefined && this.platform.isOpen(owner);
    });
  }

  /** The servers whose rows a person can see with the number of their threads, but for those that a debugger holds. */
  get #countedServers(): readonly ThreadListing[] {
    const { connections, threadListings } = this.#services;
    return threadListings.all.filter((listing) => {
      const owner = this.#rows.owner(listing);
      return (
        owner !== undefined &&
        connections.heldUntil(listing.ref.connectionId) === undefined &&
        (listing.threads ?? listing.failure) !== undefined &&
        (owner.parent === undefined || this.platform.isOpen(owner.parent))
      );
    });
  }

  async #poll(signal: AbortSignal): Promise<PollResult> {
    const seen = this.platform.roots.filter((root) => this.platform.isOpen(root));
    const polls = seen.map((root) => this.#pollDeployments(root, signal));
    return this.#notedWait("deployments", together(await Promise.all(polls)));
  }

  async #follow(signal: AbortSignal): Promise<PollResult> {
    const polls = this.#seenServers.map((listing) => listing.poll(signal));
    return this.#notedWait("threads", together(await Promise.all(polls)));
  }

  /** More is known of deployments. */
  #read(): void {
    for (const { id } of this.#services.connections.list()) this.#rows.leaveGone(id);
    this.platform.changed();
  }

  /** For how long a server wants no requests is said above the rows. */
  #notedWait(what: "deployments" | "threads", result: PollResult): PollResult {
    this.#waits[what] = result.retryAfterMs ?? 0;
    this.#describe(this.platform);
    return result;
  }

  /** What is said above the rows: which are shown, and that a server wants no requests for a while. */
  #message(deployments: string, threads: string): string {
    const waitMs = Math.max(...Object.values(this.#waits));
    return [
      deployments === "" ? "" : `Deployments: ${deployments}.`,
      threads === "" ? "" : `Threads: ${threads}.`,
      waitMs === 0
        ? ""
        : `The server asks for fewer requests. Trying again in ${String(Math.ceil(waitMs / 1000))} s.`,
    ]
      .filter((sentence) => sentence !== "")
      .join(" ");
  }

  /** Asks whether deployments changed, and for the revisions of those that did. */
  async #pollDeployments(root: PlatformNode, signal: AbortSignal): Promise<PollResult> {
    const { connectionFindings } = this.#services;
    const deployments = this.#rows.deployments(root.ref.connectionId);
    if (deployments === undefined)
      return { changed: await connectionFindings.findOtherServer(root.ref.connectionId), busy: false };
    const refused = deployments.failure !== undefined && refusesKey(deployments.failure.error);
    if (refused || root.known === undefined) return { changed: false, busy: false };
    const result = await deployments.poll(signal);
    await Promise.all(deploymentsBelow(root).map((node) => this.#refreshRevisions(node, signal)));
    return result;
  }

  /** Reads revisions anew where they are seen and may be others by now. */
  async #refreshRevisions(node: DeploymentNode, signal: AbortSignal): Promise<void> {
    if (!this.platform.isOpen(node)) return;
    const { connectionId, deploymentId } = node.ref;
    const branch = node.known?.find(({ id }) => id === revisionsNodeId(node.id));
    const revisions = this.#services.deployments.of(connectionId).revisions(deploymentId);
    if (branch !== undefined && this.platform.isOpen(branch) && revisions.isOutdated)
      await revisions.load(signal);
  }

  /** Threads that nobody named get titles as they come into sight. */
  async #entitle(platform: PlatformView): Promise<void> {
    if (!platform.view.visible) return;
    const rows = unfolded(platform.roots, (node) => platform.isOpen(node));
    const ids = new Set(rows.flatMap((node) => threadOf(node)?.threadId ?? []));
    await Promise.all(this.#seenServers.map((listing) => listing.entitle(ids)));
  }

  /** Description and context keys follow what is known. */
  #describe({ view }: PlatformView): void {
    const { filter, all } = this.#services.threadListings;
    const lists = all.flatMap(({ threads }) => threads ?? []);
    const filtering = isFiltering(filter);
    const matching = lists.reduce((sum, threads) => sum + threads.matching, 0);
    const everything = lists.reduce((sum, threads) => sum + (threads.everything ?? 0), 0);
    const threads = () =>
      filtering ? `${String(matching)} of ${String(everything)}` : counted(matching, "thread");
    const wanted = describeDeploymentFilter(this.#services.deployments.filter);
    // Of servers that were not unfolded nothing is known: a zero would speak for them, too.
    setViewTexts(view, {
      description: lists.length > 0 && (filtering || matching > 0) ? threads() : "",
      message: this.#isFilteredAway ? "" : this.#message(wanted, describeFilter(filter)),
    });
    setContext(CONTEXTS.threadsFiltered, filtering);
    setContext(CONTEXTS.deploymentsFiltered, wanted !== "");
  }
}

function deploymentsBelow({ known = [] }: PlatformNode): readonly DeploymentNode[] {
  return known.filter(isDeploymentNode);
}

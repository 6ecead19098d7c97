/** The open run panels: at most one per thread, and brought back after a window reload. */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { entryAt, type Landmark } from "../../run/panel/landmarks.ts";
import type { ThreadRef, ThreadTarget } from "../connections/connection.ts";
import { isSameThread } from "../connections/serverRef.ts";
import { setContext } from "../kit/contexts.ts";
import { CONTEXTS, RUN_PANEL, SECTION, SETTINGS } from "../kit/ids.ts";
import type { Services } from "../services.ts";
import { pageRoots, rememberedPanel } from "../kit/webviewPage.ts";
import { PanelTargets } from "./panelTargets.ts";
import { RunPanel } from "./runPanel.ts";

/** Opens panels, finds them again, and keeps the menus of the one in front up to date. */
export class RunPanels implements vscode.Disposable {
  readonly #services: Services;
  readonly #targets: PanelTargets;
  readonly #open = new Set<RunPanel>();
  readonly #subscriptions: vscode.Disposable;
  readonly #activeChanged = new vscode.EventEmitter<void>();
  /** Another panel came to the front, or none is there any more. */
  readonly onDidChangeActive = this.#activeChanged.event;

  constructor(services: Services) {
    const { connections, apiKeys, sessions, threadHosts, threads, workspaceGraphs } = services;
    this.#services = services;
    this.#targets = new PanelTargets(services.context.workspaceState);
    this.#subscriptions = vscode.Disposable.from(
      this.#activeChanged,
      connections.onDidChange(() => {
        sessions.retain(connections.list().map(({ id }) => id));
        this.#retry();
        for (const panel of this.all) panel.factsChanged();
      }),
      workspaceGraphs.onDidChange(() => this.all.forEach((panel) => panel.serverChanged())),
      workspaceGraphs.onDidChangeDebugging(() => this.all.forEach((panel) => panel.factsChanged())),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`${SECTION}.${SETTINGS.prices}`))
          for (const panel of this.all) panel.factsChanged();
      }),
      threadHosts.onDidChange(() => this.all.forEach((panel) => panel.factsChanged())),
      apiKeys.onDidChange((connectionId) => this.#retry(connectionId)),
      threads.onDidChangeTitle((thread) => this.#find(thread)?.factsChanged()),
      // Of a thread that was deleted there is nothing left to show.
      threads.onDidChange(({ kind, threads }) => {
        if (kind === "deleted") for (const thread of threads) this.#find(thread)?.close();
        if (kind === "changed") for (const thread of threads) this.#find(thread)?.renewFacts();
      }),
    );
  }

  /** The thread of the panel in front. */
  get active(): ThreadRef | undefined {
    return this.#active?.thread;
  }

  /** The connection of the panel in front. */
  get connectionInFront(): string | undefined {
    return this.#active?.target.connectionId;
  }

  /** Every open panel, the one in front or not. */
  get all(): readonly RunPanel[] {
    return [...this.#open];
  }

  /** Shows a thread: in the panel that it has, else in a new one. */
  open(thread: ThreadRef): RunPanel {
    const known = this.#find(thread);
    known?.reveal();
    return known ?? this.#create(thread);
  }

  /** A panel for a thread that is made with its first run, ready to be written in; beside what is in front, or over it. */
  openNew(
    { connectionId, server, testRun, assistantId }: ThreadTarget,
    column: vscode.ViewColumn = vscode.ViewColumn.Active,
  ): RunPanel {
    const panel = this.#create({ connectionId, server, testRun, assistantId }, column);
    panel.focus({ type: "focusComposer" });
    return panel;
  }

  /** Shows the graph of an agent: where it ran last or is to run first, else in a new panel. */
  openGraph(target: ThreadTarget & { readonly assistantId: string }): void {
    const { connectionId, assistantId } = target;
    const known = this.all.find(
      (panel) =>
        panel.target.connectionId === connectionId &&
        (panel.lastAssistant?.id ?? panel.target.assistantId) === assistantId,
    );
    (known ?? this.#create(target)).focus({ type: "showGraph", assistantId });
  }

  focusComposer(): void {
    this.#active?.focus({ type: "focusComposer" });
  }

  /** Opens the search of the panel in front, or puts the caret into it. */
  search(): void {
    this.#active?.focus({ type: "search" });
  }

  /** Shows or hides the timeline of the panel in front. */
  timeline(): void {
    this.#active?.focus({ type: "timeline" });
  }

  /** The panel in front. */
  get inFront(): RunPanel | undefined {
    return this.#active;
  }

  /** Leads into the transcript of the panel in front; false where it has no such place. */
  goTo(landmark: Landmark): boolean {
    const panel = this.#active;
    if (panel === undefined || entryAt(landmark, panel.session.entries) === undefined) return false;
    panel.focus({ type: "goTo", landmark });
    return true;
  }

  /** Stops what runs in the panel in front. */
  async stop(): Promise<void> {
    await this.#active?.stop();
  }

  /** The editor brings a panel back: the page remembered which one it is, the rest comes from the server. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = rememberedPanel(state);
    const target = id === undefined ? undefined : this.#targets.get(id);
    const open = target && this.#find(target);
    // A hidden tab is restored when somebody selects it: another panel may show its thread by then.
    if (id === undefined || target === undefined || open !== undefined) panel.dispose();
    else this.#adopt(panel, id, target);
    open?.reveal();
    return Promise.resolve();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** A connection, or its key, is another one now: what failed there is tried again. */
  #retry(connectionId?: string): void {
    this.#services.sessions.retry(connectionId);
    for (const panel of this.all)
      if (connectionId === undefined || panel.target.connectionId === connectionId) panel.retryFacts();
  }

  get #active(): RunPanel | undefined {
    return this.all.find(({ active }) => active);
  }

  #find(target: ThreadTarget): RunPanel | undefined {
    return this.all.find(({ thread }) => thread !== undefined && isSameThread(thread, target));
  }

  #create(target: ThreadTarget, column: vscode.ViewColumn = vscode.ViewColumn.Active): RunPanel {
    const localResourceRoots = [...pageRoots(this.#services.context.extensionUri)];
    const options = { enableScripts: true, localResourceRoots };
    const panel = vscode.window.createWebviewPanel(RUN_PANEL, "Run", column, options);
    return this.#adopt(panel, randomUUID(), target);
  }

  #adopt(panel: vscode.WebviewPanel, id: string, target: ThreadTarget): RunPanel {
    const adopted: RunPanel = new RunPanel(panel, id, target, this.#services, {
      changed: () => this.#updateMenus(),
      threadKnown: (thread) => this.#targets.keep(id, thread),
      closed: (closed) => {
        this.#open.delete(closed);
        this.#updateMenus();
      },
    });
    this.#targets.keep(id, target);
    this.#open.add(adopted);
    this.#updateMenus();
    return adopted;
  }

  #updateMenus(): void {
    const panel = this.#active;
    this.#activeChanged.fire();
    if (panel?.thread !== undefined) this.#services.threads.activate(panel.thread);
    const owner = panel?.thread && (panel.thread.server.kind === "managedAgent" ? "managed" : "server");
    setContext(CONTEXTS.runPanelStoppable, panel?.stoppable ?? false);
    setContext(CONTEXTS.runPanelHistory, panel?.hasHistory ?? false);
    setContext(CONTEXTS.runPanelRepairable, panel?.repairable ?? false);
    setContext(CONTEXTS.runPanelThread, owner);
  }
}

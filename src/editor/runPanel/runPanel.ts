/** One thread's tab: the host's side of the page. It owns nothing of the conversation but the way to the page. */

import type * as vscode from "vscode";
import type { RunCreate } from "../../api/agentServer/wire.ts";
import type { Focus } from "../../run/panel/focus.ts";
import type { AssistantChoice, PanelState, ToWebview } from "../../run/panel/messages.ts";
import { RunSession } from "../../run/session/session.ts";
import { threadOn, type ThreadRef, type ThreadTarget } from "../connections/connection.ts";
import type { Services } from "../services.ts";
import type { HeldSession } from "../threads/sessions.ts";
import { isLive } from "../threads/sessionWatch.ts";
import { optionsIn, type SavedInput, writtenIn } from "../threads/inputs/savedInput.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import { pageHtml, pageRoots } from "../kit/webviewPage.ts";
import { PageRequests } from "./pageRequests.ts";
import { PanelFacts } from "./panelFacts.ts";
import { Page } from "./page.ts";

/** The editor draws tabs and menus anew for it; the first token, which may be on its way then, goes first. */
const drawDelayMs = 200;

/** What the panel's registry wants to know. */
export interface PanelListener {
  /** Its title, thread or session changed, or it came to the front. */
  changed(): void;
  /** The thread is known, perhaps since its first run. */
  threadKnown(thread: ThreadRef): void;
  closed(panel: RunPanel): void;
}

/** The tab of one thread, or of one that its first run is to make. */
export class RunPanel {
  readonly target: ThreadTarget;
  readonly #panel: vscode.WebviewPanel;
  readonly #listener: PanelListener;
  readonly #held: HeldSession;
  readonly #facts: PanelFacts;
  readonly #page: Page;
  readonly #requests: PageRequests;
  /** The session's state that the facts were updated for. */
  #lastState = "";
  #drawDue: NodeJS.Timeout | undefined;

  /** `id` is the panel's own, the same after a window reload. */
  constructor(
    panel: vscode.WebviewPanel,
    id: string,
    target: ThreadTarget,
    services: Services,
    listener: PanelListener,
  ) {
    this.target = target;
    this.#panel = panel;
    this.#listener = listener;
    this.#held = services.sessions.hold(target, RunSession, () => this.#sessionChanged());
    this.#facts = new PanelFacts(target, services, () => this.factsChanged());
    const { connections, workspaceGraphs: graphs } = services;
    const { session } = this;
    const facts = this.#facts;
    const send = (message: ToWebview): void => this.#page.send(message);
    this.#requests = new PageRequests({ target, session, facts, connections, graphs, send });
    this.#page = new Page({
      // Kept by the page: a closed panel throws where it is asked for its webview, which itself just hears nothing.
      ...{ webview: panel.webview, session, state: () => this.#state, requests: this.#requests },
      failed: (error) => services.report.failure("Run panel", error, { connectionId: target.connectionId }),
      unknown: () => services.log.warn("The run panel's page sent a message that is not known."),
    });
    const { extensionUri } = services.context;
    panel.webview.options = { enableScripts: true, localResourceRoots: [...pageRoots(extensionUri)] };
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.#page.hidden();
      this.#held.watch(panel.visible);
      listener.changed();
    });
    panel.onDidDispose(() => this.#closed());
    this.#held.watch(panel.visible);
    panel.webview.html = pageHtml(panel.webview, extensionUri, {
      ...{ title: "Run", styleSheet: "runPanel.css", script: "webview.js", panelId: id },
      ...{ worker: true, pictures: true },
    });
    this.#drawTab();
    this.factsChanged();
    this.renewFacts();
  }

  get session(): RunSession {
    return this.#held.session;
  }

  /** The thread; undefined until the first run made one. */
  get thread(): ThreadRef | undefined {
    return threadOn(this.target, this.session.threadId);
  }

  get title(): string {
    return this.#facts.title;
  }

  get active(): boolean {
    return this.#panel.active;
  }

  /** Whether a run streams that can be stopped. */
  get stoppable(): boolean {
    return isLive(this.session.state) && !this.#facts.unsupported.has("stop");
  }

  /** Whether there may be earlier states of the thread. */
  get hasHistory(): boolean {
    return this.thread !== undefined && !this.#facts.unsupported.has("history");
  }

  /** Whether the thread's course can be changed. */
  get repairable(): boolean {
    return this.thread !== undefined && !this.#facts.unsupported.has("repair");
  }

  reveal(): void {
    this.#panel.reveal();
  }

  close(): void {
    this.#panel.dispose();
  }

  /** What is known beside the conversation changed: its name, or what its server can't do. */
  factsChanged(): void {
    this.#drawDue ??= setTimeout(() => this.#drawTab(), drawDelayMs);
    this.#page.changed();
  }

  /** Asks anew what is known beside the conversation. */
  renewFacts(): void {
    void this.#facts.load(this.session.threadId);
  }

  /** Asks anew what could not be asked. */
  retryFacts(): void {
    void this.#facts.retry();
  }

  /** The server of the workspace's graphs is in another state. */
  serverChanged(): void {
    void this.#requests.serverChanged();
  }

  /** Puts the focus where the next input is written, or on a place of the transcript, as soon as the page is there. */
  focus(target: Focus): void {
    this.#panel.reveal();
    this.#page.focus(target);
  }

  /** Puts a saved input into the composer, with how the agent is run. */
  fill(assistantId: string, saved: SavedInput): void {
    const options = optionsIn(saved);
    this.#facts.replaceOptions(assistantId, options);
    this.focus({ type: "fill", assistantId, options, input: writtenIn(saved) });
  }

  /** The agent that ran last in the thread; undefined before its first run. */
  get lastAssistant(): AssistantChoice | undefined {
    return this.#facts.lastAssistant;
  }

  /** What an agent is called; its id as long as its name is not known. */
  assistantName(assistantId: string): string {
    return this.#facts.assistantName(assistantId);
  }

  /** Starts a run that was put together elsewhere, and shows what comes of it. */
  async run(body: RunCreate): Promise<void> {
    const outcome = await this.session.run(body);
    if (!outcome.accepted)
      throw new NotPossibleError(outcome.message, "Try it in a new thread, or when nothing runs here.");
    this.#page.send({ type: "follow" });
  }

  async stop(): Promise<void> {
    await this.#requests.handle({ type: "stop" });
  }

  get #state(): PanelState {
    const { threadId, events, earlier } = this.session;
    const session = this.#facts.shownState(this.session);
    return { ...this.#facts.state, threadId, session, events, earlier };
  }

  #sessionChanged(): void {
    const { state, threadId } = this.session;
    const shown = [threadId, state.kind, "runId" in state ? state.runId : undefined].join(" ");
    if (shown === this.#lastState) return;
    this.#lastState = shown;
    this.#facts.update(this.session);
    // Its server answered.
    if (state.kind !== "loading" && state.kind !== "failed") this.retryFacts();
    if (this.thread !== undefined) this.#listener.threadKnown(this.thread);
    this.factsChanged();
  }

  #drawTab(): void {
    this.#drawDue = undefined;
    this.#listener.changed();
    const { tab, isTitled } = this.#facts;
    // One that the editor brought back has a name already, which is better than an id.
    if (isTitled && this.#panel.title !== tab.title) this.#panel.title = tab.title;
    if (JSON.stringify(this.#panel.iconPath) !== JSON.stringify(tab.icon)) this.#panel.iconPath = tab.icon;
  }

  #closed(): void {
    clearTimeout(this.#drawDue);
    this.#page.dispose();
    this.#facts.dispose();
    this.#held.release();
    this.#listener.closed(this);
  }
}

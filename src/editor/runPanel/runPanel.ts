/** One thread's tab: the host's side of the page. It owns nothing of the conversation but the way to the page. */

import * as vscode from "vscode";
import type { RemedyAction } from "../../api/errors.ts";
import type { AssistantChoice, FromWebview, ToWebview } from "../../run/panel/messages.ts";
import type { Outcome } from "../../run/session/answers.ts";
import { RunSession } from "../../run/session/session.ts";
import type { ThreadRef, ThreadTarget } from "../connections/connection.ts";
import { commandOf } from "../kit/remedies.ts";
import type { Services } from "../services.ts";
import { eventLine } from "../../run/raw/eventLine.ts";
import { type HeldSession, isLive } from "../threads/sessions.ts";
import { titleOnTab } from "../threads/servers/threadTitle.ts";
import { pageRoots } from "../kit/webviewPage.ts";
import { runPanelHtml } from "./html.ts";
import { PanelFacts } from "./panelFacts.ts";
import { Post, type PostSource } from "./post.ts";
import { pageRequestOf } from "./pageRequest.ts";

const mostRaw = 1000;

/** What of the page the host can put the focus on. */
export type Focus = Extract<ToWebview["type"], "focusComposer" | "focusLastMessage">;

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
  /** Kept apart: a closed panel throws where it is asked for its page, and the page itself just hears nothing. */
  readonly #webview: vscode.Webview;
  readonly #services: Services;
  readonly #listener: PanelListener;
  readonly #held: HeldSession;
  readonly #facts: PanelFacts;
  readonly #post: Post;
  #assistants: readonly AssistantChoice[] = [];
  #ready = false;
  #focusWhenReady: Focus | undefined;
  /** The session's state that the facts were updated for. */
  #lastState = "";

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
    this.#webview = panel.webview;
    this.#services = services;
    this.#listener = listener;
    this.#held = services.sessions.hold(target, RunSession, () => this.#sessionChanged());
    this.#facts = new PanelFacts(target, services, () => this.factsChanged());
    this.#post = new Post(this.#source(), (message) => this.#send(message));
    const { extensionUri } = services.context;
    panel.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, "media", "agents-light.svg"),
      dark: vscode.Uri.joinPath(extensionUri, "media", "agents.svg"),
    };
    panel.webview.options = { enableScripts: true, localResourceRoots: [...pageRoots(extensionUri)] };
    panel.webview.onDidReceiveMessage((message: unknown) => this.#received(message));
    panel.onDidChangeViewState(() => {
      // The editor drops the page of a hidden tab and makes it anew.
      if (!panel.visible) this.#ready = false;
      listener.changed();
    });
    panel.onDidDispose(() => this.#closed());
    panel.webview.html = runPanelHtml(panel.webview, extensionUri, id);
    this.factsChanged();
    void this.#facts.load(this.session.threadId);
  }

  get session(): RunSession {
    return this.#held.session;
  }

  /** The thread; undefined until the first run made one. */
  get thread(): ThreadRef | undefined {
    const { connectionId, server } = this.target;
    const { threadId } = this.session;
    return threadId === undefined ? undefined : { connectionId, server, threadId };
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

  reveal(): void {
    this.#panel.reveal();
  }

  close(): void {
    this.#panel.dispose();
  }

  /** What is known beside the conversation changed: its name, or what its server can't do. */
  factsChanged(): void {
    const label = titleOnTab(this.title);
    if (this.#panel.title !== label) this.#panel.title = label;
    if (this.#assistants !== this.#facts.assistants) {
      this.#assistants = this.#facts.assistants;
      this.#post.renew();
    } else this.#post.changed();
    this.#listener.changed();
  }

  /** Puts the focus where the next input is written, or on what was said last, as soon as the page is there. */
  focus(target: Focus): void {
    this.#panel.reveal();
    if (this.#ready) this.#send({ type: target });
    else this.#focusWhenReady = target;
  }

  async stop(): Promise<void> {
    this.#answer("stop", await this.session.stop());
  }

  #source(): PostSource {
    const { session } = this;
    const facts = this.#facts;
    return {
      get state() {
        const { threadId, state, events } = session;
        return { ...facts.state, threadId, session: state, events };
      },
      get entries() {
        return session.entries.map((entry) => facts.named(entry));
      },
      get events() {
        return session.events;
      },
      takePatch: () => {
        const patch = session.takePatch();
        return patch && { ...patch, set: patch.set.map((entry) => facts.named(entry)) };
      },
    };
  }

  #sessionChanged(): void {
    this.#post.changed();
    const { state, threadId } = this.session;
    const shown = [threadId, state.kind, "runId" in state ? state.runId : undefined].join(" ");
    if (shown === this.#lastState) return;
    this.#lastState = shown;
    this.#facts.update(this.session);
    if (this.thread !== undefined) this.#listener.threadKnown(this.thread);
    this.factsChanged();
  }

  #closed(): void {
    this.#facts.dispose();
    this.#held.release();
    this.#listener.closed(this);
  }

  #received(message: unknown): void {
    const request = pageRequestOf(message);
    if (request === undefined) {
      this.#services.log.warn("The run panel's page sent a message that is not known.");
      return;
    }
    void this.#handle(request).catch((error: unknown) => {
      this.#services.report.failure("Run panel", error, { connectionId: this.target.connectionId });
    });
  }

  async #handle(request: FromWebview): Promise<void> {
    const { session } = this;
    switch (request.type) {
      case "ready":
        this.#ready = true;
        this.#post.ready();
        if (this.#focusWhenReady !== undefined) this.focus(this.#focusWhenReady);
        this.#focusWhenReady = undefined;
        break;
      case "painted":
        this.#post.painted(request.revision);
        break;
      case "start":
        this.#facts.remember(request.request);
        this.#answer("start", await session.start(request.request));
        break;
      case "stop":
        await this.stop();
        break;
      case "detach":
        session.detach();
        break;
      case "reattach":
        session.reattach();
        break;
      case "remedy":
        await this.#remedy(request.action);
        break;
      case "decide":
        this.#answer("decide", await session.answers.decide(request.interruptId, request.decisions));
        break;
      case "resume":
        this.#answer("resume", await session.answers.resume(request.interruptId, request.value));
        break;
      case "feedback":
        // What became of it is in the transcript, at the key itself.
        await session.answers.feedback(request.runId, request.key, request.feedback);
        break;
      case "raw":
        this.#sendRaw(request.search, request.offset, request.limit);
        break;
      case "copy":
        await vscode.env.clipboard.writeText(request.text);
        break;
      case "copyEvents":
        await vscode.env.clipboard.writeText(eventLines(session, request.search));
        break;
      case "openExternal":
        await openExternal(request.url);
        break;
      default:
        request satisfies never;
    }
  }

  #sendRaw(search: string, offset: number, limit: number): void {
    this.#send({
      type: "rawPage",
      search,
      offset,
      ...this.session.search(search, offset, Math.min(limit, mostRaw)),
    });
  }

  #answer(request: FromWebview["type"], outcome: Outcome): void {
    if (!outcome.accepted) {
      if (outcome.shown !== true) this.#send({ type: "refused", request: request, message: outcome.message });
    } else if (request === "start") this.#send({ type: "accepted" });
  }

  async #remedy(action: RemedyAction): Promise<void> {
    const remedy = commandOf(action, this.target.connectionId);
    if (remedy !== undefined) await vscode.commands.executeCommand(remedy.command, ...remedy.arguments);
    else await Promise.all([this.#facts.load(this.session.threadId), this.session.retry()]);
  }

  #send(message: ToWebview): void {
    void this.#webview.postMessage(message);
  }
}

/** Agents write links: only web addresses are opened, and the editor asks about hosts that it doesn't trust. */
async function openExternal(text: string): Promise<void> {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return;
  await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}

/** The events that contain the text, all when it is empty, one JSON object per line; credentials are masked as in the list. */
function eventLines(session: Pick<RunSession, "search">, search: string): string {
  const lines: string[] = [];
  for (let offset = 0; ; offset += mostRaw) {
    const { total, events } = session.search(search, offset, mostRaw);
    for (const event of events) lines.push(`${eventLine(event)}\n`);
    if (events.length === 0 || offset + mostRaw >= total) return lines.join("");
  }
}

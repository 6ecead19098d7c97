/** What the panel shows beside the conversation: names, the agents to choose from, and the last choices. */

import * as vscode from "vscode";
import type { AgentFacts, AgentOptions, SentInput, GraphReading } from "../../run/panel/agent.ts";
import type {
  AssistantChoice,
  ComposerDefaults,
  Failure,
  PanelState,
  RunRequest,
  SessionState,
  ThreadLinks,
} from "../../run/panel/messages.ts";
import { nodesOf } from "../../run/repair/graph.ts";
import { defaultStreamModes } from "../../run/session/runBody.ts";
import { pricesIn } from "../../run/timeline/spent.ts";
import type { RunSession } from "../../run/session/session.ts";
import { threadOn, type ThreadRef, type ThreadTarget } from "../connections/connection.ts";
import { colorOf, isProtected } from "../connections/mark.ts";
import { serverAddress, serverKey } from "../connections/serverRef.ts";
import type { Services } from "../services.ts";
import type { Unsupported, ThreadHost } from "../threads/servers/threadHost.ts";
import { titleOfId, titleOfText, titleOnTab } from "../threads/servers/threadTitle.ts";
import { pauseWords } from "../workspaceGraphs/debugStates.ts";
import { textIn } from "../kit/ask/meant.ts";
import { SECTION, SETTINGS } from "../kit/ids.ts";
import { KeptList } from "../kit/keptList.ts";
import { adviceFor, describeFailure } from "../kit/remedies.ts";

type FactsServices = Pick<
  Services,
  | "agentOptions"
  | "agentServers"
  | "agentSchemas"
  | "sentInputs"
  | "threadHosts"
  | "connections"
  | "context"
  | "log"
  | "threads"
  | "workspaceGraphs"
>;

/** The agents that were chosen last are remembered of so many servers. */
const mostServers = 200;

const undescribed = { kind: "undescribed" } as const;

/** What is known beside the conversation, fetched once, and again when its server may be back. */
export class PanelFacts {
  readonly #target: ThreadTarget;
  readonly #host: ThreadHost;
  readonly #services: FactsServices;
  readonly #changed: () => void;
  readonly #gone = new AbortController();
  #isRead = false;
  #loads = 0;
  #failure: Failure | undefined;
  #firstMessage: string | undefined;
  #threadId: string | undefined;
  /** The agent that ran last in this thread. */
  #lastAssistant: string | undefined;
  #server = "";
  #links: ThreadLinks = {};
  #assistants: readonly AssistantChoice[] = [];
  readonly #nodes = new Map<string, readonly string[]>();
  /** The agent that was chosen last on each server. */
  readonly #chosen: KeptList<readonly [server: string, assistantId: string]>;

  constructor(target: ThreadTarget, services: FactsServices, changed: () => void) {
    this.#target = target;
    this.#host = services.threadHosts.of(target);
    this.#threadId = target.threadId;
    this.#services = services;
    this.#changed = changed;
    const { globalState } = services.context;
    this.#chosen = new KeptList(globalState, "composer.agents", ([server]) => server, mostServers);
  }

  /** Fetches the server's name, its agents and the thread's name; what can't be fetched stays unknown. */
  async load(threadId: string | undefined): Promise<void> {
    const { log } = this.#services;
    this.#loads += 1;
    const load = this.#loads;
    try {
      const { signal } = this.#gone;
      const { name, assistants, title, links = {} } = await this.#host.facts(threadId, { signal });
      this.#server = name;
      this.#links = links;
      this.#assistants = assistants;
      this.#failure = undefined;
      if (threadId !== undefined && title !== undefined)
        this.#services.threads.setTitle({ ...this.#target, threadId }, title);
    } catch (error) {
      // One that was asked later knows better.
      if (load === this.#loads) this.#failure = describeFailure(error);
      if (!this.#gone.signal.aborted) log.debug(`Run panel: ${adviceFor(error).message}`);
    }
    this.#isRead = true;
    if (!this.#gone.signal.aborted) this.#changed();
  }

  /** Fetches again what could not be fetched: its server may be back. */
  async retry(): Promise<void> {
    if (this.#failure !== undefined) await this.load(this.#threadId);
  }

  /** How the session is shown: before there is a thread it asks nobody, and can't say that its server does not answer. */
  shownState({ threadId, state }: Pick<RunSession, "threadId" | "state">): SessionState {
    const failure = threadId === undefined && state.kind === "idle" ? this.#failure : undefined;
    return failure === undefined ? state : { kind: "failed", ...failure };
  }

  /** What is known of an agent now. */
  agent(assistantId: string): AgentFacts {
    const { agentSchemas, agentOptions, sentInputs } = this.#services;
    const key = this.#agentKey(assistantId);
    const schemas = this.#host.schemas === undefined ? undescribed : agentSchemas.known(key);
    const nodes = this.#nodes.get(assistantId);
    const sent = sentInputs.of(key);
    return {
      ...{ assistantId, schemas, sent, options: agentOptions.get(key) },
      ...(nodes !== undefined && { nodes }),
    };
  }

  /** Asks its server what it takes, where that is not known; whether more is known then. */
  async loadAgent(assistantId: string, again: boolean): Promise<boolean> {
    const { agentSchemas } = this.#services;
    const host = this.#host;
    if (host.schemas === undefined) return false;
    const key = this.#agentKey(assistantId);
    const before = agentSchemas.known(key);
    const ask = () => host.schemas?.(assistantId, {}) ?? Promise.resolve({});
    return (await agentSchemas.load(key, ask, again)) !== before && !this.#gone.signal.aborted;
  }

  /** Asks its server for the nodes of its graph; without an answer they are not known. */
  async loadNodes(assistantId: string): Promise<void> {
    const { signal } = this.#gone;
    const graph = await this.#host.runs.assistants?.graph(assistantId, { signal }).catch(() => undefined);
    if (graph !== undefined) this.#nodes.set(assistantId, nodesOf(graph));
  }

  /** Asks its server for its graph. */
  async graph(assistantId: string, isOpened: boolean): Promise<GraphReading> {
    const { assistants } = this.#host.runs;
    if (assistants === undefined)
      return { kind: "unknown", message: "The server of this thread tells no graph of its agent." };
    try {
      const { signal } = this.#gone;
      return { kind: "known", graph: await assistants.graph(assistantId, { signal, xray: isOpened }) };
    } catch (error) {
      return { kind: "unknown", message: `The graph could not be read: ${adviceFor(error).message}` };
    }
  }

  changeOptions(assistantId: string, part: AgentOptions): void {
    this.#services.agentOptions.change(this.#agentKey(assistantId), part);
  }

  replaceOptions(assistantId: string, options: AgentOptions): void {
    this.#services.agentOptions.replace(this.#agentKey(assistantId), options);
  }

  /** The agent that ran last in this thread. */
  get lastAssistant(): AssistantChoice | undefined {
    return this.#assistants.find(({ id }) => id === this.#lastAssistant);
  }

  /** What an agent is called; its id as long as its name is not known. */
  assistantName(assistantId: string): string {
    return this.#assistants.find(({ id }) => id === assistantId)?.name ?? assistantId;
  }

  /** What the thread is called, as far as is known. */
  get title(): string {
    const thread = this.#thread;
    if (thread === undefined) return this.#firstMessage ?? "New thread";
    const known = this.#services.threads.knownTitle(thread);
    const graph = this.lastAssistant?.graph;
    return known ?? titleOfId(thread.threadId, graph === undefined ? {} : { graph_id: graph });
  }

  /** Whether the title is more than its thread's id, or its server was asked for more. */
  get isTitled(): boolean {
    const thread = this.#thread;
    return thread === undefined || this.#isRead || this.#services.threads.knownTitle(thread) !== undefined;
  }

  /** Takes from the conversation what is shown beside it; not for every event. */
  update(session: RunSession): void {
    this.#threadId = session.threadId;
    const { entries } = session;
    const lastRun = entries.findLast((entry) => entry.kind === "run");
    this.#lastAssistant = lastRun?.assistantId ?? this.#lastAssistant;
    const first = entries.find((entry) => entry.kind === "message" && entry.role === "human");
    if (first?.kind === "message") this.#firstMessage ??= titleOfText(first.text);
    const { threads } = this.#services;
    const thread = this.#thread;
    if (thread !== undefined && this.#firstMessage !== undefined && threads.knownTitle(thread) === undefined)
      threads.setTitle(thread, this.#firstMessage);
  }

  /** The tab: on a protected connection with a shield, and the connection's name first. */
  get tab(): {
    readonly title: string;
    readonly icon: { readonly light: vscode.Uri; readonly dark: vscode.Uri };
  } {
    const { connections, context } = this.#services;
    const setting = connections.get(this.#target.connectionId);
    const image = (...path: readonly string[]): vscode.Uri =>
      vscode.Uri.joinPath(context.extensionUri, "media", ...path);
    if (setting === undefined || !isProtected(setting)) {
      const icon = { light: image("agents-light.svg"), dark: image("agents.svg") };
      return { title: titleOnTab(this.title), icon };
    }
    const shield = image("shield", `${colorOf(setting) ?? "red"}.svg`);
    return { title: titleOnTab(`${setting.name}: ${this.title}`), icon: { light: shield, dark: shield } };
  }

  /** What can't be done here, as far as is known. */
  get unsupported(): Unsupported {
    return this.#host.unsupported;
  }

  get state(): Omit<PanelState, "threadId" | "session" | "events" | "earlier"> {
    const { agentServers, connections, workspaceGraphs } = this.#services;
    const { connectionId } = this.#target;
    const clockAhead = agentServers.clockAhead(this.#target);
    const setting = connections.get(connectionId);
    const color = setting && colorOf(setting);
    const pause = workspaceGraphs.debugging.of(connectionId)?.pause;
    const isHere = pause?.threadId !== undefined && pause.threadId === this.#threadId;
    const server = this.#server === "" ? serverAddress(this.#target.server) : this.#server;
    const { title, composer } = this;
    return {
      title,
      connection: setting?.name ?? connectionId,
      ...(pause !== undefined && { paused: { words: pauseWords(pause), isHere } }),
      ...(clockAhead !== 0 && { clockAhead }),
      ...(color !== undefined && { mark: { isProtected: isProtected(setting), color } }),
      server,
      assistants: this.#assistants,
      composer,
      unsupported: [...this.unsupported.keys()],
      links: this.#links,
      prices: pricesIn(vscode.workspace.getConfiguration(SECTION).get(SETTINGS.prices)),
      hasSource: workspaceGraphs.project(connectionId) !== undefined,
    };
  }

  /** The next panel on this server starts with this agent, and its input can be recalled there. */
  remember({ assistantId, input }: RunRequest): void {
    const sent: SentInput =
      "text" in input
        ? { mode: "text", text: input.text }
        : { mode: "json", text: JSON.stringify(input.json, undefined, 2) };
    this.#services.sentInputs.add(this.#agentKey(assistantId), sent);
    void this.#chosen.keep([serverKey(this.#target), assistantId]);
    void this.#services.context.globalState.update(this.#earlierKey, undefined);
  }

  dispose(): void {
    this.#gone.abort();
  }

  get #thread(): ThreadRef | undefined {
    return threadOn(this.#target, this.#threadId);
  }

  #agentKey(assistantId: string): string {
    return `${serverKey(this.#target)} ${assistantId}`;
  }

  /** Where version 0.1.0 kept what was chosen on this server. */
  get #earlierKey(): string {
    return `composer ${serverKey(this.#target)}`;
  }

  get composer(): ComposerDefaults {
    const { connections, context } = this.#services;
    const [, chosen] = this.#chosen.get(serverKey(this.#target)) ?? [];
    const kept = chosen ?? textIn(context.globalState.get(this.#earlierKey), "assistantId");
    const choice = (id: string | undefined) => this.#assistants.find((assistant) => assistant.id === id)?.id;
    // A server that can't hand out feedback addresses fails a run that asks for them, so elsewhere nothing is asked for.
    const local = connections.get(this.#target.connectionId)?.kind === "localPlatform";
    return {
      assistantId:
        choice(this.#lastAssistant) ??
        choice(this.#target.assistantId) ??
        choice(kept) ??
        this.#assistants[0]?.id,
      streamModes: defaultStreamModes,
      strategy: undefined,
      feedbackKeys: local ? ["user_score"] : [],
    };
  }
}

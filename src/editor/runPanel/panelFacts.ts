/** What the panel shows beside the conversation: names, the agents to choose from, and the last choices. */

import type { AssistantChoice, ComposerDefaults, PanelState, RunRequest } from "../../run/panel/messages.ts";
import { defaultStreamModes } from "../../run/session/server.ts";
import type { RunSession } from "../../run/session/session.ts";
import type { Entry } from "../../run/panel/transcript.ts";
import type { ThreadRef, ThreadTarget } from "../connections/connection.ts";
import { serverAddress, serverKey } from "../connections/serverRef.ts";
import type { Services } from "../services.ts";
import type { Unsupported, ThreadHost } from "../threads/servers/threadHost.ts";
import { titleOfText } from "../threads/servers/threadTitle.ts";
import { adviceFor } from "../kit/remedies.ts";

type FactsServices = Pick<Services, "threadHosts" | "connections" | "context" | "log" | "threads">;

/** The last choices of the composer on one server. */
type Choices = Pick<ComposerDefaults, "assistantId" | "streamModes" | "feedbackKeys">;

/** What is known beside the conversation, fetched once and on a retry. */
export class PanelFacts {
  readonly #target: ThreadTarget;
  readonly #host: ThreadHost;
  readonly #services: FactsServices;
  readonly #changed: () => void;
  readonly #gone = new AbortController();
  #firstMessage: string | undefined;
  #threadId: string | undefined;
  /** The agent that ran last in this thread. */
  #lastAssistant: string | undefined;
  #server = "";
  #assistants: readonly AssistantChoice[] = [];

  constructor(target: ThreadTarget, services: FactsServices, changed: () => void) {
    this.#target = target;
    this.#host = services.threadHosts.of(target);
    this.#threadId = target.threadId;
    this.#services = services;
    this.#changed = changed;
  }

  /** Fetches the server's name, its agents and the thread's name; what can't be fetched stays unknown. */
  async load(threadId: string | undefined): Promise<void> {
    const { log } = this.#services;
    try {
      const { signal } = this.#gone;
      const { name, assistants, title } = await this.#host.facts(threadId, { signal });
      this.#server = name;
      this.#assistants = assistants;
      if (threadId !== undefined && title !== undefined)
        this.#services.threads.setTitle({ ...this.#target, threadId }, title);
    } catch (error) {
      // The session shows the failure in the panel: it asks the same server.
      if (!this.#gone.signal.aborted) log.debug(`Run panel: ${adviceFor(error).message}`);
    }
    if (!this.#gone.signal.aborted) this.#changed();
  }

  /** What the thread is called, as far as is known. */
  get title(): string {
    const thread = this.#thread;
    return thread === undefined
      ? (this.#firstMessage ?? "New thread")
      : this.#services.threads.titleOf(thread);
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
    if (thread !== undefined && this.#firstMessage !== undefined && !threads.hasTitle(thread))
      threads.setTitle(thread, this.#firstMessage);
  }

  /** What can't be done here, as far as is known. */
  get unsupported(): Unsupported {
    return this.#host.unsupported;
  }

  get state(): Omit<PanelState, "threadId" | "session" | "events"> {
    const { connections } = this.#services;
    const connection = connections.get(this.#target.connectionId)?.name ?? this.#target.connectionId;
    const server = this.#server === "" ? serverAddress(this.#target.server) : this.#server;
    const { title, composer } = this;
    return {
      title,
      connection,
      server,
      assistants: this.#assistants,
      composer,
      unsupported: [...this.unsupported.keys()],
    };
  }

  get assistants(): readonly AssistantChoice[] {
    return this.#assistants;
  }

  /** A run with its agent's name in place of the id. */
  named(entry: Entry): Entry {
    if (entry.kind !== "run") return entry;
    const name = this.#assistants.find(({ id }) => id === entry.assistantId)?.name;
    return name === undefined ? entry : { ...entry, assistantId: name };
  }

  /** The next panel on this server starts with these choices. */
  remember({ assistantId, streamModes, feedbackKeys = [] }: RunRequest): void {
    const choices: Choices = { assistantId, streamModes, feedbackKeys };
    void this.#services.context.globalState.update(this.#key, choices);
  }

  dispose(): void {
    this.#gone.abort();
  }

  get #thread(): ThreadRef | undefined {
    const { connectionId, server } = this.#target;
    return this.#threadId === undefined ? undefined : { connectionId, server, threadId: this.#threadId };
  }

  get #key(): string {
    return `composer ${serverKey(this.#target)}`;
  }

  get composer(): ComposerDefaults {
    const { connections, context } = this.#services;
    const kept = context.globalState.get<Choices>(this.#key);
    const choice = (id: string | undefined) => this.#assistants.find((assistant) => assistant.id === id)?.id;
    // A server that can't hand out feedback addresses fails a run that asks for them, so elsewhere nothing is asked for.
    const local = connections.get(this.#target.connectionId)?.kind === "localPlatform";
    return {
      assistantId: choice(this.#lastAssistant) ?? choice(kept?.assistantId) ?? this.#assistants[0]?.id,
      streamModes: kept?.streamModes ?? defaultStreamModes,
      strategy: undefined,
      feedbackKeys: kept?.feedbackKeys ?? (local ? ["user_score"] : []),
    };
  }
}

/** Does what a panel's page asks for, once a person agreed where that changes something on a protected connection. */

import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import type { RemedyAction } from "../../api/advice.ts";
import type { RepairAction, FromWebview, SourceRequest, ToWebview } from "../../run/panel/messages.ts";
import { eventLines } from "../../run/raw/eventLine.ts";
import type { RequestOutcome } from "../../run/session/answers.ts";
import type { RunSession } from "../../run/session/session.ts";
import { threadOn, type ThreadRef, type ThreadTarget } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { act, approve, confirmAct, type GuardedAct } from "../connections/guard.ts";
import { stepStates } from "../documents/threadStateUri.ts";
import type { CommandId } from "../kit/ids.ts";
import { commandOf, NotPossibleError } from "../kit/remedies.ts";
import type { Services } from "../services.ts";
import { savedInputOf } from "../threads/inputs/savedInput.ts";
import { openExternal, openText, saveGraph, saveInput, savePicture } from "./handedOver.ts";
import { filesThere } from "./namedFiles.ts";
import { openFile, openSource } from "./openSource.ts";
import type { PanelFacts } from "./panelFacts.ts";
import type { PageRequest } from "./page.ts";

const mostRaw = 1000;
/** An agent that is only passed on the way through the list is not chosen for so long. */
const passedMs = 300;

/** The panel whose page asks. */
export interface PageRequestsParts {
  readonly target: ThreadTarget;
  readonly session: RunSession;
  readonly facts: PanelFacts;
  readonly connections: Pick<Connections, "resolve">;
  readonly graphs: Services["workspaceGraphs"];
  readonly send: (message: ToWebview) => void;
}

/** How a person is asked about a request that changes something. */
interface PageChange extends Pick<GuardedAct, "question" | "verb" | "isUrgent" | "detail"> {
  /** What it is called in the audit log. */
  readonly action: string;
}

type RequestOf<Type extends PageRequest["type"]> = Extract<PageRequest, { readonly type: Type }>;

/** One panel's requests; what goes wrong beyond a refusal rejects. */
export class PageRequests {
  readonly #parts: PageRequestsParts;
  /** What is done for each kind of request. */
  readonly #handlers: { readonly [Type in PageRequest["type"]]: (request: RequestOf<Type>) => unknown } = {
    agent: ({ assistantId, again }) => this.#agent(assistantId, again === true),
    nodes: async ({ assistantId }) => {
      const { facts, send } = this.#parts;
      await facts.loadNodes(assistantId);
      send({ type: "agent", agent: facts.agent(assistantId) });
    },
    graph: async ({ assistantId, isOpened }) => {
      const { facts, send } = this.#parts;
      send({ type: "graph", assistantId, isOpened, graph: await facts.graph(assistantId, isOpened) });
    },
    options: ({ assistantId, options }) => this.#parts.facts.changeOptions(assistantId, options),
    start: async ({ request }) => {
      const { session, facts } = this.#parts;
      const outcome = await session.start(request);
      if (outcome.accepted) facts.remember(request);
      this.#answer("start", outcome);
    },
    stop: async () => this.#answer("stop", await this.#parts.session.stop()),
    detach: () => this.#parts.session.detach(),
    reattach: () => this.#parts.session.reattach(),
    remedy: ({ action }) => this.#remedy(action),
    decide: async ({ interruptId, decisions }) =>
      this.#answer("decide", await this.#parts.session.answers.decide(interruptId, decisions)),
    resume: async ({ interruptId, value }) =>
      this.#answer("resume", await this.#parts.session.answers.resume(interruptId, value)),
    // What became of it is in the transcript, at the key itself.
    feedback: ({ runId, key, feedback }) => this.#parts.session.answers.feedback(runId, key, feedback),
    raw: ({ search, offset, limit }) => this.#sendRaw(search, offset, limit),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    copyEvents: ({ search }) => vscode.env.clipboard.writeText(eventLines(this.#parts.session, search)),
    openExternal: ({ url }) => openExternal(url),
    openText: ({ text, language }) => openText(text, language),
    saveInput: ({ input }) => this.#saveInput(input),
    savePicture: ({ data }) => savePicture(data),
    saveGraph: ({ name, format, text }) => saveGraph(name, format, text),
    readEarlier: () => this.#parts.session.readEarlier(),
    readRuns: ({ runIds }) => this.#parts.session.readRuns(runIds),
    compareStep: (request) => this.#compare(request),
    repair: ({ action }) => this.#repair(action),
    continueInCopy: () =>
      this.#onThread("agentOperations.thread.continueInCopy", this.#parts.session.threadId),
    openSource: ({ source }) => this.#openSource(source),
    findFiles: async ({ paths }) =>
      this.#parts.send({ type: "files", found: await filesThere(paths, this.#folders) }),
    openFile: (request) => openFile(request, this.#folders),
    openLinked: ({ link }) =>
      this.#onThread("agentOperations.thread.open", this.#parts.facts.state.links?.[link]),
  };
  /** The person wants no more questions as long as this panel is open. */
  #asksNoMore = false;
  /** The agent that the page asked about last. */
  #assistantId: string | undefined;

  constructor(parts: PageRequestsParts) {
    this.#parts = parts;
  }

  /** Asks a server that loaded its graphs anew what it could not tell meanwhile. */
  async serverChanged(): Promise<void> {
    const { graphs, target, facts } = this.#parts;
    const state = graphs.state(target.connectionId);
    const id = this.#assistantId;
    if (state.kind !== "running" || state.reloading || id === undefined) return;
    if (facts.agent(id).schemas.kind === "failed") await this.#agent(id, true);
  }

  /** Does what is asked unless the person does not want it, and answers the page where it waits for one. */
  async handle(request: PageRequest): Promise<void> {
    const change = changeIn(request);
    if (change === undefined) return this.#do(request);
    await act(`Run Panel: ${change.action}`, async () => {
      try {
        await this.#ask(change);
      } catch (error) {
        const refusal = { type: "refused", request: request.type, message: "Not sent." } as const;
        const isDeclined = error instanceof vscode.CancellationError;
        // A notification says why.
        this.#parts.send(isDeclined ? refusal : { ...refusal, shown: true });
        if (isDeclined) return;
        throw error;
      }
      await this.#do(request);
    });
  }

  async #ask(change: PageChange): Promise<void> {
    const { connections, target } = this.#parts;
    const connection = connections.resolve(target.connectionId);
    if (this.#asksNoMore) {
      approve(connection);
      return;
    }
    const chosen = (): void => {
      this.#asksNoMore = true;
    };
    const lasting = { label: `${change.verb}, and Don't Ask Again in This Panel`, chosen };
    await confirmAct(connection, { ...change, always: false, lasting });
  }

  async #do(request: PageRequest): Promise<void> {
    const handle = this.#handlers[request.type] as (request: PageRequest) => unknown;
    await handle(request);
  }

  /**
   * Tells what is known of an agent at once, and what its server says when it does. A server of graphs under development
   * compiles them for that, which takes seconds: it is not asked about an agent that is only passed.
   */
  async #agent(assistantId: string, again: boolean): Promise<void> {
    const { facts, send } = this.#parts;
    const isFirst = this.#assistantId === undefined;
    this.#assistantId = assistantId;
    send({ type: "agent", agent: facts.agent(assistantId) });
    if (!isFirst && !again) await pause(passedMs);
    if (this.#assistantId !== assistantId) return;
    if (await facts.loadAgent(assistantId, again)) send({ type: "agent", agent: facts.agent(assistantId) });
  }

  #sendRaw(search: string, offset: number, limit: number): void {
    const { session, send } = this.#parts;
    send({ type: "rawPage", search, offset, ...session.search(search, offset, Math.min(limit, mostRaw)) });
  }

  #answer(request: FromWebview["type"], outcome: RequestOutcome): void {
    const { send } = this.#parts;
    if (!outcome.accepted) {
      const { message, shown } = outcome;
      send({ type: "refused", request, message, ...(shown === true && { shown }) });
    } else if (request === "start" || request === "resume") send({ type: "accepted", request });
  }

  async #saveInput(input: Extract<FromWebview, { type: "saveInput" }>["input"]): Promise<void> {
    if ("problem" in input)
      throw new NotPossibleError(`This can't be saved: ${input.problem}`, "Write it anew, and save it then.");
    await saveInput(savedInputOf(input.request, input.mode, this.#parts.facts.state));
  }

  async #openSource({ of, path, runId, assistantId }: SourceRequest): Promise<void> {
    const { session, facts, graphs, target } = this.#parts;
    const run = session.entries.find((entry) => entry.kind === "run" && entry.runId === runId);
    const id = assistantId ?? (run?.kind === "run" ? run.assistantId : undefined);
    const name = path.at(-1);
    if (id === undefined || name === undefined) return;
    const graph = facts.state.assistants.find((one) => one.id === id)?.graph ?? id;
    const wanted = of === "tool" ? { tool: name } : { node: name, within: path.slice(0, -1) };
    await openSource(graphs, target.connectionId, graph, wanted);
  }

  /** Where the files are that texts of this panel may name: its project's folder, and those of the workspace. */
  get #folders(): readonly string[] {
    const { graphs, target } = this.#parts;
    const open = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? [];
    const own = graphs.project(target.connectionId)?.folder;
    const all = own === undefined ? open : [own, ...open];
    return all.flatMap(({ scheme, fsPath }) => (scheme === "file" ? [fsPath] : []));
  }

  async #compare(step: Extract<FromWebview, { type: "compareStep" }>): Promise<void> {
    const thread = this.#thread;
    if (thread !== undefined)
      await vscode.commands.executeCommand("vscode.diff", ...stepStates(thread, step));
  }

  async #repair(action: RepairAction): Promise<void> {
    const command: CommandId = "agentOperations.thread.repair";
    if (this.#thread !== undefined)
      await vscode.commands.executeCommand(command, { ...this.#thread, action });
  }

  async #onThread(command: CommandId, threadId: string | undefined): Promise<void> {
    const { connectionId, server } = this.#parts.target;
    if (threadId !== undefined)
      await vscode.commands.executeCommand(command, { connectionId, server, threadId });
  }

  get #thread(): ThreadRef | undefined {
    const { target, session } = this.#parts;
    return threadOn(target, session.threadId);
  }

  async #remedy(action: RemedyAction): Promise<void> {
    const { target, session, facts } = this.#parts;
    const remedy = commandOf(action, target.connectionId);
    if (remedy !== undefined) await vscode.commands.executeCommand(remedy.command, ...remedy.arguments);
    else await Promise.all([facts.load(session.threadId), session.retry()]);
  }
}

const changes: { readonly [Type in PageRequest["type"]]?: PageChange } = {
  start: { action: "Run", question: "Start this run?", verb: "Run" },
  stop: { action: "Stop Run", question: "Stop this run?", verb: "Stop", isUrgent: true },
  decide: { action: "Answer", question: "Send this answer?", verb: "Send" },
  resume: { action: "Answer", question: "Send this answer?", verb: "Send" },
  feedback: { action: "Give Feedback", question: "Send this feedback?", verb: "Send" },
};

const longestShown = 300;

/** What a request changes, and as much of what it sends as a question has room for; undefined when it changes nothing. */
export function changeIn(request: PageRequest): PageChange | undefined {
  const change = changes[request.type];
  const sent = sentText(request);
  const detail = sent.length <= longestShown ? sent : `${sent.slice(0, longestShown)}…`;
  return change === undefined ? undefined : { ...change, detail };
}

function sentText(request: PageRequest): string {
  if (request.type === "decide") return request.decisions.map(({ type }) => type).join(", ");
  if (request.type === "resume") return plain(request.value);
  if (request.type !== "start") return "";
  const { input } = request.request;
  return "text" in input ? input.text : plain(input.json);
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The editor's debugger on the servers of the workspace's graphs: attached to one that runs, and left again. */

import { setTimeout as wait } from "node:timers/promises";
import * as vscode from "vscode";
import { KeptList } from "../kit/keptList.ts";
import { showInformation } from "../kit/notice.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import type { Runtime } from "../workspaceGraphs/graphFile.ts";
import type { GraphProject } from "../workspaceGraphs/graphProject.ts";
import { isReloading } from "../workspaceGraphs/serverProcess.ts";
import { checkTrust } from "../workspaceGraphs/startGraphs.ts";
import type { WorkspaceGraphs } from "../workspaceGraphs/workspaceGraphs.ts";
import {
  attachFailed,
  checkDebugger,
  DEBUGGERS,
  listeningProcesses,
  noDebugpy,
  projectIdOf,
} from "./attachConfiguration.ts";
import { type Attached, bound, startSession, wasLeft } from "./attachedSessions.ts";
import { closeInspectors } from "./inspectors.ts";
import { goOn, pausedLocation, type Stop } from "./pausedLocation.ts";

/** A server whose source was saved ends within that time: until then nothing holds it any more. */
const endingMs = 5_000;

/** A server that loads the saved source begins to do so within that time. */
const noticeMs = 2_000;

/** Attaches, and tells `workspaceGraphs` where servers are held. */
export class GraphDebugger implements vscode.Disposable {
  readonly #graphs: WorkspaceGraphs;
  readonly #throwing: KeptList<string>;
  readonly #log: vscode.LogOutputChannel;
  readonly #attached = new Map<string, Attached>();
  readonly #attaching = new Map<string, Promise<void>>();
  readonly #leaving = new Map<string, Promise<unknown>>();
  readonly #subscriptions: vscode.Disposable[] = [];

  constructor(graphs: WorkspaceGraphs, memory: vscode.Memento, log: vscode.LogOutputChannel) {
    this.#graphs = graphs;
    this.#throwing = new KeptList(memory, "graphs.pauseWhereThrown", (id) => id);
    this.#log = log;
  }

  /** Attaches to the project's server, which is started when it does not run. Throws NotPossibleError or GraphServerError. */
  attach(project: GraphProject, signal: AbortSignal, endsServer = false): Promise<void> {
    const { id } = project;
    const before = this.#attaching.get(id);
    if (before !== undefined) return before;
    if (this.#attached.has(id)) return Promise.resolve();
    const attaching = this.#attach(project, signal, endsServer).finally(() => this.#attaching.delete(id));
    this.#attaching.set(id, attaching);
    return attaching;
  }

  /** Whether the server that runs has to end first: one of Python listens to a debugger from its start, or never. */
  endsToListen(id: string): boolean {
    const { runtime, debugPort } = this.#graphs.facts(id) ?? {};
    return runtime === "python" && debugPort === undefined;
  }

  /** Lets a server go on that is held. */
  async resume(id: string): Promise<void> {
    await goOn(this.#attached.get(id)?.stops);
  }

  /** The project whose server is held, and would be killed if this source of it was saved. */
  heldBy({ uri }: Pick<vscode.TextDocument, "uri">): GraphProject | undefined {
    const project = this.#loadedFrom(uri);
    const attached = project && this.#attached.get(project.id);
    const isHeld = attached !== undefined && attached.stops.size > 0 && Date.now() > attached.endingUntil;
    return isHeld ? project : undefined;
  }

  /** A source of the project is about to be saved: its server ends soon, and nothing may hold it until then. */
  async letEnd(id: string): Promise<void> {
    const attached = this.#attached.get(id);
    if (attached === undefined) return;
    attached.endingUntil = Date.now() + endingMs;
    await this.resume(id);
  }

  /** Whether the project's graphs are held wherever they throw. */
  pausesOnExceptions(id: string): boolean {
    return this.#throwing.get(id) !== undefined;
  }

  /** From now on, and also the next time. */
  async setPausesOnExceptions(id: string, pauses: boolean): Promise<void> {
    if (pauses) await this.#throwing.keep(id);
    else await this.#throwing.forget(id);
    const { sessions = [] } = this.#attached.get(id) ?? {};
    await Promise.all([...sessions].map((session) => this.#applyThrowing(id, session)));
    this.#update(id);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  async #attach(project: GraphProject, signal: AbortSignal, endsServer: boolean): Promise<void> {
    const { id, name } = project;
    checkTrust(name);
    // Its processes still listen to the debugger that left, but not for long.
    await this.#leaving.get(id);
    const { runtime } = await this.#graphs.file(id);
    checkDebugger(runtime);
    await this.#save(id, runtime, signal);
    if (this.endsToListen(id)) await this.#graphs.stop(id);
    await this.#graphs.start(id, signal, true).catch(async (error: unknown) => {
      throw (await this.#graphs.log(id)).includes("debugpy is not installed") ? noDebugpy(name) : error;
    });
    const began = this.#graphs.began(id);
    const processes = await listeningProcesses(project, this.#graphs, signal);
    this.#listen();
    const sessions = { root: undefined, sessions: new Set<never>(), stops: new Map<never, never>() };
    const attached: Attached = { project, endsServer, ...sessions, pause: undefined, endingUntil: 0 };
    this.#attached.set(id, attached);
    try {
      for (const process of processes) await startSession(attached, runtime, process, signal);
      await bound(attached, (uri) => this.#graphs.projectOf(uri)?.id === id, signal);
    } catch (error) {
      await this.#leave(attached);
      signal.throwIfAborted();
      const now = this.#graphs.began(id);
      if (now?.savedFile !== undefined && now !== began) return this.#attach(project, signal, endsServer);
      throw error instanceof NotPossibleError ? error : attachFailed(name, error);
    }
    this.#update(id);
  }

  /** The project whose graphs may load anew when this file is saved. */
  #loadedFrom(uri: vscode.Uri): GraphProject | undefined {
    return /\.([cm]?[jt]sx?|json|py|env)$/.test(uri.path) ? this.#graphs.projectOf(uri) : undefined;
  }

  /** What the editor saves with its first session is saved before: a server that loads it anew is not attached to. */
  async #save(id: string, runtime: Runtime, signal: AbortSignal): Promise<void> {
    if (vscode.workspace.getConfiguration("debug").get("saveBeforeStart") === "none") return;
    const loadsAnew = vscode.workspace.textDocuments.some(
      ({ isDirty, uri }) => isDirty && this.#loadedFrom(uri)?.id === id,
    );
    await vscode.workspace.saveAll(false);
    if (!loadsAnew || runtime === "python") return;
    const isRunning = (): boolean => {
      const state = this.#graphs.state(id);
      return state.kind === "running" && !state.reloading;
    };
    for (const end = Date.now() + noticeMs; isRunning() && Date.now() < end;)
      await wait(20, undefined, { signal });
  }

  /** Once, with the first session: what others debug is of no interest before. */
  #listen(): void {
    if (this.#subscriptions.length > 0) return;
    const factory: vscode.DebugAdapterTrackerFactory = {
      createDebugAdapterTracker: (session) => {
        const attached = this.#of(session);
        if (attached === undefined) return undefined;
        attached.sessions.add(session);
        if (session.parentSession === undefined) attached.root ??= session;
        // What a tracker throws would hang the session.
        return {
          onWillReceiveMessage: (message) => this.#guarded(() => leaveAlive(message)),
          onDidSendMessage: (message) => this.#guarded(() => this.#received(attached, session, message)),
        };
      },
    };
    this.#subscriptions.push(
      ...Object.values(DEBUGGERS).map(({ sessionType }) =>
        vscode.debug.registerDebugAdapterTrackerFactory(sessionType, factory),
      ),
      vscode.debug.onDidTerminateDebugSession((session) => {
        void this.#ended(session).catch((error: unknown) => this.#logError(error));
      }),
      vscode.workspace.onWillSaveTextDocument((event) => this.#savedUnasked(event)),
    );
  }

  #of(session: vscode.DebugSession): Attached | undefined {
    return this.#attached.get(projectIdOf(session) ?? "");
  }

  #received(attached: Attached, session: vscode.DebugSession, message: unknown): void {
    const { type, event, command, body } = Object(message) as Readonly<Record<string, unknown>>;
    if (type === "response" && command === "configurationDone")
      void this.#applyThrowing(attached.project.id, session).catch((error: unknown) => this.#logError(error));
    if (type !== "event") return;
    if (event === "stopped") this.#stopped(attached, session, body);
    else if (event === "continued" || event === "terminated") this.#continued(attached, session);
  }

  #stopped(attached: Attached, session: vscode.DebugSession, body: unknown): void {
    const { threadId, reason } = Object(body) as Readonly<Record<string, unknown>>;
    if (typeof threadId !== "number") return;
    const stop: Stop = { threadId, reason: typeof reason === "string" ? reason : "" };
    attached.stops.set(session, stop);
    if (Date.now() < attached.endingUntil) {
      void session.customRequest("continue", { threadId });
      return;
    }
    const { project } = attached;
    attached.pause = {};
    this.#update(project.id);
    void pausedLocation(session, stop, project.folder.fsPath)
      .then((pause) => {
        if (attached.stops.get(session) !== stop) return;
        attached.pause = pause;
        this.#update(project.id);
      })
      .catch((error: unknown) => this.#logError(error));
  }

  /** Saved by the editor itself, or together with others: a save can't be refused, so the server goes on in time. */
  #savedUnasked(event: vscode.TextDocumentWillSaveEvent): void {
    const { document } = event;
    const project = this.heldBy(document);
    if (project === undefined) return;
    event.waitUntil(this.letEnd(project.id));
    const file = vscode.workspace.asRelativePath(document.uri, false);
    void showInformation(`${file} was saved, so the graphs of ${project.name} went on and load anew.`);
  }

  #continued(attached: Attached, session: vscode.DebugSession): void {
    attached.stops.delete(session);
    this.#update(attached.project.id);
  }

  async #ended(session: vscode.DebugSession): Promise<void> {
    const attached = this.#of(session);
    if (attached === undefined) return;
    const { id } = attached.project;
    attached.sessions.delete(session);
    attached.stops.delete(session);
    this.#update(id);
    const isOver = session === attached.root || (await wasLeft(session));
    if (isOver && this.#attached.get(id) === attached) await this.#leave(attached);
  }

  async #leave(attached: Attached): Promise<void> {
    const { id } = attached.project;
    this.#attached.delete(id);
    this.#update(id);
    const leaving = this.#endSessions(attached);
    this.#leaving.set(
      id,
      leaving.catch(() => undefined),
    );
    await leaving.finally(() => this.#leaving.delete(id));
  }

  /** A session that holds its process, or never reached it, does not end with the first one, but would stay for ever. */
  async #endSessions(attached: Attached): Promise<void> {
    const { project, endsServer, sessions, stops } = attached;
    const ends = endsServer && !(await this.#graphs.isShared(project.id));
    if (ends) await this.#graphs.stop(project.id);
    else {
      attached.endingUntil = Date.now() + endingMs;
      await goOn(stops).catch((error: unknown) => this.#logError(error));
    }
    await Promise.allSettled([...sessions].map((session) => vscode.debug.stopDebugging(session)));
    // The processes go on, and would listen for as long as they live.
    const isLoading = (): boolean => isReloading(this.#graphs.state(project.id));
    if (!ends) await closeInspectors(() => this.#graphs.inspectors(project.id), isLoading);
  }

  /** Tells whether a debugger is attached, and where it holds the server. */
  #update(id: string): void {
    const attached = this.#attached.get(id);
    const pause = attached?.stops.size === 0 ? undefined : attached?.pause;
    const state = { pausesOnExceptions: this.pausesOnExceptions(id), ...(pause !== undefined && { pause }) };
    this.#graphs.debugging.set(id, attached && state);
  }

  async #applyThrowing(id: string, session: vscode.DebugSession): Promise<void> {
    const { throwing } = session.type === DEBUGGERS.python.sessionType ? DEBUGGERS.python : DEBUGGERS.node;
    const filters = this.pausesOnExceptions(id) ? throwing : [];
    await session.customRequest("setExceptionBreakpoints", { filters });
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#logError(error);
    }
  }

  #logError(error: unknown): void {
    this.#log.debug(`Debugging graphs: ${String(error)}`);
  }
}

/** Where all debugging is ended at once, the editor has debuggers kill what they are attached to: they leave it alone. */
function leaveAlive(message: unknown): void {
  const { command, arguments: args } = Object(message) as Readonly<Record<string, unknown>>;
  if (command === "disconnect") Object.assign(Object(args) as object, { terminateDebuggee: false });
}

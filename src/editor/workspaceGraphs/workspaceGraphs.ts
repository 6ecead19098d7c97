/** The workspace's own graphs: each folder with a `langgraph.json`, and the server that runs its graphs. */

import { join } from "node:path";
import * as vscode from "vscode";
import type { ServerBegin } from "../../run/session/server.ts";
import { KeptList } from "../kit/keptList.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import { WATCHED } from "../kit/remembered.ts";
import { DebugStates } from "./debugStates.ts";
import type { GraphFile } from "./graphFile.ts";
import { type GraphProject, projectsOf } from "./graphProject.ts";
import type { GraphServer } from "./graphServer.ts";
import type { GraphServerRecord, GraphServerState } from "./serverProcess.ts";

/** What of the extension's context it needs. */
type Context = Pick<vscode.ExtensionContext, "extensionPath" | "globalStorageUri" | "workspaceState">;

const pattern = "**/langgraph.json";
const excluded = "**/{node_modules,.langgraph_api,.venv,venv,dist,build,out}/**";
const most = 50;
const foundMemory = "graphs.found";
const portMemory = "graphs.ports";

/** Finds the projects, and starts, attaches to and stops their servers. */
export class WorkspaceGraphs implements vscode.Disposable {
  readonly #context: Context;
  readonly #failed: (project: GraphProject, error: unknown) => void;
  readonly #files: KeptList<string>;
  readonly #started: KeptList<string>;
  readonly #ports: KeptList<readonly [id: string, port: number]>;
  readonly #changed = new vscode.EventEmitter<void>();
  /** The list of projects, or the state of a server. */
  readonly onDidChange = this.#changed.event;
  readonly #logChanged = new vscode.EventEmitter<string>();
  /** The log of this project's server has grown. */
  readonly onDidChangeLog = this.#logChanged.event;
  readonly #debugChanged = new vscode.EventEmitter<void>();
  /** A debugger was attached or left, or a server is held by one, or goes on. */
  readonly onDidChangeDebugging = this.#debugChanged.event;
  readonly debugging = new DebugStates(() => this.#debugChanged.fire());
  readonly #servers = new Map<string, Promise<GraphServer>>();
  readonly #states = new Map<string, GraphServerState>();
  readonly #facts = new Map<string, GraphServerRecord | undefined>();
  readonly #began = new Map<string, ServerBegin | undefined>();
  readonly #subscriptions: { dispose(): unknown }[] = [this.#changed, this.#logChanged, this.#debugChanged];
  #projects: readonly GraphProject[];
  #found: Promise<void> | undefined;

  /** `failed` is called when a server ended that nobody waits for: its project, and what to do. */
  constructor(context: Context, failed: (project: GraphProject, error: unknown) => void = () => undefined) {
    const { workspaceState } = context;
    this.#failed = failed;
    this.#context = context;
    this.#files = new KeptList(workspaceState, foundMemory, (uri) => uri);
    this.#started = new KeptList(workspaceState, WATCHED.graphs, (id) => id);
    this.#ports = new KeptList(workspaceState, portMemory, ([id]) => id);
    // Panels and rows that come back with the window find their server before the folders are searched.
    this.#projects = projectsOf(this.#files.items.map((uri) => vscode.Uri.parse(uri)));
  }

  /** The projects as far as they are known; `find` looks for them. */
  get projects(): readonly GraphProject[] {
    return this.#projects;
  }

  project(id: string): GraphProject | undefined {
    return this.#projects.find((project) => project.id === id);
  }

  /** The project that a file lies in, the innermost; undefined for what is not the person's own source. */
  projectOf({ scheme, path }: vscode.Uri): GraphProject | undefined {
    if (scheme !== "file" || path.includes("/node_modules/")) return undefined;
    return this.#projects
      .filter(({ folder }) => path.startsWith(`${folder.path}/`))
      .sort((one, other) => other.folder.path.length - one.folder.path.length)[0];
  }

  state(id: string): GraphServerState {
    return this.#states.get(id) ?? { kind: "stopped" };
  }

  /** Why a server that does not run can't be asked, and what to do. */
  whyNot(id: string): { readonly why: string; readonly remedy: string } {
    const [why, remedy] = whyNot(this.project(id)?.name ?? id, this.state(id));
    return { why, remedy };
  }

  /** Looks for projects in all folders of the workspace, and from then on notices those that come and go. */
  find(): Promise<void> {
    if (this.#found !== undefined) return this.#found;
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const search = (): void => void (this.#found = this.#search());
    this.#subscriptions.push(
      watcher,
      watcher.onDidCreate(search),
      watcher.onDidDelete(search),
      vscode.workspace.onDidChangeWorkspaceFolders(search),
    );
    this.#found = this.#search();
    return this.#found;
  }

  /** Looks for projects again, because a person asked for it. */
  async refresh(): Promise<void> {
    await this.find();
    await (this.#found = this.#search());
  }

  /** What the project's `langgraph.json` says. */
  async file(id: string): Promise<GraphFile> {
    const { readGraphFile } = await import("./graphFile.ts");
    const uri = this.project(id)?.file;
    const open = vscode.workspace.textDocuments.find(
      (document) => document.uri.toString() === uri?.toString(),
    );
    if (open !== undefined) return readGraphFile(open.getText());
    const bytes =
      uri &&
      (await vscode.workspace.fs.readFile(uri).then(
        (read) => read,
        () => undefined,
      ));
    return readGraphFile(new TextDecoder().decode(bytes));
  }

  /**
   * Starts a project's server; answers its address when it is ready. One that is to be `debugged` listens to a debugger.
   * Throws GraphServerError or NotPossibleError.
   */
  async start(id: string, signal: AbortSignal, debugged = false): Promise<string> {
    const project = this.#known(id);
    const [{ startGraphs }, server] = await Promise.all([import("./startGraphs.ts"), this.#server(project)]);
    await this.#started.keep(id);
    const port = this.#ports.get(id)?.[1] ?? 0;
    const url = await startGraphs(project, await this.file(id), { server, port, debugged, signal });
    await this.#ports.keep([id, server.running?.port ?? port]);
    return url;
  }

  /** Ends a project's server for all windows. */
  async stop(id: string): Promise<void> {
    await this.#started.forget(id);
    await (await this.#server(this.#known(id))).stop();
  }

  /** Whether another window of this editor uses the project's server, too. */
  async isShared(id: string): Promise<boolean> {
    const { hasOtherWindows } = await import("../kit/directoryLock.ts");
    return hasOtherWindows(this.#storage(id));
  }

  /** Attaches to a server that this window or another one started; a project whose server never ran is left alone. */
  async resume(id: string): Promise<void> {
    const project = this.project(id);
    if (project !== undefined) await (await this.#server(project)).resume();
  }

  /** What runs for a project; undefined when nothing does. */
  facts(id: string): GraphServerRecord | undefined {
    return this.#facts.get(id);
  }

  /** Where a server of the project's graphs answers that was started outside of the editor; undefined where none does. */
  async otherServer(id: string): Promise<string | undefined> {
    // One that another window of this editor started is no stranger's.
    await this.resume(id);
    const { otherServer } = await import("./otherServers.ts");
    const project = this.project(id);
    const ours = [...this.#facts.values()].flatMap((record) => record?.pid ?? []);
    return project && otherServer(project.folder.fsPath, ours);
  }

  /** When the graphs of a project were loaded last, as far as this window knows. */
  began(id: string): ServerBegin | undefined {
    return this.#began.get(id);
  }

  /** What the processes of a project's server take of memory, in bytes; undefined where none runs, or nobody can tell. */
  async memory(id: string): Promise<number | undefined> {
    const { pid } = this.facts(id) ?? {};
    if (pid === undefined) return undefined;
    const { listProcesses, processesBelow } = await import("../kit/nodeProcess.ts");
    const all = await listProcesses().catch(() => []);
    return processesBelow(all, pid).reduce((sum, { bytes }) => sum + bytes, 0) || undefined;
  }

  /** Where processes of a project's server said that they listen to a debugger: `ws://…`, the newest last. */
  async inspectors(id: string): Promise<readonly string[]> {
    return (await this.#servers.get(id))?.log.inspectors ?? [];
  }

  /** What a project's server said, as far as it is kept; also of one that ended. */
  async log(id: string): Promise<string> {
    return (await this.#servers.get(id))?.log.text ?? "";
  }

  /** The window closes: servers that no other window uses end a little later. */
  async shutdown(): Promise<void> {
    const servers = await Promise.all(this.#servers.values());
    await Promise.all(servers.map((server) => server.leave()));
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #known(id: string): GraphProject {
    const project = this.project(id);
    if (project !== undefined) return project;
    throw new NotPossibleError("The workspace has no such langgraph.json any more.", "Choose other graphs.");
  }

  async #search(): Promise<void> {
    const files = await vscode.workspace.findFiles(pattern, excluded, most);
    const local = files.filter(({ scheme }) => scheme === "file").map(String);
    // A server is not lost because its file is.
    const busy = this.#projects
      .filter(({ id }) => this.state(id).kind !== "stopped")
      .map(({ file }) => String(file));
    const found = [...new Set([...local, ...busy])].sort();
    if (found.join() !== this.#projects.map(({ file }) => String(file)).join()) {
      this.#projects = projectsOf(found.map((uri) => vscode.Uri.parse(uri)));
      await this.#files.replace(found);
      this.#changed.fire();
    }
    await Promise.all(this.#started.items.map((id) => this.#comeBack(id)));
  }

  /** Attaches to a server that this window started before, and waits for it as for one that starts. */
  async #comeBack(id: string): Promise<void> {
    await this.resume(id);
    // What goes wrong is the server's state, and is shown with it.
    if (this.state(id).kind === "starting")
      void this.start(id, new AbortController().signal).catch(() => undefined);
  }

  async #server(project: GraphProject): Promise<GraphServer> {
    const { id, folder } = project;
    const { extensionPath } = this.#context;
    if (this.#servers.size === 0) void this.#markProblems();
    const made =
      this.#servers.get(id) ??
      import("./graphServer.ts").then(({ GraphServer }) => {
        const server: GraphServer = new GraphServer(
          {
            folder: folder.fsPath,
            storage: this.#storage(id),
            supervisor: join(extensionPath, "dist", "graphSupervisor.cjs"),
          },
          () => this.#serverChanged(id, server),
          (error) => this.#failed(project, error),
        );
        return server;
      });
    this.#servers.set(id, made);
    return made;
  }

  /** The folder of what its windows share. */
  #storage(id: string): string {
    return join(this.#context.globalStorageUri.fsPath, "graphs", id);
  }

  async #markProblems(): Promise<void> {
    const { StartupProblems } = await import("./startupProblems.ts");
    this.#subscriptions.push(new StartupProblems(this));
  }

  #serverChanged(id: string, { state, running, began }: GraphServer): void {
    this.#facts.set(id, running);
    this.#began.set(id, began);
    if (this.#states.get(id) !== state) {
      this.#states.set(id, state);
      this.#changed.fire();
    }
    this.#logChanged.fire(id);
  }
}

function whyNot(name: string, state: GraphServerState): readonly [why: string, remedy: string] {
  switch (state.kind) {
    case "starting":
      return [`The graphs of ${name} are starting.`, "Wait a moment."];
    case "broken":
      // In a row what is wrong comes first: the end is cut.
      return [
        `${state.error.message.replace(/\.$/, "")}: the graphs of ${name} do not load.`,
        "Fix the source and save it.",
      ];
    case "failed":
      return [`The graphs of ${name} do not run. ${state.message}`, "Start them again."];
    default:
      return [`The graphs of ${name} are not running.`, "Start them."];
  }
}

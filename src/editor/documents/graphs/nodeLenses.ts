/** Above each node in the sources of the workspace's graphs: what it did in the last run, and what can be done with it. */

import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import type { NodeMark } from "../../../run/panel/graphMarks.ts";
import { locatedNodes, type LocatedNode } from "../../graphSources/findSource.ts";
import type { ReadSources } from "../../graphSources/sources.ts";
import { type CommandId, SECTION, SETTINGS } from "../../kit/ids.ts";
import { counted, dotted, durationText, withoutIcons } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import { type LastRun, LastRuns } from "../../threads/lastRuns.ts";
import { addressOf, readSource } from "../../workspaceGraphs/graphAddress.ts";
import type { GraphProject } from "../../workspaceGraphs/graphProject.ts";

/** Sources are looked through when nobody has typed for so long. */
const quietMs = 300;

/** Runs of further assistants are not shown. */
const mostAssistants = 500;
/** How many of a server's newest threads are read to find what ran last. */
const mostThreads = 20;

/** A node of a graph, and what is known of its graph's last run. */
interface LensNode extends LocatedNode {
  readonly graph: string;
  readonly last: LastRun | undefined;
}

/** Provides the lenses of a source, and says when they changed. */
export class NodeLenses implements vscode.Disposable {
  readonly #services: Pick<Services, "agentServers" | "workspaceGraphs">;
  readonly #lastRuns: LastRuns;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;
  readonly #sources: ReadSources = new Map();
  /** The addresses of servers whose newest threads were asked for. */
  readonly #read = new Set<string>();
  readonly #versions = new Map<string, number>();
  /** The graphs of assistants, by connection and assistant; undefined as long as they are asked for. */
  readonly #graphs = new Map<string, string | undefined>();

  constructor({
    agentServers,
    sessions,
    threads,
    workspaceGraphs,
  }: Pick<Services, "agentServers" | "sessions" | "threads" | "workspaceGraphs">) {
    this.#services = { agentServers, workspaceGraphs };
    this.#lastRuns = new LastRuns(sessions, threads, () => this.#changed.fire());
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      this.#lastRuns,
      vscode.workspace.onDidSaveTextDocument(() => this.#changed.fire()),
      workspaceGraphs.onDidChange(() => {
        if (workspaceGraphs.projects.some((project) => this.#unread(project) !== undefined))
          this.#changed.fire();
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`${SECTION}.${SETTINGS.graphsCodeLens}`)) this.#changed.fire();
      }),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async of(document: vscode.TextDocument, token: vscode.CancellationToken): Promise<vscode.CodeLens[]> {
    const project = this.#services.workspaceGraphs.projectOf(document.uri);
    if (project === undefined) return [];
    const { version } = document;
    const key = document.uri.toString();
    if ((this.#versions.get(key) ?? version) !== version) await pause(quietMs);
    this.#versions.set(key, version);
    if (token.isCancellationRequested) return [];
    const nodes = await this.#nodesIn(project, document.uri.fsPath);
    if (document.version !== version) return [];
    return nodes.flatMap((node) => lensesOf(project, node, document));
  }

  /** The nodes that are written in a file; of several at one location the outermost one that ran last. */
  async #nodesIn(project: GraphProject, path: string): Promise<readonly LensNode[]> {
    const { graphs } = await this.#services.workspaceGraphs.file(project.id);
    const runs = await this.#runsOf(project);
    void this.#readNewest(project, runs);
    const nodes: LensNode[] = [];
    for (const entry of graphs) {
      const located = await locatedNodes(addressOf(project, entry), readSource, this.#sources);
      const last = runs.get(entry.name);
      for (const one of located)
        if (one.location.path === path && !one.location.isUse)
          nodes.push({ ...one, graph: entry.name, last });
    }
    const byLocation = Map.groupBy(nodes, ({ location }) => location.from);
    return [...byLocation.values()].flatMap(
      (some) =>
        some.sort(
          (one, other) =>
            one.path.length - other.path.length || (other.last?.startedAt ?? 0) - (one.last?.startedAt ?? 0),
        )[0] ?? [],
    );
  }

  /** The last runs by their graphs; those of assistants that were never met are known a moment later. */
  async #runsOf({ id }: GraphProject): Promise<ReadonlyMap<string, LastRun>> {
    const byGraph = new Map<string, LastRun>();
    for (const run of this.#lastRuns.of(id)) {
      const key = `${id} ${run.assistantId}`;
      if (!this.#graphs.has(key)) void this.#ask(run, key);
      const graph = this.#graphs.get(key);
      const known = graph === undefined ? undefined : byGraph.get(graph);
      if (graph !== undefined && (known?.startedAt ?? 0) <= run.startedAt) byGraph.set(graph, run);
    }
    return Promise.resolve(byGraph);
  }

  /** The address of the project's server, if it runs and its newest threads were not asked for yet. */
  #unread({ id }: GraphProject): string | undefined {
    const state = this.#services.workspaceGraphs.state(id);
    return state.kind === "running" && !this.#read.has(state.url) ? state.url : undefined;
  }

  /** What ran last of graphs of which this window followed no run: one look at the newest threads of each server. */
  async #readNewest(project: GraphProject, followed: ReadonlyMap<string, LastRun>): Promise<void> {
    const url = this.#unread(project);
    if (url === undefined) return;
    this.#read.add(url);
    const target = { connectionId: project.id, server: { kind: "workspaceGraphs" } } as const;
    try {
      const { threads } = this.#services.agentServers.client(target);
      const query = { limit: mostThreads, sort_by: "updated_at", sort_order: "desc" } as const;
      const newest = new Map<unknown, string>();
      for (const { thread_id: thread, metadata, status } of (await threads.search(query)).threads) {
        const graph = metadata["graph_id"];
        // Who runs now may be followed by somebody; nothing is to stream for a lens.
        if (typeof graph === "string" && status !== "busy" && !newest.has(graph)) newest.set(graph, thread);
      }
      for (const [graph, threadId] of newest)
        if (!followed.has(String(graph))) await this.#lastRuns.read({ ...target, threadId });
    } catch {
      // It is asked again with the next look at the source.
      this.#read.delete(url);
    }
  }

  /** An assistant stays that of its graph. */
  async #ask({ thread }: LastRun, key: string): Promise<void> {
    this.#graphs.set(key, undefined);
    try {
      const { assistants } = this.#services.agentServers.client(thread);
      const found = await assistants.search({ limit: mostAssistants });
      for (const { assistant_id: one, graph_id } of found)
        this.#graphs.set(`${thread.connectionId} ${one}`, graph_id);
      this.#changed.fire();
    } catch {
      // It is asked again when something has run.
      this.#graphs.delete(key);
    }
  }
}

function lensesOf(
  { id: connectionId }: GraphProject,
  { path, graph, location, last }: LensNode,
  document: vscode.TextDocument,
): vscode.CodeLens[] {
  const start = document.positionAt(location.from);
  const node = path.join(":");
  const lens = (title: string, tooltip: string, command: CommandId, ...args: readonly object[]) =>
    new vscode.CodeLens(new vscode.Range(start, start), {
      ...{ title, tooltip, command },
      arguments: [...args],
    });
  const mark = last?.marks.get(node);
  const before = path.length === 1 ? last?.before.get(node) : undefined;
  const ref = { connectionId, graph, node };
  const { body } = location;
  return [
    ...(mark === undefined || last === undefined
      ? []
      : [
          lens(
            wordsOf(node, mark),
            `Opens the thread in which “${graph}” ran last`,
            "agentOperations.thread.open",
            last.thread,
          ),
        ]),
    // Servers stop before nodes of the graph itself alone.
    ...(path.length > 1
      ? []
      : [
          lens(
            "$(debug-continue) Run to Here",
            "Runs the last input again in a new thread, up to this node",
            "agentOperations.node.runTo",
            { ...ref, ...(last !== undefined && { thread: last.thread, runId: last.givenTo }) },
          ),
        ]),
    ...(before === undefined || last === undefined
      ? []
      : [
          lens(
            "$(debug-rerun) Rerun from Here",
            "Runs this node and those after it again, from the state before it in the last run",
            "agentOperations.thread.repair",
            { ...last.thread, action: { verb: "from", checkpointId: before } },
          ),
        ]),
    ...(body === undefined
      ? []
      : [
          lens(
            "$(debug-alt) Debug",
            "Sets a breakpoint at the first thing that it does, and attaches the debugger",
            "agentOperations.node.debug",
            { ...ref, at: new vscode.Location(document.uri, breakableAt(document, body)) },
          ),
        ]),
  ];
}

/** A line of its own is meant as a whole; in the middle of one that spot is meant. */
function breakableAt(document: vscode.TextDocument, offset: number): vscode.Position {
  const at = document.positionAt(offset);
  return document.lineAt(at.line).firstNonWhitespaceCharacterIndex === at.character
    ? at.with({ character: 0 })
    : at;
}

const icons: Readonly<Record<NodeMark["status"], string>> = {
  ...{ done: "pass", error: "error", running: "sync", stopped: "debug-stop" },
  ...{ interrupted: "debug-pause", waiting: "bell-dot" },
};

/** As the run panel says it. */
function tookText(ms: number): string {
  if (ms < 1000) return `${String(Math.round(ms))} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : durationText(ms);
}

function wordsOf(node: string, { status, times, ms, tokens }: NodeMark): string {
  const took = ms === undefined ? "" : tookText(ms);
  const facts = [
    status,
    times > 1 ? `${String(times)} times` : "",
    took,
    tokens === undefined ? "" : counted(tokens, "token"),
  ];
  return `$(${icons[status]}) ${withoutIcons(node)}: ${dotted(facts)}`;
}

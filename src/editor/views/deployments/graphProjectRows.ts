/** The rows of the workspace's own graphs: their server's state, and the graphs of a server that does not run. */

import type * as vscode from "vscode";
import type { ConnectionSetting } from "../../connections/connection.ts";
import type { PlatformNode } from "../platform/platformView.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import { factsTooltip } from "../../kit/tree/factsTooltip.ts";
import { dotted, localTime } from "../../kit/words.ts";
import { versionWarning } from "../../workspaceGraphs/commandLine.ts";
import type { GraphEntry } from "../../workspaceGraphs/graphFile.ts";
import type { GraphServerState } from "../../workspaceGraphs/serverProcess.ts";
import { type DebugState, pauseWords } from "../../workspaceGraphs/debugStates.ts";
import type { WorkspaceGraphs } from "../../workspaceGraphs/workspaceGraphs.ts";

/** The row of a project; `count` is how many threads it has, in words, and `debug` what a debugger does with it. */
export function graphProjectRow(
  { name }: ConnectionSetting,
  state: GraphServerState,
  count: string,
  debug: DebugState | undefined,
): Row {
  const words = debug?.pause === undefined ? stateWords(state) : pauseWords(debug.pause);
  const description = dotted([words, state.kind === "running" ? count : ""]);
  const isDown = state.kind === "broken" || state.kind === "failed";
  const held: Row["icon"] = ["debug-pause", "debugIcon.pauseForeground"];
  // Menus ask it whether a debugger is there, and whether that holds what is thrown.
  const debugged = debug === undefined ? "" : ` debugged${debug.pausesOnExceptions ? " throwing" : ""}`;
  return {
    label: name,
    description,
    icon: debug?.pause !== undefined ? held : isDown ? ["project", "list.errorForeground"] : "project",
    contextValue: `graphProject ${state.kind}${debugged}`,
    spoken: `Graphs of this workspace, ${name}, ${description}`,
  };
}

/** What the server is doing, in a few words. */
function stateWords(state: GraphServerState): string {
  switch (state.kind) {
    case "running":
      return state.reloading ? "reloading" : new URL(state.url).host;
    case "broken":
      return "does not load";
    case "stopped":
    case "starting":
    case "failed":
      return state.kind;
    default:
      return state satisfies never;
  }
}

/** What is below a project whose server does not run: how to start it or to use `other`, and the graphs of its file. */
export function idleGraphRows(
  parent: PlatformNode,
  { kind }: GraphServerState,
  { graphs, other }: { readonly graphs: readonly GraphEntry[]; readonly other?: string | undefined },
  host: NodeHost,
): readonly TreeNode[] {
  const { connectionId } = parent.ref;
  const rows = graphs.map((entry) => graphRow(parent, connectionId, entry, host));
  if (kind !== "stopped" && kind !== "starting") return rows;
  const ref = { connectionId };
  const row = (): Row =>
    kind === "starting"
      ? {
          label: "Starting…",
          icon: "loading~spin",
          contextValue: "graphsStarting",
          command: {
            command: "agentOperations.graphs.openLog",
            title: "Open Log of Graphs",
            arguments: [ref],
          },
        }
      : {
          label: "Start the graphs",
          icon: "play",
          contextValue: "graphsStopped",
          command: { command: "agentOperations.graphs.start", title: "Start Graphs", arguments: [ref] },
        };
  const start = new BranchNode({ id: `startGraphs:${connectionId}`, parent, ref, row }, host);
  return [
    ...(other === undefined || kind !== "stopped" ? [] : [otherRow(parent, other, host)]),
    start,
    ...rows,
  ];
}

/** A server that somebody started in a terminal. */
function otherRow(parent: PlatformNode, url: string, host: NodeHost): TreeNode {
  const ref = { connectionId: parent.ref.connectionId, url };
  const row = (): Row => ({
    label: "Connect to the running server",
    description: `${new URL(url).host}, started outside of the editor`,
    icon: "plug",
    contextValue: "otherGraphServer",
    command: { command: "agentOperations.graphs.useRunning", title: "Connect to Server", arguments: [ref] },
  });
  return new BranchNode({ id: `otherGraphs:${parent.ref.connectionId}`, parent, ref, row }, host);
}

/** Address, process, memory and age of a project's server. */
export async function graphProjectTooltip(
  graphs: Pick<WorkspaceGraphs, "project" | "state" | "facts" | "debugging" | "memory">,
  id: string,
): Promise<vscode.MarkdownString | undefined> {
  const project = graphs.project(id);
  if (project === undefined) return undefined;
  const state = graphs.state(id);
  const debug = graphs.debugging.of(id);
  const { port, pid, startedAt, version } = graphs.facts(id) ?? {};
  const bytes = await graphs.memory(id);
  return factsTooltip(project.name, {
    Folder: project.folder.fsPath,
    State: stateWords(state),
    Debugger: debug && (debug.pause === undefined ? "attached" : pauseWords(debug.pause)),
    Problem:
      state.kind === "broken" ? state.error.message : state.kind === "failed" ? state.message : undefined,
    Port: port?.toString(),
    "Process ID": pid?.toString(),
    Memory: bytes === undefined ? undefined : `${String(Math.round(bytes / 1e6))} MB in all its processes`,
    "Command line":
      version && (versionWarning({ version }) === undefined ? version : `${version}, not tried`),
    Started: startedAt === undefined ? undefined : localTime(new Date(startedAt).toISOString()),
  });
}

/** A graph of `langgraph.json`, while no server tells of it; a click runs it. */
function graphRow(parent: TreeNode, connectionId: string, entry: GraphEntry, host: NodeHost): TreeNode {
  const { name: graph, file, exported } = entry;
  const ref = { connectionId, graph };
  const row = (): Row => ({
    label: graph,
    description: file,
    icon: "hubot",
    contextValue: "graph",
    tooltip: `${graph}\n${file}:${exported}`,
    command: { command: "agentOperations.graph.run", title: "Run Graph", arguments: [ref] },
    spoken: `Graph ${graph}, starts its server and a thread`,
  });
  return new BranchNode({ id: `graph:${connectionId}/${graph}`, parent, ref, row }, host);
}

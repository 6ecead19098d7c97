/** Debugging graphs by the editor's own ways: its Run view, and the key that starts debugging. */

import * as vscode from "vscode";
import { setContext } from "../kit/contexts.ts";
import { type CommandId, CONTEXTS, DEBUG_TYPE } from "../kit/ids.ts";
import type { GraphProject } from "../workspaceGraphs/graphProject.ts";
import type { WorkspaceGraphs } from "../workspaceGraphs/workspaceGraphs.ts";

/** Offers each project in the Run view, where nothing is written into a file, and says that the key can mean them. */
export function registerGraphDebugging(graphs: WorkspaceGraphs): vscode.Disposable {
  // The sessions are started one by one: what the editor hands over is only a suggestion.
  const resolver: vscode.DebugConfigurationProvider = {
    resolveDebugConfigurationWithSubstitutedVariables: async (_, { request, folder }) => {
      await graphs.find();
      const project = graphs.projects.find((one) => one.folder.fsPath === folder);
      const command: CommandId = "agentOperations.graphs.debug";
      const meant = { connectionId: project?.id, endsServer: request === "launch" };
      void vscode.commands.executeCommand(command, meant);
      return undefined;
    },
  };
  const offers: vscode.DebugConfigurationProvider = {
    provideDebugConfigurations: async (folder) => {
      await graphs.find();
      return graphs.projects.flatMap((project) => configurations(project, folder));
    },
  };
  const update = (): void => setContexts(graphs);
  update();
  return vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider(DEBUG_TYPE, resolver),
    vscode.debug.registerDebugConfigurationProvider(
      DEBUG_TYPE,
      offers,
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
    graphs.onDidChange(update),
    graphs.onDidChangeDebugging(update),
  );
}

function configurations(
  { name, folder }: GraphProject,
  asked: vscode.WorkspaceFolder | undefined,
): vscode.DebugConfiguration[] {
  const workspace = vscode.workspace.getWorkspaceFolder(folder);
  if (asked !== undefined && workspace?.uri.toString() !== asked.uri.toString()) return [];
  const common = { type: DEBUG_TYPE, folder: folder.fsPath };
  return [
    { ...common, request: "attach", name: `Debug ${name}` },
    { ...common, request: "launch", name: `Debug ${name}, and stop its server at the end` },
  ];
}

/**
 * Whether the key that starts debugging means graphs where it is pressed in a source. The editor asks that when it was
 * pressed: a context that is set when a source comes to the front comes too late where the extension is busy.
 */
export function keyMeansGraphs(graphs: Pick<WorkspaceGraphs, "projectOf">): boolean {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined || graphs.projectOf(uri) === undefined) return false;
  // A person who has launch configurations of their own keeps the key for them.
  const own = vscode.workspace.getConfiguration("launch", uri).get<unknown>("configurations", []);
  return !Array.isArray(own) || own.length === 0;
}

/** Sets where keys can mean graphs. */
function setContexts(graphs: WorkspaceGraphs): void {
  setContext(CONTEXTS.hasGraphs, graphs.projects.length > 0);
  setContext(CONTEXTS.graphsDebugged, graphs.debugging.any);
  setContext(CONTEXTS.graphsHeld, graphs.debugging.anyHeld);
}

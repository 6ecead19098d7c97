/** Starting, stopping and looking into the servers of the workspace's own graphs. */

import * as vscode from "vscode";
import type { GraphLogs } from "../../documents/graphLogs.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { abortable } from "../../kit/notice.ts";
import type { Services } from "../../services.ts";
import type { GraphProject } from "../../workspaceGraphs/graphProject.ts";
import { chooseProject } from "./graphChoice.ts";

/** The commands about a project's server. */
export function commands(services: Services, { graphLogs }: { graphLogs: GraphLogs }): CommandsOf<"graphs"> {
  const { workspaceGraphs } = services;
  return {
    "agentOperations.graphs.start": async (node) => {
      await startProject(services, await chooseProject(services, node, "Start Graphs"));
    },
    "agentOperations.graphs.stop": async (node) => {
      const { id } = await chooseProject(services, node, "Stop Graphs");
      await workspaceGraphs.stop(id);
    },
    "agentOperations.graphs.restart": async (node) => {
      const project = await chooseProject(services, node, "Restart Graphs");
      await workspaceGraphs.stop(project.id);
      await startProject(services, project);
    },
    "agentOperations.graphs.openLog": async (node) => {
      await graphLogs.show((await chooseProject(services, node, "Open Log of Graphs")).id);
    },
    "agentOperations.graphs.openFile": async (node) => {
      const { file } = await chooseProject(services, node, "Open File of Graphs");
      await vscode.window.showTextDocument(file, { preview: false });
    },
  };
}

/** Starts a project's server with a progress that can be cancelled; one that runs is left alone. */
export async function startProject(
  { workspaceGraphs }: Pick<Services, "workspaceGraphs">,
  { id, name }: GraphProject,
): Promise<void> {
  if (workspaceGraphs.state(id).kind === "running") return;
  await abortable(`Starting the graphs of ${name}`, (signal) => workspaceGraphs.start(id, signal));
}

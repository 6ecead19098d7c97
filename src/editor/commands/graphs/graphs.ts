/** Running the workspace's own graphs: starting, stopping and looking into their servers. */

import * as vscode from "vscode";
import { flagOf } from "../../kit/ask/meant.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import type { GraphLogs } from "../../documents/graphLogs.ts";
import { draftText, githubDraft } from "../../deployments/drafts/draftText.ts";
import type { DeploymentDrafts } from "../../documents/deploymentDrafts.ts";
import { GRAPH_FILE } from "../../workspaceGraphs/graphFile.ts";
import { readRepository } from "../../workspaceGraphs/repository.ts";
import { checkTrust } from "../../workspaceGraphs/startGraphs.ts";
import type { ThreadTarget } from "../../connections/connection.ts";
import type { GraphProject } from "../../workspaceGraphs/graphProject.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { abortable, confirm, showInformation, showWarning } from "../../kit/notice.ts";
import { keyMeansGraphs } from "../../debugging/registration.ts";
import { chooseGraph, chooseProject, graphInFront } from "./graphChoice.ts";

/** What is shown of graphs. */
interface GraphDocuments {
  readonly drafts: Pick<DeploymentDrafts, "open">;
  readonly graphLogs: GraphLogs;
  readonly panels: RunPanels;
}

/** The projects that a debugger is about to be attached to; handlers are made anew for each call. */
const attaching = new Set<string>();

/** The commands about a graph of the workspace, and about the server of its project. */
export function commands(
  services: Services,
  { drafts, graphLogs, panels }: GraphDocuments,
): CommandsOf<"graph" | "graphs"> {
  const { graphDebugger, workspaceGraphs } = services;
  const openThread = async (
    { id }: GraphProject,
    graph: string,
    column?: vscode.ViewColumn,
  ): Promise<void> => {
    const target = { connectionId: id, server: { kind: "workspaceGraphs" } } as const;
    const { assistants } = services.agentServers.client(target);
    const [assistant] = await assistants.search({ graph_id: graph, limit: 1 });
    panels.openNew({ ...target, assistantId: assistant?.assistant_id }, column);
  };
  return {
    "agentOperations.graph.run": async (node) => {
      const { project, graph } = await chooseGraph(services, node, "Run Graph");
      await startProject(services, project);
      await openThread(project, graph);
    },
    "agentOperations.graph.open": async (node) => {
      const { project, graph } = await chooseGraph(services, node, "Open Graph");
      await startProject(services, project);
      panels.openGraph(await newThreadOf(services, project.id, graph));
    },
    "agentOperations.graph.debug": async (node) => {
      const isKey = flagOf(node, "isKey");
      if (isKey && !keyMeansGraphs(workspaceGraphs)) {
        await vscode.commands.executeCommand("workbench.action.debug.start");
        return;
      }
      const meant = isKey || node === undefined ? await graphInFront(services) : node;
      const { project, graph } = await chooseGraph(services, meant, "Debug Graph");
      // Pressed again before the debugger is attached: the first press goes on, and says how far it is.
      if (attaching.has(project.id)) return;
      attaching.add(project.id);
      try {
        await debugProject(services, project);
        // Where a thread is open already, the person debugs: the source keeps the focus.
        const isOpen = panels.all.some(({ target }) => target.connectionId === project.id);
        const isCodeInFront = vscode.window.activeTextEditor !== undefined;
        const { Active, Beside } = vscode.ViewColumn;
        if (!isOpen) await openThread(project, graph, isCodeInFront ? Beside : Active);
      } finally {
        attaching.delete(project.id);
      }
    },
    "agentOperations.graphs.debug": async (node) => {
      const project = await chooseProject(services, node, "Debug Graphs");
      await debugProject(services, project, flagOf(node, "endsServer"));
    },
    "agentOperations.graphs.pauseOnExceptions": async (node) => {
      const { id } = await chooseProject(services, node, "Pause Graphs on Exceptions");
      await graphDebugger.setPausesOnExceptions(id, true);
    },
    "agentOperations.graphs.doNotPauseOnExceptions": async (node) => {
      const { id } = await chooseProject(services, node, "Do Not Pause Graphs on Exceptions");
      await graphDebugger.setPausesOnExceptions(id, false);
    },
    "agentOperations.graphs.save": async () => {
      const document = vscode.window.activeTextEditor?.document;
      const held = document?.isDirty === true ? graphDebugger.heldBy(document) : undefined;
      if (held !== undefined) {
        await confirm(
          `Save while the debugger has paused the graphs of ${held.name}?`,
          "Their server loads its sources anew when one of them is saved: it goes on, ends and comes back. A run that is under way is cut off.",
          "Continue and Save",
        );
        await graphDebugger.letEnd(held.id);
      }
      await vscode.commands.executeCommand("workbench.action.files.save");
    },
    "agentOperations.graphs.start": async (node) => {
      await startProject(services, await chooseProject(services, node, "Start Graphs"));
    },
    "agentOperations.graphs.stop": async (node) => {
      await stopProject(services, await chooseProject(services, node, "Stop Graphs"));
    },
    "agentOperations.graphs.restart": async (node) => {
      const project = await chooseProject(services, node, "Restart Graphs");
      await stopProject(services, project);
      await startProject(services, project);
    },
    "agentOperations.graphs.useRunning": async (node) => {
      const project = await chooseProject(services, node, "Connect to the Running Server of Graphs");
      await useRunning(services, project);
    },
    "agentOperations.graphs.deploy": async (node) => {
      await draftDeployment(await chooseProject(services, node, "Deploy Graphs"), drafts);
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
  services: Pick<Services, "workspaceGraphs">,
  project: GraphProject,
): Promise<void> {
  const { workspaceGraphs } = services;
  const { id, name } = project;
  if (workspaceGraphs.state(id).kind === "running") return;
  await checkAlone(services, project);
  await abortable(`Starting the graphs of ${name}`, (signal) => workspaceGraphs.start(id, signal));
}

/** A thread to be made for a graph; throws NotPossibleError where its server, which runs, does not have the graph. */
export async function newThreadOf(
  { agentServers }: Pick<Services, "agentServers">,
  connectionId: string,
  graph: string,
): Promise<ThreadTarget & { readonly assistantId: string }> {
  const target = { connectionId, server: { kind: "workspaceGraphs" } } as const;
  const { assistants } = agentServers.client(target);
  const [assistant] = await assistants.search({ graph_id: graph, limit: 1 });
  if (assistant === undefined)
    throw new NotPossibleError(`The server has no graph “${graph}”.`, "Restart the graphs.");
  return { ...target, assistantId: assistant.assistant_id };
}

/** Stops a project's server; that of other windows, too, only when a person agrees. */
async function stopProject(
  { workspaceGraphs }: Pick<Services, "workspaceGraphs">,
  { id, name }: GraphProject,
): Promise<void> {
  if (await workspaceGraphs.isShared(id)) {
    await confirm(
      `Stop the graphs of ${name} for all windows?`,
      "Another window of this editor uses their server, too. Runs that are going on end.",
      "Stop",
    );
  }
  await workspaceGraphs.stop(id);
}

/** Starts it with the debugger, which stays with it. */
async function debugProject(
  services: Pick<Services, "graphDebugger" | "workspaceGraphs">,
  project: GraphProject,
  endsServer?: boolean,
): Promise<void> {
  const { graphDebugger, workspaceGraphs } = services;
  if (vscode.workspace.isTrusted && workspaceGraphs.state(project.id).kind === "stopped")
    await checkAlone(services, project);
  if (graphDebugger.endsToListen(project.id)) {
    await confirm(
      `Start the graphs of ${project.name} again to debug them?`,
      "A server of Python listens to a debugger only from its start. Runs that are going on end.",
      "Start Again",
    );
  }
  const title = `Attaching the debugger to the graphs of ${project.name}`;
  await abortable(title, (signal) => graphDebugger.attach(project, signal, endsServer));
}

/** A connection to the server of the graphs that a person started; one to the same address is enough. */
async function useRunning(
  { connections, workspaceGraphs }: Pick<Services, "connections" | "workspaceGraphs">,
  { id, name }: GraphProject,
): Promise<void> {
  const url = await workspaceGraphs.otherServer(id);
  if (url === undefined) {
    throw new NotPossibleError(
      `No server of the graphs of ${name} is running that was started outside of the editor.`,
      "Start the graphs here.",
    );
  }
  const { host } = new URL(url);
  const known = connections.list().find((one) => one.url === url);
  if (known === undefined) await connections.add({ name: `${name} at ${host}`, kind: "agentServer", url });
  void showInformation(`“${known?.name ?? `${name} at ${host}`}” is the connection to this server.`);
}

/** Two servers of one folder write the same files: whoever starts a second one is asked. */
async function checkAlone(
  { workspaceGraphs }: Pick<Services, "workspaceGraphs">,
  { id, name }: GraphProject,
): Promise<void> {
  const url = await workspaceGraphs.otherServer(id);
  if (url === undefined) return;
  await confirm(
    `Start another server of the graphs of ${name}?`,
    `One runs already at ${new URL(url).host}, started outside of the editor. Both keep their threads in the same files of the folder, and one overwrites what the other has written. “Connect to the running server” is in the Deployments view.`,
    "Start Another",
  );
}

/** A draft of a deployment that a platform builds out of the project's repository; it is checked and sent as any other. */
async function draftDeployment(
  { name, folder }: GraphProject,
  drafts: GraphDocuments["drafts"],
): Promise<void> {
  checkTrust(name);
  const repository = await readRepository(folder.fsPath);
  if (repository === undefined) {
    throw new NotPossibleError(
      `The folder of ${name} is in no git repository, from which a platform could build its graphs.`,
      "Put it into a repository that the platform can read, or build an image and deploy that.",
    );
  }
  const { url, branch, prefix, unpushed } = repository;
  const draft = githubDraft({ name, url, ref: branch, configPath: `${prefix}${GRAPH_FILE}` });
  await drafts.open(name, draftText(draft));
  const missing = [url === "" ? "repo_url" : "", branch === "" ? "repo_ref" : ""].filter((one) => one !== "");
  const todo = [
    missing.length === 0 ? "" : `The repository does not tell ${missing.join(" and ")}: fill that in.`,
    unpushed === undefined ? "" : `The platform builds what was pushed: ${unpushed}.`,
  ].filter((text) => text !== "");
  if (todo.length > 0) void showWarning(todo.join(" "));
}

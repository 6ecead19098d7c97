/** Which of the workspace's graphs a command is about: what it was started on, the only one, or one that a person chooses. */

import * as vscode from "vscode";
import { textOf } from "../../kit/ask/meant.ts";
import { askChoice } from "../../kit/ask/questions.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import type { GraphProject } from "../../workspaceGraphs/graphProject.ts";

/** The project of the source in front, and its graph where it is one. */
export async function graphInFront({ workspaceGraphs }: Pick<Services, "workspaceGraphs">): Promise<unknown> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const project = uri && workspaceGraphs.projectOf(uri);
  if (project === undefined) return undefined;
  const { graphs } = await workspaceGraphs.file(project.id);
  const own = graphs.filter(({ file }) => vscode.Uri.joinPath(project.folder, file).path === uri?.path);
  return { connectionId: project.id, graph: own.length === 1 ? own[0]?.name : undefined };
}

/** The project that is meant; throws NotPossibleError where there is none, CancellationError when nobody chose. */
export async function chooseProject(
  { workspaceGraphs }: Pick<Services, "workspaceGraphs">,
  value: unknown,
  title: string,
): Promise<GraphProject> {
  await workspaceGraphs.find();
  const id = textOf(value, "connectionId");
  const named = id === undefined ? undefined : workspaceGraphs.project(id);
  if (named !== undefined) return named;
  const [only, ...others] = workspaceGraphs.projects;
  if (only === undefined) {
    throw new NotPossibleError(
      "No folder of this workspace has a langgraph.json.",
      "Open the folder that has your graphs.",
    );
  }
  if (others.length === 0) return only;
  const choices = workspaceGraphs.projects.map((project) => ({
    label: project.name,
    detail: project.folder.fsPath,
    value: project,
  }));
  return askChoice({ title }, choices, { placeholder: "Which graphs?" });
}

/** The graph that is meant; throws NotPossibleError where there is none, CancellationError when nobody chose. */
export async function chooseGraph(
  services: Pick<Services, "workspaceGraphs">,
  value: unknown,
  title: string,
): Promise<{ readonly project: GraphProject; readonly graph: string }> {
  const project = await chooseProject(services, value, title);
  const named = textOf(value, "graph");
  if (named !== undefined) return { project, graph: named };
  const { graphs, problems } = await services.workspaceGraphs.file(project.id);
  const [only, ...others] = graphs;
  if (only === undefined) {
    const why = problems[0]?.message ?? "It has no graph.";
    throw new NotPossibleError(
      `The langgraph.json of ${project.name} can't be used: ${why}`,
      "Correct the file.",
    );
  }
  if (others.length === 0) return { project, graph: only.name };
  const choices = graphs.map(({ name, file }) => ({ label: name, description: file, value: name }));
  return { project, graph: await askChoice({ title }, choices, { placeholder: "Which graph?" }) };
}

/** Starting a project's server: only where the workspace is trusted, by the project's own command line. */

import * as vscode from "vscode";
import { showWarning } from "../kit/notice.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import { findCommandLine, listeningAt, versionWarning } from "./commandLine.ts";
import type { GraphFile } from "./graphFile.ts";
import type { GraphServer } from "./graphServer.ts";
import type { GraphProject } from "./graphProject.ts";
import { freePort } from "./serverProcess.ts";

/** What starts. */
interface Start {
  readonly server: GraphServer;
  /** The port that it had before; 0 for any. */
  readonly port: number;
  /** Whether a debugger is to attach. */
  readonly debugged: boolean;
  readonly signal: AbortSignal;
}

/** Answers the server's address when it is ready; throws GraphServerError or NotPossibleError. */
export async function startGraphs(
  { folder, name }: GraphProject,
  { graphs, runtime, problems }: GraphFile,
  { server, port, debugged, signal }: Start,
): Promise<string> {
  checkTrust(name);
  const [problem] = problems;
  if (problem !== undefined || graphs.length === 0) {
    const message = `The langgraph.json of ${name} can't be used: ${problem?.message ?? "it has no graph."}`;
    throw new NotPossibleError(message, "Correct the file, and start again.");
  }
  const interpreter = runtime === "python" ? await interpreterOf(folder) : undefined;
  const found = await findCommandLine(folder.fsPath, runtime, interpreter);
  const listens = debugged && runtime === "python";
  const commandLine = listens ? listeningAt(found, await freePort(0)) : found;
  const warning = server.running === undefined ? versionWarning(commandLine) : undefined;
  if (warning !== undefined) void showWarning(warning);
  return server.start(commandLine, port, signal);
}

/** Starting graphs runs what lies in the folder. Throws NotPossibleError. */
export function checkTrust(name: string): void {
  if (vscode.workspace.isTrusted) return;
  throw new NotPossibleError(
    `The graphs of ${name} are not started: this workspace is not trusted, and starting them runs its code.`,
    "Trust the workspace if you know where it comes from, and start again.",
    ["trustWorkspace"],
  );
}

/** As it stands in settings. */
const variable = /\$\{workspaceFolder\}/g;

/** The Python that is chosen for the folder; undefined where nobody chose. */
async function interpreterOf(folder: vscode.Uri): Promise<string | undefined> {
  const python = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  const api = await python?.activate().then(
    (made) => made,
    () => undefined,
  );
  const path = api?.environments?.getActiveEnvironmentPath?.(folder).path;
  if (path !== undefined && path !== "" && path !== "python") return path;
  const setting = vscode.workspace.getConfiguration("python", folder).get<string>("defaultInterpreterPath");
  return setting === undefined || setting === "" || setting === "python"
    ? undefined
    : setting.replaceAll(
        variable,
        () => vscode.workspace.getWorkspaceFolder(folder)?.uri.fsPath ?? folder.fsPath,
      );
}

/** What of the Python extension's interface is used. */
interface PythonApi {
  readonly environments?: {
    readonly getActiveEnvironmentPath?: (resource: vscode.Uri) => { readonly path: string };
  };
}

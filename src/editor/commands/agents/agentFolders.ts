/** Where in the workspace agents' files are. */

import * as vscode from "vscode";
import { type AgentTree, type FileChange, folderName } from "../../agents/files/agentTree.ts";
import { agentIdIn } from "../../agents/files/agentSettings.ts";
import { counted } from "../../kit/words.ts";
import { fileExists } from "../../kit/workspaceFiles.ts";
import { AGENT_SCHEME } from "../../kit/ids.ts";
import { showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { askChoice } from "../../kit/ask/questions.ts";

/** A folder of the workspace with an `agent.json` in it. */
export interface AgentFolder {
  readonly uri: vscode.Uri;
  /** The agent that the folder is of; undefined for one that was never pushed. */
  readonly agentId: string | undefined;
}

const mostFound = 200;
const excluded = "**/{node_modules,.git,subagents}/**";

/** Every folder of the workspace that is an agent's. */
async function findAgentFolders(): Promise<readonly AgentFolder[]> {
  const files = await vscode.workspace.findFiles("**/agent.json", excluded, mostFound);
  const local = files.filter(({ scheme }) => scheme !== AGENT_SCHEME);
  return Promise.all(
    local.map(async (file) => ({
      uri: vscode.Uri.joinPath(file, ".."),
      agentId: agentIdIn(new TextDecoder().decode(await vscode.workspace.fs.readFile(file))),
    })),
  );
}

/** The folder with an agent's files, chosen when there are several. Throws when there is none, and when nobody chose. */
export async function chooseFolder(title: string, agentId?: string): Promise<AgentFolder> {
  const all = await findAgentFolders();
  const folders = agentId === undefined ? all : all.filter((folder) => folder.agentId === agentId);
  const [only, ...others] = folders;
  if (only === undefined) {
    throw new NotPossibleError(
      agentId === undefined
        ? "No folder of the workspace has an agent.json."
        : "No folder of the workspace is of this agent.",
      "Pull the agent to the workspace first.",
    );
  }
  if (others.length === 0) return only;
  const choices = folders.map((value) => ({ label: vscode.workspace.asRelativePath(value.uri), value }));
  return askChoice({ title }, choices, { placeholder: "Which folder?" });
}

/** Where an agent is pulled to: the folder that is its own already, else a new one. Throws when nobody chose. */
export async function pullTarget(agentId: string, agentName: string): Promise<vscode.Uri> {
  const own = (await findAgentFolders()).filter((folder) => folder.agentId === agentId);
  if (own.length > 0) return (await chooseFolder("Pull Agent", agentId)).uri;
  const root = await chooseRoot();
  const name = folderName(agentName);
  const wanted = vscode.Uri.joinPath(root, "agents", name);
  return (await fileExists(wanted))
    ? vscode.Uri.joinPath(root, "agents", `${name}-${folderName(agentId)}`)
    : wanted;
}

/** Shows the files that differ in the editor's own view for several files: the platform's on the left. */
export async function showChanges(
  title: string,
  platformFolder: vscode.Uri,
  folder: vscode.Uri,
  changes: readonly FileChange[],
  trees: { readonly platform: AgentTree; readonly local: AgentTree },
): Promise<void> {
  const resources = changes.map(({ path }) => {
    const local = vscode.Uri.joinPath(folder, path);
    return [
      local,
      trees.platform.has(path) ? vscode.Uri.joinPath(platformFolder, path) : undefined,
      trees.local.has(path) ? local : undefined,
    ];
  });
  await vscode.commands.executeCommand("vscode.changes", title, resources);
}

/** Says which files were left out and why, if there are any. */
export function warnLeftOut(leftOut: readonly { readonly path: string; readonly why: string }[]): void {
  if (leftOut.length === 0) return;
  const named = leftOut.slice(0, 5).map(({ path, why }) => `${JSON.stringify(path)} (${why})`);
  const more = leftOut.length > named.length ? ` and ${String(leftOut.length - named.length)} more` : "";
  const what = counted(leftOut.length, "file was", "files were");
  void showWarning(`${what} left out: ${named.join(", ")}${more}.`);
}

async function chooseRoot(): Promise<vscode.Uri> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme !== AGENT_SCHEME);
  const [only, ...others] = folders;
  if (only !== undefined && others.length === 0) return only.uri;
  if (only === undefined) {
    const options = { canSelectFiles: false, canSelectFolders: true, openLabel: "Pull Here" };
    const [picked] = (await vscode.window.showOpenDialog(options)) ?? [];
    if (picked === undefined) throw new vscode.CancellationError();
    return picked;
  }
  const choices = folders.map(({ name, uri }) => ({ label: name, value: uri }));
  return askChoice({ title: "Pull Agent" }, choices, { placeholder: "To which folder?" });
}

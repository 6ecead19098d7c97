/** What can be done with an agent's files: opened, brought to the workspace, sent back, and kept from being lost. */

import * as vscode from "vscode";
import type { AgentFiles } from "../../agents/files/agentFiles.ts";
import { type AgentRef, shownFolder } from "../../agents/files/agentUri.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { chooseAgent } from "./agentChoice.ts";
import { pushAgent } from "./agentPush.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { refOf } from "../../kit/ask/meant.ts";
import { confirmAct } from "../../connections/guard.ts";
import { clashAmong, pathProblem } from "../../agents/files/fileNames.ts";
import { toolsText } from "../../agents/files/toolsFile.ts";
import { askChoice, askText } from "../../kit/ask/questions.ts";
import { readFolder, withLeftOut } from "../../agents/files/agentFolder.ts";
import { differences, type FileChange, updateOf } from "../../agents/files/agentTree.ts";
import { writeFolder } from "../../agents/files/folderWrite.ts";
import { counted } from "../../kit/words.ts";
import { fileExists } from "../../kit/workspaceFiles.ts";
import { chooseFolder, pullTarget, showChanges, warnLeftOut } from "./agentFolders.ts";
import { showInformation, showWarning } from "../../kit/notice.ts";

/** The commands of an agent's files. */
export function agentFileCommands(services: Services) {
  const { store } = services.agents;
  return {
    "agentOperations.agent.openFile": async (node) => {
      const ref = await chooseAgent(services, node, "Open Agent File");
      const { tree } = await store.fetch(ref);
      const choices = [...tree.keys()].map((value) => ({ label: value, value }));
      const path = await askChoice({ title: "Open Agent File" }, choices, { placeholder: "Which file?" });
      const file = vscode.Uri.joinPath(shownFolder(services.platforms, ref), path);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    },
    "agentOperations.agent.newFile": async (node) => {
      await addFile(services, await chooseAgent(services, node, "New Agent File"));
    },
    "agentOperations.agent.addFolder": async (node) => {
      const ref = await chooseAgent(services, node, "Add Agent as Workspace Folder");
      const { agent } = await store.fetch(ref);
      const uri = shownFolder(services.platforms, { ...ref, name: agent.name });
      const folders = vscode.workspace.workspaceFolders ?? [];
      if (folders.some((folder) => folder.uri.toString() === uri.toString())) return;
      vscode.workspace.updateWorkspaceFolders(folders.length, 0, { uri, name: agent.name });
    },
    "agentOperations.agent.pull": async (node) => {
      await pull(services, await chooseAgent(services, node, "Pull Agent to Workspace"));
    },
    "agentOperations.agent.push": (node) => pushAgent(services, refOf(node, "agentId")),
    "agentOperations.agent.compare": async (node) => {
      await compare(services, await chooseAgent(services, node, "Compare Agent with Workspace"));
    },
  } satisfies Partial<CommandsOf<"agent">>;
}

/** The commands of a file that was changed here and on the platform. */
export function commands(
  _services: Services,
  { agentFiles: { conflicts } }: { readonly agentFiles: AgentFiles },
): CommandsOf<"agentFile"> {
  const conflicting = (argument: unknown): vscode.Uri => {
    const uri = conflicts.inFront(argument);
    if (uri !== undefined) return uri;
    throw new NotPossibleError("The file in front is in no conflict.", "Save it; a conflict is shown then.");
  };
  return {
    "agentOperations.agentFile.overwrite": (uri) => conflicts.overwrite(conflicting(uri)),
    "agentOperations.agentFile.takeTheirs": (uri) => conflicts.takeTheirs(conflicting(uri)),
  };
}

const mostNamed = 10;

/** Makes a file with what every file of its kind begins with, and opens it. */
async function addFile({ agents, connections, platforms }: Services, ref: AgentRef): Promise<void> {
  const { agent, tree } = await agents.store.fetch(ref);
  const { name } = agent;
  const path = await askText(
    { title: `New File of “${name}”` },
    {
      prompt:
        "Its path: AGENTS.md, tools.json, skills/<name>/SKILL.md, subagents/<name>/AGENTS.md or another one.",
      placeholder: "skills/report/SKILL.md",
      value: tree.has("AGENTS.md") ? "" : "AGENTS.md",
      problem: (typed) => {
        const why =
          typed === "" ? "enter a path" : (pathProblem(typed) ?? clashAmong([...tree.keys(), typed])?.why);
        return why === undefined ? undefined : `This can be no new file: ${why}.`;
      },
    },
  );
  const detail = "The agent works by it from now on.";
  const question = `Add ${path} to “${name}”?`;
  const connection = connections.resolve(ref.connectionId);
  await confirmAct(connection, { name, question, detail, verb: "Add", always: false });
  await agents.store.change(ref, ({ tree: now }) => {
    if (now.has(path)) throw new NotPossibleError(`“${name}” has a file ${path} by now.`, "Open it instead.");
    return updateOf(now, new Map([...now, [path, beginningOf(path)]]));
  });
  const file = vscode.Uri.joinPath(shownFolder(platforms, { ...ref, name }), path);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
}

/** What a new file holds: an empty text is no valid file of some kinds. */
function beginningOf(path: string): string {
  const [, skill] = /^skills\/([^/]+)\/SKILL\.md$/.exec(path) ?? [];
  if (skill !== undefined) return `---\nname: ${JSON.stringify(skill)}\ndescription: ""\n---\n\n`;
  if (/(^|\/)tools\.json$/.test(path)) return toolsText({ tools: [] });
  return path.endsWith(".json") ? "{}\n" : "\n";
}

/** Writes the agent's files to its folder in the workspace; what would be lost there is named and asked for. */
async function pull({ agents, platforms }: Services, ref: AgentRef): Promise<void> {
  const { agent, tree, leftOut } = await agents.store.fetch(ref);
  const folder = await pullTarget(agent.id, agent.name);
  const { tree: local, leftOut: unread } = (await fileExists(folder))
    ? await readFolder(folder, tree.keys())
    : { tree: new Map<string, string>(), leftOut: [] };
  // What could not be read is there all the same, and would be lost.
  const changes = differences(local, tree).map((change): FileChange => {
    return unread.some(({ path }) => path === change.path) ? { ...change, kind: "changed" } : change;
  });
  const folderName = vscode.workspace.asRelativePath(folder);
  if (changes.length === 0) {
    void showInformation(`${folderName} is the same as “${agent.name}” already.`);
    return;
  }
  const lost = changes.filter(({ kind }) => kind !== "added");
  if (lost.length > 0) {
    const answer = await showWarning(
      `Replace ${counted(lost.length, "file")} in ${folderName} by those of “${agent.name}”?`,
      { modal: true, detail: `${named(lost)}\nWhat is there now is lost.` },
      "Replace",
      "Compare",
    );
    if (answer === "Compare") {
      const shown = shownFolder(platforms, { ...ref, name: agent.name });
      await showChanges(`“${agent.name}” ↔ ${folderName}`, shown, folder, differences(tree, local), {
        platform: tree,
        local,
      });
    }
    if (answer !== "Replace") return;
  }
  await writeFolder(folder, tree, changes);
  warnLeftOut(leftOut);
  const settings = vscode.Uri.joinPath(folder, "agent.json");
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(settings), { preview: true });
  void showInformation(`${counted(changes.length, "file")} of “${agent.name}” pulled to ${folderName}.`);
}

/** Shows what differs between the agent and its folder in the workspace. */
async function compare({ agents, platforms }: Services, ref: AgentRef): Promise<void> {
  const { agent, tree } = await agents.store.fetch(ref);
  const folder = await chooseFolder("Compare Agent with Workspace", agent.id);
  const content = await readFolder(folder.uri, tree.keys());
  const local = withLeftOut(content, tree);
  const changes = differences(tree, local);
  const folderName = vscode.workspace.asRelativePath(folder.uri);
  warnLeftOut(content.leftOut);
  if (changes.length === 0) {
    void showInformation(`${folderName} is the same as “${agent.name}”.`);
    return;
  }
  const shown = shownFolder(platforms, { ...ref, name: agent.name });
  await showChanges(`“${agent.name}” ↔ ${folderName}`, shown, folder.uri, changes, { platform: tree, local });
}

function named(changes: readonly FileChange[]): string {
  const shown = changes.slice(0, mostNamed).map(({ path, kind }) => `${path} (${kind})`);
  const more = changes.length > mostNamed ? [`and ${String(changes.length - mostNamed)} more`] : [];
  return [...shown, ...more].join("\n");
}

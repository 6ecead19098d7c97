/** What can be done with an agent's files: opened, brought to the workspace, sent back, and kept from being lost. */

import * as vscode from "vscode";
import type { AgentFiles } from "../../agents/files/agentFiles.ts";
import { shownFolder } from "../../agents/files/agentUri.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { chooseAgent } from "./agentChoice.ts";
import { compareAgent, pullAgent } from "./agentPull.ts";
import { pushAgent } from "./agentPush.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { refOf } from "../../kit/ask/meant.ts";
import { askChoice } from "../../kit/ask/questions.ts";

/** The commands of an agent's files. */
export function agentFileCommands(services: Services, { store }: AgentFiles) {
  return {
    "agentOperations.agent.openFile": async (node) => {
      const ref = await chooseAgent(services, node, "Open Agent File");
      if (ref === undefined) return;
      const { tree } = await store.fetch(ref);
      const choices = [...tree.keys()].map((value) => ({ label: value, value }));
      const path = await askChoice({ title: "Open Agent File" }, choices, { placeholder: "Which file?" });
      const file = vscode.Uri.joinPath(shownFolder(services.platforms, ref), path);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    },
    "agentOperations.agent.addFolder": async (node) => {
      const ref = await chooseAgent(services, node, "Add Agent as Workspace Folder");
      if (ref === undefined) return;
      const { agent } = await store.fetch(ref);
      const uri = shownFolder(services.platforms, { ...ref, name: agent.name });
      const folders = vscode.workspace.workspaceFolders ?? [];
      if (folders.some((folder) => folder.uri.toString() === uri.toString())) return;
      vscode.workspace.updateWorkspaceFolders(folders.length, 0, { uri, name: agent.name });
    },
    "agentOperations.agent.pull": async (node) => {
      const ref = await chooseAgent(services, node, "Pull Agent to Workspace");
      if (ref !== undefined) await pullAgent(services, store, ref);
    },
    "agentOperations.agent.push": (node) => pushAgent(services, store, refOf(node, "agentId")),
    "agentOperations.agent.compare": async (node) => {
      const ref = await chooseAgent(services, node, "Compare Agent with Workspace");
      if (ref !== undefined) await compareAgent(services, store, ref);
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

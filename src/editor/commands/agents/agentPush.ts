/** Sending an agent's files from the workspace: what changes is shown first, and only that is sent. */

import * as vscode from "vscode";
import { applyEdits, modify } from "jsonc-parser";
import { unlessGone } from "../../../api/errors.ts";
import { readFolder, withLeftOut } from "../../agents/files/agentFolder.ts";
import { settingsChange } from "../../agents/files/agentSettings.ts";
import type { AgentSnapshot } from "../../agents/files/agentStore.ts";
import {
  type AgentTree,
  createOf,
  differences,
  type FileChange,
  problemsOfFile,
  updateOf,
} from "../../agents/files/agentTree.ts";
import { type AgentRef, shownFolder } from "../../agents/files/agentUri.ts";
import { askAbout } from "../../documents/lowerHalf.ts";
import { counted, withoutIcons } from "../../kit/words.ts";
import { showInformation } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { type AgentFolder, chooseFolder, showChanges, warnLeftOut } from "./agentFolders.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import { askChoice } from "../../kit/ask/questions.ts";

const title = "Push Agent from Workspace";

/** Sends a folder's files to the agent that they are of, or makes a new agent of them. */
export async function pushAgent(services: Services, ref?: AgentRef): Promise<void> {
  const folder = await chooseFolder(title, ref?.agentId);
  const connectionId = ref?.connectionId ?? (await choosePlatform(services, undefined, title)).id;
  const { agentId } = folder;
  const target = agentId === undefined ? undefined : { connectionId, agentId };
  const before =
    target === undefined ? undefined : await services.agents.store.fetch(target).catch(unlessGone);
  const content = await readFolder(folder.uri, before?.tree.keys());
  await refuseProblems(folder.uri, content.tree);
  warnLeftOut(content.leftOut);
  if (target === undefined || before === undefined) {
    await create(services, connectionId, folder, content.tree);
  } else await update(services, target, folder.uri, before, withLeftOut(content, before.tree));
}

async function update(
  { agents, platforms }: Services,
  ref: AgentRef,
  folder: vscode.Uri,
  before: AgentSnapshot,
  tree: AgentTree,
): Promise<void> {
  const { name } = before.agent;
  const changes = differences(before.tree, tree).filter(
    (change) => !isSameSettings(change, before.tree, tree),
  );
  if (changes.length === 0) {
    void showInformation(
      `Nothing to push: “${name}” is the same as ${vscode.workspace.asRelativePath(folder)}.`,
    );
    return;
  }
  const shown = shownFolder(platforms, { ...ref, name });
  const review = `What is pushed to “${name}”`;
  const trees = { platform: before.tree, local: tree };
  await askAbout(
    review,
    () => showChanges(review, shown, folder, changes, trees),
    () => confirm(shown, folder, name, changes),
  );
  await agents.store.change(ref, (now) => {
    if (differences(before.tree, now.tree).length > 0) {
      throw new NotPossibleError(
        `“${name}” was changed on the platform while you looked at the changes. Nothing was pushed.`,
        "Push again to see what changes now.",
      );
    }
    return updateOf(before.tree, tree);
  });
  const count = counted(changes.length, "file");
  void showInformation(`${count} pushed to “${name}”.`);
}

/** The changes as rows: the first one pushes, any other shows its file and comes back. */
async function confirm(
  platformFolder: vscode.Uri,
  folder: vscode.Uri,
  name: string,
  changes: readonly FileChange[],
): Promise<void> {
  const icons = { added: "diff-added", changed: "diff-modified", deleted: "diff-removed" };
  const count = counted(changes.length, "file");
  for (;;) {
    const chosen = await askChoice<FileChange | "push">(
      { title },
      [
        { value: "push", label: `$(cloud-upload) Push ${count} to “${withoutIcons(name)}”` },
        ...changes.map((value) => ({
          value,
          label: `$(${icons[value.kind]}) ${withoutIcons(value.path)}`,
          description: value.kind,
        })),
      ],
      { placeholder: "Push, or look at a file", active: "push" },
    );
    if (chosen === "push") return;
    const { path, kind } = chosen;
    const [theirs, local] = [platformFolder, folder].map((root) => vscode.Uri.joinPath(root, path));
    if (kind === "changed") await vscode.commands.executeCommand("vscode.diff", theirs, local, path);
    else await vscode.commands.executeCommand("vscode.open", kind === "added" ? local : theirs);
  }
}

async function create(
  services: Services,
  connectionId: string,
  folder: AgentFolder,
  tree: AgentTree,
): Promise<void> {
  const body = createOf(tree);
  const why =
    folder.agentId === undefined ? "was never pushed" : "is of an agent that the platform does not have";
  const answer = await showInformation(
    `Create the agent “${body.name}” from ${vscode.workspace.asRelativePath(folder.uri)}?`,
    { modal: true, detail: `The folder ${why}. It has ${String(tree.size)} files.` },
    "Create",
  );
  if (answer !== "Create") return;
  const made = await services.agents.create(connectionId, body);
  const settings = vscode.Uri.joinPath(folder.uri, "agent.json");
  const text = tree.get("agent.json") ?? "{}";
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  const edits = modify(text, ["agent_id"], made.id, { formattingOptions, getInsertionIndex: () => 0 });
  await vscode.workspace.fs.writeFile(settings, new TextEncoder().encode(applyEdits(text, edits)));
  void showInformation(`“${made.name}” was created; its ID is in agent.json now.`);
}

/** A file that can't be sent is opened at its problem. */
async function refuseProblems(folder: vscode.Uri, tree: AgentTree): Promise<void> {
  if (!tree.has("AGENTS.md") && !tree.has("agent.json")) {
    throw new NotPossibleError("The folder has no agent.json.", "Choose another folder.");
  }
  for (const [path, text] of tree) {
    const [problem] = problemsOfFile(path, text);
    if (problem === undefined) continue;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, path));
    const at = document.positionAt(problem.start);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
    throw new NotPossibleError(
      `Nothing was pushed, because of ${path}, line ${String(at.line + 1)}: ${problem.message}`,
      "Correct it and push again.",
    );
  }
}

/** Settings may be written in many ways that mean the same. */
function isSameSettings({ path }: FileChange, before: AgentTree, after: AgentTree): boolean {
  const [old, fresh] = [before.get(path), after.get(path)];
  if (path !== "agent.json" || old === undefined || fresh === undefined) return false;
  return Object.keys(settingsChange(old, fresh)).length === 0;
}

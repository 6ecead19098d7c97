/** Bringing an agent's files to the workspace, and comparing them with those that are there. */

import * as vscode from "vscode";
import { readFolder, withLeftOut, writeFolder } from "../../agents/files/agentFolder.ts";
import { shownFolder } from "../../agents/files/agentUri.ts";
import type { AgentStore } from "../../agents/files/agentStore.ts";
import { differences } from "../../agents/files/agentTree.ts";
import type { FileChange } from "../../agents/files/agentTree.ts";
import type { AgentRef } from "../../agents/files/agentUri.ts";
import { counted } from "../../kit/words.ts";
import { fileExists } from "../../kit/fileExists.ts";
import type { Services } from "../../services.ts";
import { chooseFolder, pullTarget, showChanges, tellLeftOut } from "./agentFolders.ts";
import { showInformation, showWarning } from "../../kit/notice.ts";

const mostNamed = 10;

/** Writes the agent's files to its folder in the workspace; what would be lost there is named and asked for. */
export async function pullAgent(
  { platforms }: Pick<Services, "platforms">,
  store: AgentStore,
  ref: AgentRef,
): Promise<void> {
  const { agent, tree, leftOut } = await store.fetch(ref);
  const folder = await pullTarget(agent.id, agent.name);
  if (folder === undefined) return;
  const { tree: local, leftOut: unread } = (await fileExists(folder))
    ? await readFolder(folder, tree.keys())
    : { tree: new Map<string, string>(), leftOut: [] };
  // What could not be read is there all the same, and would be lost.
  const changes = differences(local, tree).map((change): FileChange => {
    return unread.some(({ path }) => path === change.path) ? { ...change, kind: "changed" } : change;
  });
  const place = vscode.workspace.asRelativePath(folder);
  if (changes.length === 0) {
    void showInformation(`${place} is the same as “${agent.name}” already.`);
    return;
  }
  const lost = changes.filter(({ kind }) => kind !== "added");
  if (lost.length > 0) {
    const answer = await showWarning(
      `Replace ${counted(lost.length, "file")} in ${place} by those of “${agent.name}”?`,
      { modal: true, detail: `${named(lost)}\nWhat stands there now is lost.` },
      "Replace",
      "Compare",
    );
    if (answer === "Compare") {
      const shown = shownFolder(platforms, { ...ref, name: agent.name });
      await showChanges(`“${agent.name}” ↔ ${place}`, shown, folder, differences(tree, local), {
        platform: tree,
        local,
      });
    }
    if (answer !== "Replace") return;
  }
  await writeFolder(folder, tree, changes);
  tellLeftOut(leftOut);
  const settings = vscode.Uri.joinPath(folder, "agent.json");
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(settings), { preview: true });
  void showInformation(`${counted(changes.length, "file")} of “${agent.name}” pulled to ${place}.`);
}

/** Shows what differs between the agent and its folder in the workspace. */
export async function compareAgent(
  { platforms }: Pick<Services, "platforms">,
  store: AgentStore,
  ref: AgentRef,
): Promise<void> {
  const { agent, tree } = await store.fetch(ref);
  const folder = await chooseFolder("Compare Agent with Workspace", agent.id);
  if (folder === undefined) return;
  const content = await readFolder(folder.uri, tree.keys());
  const local = withLeftOut(content, tree);
  const changes = differences(tree, local);
  const place = vscode.workspace.asRelativePath(folder.uri);
  tellLeftOut(content.leftOut);
  if (changes.length === 0) {
    void showInformation(`${place} is the same as “${agent.name}”.`);
    return;
  }
  const shown = shownFolder(platforms, { ...ref, name: agent.name });
  await showChanges(`“${agent.name}” ↔ ${place}`, shown, folder.uri, changes, { platform: tree, local });
}

function named(changes: readonly FileChange[]): string {
  const shown = changes.slice(0, mostNamed).map(({ path, kind }) => `${path} (${kind})`);
  const more = changes.length > mostNamed ? [`and ${String(changes.length - mostNamed)} more`] : [];
  return [...shown, ...more].join("\n");
}

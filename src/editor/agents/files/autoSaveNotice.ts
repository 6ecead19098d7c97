/** Auto Save sends a half-written file of an agent to the platform, where it counts at once: said one time. */

import * as vscode from "vscode";
import { AGENT_SCHEME } from "../../kit/ids.ts";
import { showWarning } from "../../kit/notice.ts";

/** Under this key it is remembered that a person was told. */
export const AUTO_SAVE_TOLD = "agentOperations.toldOfAutoSave";
const turnOff = "Turn Off Auto Save";

/** Tells when the editor first saves an agent's file by itself; a browser's editor does so unless told otherwise. */
export function registerAutoSaveNotice(memory: vscode.Memento): vscode.Disposable {
  return vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
    const isUnasked = reason !== vscode.TextDocumentSaveReason.Manual;
    const isToBeTold = isUnasked && document.uri.scheme === AGENT_SCHEME;
    if (isToBeTold && memory.get(AUTO_SAVE_TOLD) === undefined) void tell(memory);
  });
}

async function tell(memory: vscode.Memento): Promise<void> {
  await memory.update(AUTO_SAVE_TOLD, true);
  const words =
    "Auto Save is on: what you type in an agent's file is sent to the platform whenever you pause, and is live there.";
  if ((await showWarning(words, turnOff, "Keep It On")) !== turnOff) return;
  const files = vscode.workspace.getConfiguration("files");
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const isOfWorkspace = files.inspect("autoSave")?.workspaceValue !== undefined;
  await files.update("autoSave", "off", isOfWorkspace ? Workspace : Global);
}

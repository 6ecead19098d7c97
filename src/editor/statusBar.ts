/** The one status bar item: the default connection and how many threads need a person. */

import * as vscode from "vscode";
import type { Core } from "./services.ts";
import { counted } from "./kit/words.ts";

/** Shows the item as long as there is a connection, until it is disposed of. */
export function registerStatusBar({ connections, waitingThreads, localPlatform }: Core): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("agentOperations", vscode.StatusBarAlignment.Left, 50);
  item.name = "Agents";
  item.command = "agentOperations.connection.actions";
  const update = (): void => {
    const connection = connections.default();
    if (connection === undefined) {
      item.hide();
      return;
    }
    const waiting = waitingThreads.count();
    const failed = connection.kind === "localPlatform" && localPlatform.state.kind === "failed";
    const need = counted(waiting, "needs you", "need you");
    item.text = `$(hubot) ${connection.name}${waiting === 0 ? "" : ` · ${need}`}`;
    item.tooltip = new vscode.MarkdownString(undefined, true)
      .appendText(`Default connection: ${connection.name}\n`)
      .appendText(waiting === 0 ? "No thread that was seen needs you." : `Threads: ${need}.`);
    item.accessibilityInformation = {
      label: `Agents: ${connection.name}${waiting === 0 ? "" : `, ${need}`}`,
    };
    item.backgroundColor = failed ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
    item.show();
  };
  update();
  return vscode.Disposable.from(item, connections.onDidChange(update), waitingThreads.onDidChange(update));
}

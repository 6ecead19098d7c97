/** Two items of the status bar: how many threads need a person, and the connection of what is in front. */

import * as vscode from "vscode";
import type { ConnectionSetting } from "../connections/connection.ts";
import { colorOf, isProtected, markedLabel, themeColor } from "../connections/mark.ts";
import { connectionOf } from "../documents/connectionMarks.ts";
import type { LaterDocuments } from "../documents/index.ts";
import { VIEWS } from "../kit/ids.ts";
import type { Later } from "../kit/later.ts";
import { counted } from "../kit/words.ts";
import type { RunPanels } from "../runPanel/runPanels.ts";
import type { Core } from "../services.ts";

/** What the items show beside the core: what may be in front. */
export interface StatusBarParts {
  readonly core: Core;
  readonly panels: Later<RunPanels>;
  readonly drafts: LaterDocuments["drafts"];
}

/** Shows the items as long as there is a connection, until they are disposed of. */
export function registerStatusBar(parts: StatusBarParts): vscode.Disposable {
  return vscode.Disposable.from(registerWaiting(parts.core), registerConnection(parts));
}

/** How many threads wait, on all connections together; a click leads to them. */
function registerWaiting({ connections, waitingThreads }: Core): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    "agentOperations.waiting",
    vscode.StatusBarAlignment.Left,
    50,
  );
  item.name = "Agents: Inbox";
  item.command = `${VIEWS.inbox}.focus`;
  const update = (): void => {
    const waiting = waitingThreads.count();
    if (waiting === 0) {
      item.hide();
      return;
    }
    const lines = waitingThreads.shares().map(({ connectionId, count }) => {
      const connection = connections.get(connectionId);
      const mark = isProtected(connection) ? " (protected)" : "";
      return `${connection?.name ?? connectionId}${mark}: ${String(count)}`;
    });
    item.text = `$(bell-dot) ${counted(waiting, "waiting", "waiting")}`;
    item.tooltip = tooltip(["Threads that wait for a person. Click to open the Inbox.", ...lines]);
    item.accessibilityInformation = {
      label: `Agents: ${counted(waiting, "thread waits for you", "threads wait for you")}`,
    };
    item.show();
  };
  update();
  return vscode.Disposable.from(item, connections.onDidChange(update), waitingThreads.onDidChange(update));
}

/** The connection of the tab in front, else the default one. */
function registerConnection({ core, panels, drafts }: StatusBarParts): vscode.Disposable {
  const { connections, localPlatform } = core;
  const item = vscode.window.createStatusBarItem("agentOperations", vscode.StatusBarAlignment.Left, 49);
  item.name = "Agents: Connection";
  let front: string | undefined;
  const update = (): void => {
    const inFront = front === undefined ? undefined : connections.get(front);
    const connection = inFront ?? connections.default();
    if (connection === undefined) {
      item.hide();
      return;
    }
    const { kind, name, id } = connection;
    const failed = kind === "localPlatform" && localPlatform.state.kind === "failed";
    const marked = isProtected(connection);
    const words = `${marked ? "Protected connection" : "Connection"} ${inFront === undefined ? "by default" : "of what is in front"}`;
    item.command = {
      command: "agentOperations.connection.actions",
      title: "Actions",
      arguments: [{ connectionId: id }],
    };
    item.text = marked ? markedLabel(connection) : `$(hubot) ${markedLabel(connection)}`;
    item.tooltip = tooltip([`${words}: ${name}`]);
    item.accessibilityInformation = { label: `Agents: ${words}: ${name}` };
    item.color = colorIn(connection);
    item.backgroundColor = failed ? error : marked && inFront !== undefined ? warning : undefined;
    item.show();
  };
  const follow = async (): Promise<void> => {
    const found = await connectionInFront(panels, drafts);
    if (found === front) return;
    front = found;
    update();
  };
  update();
  void follow();
  void panels.made.then(({ onDidChangeActive }) => onDidChangeActive(() => void follow()));
  const { onDidChangeTabs, onDidChangeTabGroups } = vscode.window.tabGroups;
  return vscode.Disposable.from(
    item,
    connections.onDidChange(update),
    onDidChangeTabs(() => void follow()),
    onDidChangeTabGroups(() => void follow()),
  );
}

const error = new vscode.ThemeColor("statusBarItem.errorBackground");
const warning = new vscode.ThemeColor("statusBarItem.warningBackground");

async function connectionInFront(
  panels: Later<RunPanels>,
  drafts: LaterDocuments["drafts"],
): Promise<string | undefined> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  let found: string | undefined;
  if (input instanceof vscode.TabInputWebview)
    await panels.ifMade(({ connectionInFront: id }) => void (found = id));
  const uris =
    input instanceof vscode.TabInputText
      ? [input.uri]
      : input instanceof vscode.TabInputTextDiff
        ? [input.modified, input.original]
        : [];
  for (const uri of uris) found ??= await connectionOf(uri, drafts);
  return found;
}

function colorIn(connection: ConnectionSetting): vscode.ThemeColor | undefined {
  const color = colorOf(connection);
  return color && themeColor(color);
}

function tooltip(lines: readonly string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString(undefined, true);
  for (const line of lines) text.appendText(`${line}\n`);
  return text;
}

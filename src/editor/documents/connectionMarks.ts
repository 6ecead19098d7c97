/** Which connection a document is of, and the mark on its tab and on its rows in the Explorer. */

import * as vscode from "vscode";
import type { Connections } from "../connections/connections.ts";
import { colorOf, isProtected, themeColor } from "../connections/mark.ts";
import { AGENT_SCHEME, SCHEME } from "../kit/ids.ts";

/** The connection that a virtual document is of; undefined for another document. */
export async function connectionOf(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme === AGENT_SCHEME) {
    const { agentFileOf } = await import("../agents/files/agentUri.ts");
    return agentFileOf(uri)?.connectionId;
  }
  const [, connectionId] = uri.scheme === SCHEME ? (ofConnection.exec(uri.path) ?? []) : [];
  return connectionId === undefined ? undefined : decodeURIComponent(connectionId);
}

const ofConnection = /^\/(?:connection-test\/|tool-schemas\/)?([^/]+)\//;

/** Marks documents of protected and of colored connections as long as the extension runs. */
export function registerConnectionMarks(connections: Connections): vscode.Disposable {
  const changed = new vscode.EventEmitter<undefined>();
  const provideFileDecoration = async (uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> => {
    if (uri.scheme !== SCHEME && uri.scheme !== AGENT_SCHEME) return undefined;
    const connectionId = await connectionOf(uri);
    const connection = connectionId === undefined ? undefined : connections.get(connectionId);
    const color = connection && colorOf(connection);
    if (connection === undefined || color === undefined) return undefined;
    const { name } = connection;
    const decoration = isProtected(connection)
      ? new vscode.FileDecoration(badge, `On “${name}”, which is protected`, themeColor(color))
      : new vscode.FileDecoration(undefined, `On “${name}”`, themeColor(color));
    return decoration;
  };
  return vscode.Disposable.from(
    changed,
    connections.onDidChange(() => changed.fire(undefined)),
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration,
    }),
  );
}

/** A shield, as the editor's badges can show one. */
const badge = "\u{1f6e1}";

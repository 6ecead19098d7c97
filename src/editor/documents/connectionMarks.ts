/** Which connection a document is of, and the mark on its tab and on its rows in the Explorer. */

import * as vscode from "vscode";
import type { Connections } from "../connections/connections.ts";
import { colorOf, isProtected, themeColor } from "../connections/mark.ts";
import { AGENT_SCHEME, DRAFT_SUFFIX, SCHEME, STATE_SCHEME } from "../kit/ids.ts";
import type { LaterDocuments } from "./index.ts";

type Drafts = LaterDocuments["drafts"];

/** The connection that a virtual document or a draft is of; undefined for another document. */
export async function connectionOf(uri: vscode.Uri, drafts: Drafts): Promise<string | undefined> {
  const { scheme, path } = uri;
  if (scheme === AGENT_SCHEME) {
    const { agentFileOf } = await import("../agents/files/agentUri.ts");
    return agentFileOf(uri)?.connectionId;
  }
  if (scheme === SCHEME || scheme === STATE_SCHEME) {
    const [, connectionId] = ofConnection.exec(path) ?? [];
    return connectionId === undefined ? undefined : decodeURIComponent(connectionId);
  }
  let found: string | undefined;
  if (path.endsWith(DRAFT_SUFFIX))
    await drafts.ifMade(({ memory }) => void (found = memory.connectionOf(uri)));
  return found;
}

const ofConnection = /^\/(?:connection-test\/|tool-schemas\/)?([^/]+)\//;

/** Marks documents of protected and of colored connections as long as the extension runs. */
export function registerConnectionMarks(
  connections: Pick<Connections, "get" | "onDidChange">,
  drafts: Drafts,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<undefined>();
  const provideFileDecoration = async (uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> => {
    const connectionId = await connectionOf(uri, drafts);
    const connection = connectionId === undefined ? undefined : connections.get(connectionId);
    const color = connection && colorOf(connection);
    if (connection === undefined || color === undefined) return undefined;
    const { name } = connection;
    return isProtected(connection)
      ? new vscode.FileDecoration(badge, `On “${name}”, which is protected`, themeColor(color))
      : new vscode.FileDecoration(undefined, `On “${name}”`, themeColor(color));
  };
  // After a reload a draft is open before its platform is known.
  void drafts.made.then(({ memory }) => {
    memory.onDidChange(() => changed.fire(undefined));
    changed.fire(undefined);
  });
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

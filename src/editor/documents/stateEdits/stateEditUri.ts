/** The addresses of states that are edited. */

import * as vscode from "vscode";
import type { ThreadRef } from "../../connections/connection.ts";
import { serverFromText, serverText } from "../../connections/serverRef.ts";
import { STATE_SCHEME } from "../../kit/ids.ts";

/** A state of a thread's history. */
export interface EditedState {
  readonly thread: ThreadRef;
  readonly checkpointId: string;
  /** As the server has it, not to be written: what an edited one is compared with. */
  readonly original: boolean;
}

const paths = /^\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\/[^/]+\.json$/;

/** `agent-operations-state:/<connection>/<server>/<thread>/<checkpoint>/<name>.json`; ids are percent-encoded. */
export function stateEditUri({ thread, checkpointId, original }: EditedState, name: string): vscode.Uri {
  const { connectionId, server, threadId } = thread;
  const ids = [connectionId, serverText(server), threadId, checkpointId].map(encodeURIComponent);
  const fileName = name.replace(/[\p{Cc}/\\:*?"<>|]+/gu, " ").trim();
  const path = `/${ids.join("/")}/${fileName}.json`;
  return vscode.Uri.from({ scheme: STATE_SCHEME, path, query: original ? "original" : "" });
}

/** Throws a FileSystemError for another address. */
export function editedStateOf(uri: vscode.Uri): EditedState {
  const [, ...ids] = paths.exec(uri.path) ?? [];
  const [connectionId, server, threadId, checkpointId] = ids.map(decodeURIComponent);
  if (connectionId === undefined || server === undefined || threadId === undefined)
    throw vscode.FileSystemError.FileNotFound(uri);
  return {
    thread: { connectionId, server: serverFromText(server), threadId },
    checkpointId: checkpointId ?? "",
    original: uri.query === "original",
  };
}

/** The line above a thread's state that is old: the thread went on since it was read. */

import * as vscode from "vscode";
import { type CommandId, SCHEME } from "../kit/ids.ts";
import type { ThreadStateDocuments } from "./threadStates.ts";
import { stateOfUri } from "./threadStateUri.ts";

/** Shows it, until it is disposed of. */
export function registerStateLens(states: ThreadStateDocuments): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: SCHEME, pattern: "**/threads/*/state/*.json" },
    {
      onDidChangeCodeLenses: states.onDidChangeAge,
      provideCodeLenses: ({ uri }) => {
        const thread = stateOfUri(uri)?.thread;
        if (thread === undefined || !states.isOld(uri)) return [];
        const command: CommandId = "agentOperations.thread.openState";
        const title = "$(history) The thread went on since. Show the newest state";
        return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [thread] })];
      },
    },
  );
}

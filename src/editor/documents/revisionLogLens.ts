/** The line above an open log: follow or pause, the filter, how much is shown, and the other log. */

import * as vscode from "vscode";
import { counted } from "../kit/words.ts";
import { type CommandId, SCHEME } from "../kit/ids.ts";
import { filterWords } from "../deployments/logs/logBuffer.ts";
import type { OpenLog, RevisionLogs } from "./revisionLogs.ts";

/** Shows it, until it is disposed of. */
export function registerLogLens(logs: RevisionLogs): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: SCHEME, pattern: "**/*.log" },
    {
      onDidChangeCodeLenses: logs.onDidChangeState,
      provideCodeLenses: ({ uri }) => {
        const log = logs.get(uri);
        return log === undefined ? [] : lensesOf(log);
      },
    },
  );
}

function lensesOf({ uri, ref, tail, followed, problem }: OpenLog): vscode.CodeLens[] {
  const { all, shown } = tail.counts;
  const filter = filterWords(tail.filter);
  const other = ref.type === "build" ? "deploy" : "build";
  const state = problem === undefined ? "Following" : `Waiting: ${problem}`;
  return [
    followed
      ? lens(`$(sync) ${state} – Pause`, "agentOperations.revisionLog.pause", uri)
      : lens("$(debug-pause) Paused – Follow", "agentOperations.revisionLog.follow", uri),
    lens(
      filter === ""
        ? `$(filter) ${counted(all, "line")}`
        : `$(filter) ${filter}: ${counted(shown, "line")} of ${String(all)}`,
      "agentOperations.revisionLog.filter",
      uri,
    ),
    lens(`Open ${other === "build" ? "Build" : "Deploy"} Log`, "agentOperations.revision.openLog", {
      ...ref,
      type: other,
    }),
  ];
}

function lens(title: string, command: CommandId, argument: unknown): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [argument] });
}

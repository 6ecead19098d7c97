/** What is wrong with an agent's files, shown in the text while it is typed, before anything is sent. */

import * as vscode from "vscode";
import { AGENT_SCHEME } from "../../kit/ids.ts";
import { problemsOfFile } from "./agentTree.ts";
import { agentPlaceOf } from "./agentUri.ts";

/** Marks the problems of every agent's file that is open. */
export function registerAgentDiagnostics(): vscode.Disposable {
  const problems = vscode.languages.createDiagnosticCollection("Agents");
  const check = (document: vscode.TextDocument): void => {
    const path = pathOf(document.uri);
    if (path !== undefined) problems.set(document.uri, diagnosticsOf(document, path));
  };
  vscode.workspace.textDocuments.forEach(check);
  return vscode.Disposable.from(
    problems,
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => problems.delete(uri)),
  );
}

function diagnosticsOf(document: vscode.TextDocument, path: string): vscode.Diagnostic[] {
  return problemsOfFile(path, document.getText()).map(({ start, end, message }) => {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    diagnostic.source = "Agents";
    return diagnostic;
  });
}

/** The path within an agent, in its virtual folder or where agents are pulled to: `agents/<name>/…`. */
function pathOf(uri: vscode.Uri): string | undefined {
  if (uri.scheme === AGENT_SCHEME) return uri.query === "" ? agentPlaceOf(uri)?.path : undefined;
  const pulled = /\/agents\/[^/]+\/(agent\.json|tools\.json|subagents\/[^/]+\/(?:agent|tools)\.json)$/;
  return uri.scheme === "file" ? pulled.exec(uri.path)?.[1] : undefined;
}

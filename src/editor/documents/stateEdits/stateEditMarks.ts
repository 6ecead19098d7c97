/** What an edited state's document says of itself: what saving does, and what the state's schema refuses. */

import * as vscode from "vscode";
import { readEdit } from "../../../run/repair/stateEdit.ts";
import { rangesIn } from "../../../run/schema/textRanges.ts";
import { problemLine } from "../../../run/schema/problems.ts";
import { STATE_SCHEME } from "../../kit/ids.ts";
import type { OpenEdit, StateEdits } from "./stateEdits.ts";

/** A larger state is checked when it is saved. */
const mostChecked = 500_000;
const typingMs = 300;

/** Marks them until it is disposed of. */
export function markStateEdits(edits: StateEdits): vscode.Disposable {
  const problems = vscode.languages.createDiagnosticCollection("Agents");
  const waiting = new Map<string, NodeJS.Timeout>();
  const check = async (document: vscode.TextDocument): Promise<void> => {
    const { uri, version } = document;
    const edit = await edits.edit(uri).catch(() => undefined);
    if (edit === undefined || document.isClosed || document.version !== version) return;
    problems.set(uri, diagnosticsOf(document, edit));
  };
  const checkSoon = (document: vscode.TextDocument): void => {
    if (document.uri.scheme !== STATE_SCHEME || document.uri.query !== "") return;
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    waiting.set(
      key,
      setTimeout(() => void check(document), typingMs),
    );
  };
  const checkAll = (): void => vscode.workspace.textDocuments.forEach(checkSoon);
  checkAll();
  return vscode.Disposable.from(
    problems,
    edits.onDidReadSchema(checkAll),
    vscode.workspace.onDidOpenTextDocument(checkSoon),
    vscode.workspace.onDidChangeTextDocument(({ document }) => checkSoon(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => problems.delete(uri)),
    new vscode.Disposable(() => waiting.forEach((timer) => clearTimeout(timer))),
    vscode.languages.registerCodeLensProvider({ scheme: STATE_SCHEME }, { provideCodeLenses: lensesOf }),
  );
}

function diagnosticsOf(document: vscode.TextDocument, { state, schema }: OpenEdit): vscode.Diagnostic[] {
  const text = document.getText();
  if (text.length > mostChecked) return [];
  const edit = readEdit(state.values, text);
  // What is no JSON is marked by the editor's own means.
  const found = "problem" in edit ? [] : schema.problems(edit.whole);
  if (typeof found === "string") return [];
  const ranges = rangesIn(
    text,
    found.map(({ path }) => path),
  );
  return found.map((problem, index) => {
    const { from, to } = ranges[index] ?? { from: 0, to: 0 };
    const range = new vscode.Range(document.positionAt(from), document.positionAt(to));
    const message = problemLine(problem, "The state");
    const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    diagnostic.source = "Agents";
    return diagnostic;
  });
}

function lensesOf({ uri }: vscode.TextDocument): vscode.CodeLens[] {
  if (uri.query !== "") return [];
  const top = new vscode.Range(0, 0, 0, 0);
  const original = uri.with({ query: "original" });
  return [
    new vscode.CodeLens(top, {
      title: "$(debug-continue) Save to write this state and go on from there",
      command: "workbench.action.files.save",
    }),
    new vscode.CodeLens(top, {
      title: "$(diff) Compare with the state as it was",
      command: "vscode.diff",
      arguments: [original, uri, "What you changed"],
    }),
  ];
}

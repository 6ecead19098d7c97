/** A document that grows is scrolled along where its end is seen. */

import * as vscode from "vscode";

const drawnWithinMs = 2000;

/** The editors that show the document. */
export function editorsOf(uri: vscode.Uri): readonly vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter(
    ({ document }) => document.uri.toString() === uri.toString(),
  );
}

/** To be called before the document is read again: scrolls along only where the end was seen before. */
export function followEnd(uri: vscode.Uri): void {
  const along = editorsOf(uri).filter(seesEnd);
  const listener = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (document.uri.toString() !== uri.toString()) return;
    listener.dispose();
    for (const editor of along) revealEnd(editor);
  });
  setTimeout(() => void listener.dispose(), drawnWithinMs);
}

/** Brings the end of the document into sight. */
export function revealEnd(editor: vscode.TextEditor): void {
  const end = editor.document.lineAt(editor.document.lineCount - 1).range;
  editor.revealRange(end, vscode.TextEditorRevealType.Default);
}

function seesEnd({ document, visibleRanges }: vscode.TextEditor): boolean {
  return (visibleRanges.at(-1)?.end.line ?? 0) >= document.lineCount - 2;
}

/** What a server or we refuse of a draft, at its span in the text until that span is edited. */

import * as vscode from "vscode";
import type { DraftProblem } from "./deploymentDraft.ts";
import { type DraftPath, parseDraft, type TextSpan, spanOf } from "./parsedDraft.ts";

interface Shown extends DraftProblem {
  /** What stood at the span when it was refused. */
  readonly refused: string;
}

/** The marks in all drafts that are open. */
export class DraftDiagnostics implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection("agentOperations.drafts");
  readonly #shown = new Map<string, readonly Shown[]>();
  readonly #subscriptions: vscode.Disposable;

  constructor() {
    this.#subscriptions = vscode.Disposable.from(
      this.#collection,
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#edited(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.clear(document)),
    );
  }

  /** Marks the problems, and only them; the first is brought into sight. */
  async show(document: vscode.TextDocument, problems: readonly DraftProblem[]): Promise<void> {
    const shown = problems.map((problem) => ({ ...problem, refused: textAt(document, problem.path) }));
    this.#shown.set(document.uri.toString(), shown);
    this.#draw(document, shown);
    const [first] = this.#collection.get(document.uri) ?? [];
    if (first === undefined) return;
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    editor.selection = new vscode.Selection(first.range.start, first.range.start);
    editor.revealRange(first.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  clear({ uri }: vscode.TextDocument): void {
    this.#shown.delete(uri.toString());
    this.#collection.delete(uri);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** What is edited may be right now: only the server can tell, so the mark goes. */
  #edited(document: vscode.TextDocument): void {
    const shown = this.#shown.get(document.uri.toString());
    if (shown === undefined) return;
    const left = shown.filter(({ path, refused }) => textAt(document, path) === refused);
    this.#shown.set(document.uri.toString(), left);
    this.#draw(document, left);
  }

  #draw(document: vscode.TextDocument, shown: readonly Shown[]): void {
    const diagnostics = shown.map(({ path, message }) => {
      const { offset, length } = spanIn(document, path);
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
      diagnostic.source = "Agents";
      return diagnostic;
    });
    this.#collection.set(document.uri, diagnostics);
  }
}

function spanIn(document: vscode.TextDocument, path: DraftPath): TextSpan {
  const parsed = parseDraft(document.getText());
  return parsed.kind === "problem" ? parsed.span : spanOf(parsed.root, path).span;
}

function textAt(document: vscode.TextDocument, path: DraftPath): string {
  const { offset, length } = spanIn(document, path);
  return document.getText().slice(offset, offset + length);
}

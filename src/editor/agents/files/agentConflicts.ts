/** Files that were changed on the platform and here: shown side by side, until a person says which one stays. */

import * as vscode from "vscode";
import { setContext } from "../../kit/contexts.ts";
import { CONTEXTS } from "../../kit/ids.ts";
import type { AgentFileSystem, Conflict } from "./agentFileSystem.ts";
import { theirUri } from "./agentUri.ts";

/** The conflicts that are not settled yet, each with its comparison. */
export class AgentConflicts implements vscode.Disposable {
  readonly #files: AgentFileSystem;
  readonly #conflicts = new Map<string, Conflict>();
  readonly #subscriptions: vscode.Disposable;

  constructor(files: AgentFileSystem) {
    this.#files = files;
    this.#subscriptions = vscode.Disposable.from(
      files.onDidConflict((conflict) => void this.#show(conflict)),
      // Saved or reverted: there is nothing of one's own left to compare.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!document.isDirty) this.#settled(document.uri);
      }),
    );
  }

  /** The file that a command is about: the editor in front shows it. Undefined when it is in no conflict. */
  inFront(argument: unknown): vscode.Uri | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const front =
      input instanceof vscode.TabInputTextDiff
        ? input.modified
        : input instanceof vscode.TabInputText
          ? input.uri
          : undefined;
    return [argument instanceof vscode.Uri ? argument : undefined, front].find((uri) => {
      return uri !== undefined && this.#conflicts.has(uri.toString());
    });
  }

  /** Saves what is typed here over the platform's version. */
  async overwrite(uri: vscode.Uri): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    await this.#files.accept(uri);
    if (await document.save()) this.#settled(uri);
  }

  /** Puts the platform's version in place of what is typed here, as an edit that can be undone. */
  async takeTheirs(uri: vscode.Uri): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const text = await this.#files.accept(uri);
    const edit = new vscode.WorkspaceEdit();
    const end = document.positionAt(document.getText().length);
    edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
    await vscode.workspace.applyEdit(edit);
    if (await document.save()) this.#settled(uri);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #show(conflict: Conflict): Promise<void> {
    const { uri, file } = conflict;
    const key = uri.toString();
    const isShown = diffTabs(uri).length > 0;
    this.#conflicts.set(key, conflict);
    this.#setContext();
    if (isShown) return;
    const name = file.path.split("/").at(-1) ?? file.path;
    await vscode.commands.executeCommand("vscode.diff", theirUri(uri), uri, `${name} (platform ↔ yours)`);
  }

  #settled(uri: vscode.Uri): void {
    if (!this.#conflicts.delete(uri.toString())) return;
    this.#setContext();
    void vscode.window.tabGroups.close(diffTabs(uri));
  }

  /** An empty list would count as true where the palette asks whether there is a conflict. */
  #setContext(): void {
    const keys = [...this.#conflicts.keys()];
    setContext(CONTEXTS.agentFileConflicts, keys.length === 0 ? undefined : keys);
  }
}

function diffTabs(uri: vscode.Uri): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      return input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString();
    });
}

/** Drafts without a file outlive a reload: a remote editor brings such documents back empty. */

import * as vscode from "vscode";
import { draftProblems, isDraft } from "./deploymentDraft.ts";
import type { DraftMemory } from "./draftMemory.ts";
import { parseDraft } from "./draftPlaces.ts";

const restMs = 300;

/** Keeps the text of each unsaved draft as long as it is open, and fills in those that came back empty. */
export function keepUnsavedDrafts(memory: DraftMemory): vscode.Disposable {
  const timers = new Map<string, NodeJS.Timeout>();
  const keepSoon = (document: vscode.TextDocument): void => {
    const key = document.uri.toString();
    clearTimeout(timers.get(key));
    const keep = (): void => {
      timers.delete(key);
      if (!document.isClosed && mayBeKept(document.getText())) {
        void memory.remember(document.uri, { text: document.getText() });
      }
    };
    timers.set(key, setTimeout(keep, restMs));
  };
  for (const document of vscode.workspace.textDocuments) void fillIn(memory, document);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument((document) => void fillIn(memory, document)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isUnsaved(document)) keepSoon(document);
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (isUnsaved(document)) void memory.remember(document.uri, { text: undefined });
    }),
    { dispose: () => timers.forEach((timer) => clearTimeout(timer)) },
  );
}

async function fillIn(memory: DraftMemory, document: vscode.TextDocument): Promise<void> {
  const text = isUnsaved(document) && document.getText() === "" ? memory.textOf(document.uri) : undefined;
  if (text === undefined) return;
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
}

/** A text with the value of a secret in it is kept nowhere. */
function mayBeKept(text: string): boolean {
  const parsed = parseDraft(text);
  return parsed.kind === "json" && !draftProblems(parsed.value).some(({ path }) => path.at(-1) === "value");
}

function isUnsaved({ uri, isUntitled }: vscode.TextDocument): boolean {
  return isUntitled && isDraft(uri.path);
}

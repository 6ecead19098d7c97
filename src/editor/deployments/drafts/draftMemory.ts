/** What is kept beside drafts: which platform each belongs to, and the text of those that no file has yet. */

import * as vscode from "vscode";
import { KeptList, type Memory } from "../../kit/keptList.ts";
import { draftProblems, isDraft } from "./deploymentDraft.ts";
import { parseDraft } from "./parsedDraft.ts";

interface Kept {
  readonly key: string;
  /** Not in the draft itself: a file that is shared must not say where keys go. */
  readonly connectionId?: string | undefined;
  readonly text?: string | undefined;
}

const mostKept = 100;
const restMs = 300;

/** Remembers drafts by their addresses, over a reload. */
export class DraftMemory {
  readonly #drafts: KeptList<Kept>;
  readonly #changed = new vscode.EventEmitter<void>();
  /** A draft belongs to another platform than before. */
  readonly onDidChange = this.#changed.event;

  constructor(memory: Memory) {
    this.#drafts = new KeptList(memory, "drafts", ({ key }) => key, mostKept);
  }

  /** The connection that the draft was opened from or sent to. */
  connectionOf(uri: vscode.Uri): string | undefined {
    return this.#kept(uri).connectionId;
  }

  /** The text of a draft without a file, as it was before the window was reloaded. */
  textOf(uri: vscode.Uri): string | undefined {
    return this.#kept(uri).text;
  }

  async remember(uri: vscode.Uri, what: Omit<Kept, "key">): Promise<void> {
    const before = this.connectionOf(uri);
    await this.#drafts.keep({ ...this.#kept(uri), ...what });
    if (this.connectionOf(uri) !== before) this.#changed.fire();
  }

  #kept(uri: vscode.Uri): Kept {
    const key = keyOf(uri);
    return this.#drafts.get(key) ?? { key };
  }
}

/** The editor may bring a document without a file back under a slightly different address. */
function keyOf(uri: vscode.Uri): string {
  return uri.scheme === "untitled"
    ? `untitled:${uri.path.slice(uri.path.lastIndexOf("/") + 1)}`
    : uri.toString();
}

/**
 * Keeps the text of each unsaved draft as long as it is open, and fills in those that came back empty: a remote editor
 * brings documents without a file back so after a reload.
 */
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

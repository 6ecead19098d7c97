/** What is kept beside drafts: which platform each belongs to, and the text of those that no file has yet. */

import type * as vscode from "vscode";

interface Kept {
  readonly key: string;
  /** Not in the draft itself: a file that is shared must not say where keys go. */
  readonly connectionId?: string | undefined;
  readonly text?: string | undefined;
}

const memoryName = "drafts";
const mostKept = 100;

/** Remembers drafts by their addresses, over a reload. */
export class DraftMemory {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
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
    const known = this.#kept(uri);
    const others = this.#all().filter(({ key }) => key !== known.key);
    await this.#memento.update(memoryName, [...others, { ...known, ...what }].slice(-mostKept));
  }

  #kept(uri: vscode.Uri): Kept {
    const key = keyOf(uri);
    return this.#all().find((kept) => kept.key === key) ?? { key };
  }

  #all(): readonly Kept[] {
    return this.#memento.get<readonly Kept[]>(memoryName, []);
  }
}

/** The editor may bring a document without a file back under a slightly different address. */
function keyOf(uri: vscode.Uri): string {
  return uri.scheme === "untitled"
    ? `untitled:${uri.path.slice(uri.path.lastIndexOf("/") + 1)}`
    : uri.toString();
}

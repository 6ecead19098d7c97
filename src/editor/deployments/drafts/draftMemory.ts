/** What is kept beside drafts: which platform each belongs to, and the text of those that no file has yet. */

import type * as vscode from "vscode";
import { KeptList, type Memory } from "../../kit/keptList.ts";

interface Kept {
  readonly key: string;
  /** Not in the draft itself: a file that is shared must not say where keys go. */
  readonly connectionId?: string | undefined;
  readonly text?: string | undefined;
}

const mostKept = 100;

/** Remembers drafts by their addresses, over a reload. */
export class DraftMemory {
  readonly #drafts: KeptList<Kept>;

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
    await this.#drafts.keep({ ...this.#kept(uri), ...what });
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

/** Which platform a draft belongs to, kept beside the draft: a file that is shared must not say where keys go. */

import type * as vscode from "vscode";

const memoryName = "drafts";
const mostKept = 100;

export class DraftMemory {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** The connection that the draft was opened from or sent to. */
  connectionOf(uri: vscode.Uri): string | undefined {
    return this.#kept().find(([key]) => key === uri.toString())?.[1];
  }

  async remember(uri: vscode.Uri, connectionId: string): Promise<void> {
    const others = this.#kept().filter(([key]) => key !== uri.toString());
    await this.#memento.update(memoryName, [...others, [uri.toString(), connectionId]].slice(-mostKept));
  }

  #kept(): readonly (readonly [uri: string, connectionId: string])[] {
    return this.#memento.get(memoryName, []);
  }
}

/** Which thread each panel shows, kept over window reloads; nothing of a conversation is. */

import type * as vscode from "vscode";
import type { ThreadPlace } from "../connections/connection.ts";

const memoryKey = "runPanel.places";
const mostPanels = 100;

/** The threads of this window's panels, by panel. */
export class PanelPlaces {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get(panelId: string): ThreadPlace | undefined {
    return this.#all()[panelId];
  }

  /** Keeps the place of a panel; those of the panels that were kept longest ago are forgotten. */
  keep(panelId: string, { connectionId, serverId, threadId, testRun }: ThreadPlace): void {
    const kept = this.get(panelId);
    if (kept !== undefined && kept.threadId === threadId) return;
    const others = Object.entries(this.#all()).filter(([id]) => id !== panelId);
    const place: ThreadPlace = { connectionId, serverId, threadId, testRun };
    void this.#memory.update(
      memoryKey,
      Object.fromEntries([...others.slice(1 - mostPanels), [panelId, place]]),
    );
  }

  #all(): Readonly<Record<string, ThreadPlace>> {
    return this.#memory.get(memoryKey, {});
  }
}
